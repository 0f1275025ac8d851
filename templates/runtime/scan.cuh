// Prefix sums on the GPU, in two kernels: blocks add up chunks, then each scans its own chunk from where it begins.
#pragma once

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

constexpr int most_chunks = 1024;  // every block reads the sums of all chunks before its own

/// Items of a chunk, a multiple of the block's size.
__host__ __device__ inline int chunk_size(int count, int chunks) {
  const int tiles = (count - 1) / block_size + 1;
  return ((tiles - 1) / chunks + 1) * block_size;
}

/// The sum over this lane of the warp and those before it; all lanes take part.
template <typename T>
__device__ T sum_up_to_lane(T value) {
  const int lane = threadIdx.x % warp_size;
  T sum = value;
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T other = __shfl_up_sync(~0u, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  return sum;
}

/// The sum over the threads before this one in the block; `total` gets that over all. All threads take part.
template <typename T, int warps = warps_per_block>
__device__ T sum_before(T value, T& total) {
  __shared__ T of_warp[warps];
  const int lane = threadIdx.x % warp_size;
  const T sum = sum_up_to_lane(value);
  if (lane == warp_size - 1) {
    of_warp[threadIdx.x / warp_size] = sum;
  }
  __syncthreads();
  T before = sum - value;
  total = 0;
  for (int warp = 0; warp < warps; warp++) {
    before += warp < static_cast<int>(threadIdx.x) / warp_size ? of_warp[warp] : 0;
    total += of_warp[warp];
  }
  __syncthreads();  // the next call writes of_warp again
  return before;
}

/// The sum of the first `count` values, in every thread of the block; all take part.
template <typename T>
__device__ T sum_of_first(const T* values, int count) {
  T sum = 0;
  for (int i = threadIdx.x; i < count; i += block_size) {
    sum += values[i];
  }
  return block_sum(sum);
}

/// Writes to sums[i] what comes before value(i) from value(begin) on, and `base`; returns what comes before value(end).
/// By all threads of one block.
template <typename Value, typename T>
__device__ T scan_range(const Value& value, int begin, int end, T base, T* sums) {
  for (int tile = begin; tile < end; tile += block_size) {
    const int i = tile + threadIdx.x;
    T total;
    const T before = sum_before(i < end ? static_cast<T>(value(i)) : 0, total);
    if (i < end) {
      sums[i] = base + before;
    }
    base += total;
  }
  return base;
}

template <typename Value, typename T>
__global__ void sum_chunks(const __grid_constant__ Value value, int count, T* chunk_sums) {
  const int size = chunk_size(count, gridDim.x);
  const int begin = blockIdx.x * size;
  const int end = min(begin + size, count);
  T sum = 0;
  for (int i = begin + threadIdx.x; i < end; i += block_size) {
    sum += value(i);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    chunk_sums[blockIdx.x] = sum;
  }
}

template <typename Value, typename T>
__global__ void scan_chunks(const __grid_constant__ Value value, int count, T* sums, const T* chunk_sums) {
  const int size = chunk_size(count, gridDim.x);
  const int begin = blockIdx.x * size;
  const int end = min(begin + size, count);
  const T total = scan_range(value, begin, end, sum_of_first(chunk_sums, blockIdx.x), sums);
  if (end == count && begin < end && threadIdx.x == 0) {
    sums[count] = total;
  }
}

/// Writes the sum of value(0) to value(i - 1) to sums[i], for i from 0 to `count`, which is positive. The host does not
/// wait for it.
///
/// @param value       a function object of the device
/// @param sums        [count + 1] on the device
/// @param chunk_sums  [most_chunks] working memory on the device
template <typename Value, typename T>
void exclusive_scan(const Value& value, int count, T* sums, T* chunk_sums) {
  const int blocks = min(blocks_for(count, block_size), most_chunks);
  sum_chunks<<<blocks, block_size, 0, stream>>>(value, count, chunk_sums);
  scan_chunks<<<blocks, block_size, 0, stream>>>(value, count, sums, chunk_sums);
}

}  // namespace gpu
}  // namespace violet
