// A pile of vertices in the shared memory of a block, which the block moves to a common pile at the end of a kernel: the
// counter of a common pile takes one atomic operation after the other.
#pragma once

#include "block_list.cuh"
#include "nearfar.hpp"

namespace violet {
inline namespace gpu {

constexpr unsigned block_pile_capacity = 1536;  // 6 KiB: with more, a multiprocessor has fewer blocks or less L1 cache

/// The pile of this block.
__device__ inline BlockList<block_pile_capacity>& block_pile() {
  __shared__ BlockList<block_pile_capacity> pile;
  return pile;
}

/// Moves the pile of the block to the common one. All threads take part, once they are done; a barrier has to follow
/// before the next begin.
__device__ inline void move_block_pile(const FarPile& far) {
  __shared__ unsigned first;
  const unsigned size = count_items(block_pile());
  if (size == 0) {
    return;
  }
  if (threadIdx.x == 0) {
    first = ::atomicAdd(far.number, size) - far.base;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    far.vertices[first + i] = block_pile().items[i];
  }
}

}  // namespace gpu
}  // namespace violet
