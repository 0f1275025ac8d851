// Teams of threads, of which there is one for each item.
#pragma once

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

/// How many threads of the grid there are for each of so many items: whole warps, and a power of two. More than a warp
/// have one item only, so it does not matter that a last team may be incomplete: there is none for it.
__device__ inline int threads_for_each(int items) {
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  int team = warp_size;
  while (threads / (2 * team) >= max(items, 1)) {
    team *= 2;
  }
  return team;
}

}  // namespace gpu
}  // namespace violet
