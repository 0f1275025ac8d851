// What is right of beliefs, as logarithms of odds, and what becomes of them in programs that compute with floats or doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "deviation.hpp"
#include "evidence.hpp"

namespace violet {

/// The logarithm of odds, and what programs come to, which compute it with logarithms instead of hyperbolic functions.
struct Odds {
  double value = 0;
  double in_doubles = 0;
  float in_floats = 0;
};

/// What a vertex believes by itself.
inline Odds prior(int v) {
  const float odds = made_prior(v);
  return {odds, odds, odds};
}

/// The logarithm of how much likelier a state is for the neighbour of somebody who believes so much.
template <typename T>
T by_logarithm(T belief, T agreement) {
  const T other = std::exp(-std::abs(belief));
  return std::copysign(std::log((agreement + other) / (1 + agreement * other)), belief);
}

/// What u tells v if it believes so much: the logarithm of (agreement * odds + 1) / (odds + agreement), or of its inverse.
inline Odds message(const Odds& belief, int u, int v, double agreement) {
  const double weakening = (agreement - 1) / (agreement + 1);  // tanh(message / 2) = weakening * tanh(belief / 2)
  const Odds told = {2 * std::atanh(weakening * std::tanh(belief.value / 2)),
                     by_logarithm(belief.in_doubles, agreement),
                     by_logarithm(belief.in_floats, static_cast<float>(agreement))};
  if (((u ^ v) & 1) == 0) return told;
  return {-told.value, -told.in_doubles, -told.in_floats};
}

/// Adds up what a vertex is told. Programs do it in doubles, whatever their data.
class OddsSum {
 public:
  void add(const Odds& told) {
    value_ += told.value;
    of_doubles_ += told.in_doubles;
    of_floats_ += told.in_floats;
  }

  /// What somebody believes then who believes so much alone.
  Odds belief(const Odds& alone) const {
    return {alone.value + value_, alone.in_doubles + of_doubles_, static_cast<float>(alone.in_floats + of_floats_)};
  }

 private:
  double value_ = 0;
  double of_doubles_ = 0;
  double of_floats_ = 0;
};

/// Where messages cancel, a belief is held to what it may have by itself.
constexpr double least_belief = 1;

/// Beliefs, and how far off those of programs are.
inline Reference reference_of_beliefs(const std::vector<Odds>& belief) {
  std::vector<double> values;
  Deviation deviation;
  for (const Odds& each : belief) {
    values.push_back(each.value);
    deviation.in_floats = std::max(deviation.in_floats, part_off(each.in_floats, each.value, least_belief));
    deviation.in_doubles = std::max(deviation.in_doubles, part_off(each.in_doubles, each.value, least_belief));
  }
  Reference reference = {values};
  append(reference, deviation);
  return reference;
}

/// Describes the belief that is most off, if one is further off than it may be.
inline std::optional<std::string> check_beliefs(const Reference& expected, const Result& result) {
  return with_values(result, [&](const auto* values) {
    return find_off(result, values, reals(expected[0]), deviation_in(expected, 1), least_belief);
  });
}

}  // namespace violet
