#include <functional>
#include <queue>
#include <utility>

#include "distances.hpp"
#include "reference.hpp"

namespace violet {

/// Dijkstra's algorithm with a binary heap.
Reference serial_sssp_tree(const Graph& graph, const Query& query) {
  using Entry = std::pair<std::int64_t, int>;  // distance, vertex
  std::vector<std::int64_t> distance(graph.n, unreachable), predecessor(graph.n, nobody);
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
      predecessor[v] = u;
      heap.push({candidate, v});
    }
  }
  return {distance, predecessor};
}

Reference serial_sssp(const Graph& graph, const Query& query) { return {serial_sssp_tree(graph, query)[0]}; }

namespace {

auto lengths_of(const Graph& graph) {
  return [&graph](std::int64_t e) { return graph.in_weights[e]; };
}

}  // namespace

Certificate certify_sssp(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results, lengths_of(graph))};
}

Certificate certify_sssp_tree(const Graph& graph, const Query& query, Results results) {
  return certify_sssp(graph, query, results);
}

std::optional<std::string> check_sssp(const Graph& graph, const Reference& expected, Results results) {
  return check_paths(graph, expected, results, lengths_of(graph));
}

}  // namespace violet
