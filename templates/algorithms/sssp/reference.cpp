#include <functional>
#include <queue>
#include <utility>

#include "distances.hpp"
#include "reference.hpp"

namespace violet {

/// Dijkstra's algorithm with a binary heap.
Reference serial_sssp(const Graph& graph, const Query& query) {
  using Entry = std::pair<std::int64_t, int>;  // distance, vertex
  std::vector<std::int64_t> distance(graph.n, unreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[query.source] = 0;
  heap.push({0, query.source});
  while (!heap.empty()) {
    const auto [from, u] = heap.top();
    heap.pop();
    if (from > distance[u]) continue;  // a shorter path was found after this entry was pushed
    for (std::int64_t e = first_edge(graph, u); e < first_edge(graph, u + 1); e++) {
      const int v = graph.neighbours[e];
      const std::int64_t candidate = from + graph.weights[e];
      if (distance[v] != unreachable && distance[v] <= candidate) continue;
      distance[v] = candidate;
      heap.push({candidate, v});
    }
  }
  return {distance};
}

Certificate certify_sssp(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results[0], [&graph](std::int64_t e) { return graph.in_weights[e]; })};
}

}  // namespace violet
