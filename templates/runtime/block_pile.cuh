// A pile of vertices in the shared memory of a block, which the block moves to a common pile at the end of a kernel: the
// counter of a common pile takes one atomic operation after the other.
#pragma once

#include "block_list.cuh"
#include "nearfar.hpp"

namespace violet {
inline namespace gpu {

// Blocks that fill the shared memory of a multiprocessor leave hardly any L1 cache. Eight that gather do with piles of 8 KiB.
// Of those that share rows, six do with 7, and five fit with 8.
constexpr unsigned block_pile_capacity = 1792;
constexpr unsigned sharing_pile_capacity = 2048;

/// The pile of this block.
template <unsigned capacity = block_pile_capacity>
__device__ BlockList<capacity>& block_pile() {
  __shared__ BlockList<capacity> pile;
  return pile;
}

/// Moves the pile of the block to the common one. All threads take part, once they are done; a barrier has to follow
/// before the next begin.
template <unsigned capacity = block_pile_capacity>
__device__ void move_block_pile(const FarPile& far) {
  __shared__ unsigned first;
  const unsigned size = count_items(block_pile<capacity>());
  if (size == 0) {
    return;
  }
  if (threadIdx.x == 0) {
    first = ::atomicAdd(far.number, size) - far.base;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    far.vertices[first + i] = block_pile<capacity>().items[i];
  }
}

}  // namespace gpu
}  // namespace violet
