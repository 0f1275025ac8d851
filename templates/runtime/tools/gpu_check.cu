// violet-gpu-check: whether the GPU still computes. The runner asks after a program has failed on it.
//
// With --hold it keeps the GPU open, idle, until its standard input ends: as long as anyone does, the driver has less to
// do whenever a program starts and ends. It prints a line when the GPU is open.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
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

bool hold() {
  if (!check(cudaFree(nullptr))) return false;
  std::puts("open");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool success = argc > 1 && std::strcmp(argv[1], "--hold") == 0 ? hold() : computes();
  return success ? 0 : no_device;
}
