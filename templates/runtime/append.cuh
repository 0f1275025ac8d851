// What it takes to append items to a worklist on the GPU in other ways than each by itself.
#pragma once

#include "block_list.cuh"
#include "scan.cuh"

namespace violet {
inline namespace gpu {

// ---- Items that wait in the shared memory of their block -----------------------------------------------------------

constexpr unsigned gathered_capacity = 4096;  // 16 KiB: with more, fewer blocks would fit

/// What the block has gathered.
__device__ inline BlockList<gathered_capacity>& gathered() {
  __shared__ BlockList<gathered_capacity> of_block;
  return of_block;
}

// ---- Candidates at the places of edges -------------------------------------------------------------------------------

constexpr int none = -1;

/// Sets all values of an array of the device to `none`; the host does not wait.
template <typename T>
void fill_with_none(T* values, int count) {
  check(cudaMemsetAsync(values, 0xff, count * sizeof(T), stream), "clear GPU memory");
}

// ---- Vertices in order ---------------------------------------------------------------------------------------------

/// How many chunks to make of so many vertices.
inline int chunks_of(int vertices) { return min(blocks_for(vertices, block_size), most_chunks); }

/// First vertex of a chunk; the vertices of the next one follow.
__device__ inline int chunk_begin(int vertices, int chunks, int chunk) {
  return static_cast<int>(
      min(static_cast<long long>(chunk_size(vertices, chunks)) * chunk, static_cast<long long>(vertices)));
}

/// The sum over all chunks before this one, in every thread of the block, as soon as they are known; all threads take
/// part. Blocks start in order, so none waits for one that could not have started.
///
/// @param counts  [chunks] the round in which a chunk was last counted, times 2^32, plus its count then
__device__ inline int sum_in_order(long long* counts, int chunk, int round, int count) {
  if (threadIdx.x == 0) {
    atomic_store(&counts[chunk], (static_cast<long long>(round) << 32) + count);
  }
  int sum = 0;
  for (int before = threadIdx.x; before < chunk; before += block_size) {
    long long known;
    do {
      known = atomic_load(&counts[before]);
    } while (known >> 32 != round);
    sum += static_cast<int>(known);
  }
  return block_sum(sum);
}

/// How many threads of the block before this one vote with yes; `total` gets how many of all. All take part.
__device__ inline int rank_in_block(bool vote, int& total) {
  __shared__ int of_warp[warps_per_block];
  const int own = threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const unsigned votes = __ballot_sync(~0u, vote);
  if (lane == 0) {
    of_warp[own] = __popc(votes);
  }
  __syncthreads();
  int rank = __popc(votes & ((1u << lane) - 1));
  total = 0;
  for (int warp = 0; warp < warps_per_block; warp++) {
    rank += warp < own ? of_warp[warp] : 0;
    total += of_warp[warp];
  }
  __syncthreads();  // the next call writes of_warp again
  return rank;
}

// ---- Bins of threads -----------------------------------------------------------------------------------------------

/// How many items this thread has had for its bin.
__device__ inline int& bin_size() {
  __shared__ int sizes[block_size];
  return sizes[threadIdx.x];
}

}  // namespace gpu
}  // namespace violet
