#include <atomic>
#include <cstdint>
#include <utility>

#include "deviation.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// Every edge is kept at its end that comes first by degree, so that no vertex keeps more than sqrt(2 m), and a triangle is
/// found once: two vertices that its first has kept, one of which has kept the other. On all cores.
Reference serial_lcc(const Graph& graph, const Query&) {
  std::vector<std::vector<int>> kept(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      for (const int v : neighbours(graph, u)) {
        if (std::pair(degree(graph, u), u) < std::pair(degree(graph, v), v)) kept[u].push_back(v);
      }
    }
  });

  std::vector<std::int64_t> triangles(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    const auto count = [&](int v) { std::atomic_ref(triangles[v]).fetch_add(1, std::memory_order_relaxed); };
    std::vector<bool> is_kept(graph.n);
    for (int u = vertices.first; u < vertices.last; u++) {
      for (const int v : kept[u]) is_kept[v] = true;
      for (const int v : kept[u]) {
        for (const int w : kept[v]) {
          if (!is_kept[w]) continue;
          count(u);
          count(v);
          count(w);
        }
      }
      for (const int v : kept[u]) is_kept[v] = false;
    }
  });

  std::vector<double> clustering(graph.n);
  for (int v = 0; v < graph.n; v++) {
    const std::int64_t k = degree(graph, v);
    if (k > 1) clustering[v] = static_cast<double>(2 * triangles[v]) / static_cast<double>(k * (k - 1));
  }
  return {triangles, clustering};
}

/// Numbers of triangles have to be equal, and what they are divided to up to rounding.
std::optional<std::string> check_lcc(const Graph&, const Reference& expected, Results results) {
  if (const auto error = find_unequal({expected[0]}, results.first(1))) return "triangles of " + *error;
  return with_values(
      results[1], [&](const auto* values) { return find_off(results[1], values, reals(expected[1]), Deviation{}); });
}

}  // namespace violet
