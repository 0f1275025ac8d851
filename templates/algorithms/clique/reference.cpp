#include <algorithm>

#include "reference.hpp"

namespace violet {
namespace {

using Vertices = std::vector<int>;

/// The cliques of `more` vertices among candidates, which are all neighbours of those chosen before. These candidates
/// have `more` as their stage, and nobody else has.
std::int64_t count_among(const std::vector<Vertices>& later, const Vertices& candidates, int more, Vertices& stage) {
  std::int64_t count = 0;
  for (const int v : candidates) {
    if (more == 2) {
      for (const int u : later[v]) count += stage[u] == more;
      continue;
    }
    Vertices common;
    for (const int u : later[v]) {
      if (stage[u] == more) common.push_back(u);
    }
    for (const int u : common) stage[u] = more - 1;
    count += count_among(later, common, more - 1, stage);
    for (const int u : common) stage[u] = more;
  }
  return count;
}

/// Every vertex with its neighbours that leave after it, if one with the fewest neighbours left always leaves next. No
/// vertex has more of them than its core number.
std::vector<Vertices> later_neighbours(const Graph& graph) {
  std::vector<Vertices> leaving(1);  // vertices that have had so many neighbours left
  std::vector<int> left(graph.n);
  for (int v = 0; v < graph.n; v++) {
    left[v] = degree(graph, v);
    leaving.resize(std::max<std::size_t>(leaving.size(), left[v] + 1));
    leaving[left[v]].push_back(v);
  }
  std::vector<bool> gone(graph.n);
  std::vector<Vertices> later(graph.n);
  for (std::size_t fewest = 0; fewest < leaving.size();) {
    if (leaving[fewest].empty()) {
      fewest++;
      continue;
    }
    const int v = leaving[fewest].back();
    leaving[fewest].pop_back();
    if (gone[v] || left[v] != static_cast<int>(fewest)) continue;
    gone[v] = true;
    for (const int u : neighbours(graph, v)) {
      if (gone[u]) continue;
      later[v].push_back(u);
      leaving[--left[u]].push_back(u);
    }
    fewest = fewest == 0 ? 0 : fewest - 1;
  }
  return later;
}

}  // namespace

/// Backtracking over what each vertex has after it in the order of cores: one choice of candidates after the other.
Reference serial_clique(const Graph& graph, const Query& query) {
  const std::vector<Vertices> later = later_neighbours(graph);
  Vertices stage(graph.n);
  std::int64_t cliques = 0;
  for (const Vertices& candidates : later) {
    for (const int v : candidates) stage[v] = query.k - 1;
    cliques += count_among(later, candidates, query.k - 1, stage);
    for (const int v : candidates) stage[v] = 0;
  }
  return {std::vector<std::int64_t>{cliques}};
}

}  // namespace violet
