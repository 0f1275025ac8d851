// Clusters: blocks that run at the same time, wait for each other and reach each other's shared memory. They need a GPU of
// compute capability 9.0.
#pragma once

#include <cmath>

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

/// Blocks of a kernel that fit into a cluster.
template <auto kernel>
int largest_cluster(int device = current_device()) {
  return once_on(device, [] {
    int most = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(block_size);
    check(cudaOccupancyMaxPotentialClusterSize(&most, kernel, &config), "have clusters of blocks");
    return most;
  });
}

/// Runs a kernel in one cluster of so many blocks, or of as many as fit, if these are fewer.
template <auto kernel, typename State>
void launch_cluster(double blocks, const State& state) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(std::fmax(1, std::fmin(blocks, largest_cluster<kernel>()))), 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(cluster.val.clusterDim.x);
  config.blockDim = dim3(block_size);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, state), "launch a cluster of blocks");
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

// No cluster is ever launched on such a GPU.
__device__ inline void wait_for_cluster() {}
template <typename T>
__device__ T* in_first_block(T* variable) {
  return variable;
}

#else

/// Waits for all blocks of the cluster; what they wrote before is seen after.
__device__ inline void wait_for_cluster() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

/// The address that a variable in shared memory has in the first block of the cluster.
template <typename T>
__device__ T* in_first_block(T* variable) {
  return static_cast<T*>(__cluster_map_shared_rank(variable, 0));
}

#endif

}  // namespace gpu
}  // namespace violet
