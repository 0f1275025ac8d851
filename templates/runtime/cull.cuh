// What tells duplicates among items that are about to be appended: other threads of the warp, and a hash table in shared
// memory of the items that a block has appended of late.
#pragma once

#include "device.cuh"

namespace violet {
inline namespace gpu {

/// Whether none of the threads that are here together, in the same warp with a smaller number, has the same item.
__device__ inline bool is_first_in_warp(int item) {
  const unsigned alike = __match_any_sync(__activemask(), item);
  return __ffs(alike) - 1 == static_cast<int>(threadIdx.x % warp_size);
}

constexpr int recent_slots = 1024;

/// The item that came last to each slot; an item that others have driven out of its slot since is taken for a new one.
__device__ inline int* recent_items() {
  __shared__ int items[recent_slots];
  return items;
}

/// Begins with an empty table; all threads of the block take part.
__device__ inline void forget_recent_items() {
  for (int slot = threadIdx.x; slot < recent_slots; slot += blockDim.x) {
    recent_items()[slot] = -1;
  }
  __syncthreads();
}

/// Whether the table has the item; afterwards it has.
__device__ inline bool is_recent_item(int item) {
  return atomicExch_block(&recent_items()[item % recent_slots], item) == item;
}

}  // namespace gpu
}  // namespace violet
