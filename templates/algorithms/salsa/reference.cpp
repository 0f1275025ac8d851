#include "ranges.hpp"
#include "scores.hpp"

namespace violet {

namespace {

/// The sum over a row of every vertex of what each neighbour there shares evenly among its edges.
///
/// All terms are positive. So the error of a sum is the mean of those of its terms, weighted by them, and at most a rounding for
/// each; a share has one of its own.
template <typename Edges, typename Row>
Scores step(const Graph& graph, const Scores& from, Edges edges_of, Row row) {
  Scores to = {std::vector<double>(graph.n), std::vector<double>(graph.n)};
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) {
      double sum = 0, roundings = 0;
      for (const int u : row(graph, v)) {
        const double share = from.value[u] / edges_of(graph, u);
        sum += share;
        roundings += share * (from.roundings[u] + 1);
      }
      if (sum == 0) continue;
      to.value[v] = sum;
      to.roundings[v] = roundings / sum + static_cast<double>(row(graph, v).size());
    }
  });
  return to;
}

/// A score that a program keeps as a share is multiplied again in the end.
std::vector<double> with_product(std::vector<double> roundings) {
  for (double& count : roundings) count++;
  return roundings;
}

}  // namespace

/// Lempel and Moran's walks, in doubles, on all cores.
Reference serial_salsa(const Graph& graph, const Query& query) {
  Scores hub = {std::vector<double>(graph.n), std::vector<double>(graph.n, 1)};
  int starts = 0;
  for (int v = 0; v < graph.n; v++) starts += degree(graph, v) > 0;
  for (int v = 0; v < graph.n; v++) hub.value[v] = degree(graph, v) > 0 ? 1.0 / starts : 0;
  Scores authority;
  for (int round = 0; round < query.rounds; round++) {
    authority = step(graph, hub, degree, in_neighbours);
    hub = step(graph, authority, in_degree, neighbours);
  }
  return {hub.value, authority.value, with_product(hub.roundings), with_product(authority.roundings)};
}

std::optional<std::string> check_salsa(const Graph&, const Reference& expected, Results results) {
  return check_scores(expected, results);
}

}  // namespace violet
