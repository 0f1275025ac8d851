// A list in the shared memory of a block, for what would take an atomic operation each in global memory.
#pragma once

#include "device.cuh"

namespace violet {
inline namespace gpu {

template <unsigned room>
struct BlockList {
  unsigned size;  ///< or more: items for which there was no room are counted, too
  int items[room];
};

/// Begins with nothing; all threads of the block take part.
template <unsigned room>
__device__ void start(BlockList<room>& list) {
  if (threadIdx.x == 0) {
    list.size = 0;
  }
  __syncthreads();
}

/// The number of items on the list; all threads of the block take part, and are done.
template <unsigned room>
__device__ unsigned count_items(const BlockList<room>& list) {
  __syncthreads();
  return min(list.size, room);
}

}  // namespace gpu
}  // namespace violet
