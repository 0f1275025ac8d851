// What is right of scores that rounds of sums make: those in doubles, give or take the roundings of a program.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reference.hpp"

namespace violet {

/// Scores of all vertices, and through how many roundings each may have gone in a program.
struct Scores {
  std::vector<double> value;
  std::vector<double> roundings;
};

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

/// Holds results against the arrays of a reference: the scores of each result, in order, then the roundings of each.
inline std::optional<std::string> check_scores(const Reference& expected, Results results) {
  for (std::size_t i = 0; i < results.size(); i++) {
    const auto error = with_values(results[i], [&]<typename T>(const T* values) {
      return find_wrong(results[i], values, reals(expected[i]), reals(expected[results.size() + i]));
    });
    if (error) return error;
  }
  return std::nullopt;
}

}  // namespace violet
