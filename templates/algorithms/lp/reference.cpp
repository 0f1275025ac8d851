#include <map>
#include <vector>

#include "reference.hpp"

namespace violet {

/// Counts the labels of each row in a map, whose order has the smallest first.
Reference serial_lp(const Graph& graph, const Query& query) {
  std::vector<std::int64_t> label(graph.n);
  for (int v = 0; v < graph.n; v++) label[v] = v;
  bool changed = true;
  for (int round = 0; changed && round < query.rounds; round++) {
    changed = false;
    std::vector<std::int64_t> next = label;
    for (int v = 0; v < graph.n; v++) {
      std::map<std::int64_t, int> votes;
      for (const int u : neighbours(graph, v)) votes[label[u]]++;
      int most = 0;
      for (const auto& [candidate, count] : votes) {
        if (count > most) {
          most = count;
          next[v] = candidate;
        }
      }
      changed |= next[v] != label[v];
    }
    label = next;
  }
  return {label};
}

}  // namespace violet
