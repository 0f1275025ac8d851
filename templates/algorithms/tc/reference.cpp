#include <span>
#include <utility>

#include "reference.hpp"

namespace violet {
namespace {

/// Number of elements that two ascending lists share.
std::int64_t count_common(std::span<const int> a, std::span<const int> b) {
  std::int64_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int x = *i, y = *j;
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

}  // namespace

/// Every vertex keeps only those neighbours that come after it by degree, then by number: the two first vertices of each
/// triangle have kept its third, and even a hub keeps at most sqrt(m).
Reference serial_tc(const Graph& graph, const Query&) {
  const auto comes_after = [&graph](int v, int u) {
    return std::pair(degree(graph, v), v) > std::pair(degree(graph, u), u);
  };
  std::vector<int> kept;
  std::vector<std::size_t> offsets{0};
  kept.reserve(graph.m / 2);
  for (int u = 0; u < graph.n; u++) {
    for (const int v : neighbours(graph, u)) {
      if (comes_after(v, u)) kept.push_back(v);
    }
    offsets.push_back(kept.size());
  }
  const auto kept_by = [&](int v) { return std::span(kept).subspan(offsets[v], offsets[v + 1] - offsets[v]); };

  std::vector<std::int64_t> triangles(1);
  for (int u = 0; u < graph.n; u++) {
    for (const int v : kept_by(u)) triangles[0] += count_common(kept_by(u), kept_by(v));
  }
  return {triangles};
}

}  // namespace violet
