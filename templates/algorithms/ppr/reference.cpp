#include <utility>

#include "ppr.hpp"
#include "ranks.hpp"

namespace violet {

namespace {
constexpr RankRules ppr_rules = {ppr::damping, ppr::tolerance, ppr::max_iterations};

/// Walks jump to the sources.
auto jumps(const Graph& graph, const Query& query) {
  std::vector<double> jump(graph.n);
  for (int i = 0; i < query.sources; i++) jump[query.source_list[i]] = 1.0 / query.sources;
  return [jump = std::move(jump)](int v) { return jump[v]; };
}

}  // namespace

Reference serial_ppr(const Graph& graph, const Query& query) {
  return {fixpoint_of_ranks(graph, jumps(graph, query), ppr_rules)};
}

Certificate certify_ppr(const Graph& graph, const Query& query, Results results) {
  return certify_ranks(graph, jumps(graph, query), results[0], ppr_rules);
}

std::optional<std::string> check_ppr(const Graph& graph, const Reference& expected, Results results) {
  return check_ranks(graph, reals(expected[0]), results, ppr_rules);
}

}  // namespace violet
