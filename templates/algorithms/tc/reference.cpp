#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "ranges.hpp"
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
/// triangle have kept its third, and even a hub keeps at most sqrt(m). On all cores.
Reference serial_tc(const Graph& graph, const Query&) {
  const auto comes_after = [&graph](int v, int u) {
    return std::pair(degree(graph, v), v) > std::pair(degree(graph, u), u);
  };
  std::vector<int> kept_degree(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      for (const int v : neighbours(graph, u)) kept_degree[u] += comes_after(v, u);
    }
  });
  std::vector<int> offsets(graph.n + 1);
  std::partial_sum(kept_degree.begin(), kept_degree.end(), offsets.begin() + 1);
  std::vector<int> kept(offsets[graph.n]);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      std::ranges::copy_if(neighbours(graph, u), kept.begin() + offsets[u], [&](int v) { return comes_after(v, u); });
    }
  });
  const auto kept_by = [&](int v) { return std::span(kept).subspan(offsets[v], offsets[v + 1] - offsets[v]); };

  std::atomic<std::int64_t> triangles = 0;
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    std::int64_t count = 0;
    for (int u = vertices.first; u < vertices.last; u++) {
      for (const int v : kept_by(u)) count += count_common(kept_by(u), kept_by(v));
    }
    triangles += count;
  });
  return {std::vector<std::int64_t>{triangles}};
}

}  // namespace violet
