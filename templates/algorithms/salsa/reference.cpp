#include <algorithm>

#include "deviation.hpp"
#include "ranges.hpp"

namespace violet {

namespace {

/// The sum over a row of every vertex of what each neighbour there shares evenly among its edges. Floats are kept as such shares.
template <typename Edges, typename Row>
std::vector<Rounded> step(const Graph& graph, const std::vector<Rounded>& from, Edges edges_of, Row row) {
  std::vector<Rounded> to(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) {
      const auto others = row(graph, v);
      if (others.empty()) continue;
      Rounded sum;
      for (const int u : others) {
        sum.value += from[u].value / edges_of(graph, u);
        sum.in_floats += from[u].in_floats;
      }
      to[v] = {sum.value, sum.in_floats / static_cast<float>(others.size())};
    }
  });
  return to;
}

/// Makes scores of the shares in floats.
template <typename Edges>
std::vector<Rounded> collected(const Graph& graph, std::vector<Rounded> scores, Edges edges_of) {
  for (int v = 0; v < graph.n; v++) scores[v].in_floats *= static_cast<float>(edges_of(graph, v));
  return scores;
}

}  // namespace

/// Lempel and Moran's walks, in doubles, on all cores; beside them in floats, as programs do.
Reference serial_salsa(const Graph& graph, const Query& query) {
  std::vector<Rounded> hub(graph.n), authority;
  int starts = 0;
  for (int v = 0; v < graph.n; v++) starts += degree(graph, v) > 0;
  for (int v = 0; v < graph.n; v++) {
    const int edges = degree(graph, v);
    if (edges > 0) hub[v] = {1.0 / starts, 1.0F / static_cast<float>(starts) / static_cast<float>(edges)};
  }
  for (int round = 0; round < query.rounds; round++) {
    authority = step(graph, hub, degree, in_neighbours);
    hub = step(graph, authority, in_degree, neighbours);
  }
  hub = collected(graph, std::move(hub), degree);
  authority = collected(graph, std::move(authority), in_degree);
  Reference reference = {values_of(hub), values_of(authority)};
  append(reference, Deviation::of_sums(std::max(off_in_floats(hub), off_in_floats(authority)), graph.n));
  return reference;
}

std::optional<std::string> check_salsa(const Graph& graph, const Reference& expected, Results results) {
  return check_sums(graph, expected, results);
}

}  // namespace violet
