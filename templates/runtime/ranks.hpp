// What is right of ranks, whatever walks jump to: the fixpoint, and how far from it programs may stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deviation.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// What programs and their reference agree on, see the manifests of the algorithms.
struct RankRules {
  double damping;
  double tolerance;
  int max_iterations;
};

/// Iterates once, on all cores: calls `next(v, r)` with what becomes of the rank of each vertex.
///
/// @param jump  says how often a walk that jumps gets to a vertex
/// @return      the sum over all vertices of how much their ranks change
template <typename Jump, typename T, typename Next>
double iterate(const Graph& graph, const Jump& jump, const T* rank, double damping, Next next) {
  // What a vertex gives of its rank to each neighbour.
  const std::unique_ptr<double[]> share = std::make_unique_for_overwrite<double[]>(graph.n);
  for_vertices(graph.n, [&](int v) { share[v] = static_cast<double>(rank[v]) / std::max(1, degree(graph, v)); });
  std::atomic<double> change = 0;
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    double part = 0;
    for (int v = vertices.first; v < vertices.last; v++) {
      double sum = 0;
      for (const int u : in_neighbours(graph, v)) sum += share[u];
      const double result = (1 - damping) * jump(v) + damping * sum;
      part += std::abs(result - static_cast<double>(rank[v]));
      next(v, result);
    }
    change += part;
  });
  return change;
}

/// Ranks to a hundred-millionth of the programs' tolerance.
template <typename Jump>
std::vector<double> fixpoint_of_ranks(const Graph& graph, const Jump& jump, RankRules rules) {
  const double tolerance = rules.tolerance / 1e8;
  constexpr int max_iterations =
      200;  // more than it takes: each shrinks the change by the damping, to 0.85^200 < 1e-14
  std::vector<double> rank(graph.n);
  double change = 1;
  for (int iteration = 0; change > tolerance && iteration < max_iterations; iteration++) {
    change = iterate(graph, jump, rank.data(), rules.damping, [&](int v, double result) { rank[v] = result; });
  }
  return rank;
}

/// By how much another iteration may change right ranks, as a sum over all vertices, if `unit` is the largest relative
/// error of one operation. Nothing tighter holds for all programs, but what may be more than
/// `precision::most` of all ranks is no result.
///
/// Write |x| for the sum over all vertices, d for the damping, t for the tolerance, F for an iteration in exact
/// arithmetic. No vertex gives away more than it has, so |F(x) - F(y)| <= d |x - y|. A program stops at ranks x that it
/// has computed from ranks at most t away (in place: from a mixture of those and x; by residuals: from all of x but a
/// part of t), with a rounding error of r in total: |F(x) - x| <= d t + r. So x is at most (d t + r) / (1 - d) from the
/// fixpoint.
///
/// A program that ends by the limit of iterations has never come to rest. Each shrinks the error to d of it and adds r,
/// so its ranks are at most r / (1 - d) from the fixpoint (and d^100, which is far below t), and |F(x) - x| at most 1 + d
/// times that.
///
/// A rank is a sum over the neighbours and a few operations more, by residuals an addition an iteration, each off by a
/// unit at most.
inline Allowance allowed_change(const Graph& graph, const std::vector<double>& fixpoint, double unit, int rounds,
                                RankRules rules) {
  const int operations_besides_sum = 4 + rules.max_iterations;
  constexpr double slack = 1e-6;  // for what doubles round: the change that a program holds against t, and this check
  std::atomic<double> total = 0, rounding = 0;
  for_equal_ranges(graph.n, [&](VertexRange vertices) {
    double total_here = 0, rounding_here = 0;
    for (int v = vertices.first; v < vertices.last; v++) {
      total_here += fixpoint[v];
      rounding_here += unit * (in_degree(graph, v) + operations_besides_sum) * fixpoint[v];
    }
    total += total_here;
    rounding += rounding_here;
  });
  const double at_rest = rules.damping * rules.tolerance * (1 + slack) + rounding;
  const double at_the_limit = (1 + rules.damping) * rounding / (1 - rules.damping);
  const double change = rounds < rules.max_iterations ? at_rest : std::max(at_rest, at_the_limit);
  return {change, std::min(change, precision::most * total)};
}

/// The sum over all vertices of how much an iteration would change their ranks. It leaves the fixpoint as it is, so it
/// turns the error e of a rank into the damping times the shares of its neighbours' errors, whatever walks jump to.
template <typename T>
double change_of_iteration(const Graph& graph, const T* rank, const std::vector<double>& fixpoint, double damping) {
  const auto error = [&](int v) { return static_cast<double>(rank[v]) - fixpoint[v]; };
  const std::unique_ptr<double[]> share = std::make_unique_for_overwrite<double[]>(graph.n);
  for_vertices(graph.n, [&](int v) { share[v] = error(v) / std::max(1, degree(graph, v)); });
  std::atomic<double> change = 0;
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    double part = 0;
    for (int v = vertices.first; v < vertices.last; v++) {
      double sum = 0;
      for (const int u : in_neighbours(graph, v)) sum += share[u];
      part += std::abs(damping * sum - error(v));
    }
    change += part;
  });
  return change;
}

/// Whether an iteration changes ranks by no more than `allowed_change` allows without rounding. So the fixpoint need
/// not be known; right ranks that rounding has moved further are not certified. Ranks y that differ from certified ranks x
/// are changed by |F(y) - y| <= |F(x) - x| + (1 + d) |x - y|.
template <typename Jump>
Certificate certify_ranks(const Graph& graph, const Jump& jump, const Result& result, RankRules rules) {
  return with_values(result, [&](const auto* rank) {
    std::atomic<bool> are_ranks = true;
    const double change = iterate(graph, jump, rank, rules.damping, [&](int v, double) {
      if (!(rank[v] >= 0)) are_ranks = false;
    });
    const double left = rules.damping * rules.tolerance - change;
    return Certificate{are_ranks && left >= 0, left / (1 + rules.damping)};
  });
}

/// Describes what is wrong with ranks, if anything is.
inline std::optional<std::string> check_ranks(const Graph& graph, const std::vector<double>& fixpoint, Results results,
                                              RankRules rules) {
  return with_values(results[0], [&]<typename T>(const T* values) -> std::optional<std::string> {
    const auto no_rank = find_first(graph, [&](int v) -> std::optional<std::string> {
      if (values[v] >= 0) return {};
      return text("vertex %d: expected a rank, got %s", v, to_text(values[v]).c_str());
    });
    if (no_rank) return no_rank;
    const double change = change_of_iteration(graph, values, fixpoint, rules.damping);
    const double unit = std::numeric_limits<T>::epsilon() / 2.0;
    const Allowance bounds = allowed_change(graph, fixpoint, unit, results.rounds, rules);
    if (change <= bounds.allowed) return std::nullopt;
    if (change <= bounds.rounding) {
      throw Failure{
          bad_graph, text("another iteration changes ranks by %.3g, more than %.3g, and rounding may be to blame: "
                          "rows are too long for %zu-bit numbers; use its 64-bit variant",
                          change, bounds.allowed, sizeof(T) * 8)};
    }
    const auto error_of = [&](int v) { return std::abs(static_cast<double>(values[v]) - fixpoint[v]); };
    int worst = 0;
    for (int v = 1; v < graph.n; v++) worst = error_of(v) > error_of(worst) ? v : worst;
    return text(
        "another iteration changes ranks by %.3g, more than %.3g; vertex %d is off most: expected %.9g, got %.9g",
        change, bounds.allowed, worst, fixpoint[worst], static_cast<double>(values[worst]));
  });
}

}  // namespace violet
