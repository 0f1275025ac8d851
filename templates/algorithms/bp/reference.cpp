#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bp.hpp"
#include "evidence.hpp"
#include "news.hpp"
#include "odds.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {
namespace {

/// What is told now where that is told already: programs may leave out what differs less.
template <typename T>
T news(T now, T already) {
  return std::abs(now - already) > bp::enough<T> ? now : already;
}

/// What u tells v if it believes so much. An agreement of less than 1 is that of its inverse, but to differ.
Odds told_by(const Odds& belief, int u, int v, double agreement) {
  const Odds told = message(belief, u, evidence.alike ? u : v, std::max(agreement, 1 / agreement));
  return agreement < 1 ? Odds{-told.value, -told.in_doubles, -told.in_floats} : told;
}

/// What v believes by itself.
Odds own(int v) {
  if (evidence.priors == nullptr) return prior(v);
  return {evidence.priors[v], evidence.priors[v], evidence.priors[v]};
}

}  // namespace

/// Rounds of messages in doubles, on all cores, pushed along edges instead of pulled, with hyperbolic functions instead of
/// logarithms; beside them as programs do.
Reference serial_bp(const Graph& graph, const Query& query) {
  std::vector<int> reverse(graph.m);  // rows are ascending: the edges to a vertex come in the order of its row
  std::vector<int> next(graph.row_offsets, graph.row_offsets + graph.n);
  for (int e = 0; e < graph.m; e++) reverse[e] = next[graph.neighbours[e]]++;

  const double of_all = evidence.agreement > 0 ? evidence.agreement : bp::agreement;
  std::vector<Odds> belief(graph.n), sent(graph.m), told(graph.m);
  for (int v = 0; v < graph.n; v++) belief[v] = own(v);
  for (int round = 0; round < query.rounds; round++) {
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int u = vertices.first; u < vertices.last; u++) {
        for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
          const Odds without = {belief[u].value - told[e].value, belief[u].in_doubles - told[e].in_doubles,
                                belief[u].in_floats - told[e].in_floats};
          const double agreement = evidence.agreements != nullptr ? evidence.agreements[e] : of_all;
          const Odds now = told_by(without, u, graph.neighbours[e], agreement);
          const Odds& already = told[reverse[e]];
          sent[reverse[e]] = {
              now.value, news(now.in_doubles, already.in_doubles), news(now.in_floats, already.in_floats)};
        }
      }
    });
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int v = vertices.first; v < vertices.last; v++) {
        OddsSum sum;
        for (int e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; e++) sum.add(sent[e]);
        belief[v] = sum.belief(own(v));
      }
    });
    std::swap(sent, told);
  }
  return reference_of_beliefs(belief);
}

std::optional<std::string> check_bp(const Graph&, const Reference& expected, Results results) {
  return check_beliefs(expected, results[0]);
}

}  // namespace violet
