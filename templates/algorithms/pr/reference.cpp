#include "pr.hpp"
#include "ranks.hpp"

namespace violet {

namespace {
constexpr RankRules rules = {pr::damping, pr::tolerance, pr::max_iterations};
}

/// Walks jump to every vertex alike.
Reference serial_pr(const Graph& graph, const Query&) {
  return {fixpoint_of_ranks(graph, std::vector<double>(graph.n, 1.0 / graph.n), rules)};
}

bool certify_pr(const Graph& graph, const Query&, Results results) {
  return certify_ranks(graph, std::vector<double>(graph.n, 1.0 / graph.n), results[0], rules);
}

std::optional<std::string> check_pr(const Graph& graph, const Reference& expected, Results results) {
  return check_ranks(graph, reals(expected[0]), results, rules);
}

}  // namespace violet
