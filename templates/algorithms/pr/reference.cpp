#include "pr.hpp"
#include "ranks.hpp"

namespace violet {

namespace {
constexpr RankRules pr_rules = {pr::damping, pr::tolerance, pr::max_iterations};

/// Walks jump to every vertex alike.
auto jumps(const Graph& graph) {
  return [each = 1.0 / graph.n](int) { return each; };
}

}  // namespace

Reference serial_pr(const Graph& graph, const Query&) { return {fixpoint_of_ranks(graph, jumps(graph), pr_rules)}; }

Certificate certify_pr(const Graph& graph, const Query&, Results results) {
  return certify_ranks(graph, jumps(graph), results[0], pr_rules);
}

std::optional<std::string> check_pr(const Graph& graph, const Reference& expected, Results results) {
  return check_ranks(graph, reals(expected[0]), results, pr_rules);
}

}  // namespace violet
