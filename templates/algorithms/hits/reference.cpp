#include <numeric>

#include "ranges.hpp"
#include "scores.hpp"

namespace violet {

namespace {

/// The sum of `from` over a row of every vertex, divided by its sum over all.
///
/// All terms are positive. So the error of a sum is the mean of those of its terms, weighted by them, and at most a
/// rounding for each; a division adds two. That the sum of all is off as well is the same factor for all scores, which the
/// next division takes out: only the last one counts, see `with_total`.
template <typename Row>
Scores step(const Graph& graph, const Scores& from, Row row) {
  Scores to = {std::vector<double>(graph.n), std::vector<double>(graph.n)};
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) {
      double sum = 0, roundings = 0;
      for (const int u : row(graph, v)) {
        sum += from.value[u];
        roundings += from.value[u] * from.roundings[u];
      }
      if (sum == 0) continue;
      to.value[v] = sum;
      to.roundings[v] = roundings / sum + static_cast<double>(row(graph, v).size()) + 1;
    }
  });
  const double total = std::accumulate(to.value.begin(), to.value.end(), 0.0);
  if (total == 0) return to;
  for (int v = 0; v < graph.n; v++) {
    to.value[v] /= total;
    to.roundings[v] += 2;
  }
  return to;
}

/// The roundings of scores that sum up to 1, with those of their sum.
std::vector<double> with_total(Scores scores) {
  const double of_sum = std::inner_product(scores.value.begin(), scores.value.end(), scores.roundings.begin(), 0.0);
  for (double& count : scores.roundings) count += of_sum;
  return scores.roundings;
}

}  // namespace

/// Kleinberg's rounds, in doubles, on all cores.
Reference serial_hits(const Graph& graph, const Query& query) {
  Scores hub = {std::vector<double>(graph.n, 1), std::vector<double>(graph.n)};
  Scores authority;
  for (int round = 0; round < query.rounds; round++) {
    authority = step(graph, hub, in_neighbours);
    hub = step(graph, authority, neighbours);
  }
  return {hub.value, authority.value, with_total(hub), with_total(authority)};
}

std::optional<std::string> check_hits(const Graph&, const Reference& expected, Results results) {
  return check_scores(expected, results);
}

}  // namespace violet
