// How far real numbers of a program may be from those of a reference: a few times as far as the reference's own are where it
// computes them once more, with as few digits as a program.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// What a result is held to, each as a part of the right value.
namespace precision {
constexpr double most = 1e-3;     ///< what is further off is no result
constexpr double times = 8;       ///< programs may add up in another order, and be less lucky than the reference
constexpr double roundings = 32;  ///< which nobody's luck is about
}  // namespace precision

/// How far off each value is that was computed with fewer digits, at most, in floats and in doubles: as a part of the right
/// value, or of `least` where that is more.
struct Deviation {
  double in_floats = 0;
  double in_doubles = 0;

  /// That of sums of positive numbers, which cannot cancel: doubles are off by as many roundings as floats. In another order,
  /// the roundings of a sum of n terms walk as far as the square root of n; the reference may have been luckier.
  static Deviation of_sums(double in_floats, int most_terms) {
    constexpr double unit = std::numeric_limits<float>::epsilon() / 2;
    constexpr double smaller = std::numeric_limits<double>::epsilon() / std::numeric_limits<float>::epsilon();
    in_floats = std::max(in_floats, std::sqrt(static_cast<double>(most_terms)) * unit / 2);
    return {in_floats, in_floats * smaller};
  }
};

/// Below this, a positive number has fewer digits in floats on the way, or none.
constexpr double least_positive = 0x1p-103;
static_assert(least_positive ==
              static_cast<double>(std::numeric_limits<float>::min() / std::numeric_limits<float>::epsilon()));

/// How far `value` is from the right one, as a part of it or of `least`.
inline double part_off(double value, double right, double least) {
  return std::abs(value - right) / std::max(std::abs(right), least);
}

/// By how much a result may be off because of rounding, and by how much it may be and still be a result.
struct Allowance {
  double rounding;
  double allowed;
};

/// Those of a value, as a part of it.
template <typename T>
Allowance bounds_of(Deviation deviation) {
  const double off = sizeof(T) == sizeof(float) ? deviation.in_floats : deviation.in_doubles;
  const double rounding = precision::times * off + precision::roundings * std::numeric_limits<T>::epsilon() / 2;
  return {rounding, std::min(rounding, precision::most)};
}

/// How far off the value of a vertex is.
struct Off {
  int v = 0;
  double part = 0;
};

/// The next one if it is further off than the one before, where that is a number.
inline Off further(Off before, Off next) {
  const bool is_number = before.part < std::numeric_limits<double>::infinity();
  return is_number && !(next.part <= before.part) ? next : before;
}

/// Describes the value that is most off, if one is further off than rounding can be.
///
/// @throws Failure  one is too far off to be of use, though no further than rounding can be in this graph
template <typename T>
std::optional<std::string> find_off(const Result& result, const T* values, const std::vector<double>& right,
                                    Deviation deviation, double least = least_positive) {
  const Allowance bounds = bounds_of<T>(deviation);
  const int n = static_cast<int>(right.size());
  std::vector<Off> worst_of(count_equal_ranges(n));
  for_equal_ranges(n, [&](VertexRange vertices) {
    Off here;
    for (int v = vertices.first; v < vertices.last; v++) {
      here = further(here, {v, part_off(static_cast<double>(values[v]), right[v], least)});
    }
    worst_of[vertices.first / equal_range] = here;
  });
  const auto [worst, most] = std::accumulate(worst_of.begin(), worst_of.end(), Off{}, further);
  if (most <= bounds.allowed) return std::nullopt;
  const double got = static_cast<double>(values[worst]);
  if (most <= bounds.rounding) {
    throw Failure{
        bad_graph, text("%s of vertex %d: expected %.9g, got %.9g, and rounding may be to blame: %zu-bit numbers are "
                        "not enough for this; use %s",
                        result.info->name, worst, right[worst], got, sizeof(T) * 8,
                        sizeof(T) == sizeof(float) ? "its 64-bit variant" : "fewer rounds")};
  }
  return text("%s of vertex %d: expected %.9g, give or take %.3g, got %.9g", result.info->name, worst, right[worst],
              bounds.allowed * std::max(std::abs(right[worst]), least), got);
}

/// The deviation among the arrays of a reference, from the given one on.
inline Deviation deviation_in(const Reference& reference, std::size_t first) {
  return {reals(reference[first])[0], reals(reference[first + 1])[0]};
}

/// ... and as such arrays.
inline void append(Reference& reference, Deviation deviation) {
  reference.push_back(std::vector<double>{deviation.in_floats});
  reference.push_back(std::vector<double>{deviation.in_doubles});
}

/// A positive number, and what becomes of it in floats.
struct Rounded {
  double value = 0;
  float in_floats = 0;

  void add(const Rounded& other) {
    value += other.value;
    in_floats += other.in_floats;
  }
  /// What each of so many gets.
  Rounded part(int count) const { return {value / count, in_floats / static_cast<float>(count)}; }
};

inline std::vector<double> values_of(const std::vector<Rounded>& numbers) {
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const Rounded& each : numbers) values.push_back(each.value);
  return values;
}

/// How far off floats are.
inline double off_in_floats(const std::vector<Rounded>& numbers) {
  double most = 0;
  for (const Rounded& each : numbers) {
    most = std::max(most, part_off(static_cast<double>(each.in_floats), each.value, least_positive));
  }
  return most;
}

/// Holds all real results against those of a reference, which has its deviation behind them.
inline std::optional<std::string> check_sums(const Graph&, const Reference& expected, Results results) {
  for (std::size_t i = 0; i < results.size(); i++) {
    const auto error = with_values(results[i], [&](const auto* values) {
      return find_off(results[i], values, reals(expected[i]), deviation_in(expected, results.size()));
    });
    if (error) return error;
  }
  return std::nullopt;
}

}  // namespace violet
