// What a sample of an array tells of all of it.
#pragma once

#include <cmath>

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

template <typename T>
__global__ void find_most_frequent(const T* values, int n, T* result) {
  __shared__ T sample[block_size];
  const T own = values[static_cast<long long>(n) * threadIdx.x / block_size];
  sample[threadIdx.x] = own;
  __syncthreads();
  int count = 0;
  for (const T& other : sample) {
    count += other == own;
  }
  const int rank = -(count * block_size + static_cast<int>(threadIdx.x));  // no two are equal
  if (block_min(rank) == rank) {
    *result = own;
  }
}

/// Writes the most frequent value of a sample to `result`; all three in device memory, and the host does not wait.
template <typename T>
void most_frequent(const T* values, int n, T* result) {
  if (n > 0) {
    find_most_frequent<<<1, block_size, 0, stream>>>(values, n, result);
  }
}

template <typename T>
__global__ void sample_quantile(const T* values, int n, double share, T* result) {
  __shared__ T sample[block_size];
  const T own = values[static_cast<long long>(n) * threadIdx.x / block_size];
  sample[threadIdx.x] = own;
  __syncthreads();
  int rank = 0;
  for (int i = 0; i < block_size; i++) {
    rank += sample[i] < own || (sample[i] == own && i < static_cast<int>(threadIdx.x));
  }
  if (rank == min(static_cast<int>(share * block_size), block_size - 1)) {
    *result = own;
  }
}

/// Writes the value up to which such a share of a sample lies to `result`; all three in device memory, and the host does
/// not wait. All of the sample lies there if the share is 1 or larger.
template <typename T>
void find_quantile(const T* values, int n, double share, T* result) {
  if (n > 0) {
    sample_quantile<<<1, block_size, 0, stream>>>(values, n, std::fmin(share, 1), result);
  }
}

}  // namespace gpu
}  // namespace violet
