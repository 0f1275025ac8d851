#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <span>

#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// Every vertex keeps only those neighbours that come after it by degree, then by number: the two first vertices of each
/// triangle have kept its third, and even a hub keeps at most sqrt(m). What a vertex has kept is marked while those that it
/// has kept look there for theirs. Vertices are called by their places in that order, so marks that many look at are
/// together. On all cores.
Reference serial_tc(const Graph& graph, const Query&) {
  std::vector<int> next(graph.n + 1);  // place of a degree
  for (int v = 0; v < graph.n; v++) next[degree(graph, v) + 1]++;
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int> place(graph.n);
  for (int v = 0; v < graph.n; v++) place[v] = next[degree(graph, v)]++;

  std::vector<std::int64_t> offsets(graph.n + 1);  // by places
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      offsets[place[u] + 1] = std::ranges::count_if(neighbours(graph, u), [&](int v) { return place[v] > place[u]; });
    }
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<int> kept(offsets[graph.n]);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      std::int64_t end = offsets[place[u]];
      for (const int v : neighbours(graph, u)) {
        if (place[v] > place[u]) kept[end++] = place[v];
      }
    }
  });
  const auto kept_by = [&](int at) { return std::span(kept).subspan(offsets[at], offsets[at + 1] - offsets[at]); };

  std::atomic<std::int64_t> triangles = 0;
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    constexpr unsigned bits = 32;
    std::vector<std::uint32_t> marks(graph.n / bits + 1);
    std::int64_t count = 0;
    for (int u = vertices.first; u < vertices.last; u++) {
      const auto kept_here = kept_by(place[u]);
      for (const unsigned v : kept_here) marks[v / bits] |= 1U << v % bits;
      for (const int v : kept_here) {
        for (const unsigned w : kept_by(v)) count += marks[w / bits] >> w % bits & 1;
      }
      for (const unsigned v : kept_here) marks[v / bits] = 0;
    }
    triangles += count;
  });
  return {std::vector<std::int64_t>{triangles}};
}

}  // namespace violet
