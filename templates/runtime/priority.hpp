// The order in which vertices are considered where neighbours must not decide at a time, for programs of every model.
#pragma once

#include <cstdint>

#include "host_device.hpp"

namespace violet {

/// Priority of vertex `v`; the higher one wins. This is the finaliser of MurmurHash3 for 32 bits (fmix32): it looks
/// random, whatever order the vertices come in, and is a bijection, so no two vertices tie.
VIOLET_HOST_DEVICE constexpr std::uint32_t priority(int v) {
  auto x = static_cast<std::uint32_t>(v);
  x ^= x >> 16;
  x *= 0x85ebca6b;
  x ^= x >> 13;
  x *= 0xc2b2ae35;
  x ^= x >> 16;
  return x;
}

/// Priority of vertex `v` where smaller degrees win: the degree, then 19 bits of the above. It is larger than 1, so that
/// it goes with other values of a status. Of neighbours that still tie, the larger one wins.
VIOLET_HOST_DEVICE constexpr int degree_priority(int v, int degree) {
  constexpr int random_bits = 19;
  constexpr int most = (1 << (31 - random_bits)) - 2;  // larger degrees are no different
  const int rank = degree < most ? most + 1 - degree : 1;
  return rank << random_bits | static_cast<int>(priority(v) >> (32 - random_bits));
}

/// As much of a `priority` as goes with other values of a status into a byte: larger than 1, and never smaller for a
/// higher priority.
VIOLET_HOST_DEVICE constexpr std::uint8_t leading_byte(std::uint32_t priority) {
  return static_cast<std::uint8_t>(2 + (std::uint64_t{priority} * 254 >> 32));
}

/// The same of a `degree_priority`. The larger the degree, the less its last digits matter: each time that it doubles,
/// there are 21 values, and those of one degree, if it is small, differ by the random bits.
VIOLET_HOST_DEVICE constexpr std::uint8_t leading_byte_by_degree(int priority) {
  constexpr int doublings = 12;
  constexpr int values = 21;
  constexpr std::uint32_t one = std::uint32_t{1} << (31 - doublings);  // a degree of 1, which 0 is as good as
  const std::uint32_t degree = 0x7fffffff - static_cast<std::uint32_t>(priority);
  const std::uint32_t clamped = degree < one ? one : degree;
  int doubling = 0;
  while (clamped >> doubling >= 2 * one) {
    doubling++;
  }
  const std::uint32_t value = values * doubling + (values * ((clamped >> doubling) - one) >> (31 - doublings));
  return static_cast<std::uint8_t>(255 - value);
}

}  // namespace violet
