// What GPUs are to each other: a line for each ordered pair with whether the first reaches the second's memory, whether its
// atomic operations do, and how many GB/s copies to it carry.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::size_t bytes = std::size_t{128} << 20;
constexpr int copies = 8;

void check(cudaError_t status, const char* action) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "cannot %s: %s\n", action, cudaGetErrorString(status));
    std::exit(1);
  }
}

void* allocate_on(int device) {
  void* memory = nullptr;
  check(cudaSetDevice(device), "use a GPU");
  check(cudaMalloc(&memory, bytes), "allocate GPU memory");
  return memory;
}

double gigabytes_per_second(int from, int to) {
  void* const source = allocate_on(from);
  void* const target = allocate_on(to);
  check(cudaSetDevice(from), "use a GPU");
  cudaEvent_t start, stop;
  float milliseconds = 0;
  check(cudaEventCreate(&start), "create an event");
  check(cudaEventCreate(&stop), "create an event");
  check(cudaMemcpyPeerAsync(target, to, source, from, bytes), "copy between GPUs");  // the first one takes longer
  check(cudaEventRecord(start), "record an event");
  for (int copy = 0; copy < copies; copy++) {
    check(cudaMemcpyPeerAsync(target, to, source, from, bytes), "copy between GPUs");
  }
  check(cudaEventRecord(stop), "record an event");
  check(cudaEventSynchronize(stop), "copy between GPUs");
  check(cudaEventElapsedTime(&milliseconds, start, stop), "read the time");
  check(cudaFree(source), "free GPU memory");
  check(cudaFree(target), "free GPU memory");
  return copies * static_cast<double>(bytes) / milliseconds / 1e6;
}

int supports(cudaDeviceP2PAttr attribute, int from, int to) {
  int value = 0;
  check(cudaDeviceGetP2PAttribute(&value, attribute, from, to), "ask a GPU about its peers");
  return value;
}

}  // namespace

int main() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "find a GPU");
  for (int from = 0; from < count; from++) {
    for (int to = 0; to < count; to++) {
      if (to == from) continue;
      const int access = supports(cudaDevP2PAttrAccessSupported, from, to);
      check(cudaSetDevice(from), "use a GPU");
      if (access != 0) check(cudaDeviceEnablePeerAccess(to, 0), "open the memory of a peer");
      std::printf("%d %d %d %d %.1f\n", from, to, access, supports(cudaDevP2PAttrNativeAtomicSupported, from, to),
                  gigabytes_per_second(from, to));
    }
  }
}
