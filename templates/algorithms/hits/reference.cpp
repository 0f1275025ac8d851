#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "reference.hpp"

namespace violet {

namespace {

/// Scores of all vertices, and through how many roundings each may have gone in a program.
struct Scores {
  std::vector<double> value;
  std::vector<double> roundings;
};

/// The sum of `from` over a row of every vertex, divided by its sum over all.
///
/// All terms are positive. So the error of a sum is the mean of those of its terms, weighted by them, and at most a
/// rounding for each; of the division, it is that of the sum of all and two roundings.
template <typename Row>
Scores step(const Graph& graph, const Scores& from, Row row) {
  Scores to = {std::vector<double>(graph.n), std::vector<double>(graph.n)};
  double total = 0, total_roundings = 0;
  for (int v = 0; v < graph.n; v++) {
    double sum = 0, roundings = 0;
    for (const int u : row(graph, v)) {
      sum += from.value[u];
      roundings += from.value[u] * from.roundings[u];
    }
    if (sum == 0) continue;
    to.value[v] = sum;
    to.roundings[v] = roundings / sum + static_cast<double>(row(graph, v).size()) + 1;
    total += sum;
    total_roundings += sum * to.roundings[v];
  }
  if (total == 0) return to;
  for (int v = 0; v < graph.n; v++) {
    to.value[v] /= total;
    to.roundings[v] += total_roundings / total + 2;
  }
  return to;
}

/// The first value that is off by more than its roundings, of which one is relative to `unit`.
template <typename T>
std::optional<std::string> find_wrong(const Result& result, const T* values, const std::vector<double>& expected,
                                      const std::vector<double>& roundings) {
  constexpr double unit = std::numeric_limits<T>::epsilon() / 2.0;
  constexpr double of_reference = 1e-9;  // which rounds as well, millions of times less than a float
  for (std::size_t v = 0; v < expected.size(); v++) {
    const double allowed =
        expected[v] * (std::expm1(std::min(roundings[v] * unit, 1.0)) + of_reference) + std::numeric_limits<T>::min();
    if (std::abs(static_cast<double>(values[v]) - expected[v]) <= allowed) continue;
    return text("%s of vertex %zu: expected %.9g, give or take %.3g, got %.9g", result.info->name, v, expected[v],
                allowed, static_cast<double>(values[v]));
  }
  return std::nullopt;
}

}  // namespace

/// Kleinberg's rounds, in doubles.
Reference serial_hits(const Graph& graph, const Query& query) {
  Scores hub = {std::vector<double>(graph.n, 1), std::vector<double>(graph.n)};
  Scores authority;
  for (int round = 0; round < query.rounds; round++) {
    authority = step(graph, hub, in_neighbours);
    hub = step(graph, authority, neighbours);
  }
  return {hub.value, authority.value, hub.roundings, authority.roundings};
}

std::optional<std::string> check_hits(const Graph&, const Reference& expected, Results results) {
  for (std::size_t i = 0; i < results.size(); i++) {
    const auto error = with_values(results[i], [&]<typename T>(const T* values) {
      return find_wrong(results[i], values, reals(expected[i]), reals(expected[results.size() + i]));
    });
    if (error) return error;
  }
  return std::nullopt;
}

}  // namespace violet
