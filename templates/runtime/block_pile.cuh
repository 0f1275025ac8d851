// A pile of vertices in the shared memory of a block, which the block moves to a common pile at the end of a kernel: the
// counter of a common pile takes one atomic operation after the other.
#pragma once

#include "cuda.cuh"
#include "nearfar.hpp"

namespace violet {
inline namespace gpu {

constexpr unsigned block_pile_capacity = 2048;

struct BlockPile {
  unsigned size;  ///< or more: vertices for which there was no room are counted, too
  int vertices[block_pile_capacity];
};

/// The pile of this block.
__device__ inline BlockPile& block_pile() {
  __shared__ BlockPile pile;
  return pile;
}

/// Before a block puts anything on its pile. All threads take part.
__device__ inline void begin_block_pile() {
  if (threadIdx.x == 0) {
    block_pile().size = 0;
  }
  __syncthreads();
}

/// Moves the pile of the block to the common one. All threads take part, once they are done; a barrier has to follow
/// before the next begin.
__device__ inline void move_block_pile(const FarPile& far) {
  __shared__ unsigned first;
  __syncthreads();
  const unsigned size = min(block_pile().size, block_pile_capacity);
  if (size == 0) {
    return;
  }
  if (threadIdx.x == 0) {
    first = ::atomicAdd(far.number, size) - far.base;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
    far.vertices[first + i] = block_pile().vertices[i];
  }
}

}  // namespace gpu
}  // namespace violet
