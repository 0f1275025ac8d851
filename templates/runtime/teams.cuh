// Teams of threads, of which there is one for each item.
#pragma once

#include "device.cuh"

namespace violet {
inline namespace gpu {

/// How many threads of the grid there are for each of so many items: 2 to the power of what is returned, and whole warps.
/// More than a warp have one item only, so it does not matter that a last team may be incomplete: there is none for it.
__device__ inline int bits_for_each(int items) {
  constexpr int warp_bits = 5;
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned teams = max(items, 1);
  const int bits = __clz(teams) - __clz(threads);  // or one less
  return max(bits > 0 && teams << bits > threads ? bits - 1 : bits, warp_bits);
}

}  // namespace gpu
}  // namespace violet
