#include <algorithm>

#include "reference.hpp"

namespace violet {

/// Tarjan's algorithm, with a stack of its own instead of recursion: paths may be as long as there are vertices.
Reference serial_scc(const Graph& graph, const Query&) {
  constexpr int unvisited = -1;
  std::vector<std::int64_t> label(graph.n, unvisited);
  std::vector<int> number(graph.n, unvisited), low(graph.n), next(graph.row_offsets, graph.row_offsets + graph.n);
  std::vector<int> path, open;  // from the root to the current vertex; visited, in no component yet
  int count = 0;
  for (int root = 0; root < graph.n; root++) {
    if (number[root] != unvisited) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int v = path.back();
      if (number[v] == unvisited) {
        number[v] = low[v] = count++;
        open.push_back(v);
      }
      if (next[v] < graph.row_offsets[v + 1]) {
        const int w = graph.neighbours[next[v]];
        if (number[w] == unvisited) {
          path.push_back(w);  // and look at the edge again when that is done
          continue;
        }
        next[v]++;
        if (label[w] == unvisited) low[v] = std::min(low[v], low[w]);
        continue;
      }
      path.pop_back();
      if (low[v] < number[v]) continue;
      const auto first = std::find(open.rbegin(), open.rend(), v).base() - 1;  // the component is v and all after it
      const int smallest = *std::min_element(first, open.end());
      for (auto member = first; member != open.end(); ++member) label[*member] = smallest;
      open.erase(first, open.end());
    }
  }
  return {label};
}

}  // namespace violet
