#include <optional>
#include <string>
#include <vector>

#include "odds.hpp"
#include "product.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// Rounds in doubles, on all cores, that ask each edge anew, with hyperbolic functions instead of logarithms; beside them as
/// programs do.
Reference serial_product(const Graph& graph, const Query& query) {
  std::vector<Odds> belief(graph.n), before(graph.n);
  for (int v = 0; v < graph.n; v++) belief[v] = prior(v);
  for (int round = 0; round < query.rounds; round++) {
    belief.swap(before);
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int v = vertices.first; v < vertices.last; v++) {
        OddsSum sum;
        for (const int u : neighbours(graph, v)) sum.add(message(before[u], u, v, product::agreement));
        belief[v] = sum.belief(prior(v));
      }
    });
  }
  return reference_of_beliefs(belief);
}

std::optional<std::string> check_product(const Graph&, const Reference& expected, Results results) {
  return check_beliefs(expected, results[0]);
}

}  // namespace violet
