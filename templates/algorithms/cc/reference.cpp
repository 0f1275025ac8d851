#include <algorithm>
#include <numeric>

#include "reference.hpp"

namespace violet {

/// Union-find, where the smaller root wins.
Reference serial_cc(const Graph& graph, const Query&) {
  std::vector<std::int64_t> parent(graph.n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];  // path halving
    return v;
  };
  for (int u = 0; u < graph.n; u++) {
    for (const int v : neighbours(graph, u)) {
      const auto [low, high] = std::minmax({root(u), root(v)});
      parent[high] = low;
    }
  }
  for (int v = 0; v < graph.n; v++) parent[v] = parent[parent[v]];  // parents are smaller, hence labelled already
  return {parent};
}

}  // namespace violet
