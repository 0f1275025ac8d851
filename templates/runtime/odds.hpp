// What is right of beliefs, as logarithms of odds, and how far from it programs may be that compute with floats or with doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reference.hpp"

namespace violet {

/// A number, and how far from it a program's may be that computes with floats or with doubles.
struct Odds {
  double value = 0;
  double error[2] = {};
};

constexpr double odds_units[2] = {
    std::numeric_limits<float>::epsilon() / 2.0, std::numeric_limits<double>::epsilon() / 2.0};

/// What a vertex believes by itself.
inline double prior(int v) { return (static_cast<std::uint32_t>(v) * 2654435761u >> 8) / 8388608.0 - 1; }

/// What u tells v if it believes so much: the logarithm of (agreement * odds + 1) / (odds + agreement), or of its inverse.
///
/// It changes by no more than its slope at that of all beliefs within the error that is nearest to none, where it is
/// steepest. To this, a program adds at most 16 roundings.
inline Odds message(const Odds& belief, int u, int v, double agreement) {
  const double weakening = (agreement - 1) / (agreement + 1);  // tanh(message / 2) = weakening * tanh(belief / 2)
  Odds told;
  told.value = 2 * std::atanh(weakening * std::tanh(belief.value / 2));
  if (((u ^ v) & 1) != 0) told.value = -told.value;
  for (int i = 0; i < 2; i++) {
    const double tangent = std::tanh(std::max(0.0, std::abs(belief.value) - belief.error[i]) / 2);
    const double slope = weakening * (1 - tangent * tangent) / (1 - weakening * weakening * tangent * tangent);
    told.error[i] = slope * belief.error[i] + 16 * odds_units[i];
  }
  return told;
}

/// Adds up what a vertex is told. Programs do it in doubles, whatever their data.
class OddsSum {
 public:
  void add(const Odds& told) {
    count_++;
    value_ += told.value;
    size_ += std::abs(told.value);
    for (int i = 0; i < 2; i++) error_[i] += told.error[i];
  }

  /// What vertex v believes then.
  Odds belief(int v) const {
    Odds result;
    result.value = prior(v) + value_;
    const double in_doubles = (count_ + 1) * odds_units[1] * (1 + size_);
    for (int i = 0; i < 2; i++) {
      result.error[i] = error_[i] + in_doubles + odds_units[i] * (std::abs(result.value) + error_[i]);
    }
    return result;
  }

 private:
  int count_ = 0;
  double value_ = 0;
  double size_ = 0;
  double error_[2] = {};
};

/// Beliefs, and how far from them those in floats and in doubles may be.
inline Reference reference_of_beliefs(const std::vector<Odds>& belief) {
  std::vector<double> value, float_error, double_error;
  for (const Odds& each : belief) {
    value.push_back(each.value);
    float_error.push_back(each.error[0]);
    double_error.push_back(each.error[1]);
  }
  return {value, float_error, double_error};
}

/// Describes the first belief that is further off than it may be, if any is.
inline std::optional<std::string> check_beliefs(const Reference& expected, const Result& result) {
  return with_values(result, [&]<typename T>(const T* values) -> std::optional<std::string> {
    const std::vector<double>& right = reals(expected[0]);
    const std::vector<double>& error = reals(expected[sizeof(T) == sizeof(float) ? 1 : 2]);
    for (std::size_t v = 0; v < right.size(); v++) {
      const double allowed = error[v] + 1e-12 * (1 + std::abs(right[v]));  // the reference rounds as well
      if (std::abs(static_cast<double>(values[v]) - right[v]) <= allowed) continue;
      return text("belief of vertex %zu: expected %.9g, give or take %.3g, got %.9g", v, right[v], allowed,
                  static_cast<double>(values[v]));
    }
    return std::nullopt;
  });
}

}  // namespace violet
