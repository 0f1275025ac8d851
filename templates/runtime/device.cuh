// What kernels call: the device functions that CUDA itself lacks, and sizes of launches that they count on.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace violet {
inline namespace gpu {

constexpr int block_digits = 8;  // binary digits of the number of a thread in its block
constexpr int block_size = 1 << block_digits;
constexpr int warp_size = 32;
constexpr int warps_per_block = block_size / warp_size;
constexpr int most_blocks_each = 2048 / block_size;     // that a multiprocessor holds at once
constexpr int half_blocks_each = most_blocks_each / 2;  // ... of threads that may need 64 registers
constexpr int single_block_size = 1024;  // of a kernel with one block: as many threads as a block can have

constexpr int word_size = 32;  // vertices in a word of a set, one a bit

/// Whether the round before changed something, asked by every thread when a round begins. The host does not wait for
/// the answer but is told: the round, or minus the first round that there is no need for. That one speaks last: when the next
/// one comes, which is launched already, the host may have begun anew.
__device__ inline bool needs_round(const int* changed, int* progress, int round) {
  const int last = *changed;  // from the cache: another thread of this round may be changing it, to no effect here
  const bool needed = last >= round - 1;
  if (threadIdx.x == 0 && blockIdx.x == 0 && round <= last + 2) {
    *static_cast<volatile int*>(progress) = needed ? round : -round;
  }
  return needed;
}

// CUDA's classic atomics have no load and no store: these are relaxed ones of device scope.

__device__ inline int atomic_load(const int* variable) {
  int value;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(variable));
  return value;
}

__device__ inline unsigned atomic_load(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(variable));
  return value;
}

/// The same of a variable that may be in the shared memory of a block.
__device__ inline unsigned atomic_load_generic(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(variable));
  return value;
}

__device__ inline long long atomic_load(const long long* variable) {
  long long value;
  asm volatile("ld.relaxed.gpu.global.s64 %0, [%1];" : "=l"(value) : "l"(variable));
  return value;
}

__device__ inline float atomic_load(const float* variable) {
  float value;
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(variable));
  return value;
}

__device__ inline double atomic_load(const double* variable) {
  double value;
  asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(value) : "l"(variable));
  return value;
}

__device__ inline unsigned char atomic_load(const unsigned char* variable) {
  unsigned value;  // no register is as narrow as a byte
  asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];" : "=r"(value) : "l"(variable));
  return static_cast<unsigned char>(value);
}

__device__ inline void atomic_store(int* variable, int value) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(variable), "r"(value));
}

__device__ inline void atomic_store(long long* variable, long long value) {
  asm volatile("st.relaxed.gpu.global.s64 [%0], %1;" ::"l"(variable), "l"(value));
}

__device__ inline void atomic_store(float* variable, float value) {
  asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" ::"l"(variable), "f"(value));
}

__device__ inline void atomic_store(double* variable, double value) {
  asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(variable), "d"(value));
}

__device__ inline void atomic_store(unsigned char* variable, unsigned char value) {
  const unsigned wide = value;  // no register is as narrow as a byte
  asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(variable), "r"(wide));
}

// Who acquires what one of these has released sees all that its thread wrote, or saw of others, before.

__device__ inline unsigned atomic_add_acq_rel(unsigned* variable, unsigned value) {
  unsigned before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(variable), "r"(value) : "memory");
  return before;
}

__device__ inline unsigned atomic_load_acquire(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(variable) : "memory");
  return value;
}

/// Waits until `done(value)` holds for the value of a variable, which is acquired and returned. A fence after relaxed loads
/// would do, and takes 0.3 us. But each load that acquires drops what the L1 cache has, which other blocks may still need: if
/// it takes long, only the last one does.
template <typename Done>
__device__ unsigned acquire_when(const unsigned* variable, Done done) {
  for (int polls = 0; polls < 4; polls++) {
    const unsigned value = atomic_load_acquire(variable);
    if (done(value)) return value;
  }
  while (!done(atomic_load(variable))) {
  }
  return atomic_load_acquire(variable);
}

/// For the host and other GPUs, too.
__device__ inline void atomic_store_release_system(unsigned* variable, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(variable), "r"(value) : "memory");
}

/// What a kernel tells the host while it goes on.
template <typename T>
struct Report {
  T value;
  unsigned made;  // written last
};

/// Tells the host something while the kernel goes on, see when_reported.
template <typename T>
__device__ void report(Report<T>* visible, const T& value) {
  visible->value = value;
  atomic_store_release_system(&visible->made, 1);
}

// 64-bit values of these programs are signed; CUDA adds and compares unsigned ones.

__device__ inline long long atomicAdd(long long* variable, long long value) {
  return static_cast<long long>(::atomicAdd(reinterpret_cast<unsigned long long*>(variable), value));
}

__device__ inline long long atomicAdd_block(long long* variable, long long value) {
  return static_cast<long long>(::atomicAdd_block(reinterpret_cast<unsigned long long*>(variable), value));
}

__device__ inline long long atomicCAS(long long* variable, long long expected, long long value) {
  return static_cast<long long>(
      ::atomicCAS(reinterpret_cast<unsigned long long*>(variable), static_cast<unsigned long long>(expected), value));
}

/// What a block adds to the counter of those that have come to where all blocks of a grid meet. The top bit of the counter
/// changes when all have, and the others are zero again, so it never overflows, however many rounds there are. It begins as
/// zero.
__device__ inline unsigned arrival() {
  constexpr unsigned top = 1u << 31;
  return blockIdx.x == 0 ? top - (gridDim.x - 1) : 1u;
}

/// Counts a block in there; returns what the counter was.
__device__ inline unsigned arrive(unsigned* arrivals) { return atomic_add_acq_rel(arrivals, arrival()); }

/// Whether this block has arrived last, `before` being what the counter was.
__device__ inline bool is_last(unsigned before) { return (before + arrival()) << 1 == 0; }

/// Waits for all blocks of a grid that was launched cooperatively; what they wrote before is seen after. `arrivals` is zero at
/// the launch.
__device__ inline void wait_for_grid(unsigned* arrivals) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = arrive(arrivals);
    acquire_when(arrivals, [&](unsigned now) { return (now ^ before) >> 31 != 0; });
  }
  __syncthreads();
}

/// What std::swap does, which only the host can call.
template <typename T>
__host__ __device__ void trade(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

/// Number of the lowest bit of a word that is set.
__device__ inline int lowest_bit(unsigned word) { return __ffs(static_cast<int>(word)) - 1; }

/// Whether a set has a vertex.
__device__ inline bool contains(const unsigned* set, int v) { return (set[v / word_size] >> v % word_size & 1) != 0; }

/// How many bits of a word are set.
__device__ inline unsigned count_bits(unsigned word) { return __popc(word); }

// Whether one instruction combines values of a warp.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <typename T>
constexpr bool combined_at_once = std::is_same_v<T, int> || std::is_same_v<T, unsigned>;
#else
template <typename T>
constexpr bool combined_at_once = false;
#endif

// Ways to combine values: two, or those of a warp at once.
struct Minimum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
  template <typename T>
  __device__ T of_warp(T value) const {
    return __reduce_min_sync(~0u, value);
  }
};

struct Maximum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  template <typename T>
  __device__ T of_warp(T value) const {
    return __reduce_max_sync(~0u, value);
  }
};

struct Union {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a | b;
  }
  template <typename T>
  __device__ T of_warp(T value) const {
    return __reduce_or_sync(~0u, value);
  }
};

struct Sum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
  template <typename T>
  __device__ T of_warp(T value) const {
    return __reduce_add_sync(~0u, value);
  }
};

/// Combines the values of every `width` neighbouring lanes, in each of them; all lanes of the warp take part.
template <int width, typename T, typename Combine>
__device__ T combine_lanes(T value, Combine combine) {
  if constexpr (width == warp_size && combined_at_once<T>) {
    return combine.of_warp(value);
  } else {
    for (int distance = width / 2; distance > 0; distance /= 2) {
      value = combine(value, __shfl_xor_sync(~0u, value, distance));
    }
    return value;
  }
}

/// Combines the values of a block, in every thread; all threads take part.
template <typename T, typename Combine>
__device__ T combine_block(T value, Combine combine) {
  __shared__ T of_warp[warps_per_block];
  value = combine_lanes<warp_size>(value, combine);
  if (threadIdx.x % warp_size == 0) {
    of_warp[threadIdx.x / warp_size] = value;
  }
  __syncthreads();
  value = combine_lanes<warps_per_block>(of_warp[threadIdx.x % warps_per_block], combine);
  __syncthreads();  // the next call writes of_warp again
  return value;
}

template <typename T>
__device__ T warp_min(T value) {
  return combine_lanes<warp_size>(value, Minimum{});
}

template <typename T>
__device__ T block_min(T value) {
  return combine_block(value, Minimum{});
}

template <typename T>
__device__ T block_max(T value) {
  return combine_block(value, Maximum{});
}

/// Waits for the `width` threads that share a row: those of a warp or of a block.
template <int width>
__device__ void meet() {
  if constexpr (width == warp_size) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

/// The least value of those threads, in each of them; all take part.
template <int width, typename T>
__device__ T least_of(T value) {
  if constexpr (width == warp_size) {
    return warp_min(value);
  } else {
    return block_min(value);
  }
}

template <typename T>
__device__ T warp_or(T bits) {
  return combine_lanes<warp_size>(bits, Union{});
}

template <typename T>
__device__ T block_or(T bits) {
  return combine_block(bits, Union{});
}

template <typename T>
__device__ T warp_sum(T value) {
  return combine_lanes<warp_size>(value, Sum{});
}

template <typename T>
__device__ T block_sum(T value) {
  return combine_block(value, Sum{});
}

}  // namespace gpu
}  // namespace violet
