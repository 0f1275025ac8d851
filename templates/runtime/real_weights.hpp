// Real weights, for programs of every model: numbers of single precision, whose bits are in the place of whole weights.
#pragma once

#include <cstring>

#include "host_device.hpp"

namespace violet {

/// The weights of a graph that was loaded for who takes real ones.
inline const float* real_weights(const int* weights) { return reinterpret_cast<const float*>(weights); }

/// A whole number for each real one, ordered as they are; only 0 and -0 would not be equal.
VIOLET_HOST_DEVICE inline int ordered(float number) {
  int bits;
  memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

/// The number that such a whole one stands for.
VIOLET_HOST_DEVICE inline float disordered(int whole) {
  const int bits = whole < 0 ? whole ^ 0x7fffffff : whole;
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

}  // namespace violet
