// Weights of the edges of a graph that has none: all 1, or 1 + mix(min(u, v) << 32 | max(u, v)) % 64, see graph_file.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "support.hpp"

namespace violet {

/// The same in both directions, and different for every two edges.
constexpr std::uint64_t edge_hash(int u, int v, std::uint64_t key = 0) {
  const std::uint64_t low = static_cast<std::uint32_t>(std::min(u, v));
  const std::uint64_t high = static_cast<std::uint32_t>(std::max(u, v));
  return mix((low << 32 | high) ^ key);
}

/// The number of a weight that shows that all cannot be meant as whole numbers, or -1: read as such, 32-bit floating-point
/// numbers from 1.1e-19 on are 2^29 or more, as no graph's whole weights all are. Most often the first weight decides.
inline std::int64_t find_float(const int* weights, std::int64_t m) {
  constexpr int least_bits = 1 << 29, almost_2 = max_weight - 1024;  // the heaviest weights are no floats
  std::int64_t large = -1;
  for (std::int64_t e = 0; e < m; e++) {
    const int weight = weights[e];
    if ((weight > 0 && weight < least_bits) || !std::isfinite(std::bit_cast<float>(weight))) return -1;
    if (large < 0 && weight != 0 && (weight < almost_2 || weight > max_weight)) large = e;
  }
  return large;
}

/// Rejects weights that are no whole numbers.
/// @param advice  what to do about them
inline void check_weights_are_whole(const int* weights, std::int64_t m, const char* advice) {
  const std::int64_t large = find_float(weights, m);
  if (large < 0) return;
  throw Failure{bad_graph, text("weights[%lld] is the 32-bit floating-point number %g; weights are whole: %s",
                                static_cast<long long>(large), std::bit_cast<float>(weights[large]), advice)};
}

/// The least and the largest weight that a real one may have in size, unless it is 0: smaller ones cannot be told from whole
/// ones, and of all others even the sum over 2^31 edges is far below infinity.
constexpr float least_real = 1.1e-19f, largest_real = 1e28f;

/// Whether a number of single precision can be a weight.
/// @param negative  whether it may be less than 0
inline bool can_be_real_weight(float weight, bool negative) {
  const float size = std::abs(weight);
  return weight == 0 ? !std::signbit(weight) : size >= least_real && size <= largest_real && (negative || weight > 0);
}

/// What edges weigh where a graph has no weights.
enum class MadeWeights { hash, one };

constexpr int made_weight(MadeWeights kind, int u, int v) {
  return kind == MadeWeights::one ? 1 : static_cast<int>(1 + edge_hash(u, v) % 64);
}

}  // namespace violet
