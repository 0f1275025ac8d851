#include <algorithm>
#include <numeric>
#include <utility>

#include "reference.hpp"

namespace violet {

/// Kruskal's algorithm: from the lightest edge to the heaviest, of equal weights in the order of edges, each that joins two
/// trees. Edges are those from a smaller vertex to a larger one.
Reference serial_mst(const Graph& graph, const Query&) {
  std::vector<int> source(graph.m);
  std::vector<int> order;
  order.reserve(graph.m / 2);
  for (int u = 0; u < graph.n; u++) {
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      source[e] = u;
      if (u < graph.neighbours[e]) order.push_back(e);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.weights[a] < graph.weights[b]; });

  std::vector<int> parent(graph.n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];  // path halving
    return v;
  };
  std::vector<std::int64_t> in_forest(graph.m);
  std::int64_t total_weight = 0;
  for (const int e : order) {
    const int a = root(source[e]), b = root(graph.neighbours[e]);
    if (a == b) continue;
    parent[a] = b;
    in_forest[e] = 1;
    total_weight += graph.weights[e];
  }
  return {in_forest, std::vector{total_weight}};
}

}  // namespace violet
