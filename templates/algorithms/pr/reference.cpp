#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pr.hpp"
#include "reference.hpp"

namespace violet {

/// To a millionth of the programs' tolerance. Every sum takes the newest ranks there are (the Gauss-Seidel method), which
/// leads to the same fixpoint in fewer iterations.
Reference serial_pr(const Graph& graph, const Query&) {
  using pr::damping;
  constexpr double tolerance = pr::tolerance / 1e6;
  constexpr int max_iterations =
      200;  // more than it takes: each shrinks the change by the damping, to 0.85^200 < 1e-14
  std::vector<double> rank(graph.n, 1.0 / graph.n);
  std::vector<double> share(graph.n);  // of its rank that a vertex gives to each of its neighbours
  const auto set_share = [&](int v) { share[v] = rank[v] / std::max(1, degree(graph, v)); };
  for (int v = 0; v < graph.n; v++) set_share(v);

  double change = 1;
  for (int iteration = 0; change > tolerance && iteration < max_iterations; iteration++) {
    change = 0;
    for (int v = 0; v < graph.n; v++) {
      double sum = 0;
      for (const int u : neighbours(graph, v)) sum += share[u];
      const double old = std::exchange(rank[v], (1 - damping) / graph.n + damping * sum);
      set_share(v);
      change += std::abs(rank[v] - old);
    }
  }
  return {rank};
}

namespace {

/// How far right ranks may be from the fixpoint, as a sum over all vertices, if `unit` is the largest relative error of
/// one operation.
///
/// Write |x| for the sum over all vertices, d for the damping, t for the tolerance, F for an iteration in exact
/// arithmetic and f = F(f) for the fixpoint. No vertex gives away more than it has, so |F(x) - F(y)| <= d |x - y|.
/// A program stops at ranks x that it has computed from ranks at most t away (in place: from a mixture of those and x),
/// with a rounding error of r in total: |x - F(x)| <= d t + r. Hence
///
///   |x - f|  <=  |x - F(x)| + |F(x) - F(f)|  <=  d t + r + d |x - f|,  that is,  |x - f|  <=  (d t + r) / (1 - d).
///
/// A rank is a sum over the neighbours and a few operations more, each off by a unit at most; the change that a program
/// holds against t is itself a sum of n terms. The limit of 100 iterations changes nothing, as d^100 is far below t.
double allowed_distance(const Graph& graph, const std::vector<double>& fixpoint, double unit) {
  constexpr int operations_besides_sum = 4;
  const double change = pr::tolerance * (1 + unit * graph.n);
  double rounding = 0;
  for (int v = 0; v < graph.n; v++) {
    rounding += unit * (degree(graph, v) + operations_besides_sum) * fixpoint[v];
  }
  return (pr::damping * change + rounding) / (1 - pr::damping);
}

}  // namespace

std::optional<std::string> check_pr(const Graph& graph, const Reference& expected, Results results) {
  const std::vector<double>& fixpoint = reals(expected[0]);
  return with_values(results[0], [&]<typename T>(const T* values) -> std::optional<std::string> {
    const auto error_of = [&](std::size_t v) { return std::abs(static_cast<double>(values[v]) - fixpoint[v]); };
    std::size_t worst = 0;
    double distance = 0;
    for (std::size_t v = 0; v < fixpoint.size(); v++) {
      if (!(values[v] >= 0)) return text("vertex %zu: expected a rank, got %s", v, to_text(values[v]).c_str());
      if (error_of(v) > error_of(worst)) worst = v;
      distance += error_of(v);
    }
    const double allowed = allowed_distance(graph, fixpoint, std::numeric_limits<T>::epsilon() / 2.0);
    if (distance <= allowed) return std::nullopt;
    return text("ranks differ by %.3g in total, more than %.3g; most at vertex %zu: expected %.9g, got %.9g", distance,
                allowed, worst, fixpoint[worst], static_cast<double>(values[worst]));
  });
}

}  // namespace violet
