#include "reference.hpp"

#include "distances.hpp"

namespace violet {

/// A queue of vertices, nearest first.
Reference serial_bfs_tree(const Graph& graph, const Query& query) {
  std::vector<std::int64_t> level(graph.n, unreachable), predecessor(graph.n, nobody);
  std::vector<int> queue{query.source};
  level[query.source] = 0;
  for (std::size_t head = 0; head < queue.size(); head++) {
    const int u = queue[head];
    for (const int v : neighbours(graph, u)) {
      if (level[v] != unreachable) continue;
      level[v] = level[u] + 1;
      predecessor[v] = u;
      queue.push_back(v);
    }
  }
  return {level, predecessor};
}

Reference serial_bfs(const Graph& graph, const Query& query) { return {serial_bfs_tree(graph, query)[0]}; }

namespace {

constexpr auto one_step = [](std::int64_t) { return 1; };

}  // namespace

Certificate certify_bfs(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results, one_step)};
}

Certificate certify_bfs_tree(const Graph& graph, const Query& query, Results results) {
  return certify_bfs(graph, query, results);
}

std::optional<std::string> check_bfs(const Graph& graph, const Reference& expected, Results results) {
  return check_paths(graph, expected, results, one_step);
}

}  // namespace violet
