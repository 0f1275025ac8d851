#include <algorithm>

#include "deviation.hpp"
#include "ranges.hpp"

namespace violet {

namespace {

/// The scores of one side, which are yet to be multiplied by `scale` in floats.
struct Side {
  std::vector<Rounded> scores;
  float scale = 1;
};

/// The sum of `from` over a row of every vertex, divided by its sum over all. Unscaled, the first floats would be exact.
template <typename Row>
Side step(const Graph& graph, const Side& from, Row row) {
  Side to = {std::vector<Rounded>(graph.n)};
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) {
      for (const int u : row(graph, v)) {
        const Rounded& score = from.scores[u];
        to.scores[v].add({score.value, score.in_floats * from.scale});
      }
    }
  });
  double total = 0, total_of_floats = 0;
  for (const Rounded& each : to.scores) {
    total += each.value;
    total_of_floats += each.in_floats;
  }
  if (total == 0) return to;
  for (Rounded& each : to.scores) each.value /= total;
  to.scale = static_cast<float>(1 / total_of_floats);
  return to;
}

/// Makes floats sum up to 1, too.
std::vector<Rounded> scaled(Side side) {
  for (Rounded& each : side.scores) each.in_floats *= side.scale;
  return std::move(side.scores);
}

}  // namespace

/// Kleinberg's rounds, in doubles, on all cores; beside them in floats, as programs do.
Reference serial_hits(const Graph& graph, const Query& query) {
  Side hub = {std::vector<Rounded>(graph.n, {1, 1})};
  Side authority;
  for (int round = 0; round < query.rounds; round++) {
    authority = step(graph, hub, in_neighbours);
    hub = step(graph, authority, neighbours);
  }
  const std::vector<Rounded> hubs = scaled(std::move(hub)), authorities = scaled(std::move(authority));
  Reference reference = {values_of(hubs), values_of(authorities)};
  append(reference, Deviation::of_sums(std::max(off_in_floats(hubs), off_in_floats(authorities)), graph.n));
  return reference;
}

std::optional<std::string> check_hits(const Graph& graph, const Reference& expected, Results results) {
  return check_sums(graph, expected, results);
}

}  // namespace violet
