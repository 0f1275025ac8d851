// A distance and the vertex that it comes from in one word, for programs of every model: both change at once.
#pragma once

#include <cstring>

#include "host_device.hpp"

namespace violet {

/// The predecessor of a vertex that has none.
constexpr int nobody = -1;

/// Compares as distances do, then as predecessors; a distance is not negative.
using route_t = long long;

VIOLET_HOST_DEVICE constexpr route_t route(int distance, int predecessor) {
  return static_cast<route_t>(distance) << 32 | static_cast<unsigned>(predecessor);
}

/// Of real distances, these are the bits: as none is negative, they are ordered as they are.
VIOLET_HOST_DEVICE inline route_t route(float distance, int predecessor) {
  int bits;
  memcpy(&bits, &distance, sizeof bits);
  return route(bits, predecessor);
}

VIOLET_HOST_DEVICE constexpr int distance_of(route_t route) { return static_cast<int>(route >> 32); }
VIOLET_HOST_DEVICE inline float real_distance_of(route_t route) {
  const int bits = distance_of(route);
  float distance;
  memcpy(&distance, &bits, sizeof distance);
  return distance;
}
VIOLET_HOST_DEVICE constexpr int predecessor_of(route_t route) { return static_cast<int>(route); }

}  // namespace violet
