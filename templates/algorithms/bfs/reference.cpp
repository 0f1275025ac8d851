#include "reference.hpp"

#include "distances.hpp"

namespace violet {

/// A queue of vertices, nearest first.
Reference serial_bfs(const Graph& graph, const Query& query) {
  std::vector<std::int64_t> level(graph.n, unreachable);
  std::vector<int> queue{query.source};
  level[query.source] = 0;
  for (std::size_t head = 0; head < queue.size(); head++) {
    const int u = queue[head];
    for (const int v : neighbours(graph, u)) {
      if (level[v] != unreachable) continue;
      level[v] = level[u] + 1;
      queue.push_back(v);
    }
  }
  return {level};
}

Certificate certify_bfs(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results[0], [](std::int64_t) { return 1; })};
}

}  // namespace violet
