// What it costs to put memory accesses in order where all blocks of a grid meet, and where a kernel tells the host a number
// (docs/results/lessons.md#save-fences): microseconds each time, in turns. Prints CSV.
//
//   nvcc -std=c++20 -O3 -arch=native benchmarks/fences.cu -o fences && ./fences
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int block_size = 256;
constexpr int meetings = 2000;
constexpr unsigned top = 1u << 31;

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}

enum Ordering {
  sequential,         // __threadfence before and after, which is sequentially consistent
  acquire_release,    // fences that acquire and release instead
  release_and_fence,  // an addition that releases, relaxed loads, and a fence
  release_acquire,    // an addition that releases, and loads that acquire
  runtime,            // ... the first four of them, then relaxed ones: what programs do
};

__device__ unsigned load_acquire(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(variable) : "memory");
  return value;
}

__device__ unsigned load_relaxed(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(variable) : "memory");
  return value;
}

template <Ordering ordering>
__device__ unsigned arrive(unsigned* arrivals) {
  const unsigned arrival = blockIdx.x == 0 ? top - (gridDim.x - 1) : 1u;
  if constexpr (ordering == sequential) {
    __threadfence();
    return atomicAdd(arrivals, arrival);
  } else if constexpr (ordering == acquire_release) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return atomicAdd(arrivals, arrival);
  } else {
    unsigned before;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(arrivals), "r"(arrival)
                 : "memory");
    return before;
  }
}

template <Ordering ordering>
__device__ void wait_for_grid(unsigned* arrivals) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = arrive<ordering>(arrivals);
    const auto all_are_here = [before](unsigned now) { return (now ^ before) >> 31 != 0; };
    bool waits = true;
    if constexpr (ordering == release_acquire || ordering == runtime) {
      for (int polls = 0; waits && (ordering == release_acquire || polls < 4); polls++) {
        waits = !all_are_here(load_acquire(arrivals));
      }
    }
    if (waits) {
      while (!all_are_here(load_relaxed(arrivals))) {
      }
      if constexpr (ordering == sequential) {
        __threadfence();
      } else if constexpr (ordering == runtime) {
        load_acquire(arrivals);
      } else {
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
      }
    }
  }
  __syncthreads();
}

// Each thread writes `writes` values, scattered, before it meets the others.
template <Ordering ordering>
__global__ void meet(unsigned* arrivals, int* values, int size, int writes) {
  unsigned at = blockIdx.x * block_size + threadIdx.x;
  for (int i = 0; i < meetings; i++) {
    for (int k = 0; k < writes; k++) {
      at = at * 1664525 + 1013904223;
      values[at >> 8 & size - 1] = i;
    }
    wait_for_grid<ordering>(arrivals);
  }
}

constexpr int size = 1 << 22;
unsigned* arrivals;
int* values;

template <Ordering ordering>
float time_meetings(int blocks, int writes) {
  check(cudaMemset(arrivals, 0, sizeof(unsigned)));
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  int some = size;
  void* arguments[] = {&arrivals, &values, &some, &writes};
  check(cudaEventRecord(start));
  check(cudaLaunchCooperativeKernel(meet<ordering>, blocks, block_size, arguments));
  check(cudaEventRecord(stop));
  check(cudaEventSynchronize(stop));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, stop));
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  return 1e3f * milliseconds / meetings;
}

// ---- To the host ---------------------------------------------------------------------------------------------------

struct Letter {
  volatile unsigned long long word;
  volatile unsigned number;
};

__global__ void work(int* values) { values[blockIdx.x * block_size + threadIdx.x] = 1; }

enum Letters { fenced, released, packed };  // a fence; a store that releases; number and value in one word

template <Letters letters>
__global__ void post(Letter* letter, unsigned number, const int* value) {
  if constexpr (letters == fenced) {
    letter->word = *value;
    __threadfence_system();
    letter->number = number;
  } else if constexpr (letters == released) {
    letter->word = *value;
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(&letter->number), "r"(number) : "memory");
  } else {
    letter->word = static_cast<unsigned long long>(number) << 32 | static_cast<unsigned>(*value);
  }
}

template <Letters letters>
double time_letters(Letter* letter) {
  using namespace std::chrono;
  const auto start = steady_clock::now();
  for (unsigned i = 1; i <= meetings; i++) {
    work<<<264, block_size>>>(values);
    post<letters><<<1, 1>>>(letter, i, values);
    while ((letters == packed ? letter->word >> 32 : letter->number) != i) {
    }
  }
  check(cudaDeviceSynchronize());
  letter->number = 0;
  letter->word = 0;
  return duration<double, std::micro>(steady_clock::now() - start).count() / meetings;
}

}  // namespace

int main() {
  check(cudaMalloc(&arrivals, sizeof(unsigned)));
  check(cudaMalloc(&values, size * sizeof(int)));
  check(cudaMemset(values, 0, size * sizeof(int)));
  Letter* letter;
  check(cudaHostAlloc(&letter, sizeof(Letter), cudaHostAllocMapped));
  *letter = {};
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  std::printf("turn,what,blocks,writes,order,microseconds\n");
  for (int turn = 0; turn <= 5; turn++) {  // the first one is not told: the GPU is cold
    const auto tell = [turn](const char* what, int blocks, int writes, const char* order, double microseconds) {
      if (turn > 0) std::printf("%d,%s,%d,%d,%s,%.2f\n", turn, what, blocks, writes, order, microseconds);
    };
    for (int each : {1, 2, 4, 8}) {
      for (int writes : {0, 1, 4}) {
        const int blocks = each * multiprocessors - 1;
        tell("meeting", blocks, writes, "sequential", time_meetings<sequential>(blocks, writes));
        tell("meeting", blocks, writes, "acquire_release", time_meetings<acquire_release>(blocks, writes));
        tell("meeting", blocks, writes, "release_and_fence", time_meetings<release_and_fence>(blocks, writes));
        tell("meeting", blocks, writes, "release_acquire", time_meetings<release_acquire>(blocks, writes));
        tell("meeting", blocks, writes, "runtime", time_meetings<runtime>(blocks, writes));
      }
    }
    tell("letter", 1, 1, "fence", time_letters<fenced>(letter));
    tell("letter", 1, 1, "release", time_letters<released>(letter));
    tell("letter", 1, 1, "one_word", time_letters<packed>(letter));
  }
}
