// The items of a worklist by degree: three lists, each for another number of threads that share a vertex.
#pragma once

#include "lists.cuh"

namespace violet {
inline namespace gpu {

/// What a worklist is sorted into. Any list has room for all of it.
struct Listed : Cutoffs {
  int* items[list_count];
  int* sizes;  ///< [2][list_count] of the lists; rounds take turns: one half is set to zero while the other one counts
  int turn;    ///< whose turn it is in this round

  __device__ int& size(List list) const { return sizes[turn * list_count + list]; }
};

inline Listed make_listed(Memory& memory, unsigned slots, double warp_degree, double block_degree) {
  Listed listed = {make_cutoffs(warp_degree, block_degree), {}, nullptr, 0};
  for (int*& items : listed.items) {
    items = memory.allocate<int>(slots);
  }
  listed.sizes = memory.allocate<int>(2 * list_count);
  return listed;
}

inline void clear(const Listed& listed) { clear(listed.sizes, 2 * list_count); }

/// Nobody looks at these until the next round has sorted its items.
__device__ inline void empty_next_lists(const Listed& listed) {
  if (threadIdx.x < list_count && blockIdx.x == 0) {
    listed.sizes[(1 - listed.turn) * list_count + threadIdx.x] = 0;
  }
}

/// Calls `visit` for each list, as a constant, that of the longest rows first.
template <typename Visit>
__device__ void for_each_list(Visit visit) {
  visit.template operator()<for_blocks>();
  visit.template operator()<for_warps>();
  visit.template operator()<for_threads>();
}

/// The least value of the threads of a team, in each of them; all take part.
template <int threads, typename T>
__device__ T least_in_team(T value) {
  if constexpr (threads == 1) {
    return value;
  } else {
    return least_of<threads>(value);
  }
}

/// The sum of theirs, likewise.
template <int threads, typename T>
__device__ T sum_in_team(T value) {
  if constexpr (threads == 1) {
    return value;
  } else if constexpr (threads == warp_size) {
    return warp_sum(value);
  } else {
    return block_sum(value);
  }
}

}  // namespace gpu
}  // namespace violet
