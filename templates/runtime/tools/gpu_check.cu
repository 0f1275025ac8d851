// violet-gpu-check: whether the GPU still computes. The runner asks after a program has failed on it.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int size = 1 << 20;
constexpr int block_size = 256;
constexpr int no_device = 4;  // exit code, as of every program

__global__ void fill(int* values) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  values[i] = 3 * i;
}

bool check(cudaError_t status) {
  if (status != cudaSuccess) std::fprintf(stderr, "violet-gpu-check: error: %s\n", cudaGetErrorString(status));
  return status == cudaSuccess;
}

bool computes() {
  int* values = nullptr;
  std::vector<int> copy(size);
  if (!check(cudaMalloc(&values, size * sizeof(int)))) return false;
  fill<<<size / block_size, block_size>>>(values);
  if (!check(cudaGetLastError())) return false;
  if (!check(cudaMemcpy(copy.data(), values, size * sizeof(int), cudaMemcpyDeviceToHost))) return false;
  for (int i = 0; i < size; i++) {
    if (copy[i] == 3 * i) continue;
    std::fprintf(stderr, "violet-gpu-check: error: value %d is %d, not %d\n", i, copy[i], 3 * i);
    return false;
  }
  return check(cudaFree(values));
}

}  // namespace

int main() { return computes() ? 0 : no_device; }
