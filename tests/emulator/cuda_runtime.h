// What Violet's CUDA programs use of CUDA, emulated on the CPU, so that they run and can be verified without a GPU.
//
// translate.py turns a program into C++ for this header. What is modelled:
//
// - Interleavings. Before any access to memory (-fsanitize=thread calls the emulator there) another thread of any block
//   that is on the GPU may get its turn. EMULATOR_SLICE is the average number of accesses until then: 5 is a storm of
//   preemptions, the default lets a thread run until it waits. Who is next is drawn at random from EMULATOR_SEED, and the
//   same seed repeats the same run.
// - Barriers and warp operations, which are errors if some of the threads ended or are somewhere else.
// - Six blocks at a time on a GPU, five of a persistent kernel; others start in order as these end. A cluster has six at most.
//   EMULATOR_MULTIPROCESSORS says how many multiprocessors a GPU has if not three, each of which holds two blocks.
//   Kernels in different streams run side by side. Tests have blocks of 64 threads in programs for one GPU, and of 128 in
//   those for several, as that takes less time.
// - Memory: it is full of garbage at first. Errors are accesses outside arrays, also those in shared memory, to freed ones,
//   reads of what nobody wrote, __ldg of what a kernel writes meanwhile, and the host reading the device's memory.
// - Races in shared memory: an access to four bytes that another thread of the block accesses, too, is an error if one of
//   them writes, not both are atomic, and nobody has waited for the other in between, in whatever order they have run.
// - Several GPUs (EMULATOR_DEVICES). Errors are accesses to memory of another one without the right to, and an atomic
//   update of device scope where a kernel on another one accesses meanwhile. Loads of that scope are none: a round of
//   nondet pulls values that other GPUs replace.
// - Events belong to the GPU that was in use when they were made: its streams record them, and times are between two of them.
// - Streams, with several GPUs. What was given to them begins at any time between then and when the host waits for it, in an
//   order that is drawn at random but for what a stream did before and the events that it waits for.
// - CUDA graphs, if they are a loop over launches. The host waits for its end.
//
// EMULATOR_TRACE names a file in which it writes down, a line each, which streams and events were made and destroyed.
//
// What is not: the GPU's weaker memory order (all threads see one memory), warps in lockstep, launches on a single GPU that
// run beside the thread of the host that launches them (a kernel is over when its launch returns), limits of shared memory and
// registers, and time.
#pragma once

#include <bit>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "emulator.hpp"

// ---- The language --------------------------------------------------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x;
};

struct alignas(4) ushort2 {
  unsigned short x, y;
};

struct alignas(16) int4 {
  int x, y, z, w;
};

struct alignas(8) uint2 {
  unsigned x, y;
};

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

extern dim3 threadIdx;
extern dim3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

namespace emulator {

/// What a stream stands for.
inline Stream* given(Stream* stream) { return stream != nullptr ? stream : default_stream(); }

/// What each thread of a launch calls.
template <typename Function>
Call call_of(const Function& function) {
  static_assert(std::is_trivially_copy_constructible_v<Function> && std::is_trivially_destructible_v<Function>);
  static_assert(alignof(Function) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  return {[](const void* copy) { (*static_cast<const Function*>(copy))(); }, &function, sizeof function};
}

/// kernel<<<blocks, threads, 0, stream>>>(arguments...)
template <typename Kernel, typename... Arguments>
[[gnu::noinline]] void launch(Stream* stream, const char* name, int blocks, int threads, Kernel kernel,
                              const Arguments&... arguments) {
  run(given(stream), name, blocks, threads, call_of([=] { kernel(arguments...); }));
}

}  // namespace emulator

// ---- Device: what threads do together --------------------------------------------------------------------------------

inline void __syncthreads() { emulator::meet_block(emulator::Operation::barrier); }

inline int __syncthreads_or(int predicate) {
  return static_cast<int>(emulator::meet_block(emulator::Operation::barrier_or, predicate != 0).bits);
}

// A thread goes on between the two on a GPU; here it waits.
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_wait() { emulator::meet_cluster(); }

inline void* __cluster_map_shared_rank(const void* variable, unsigned block) {
  return emulator::in_block(variable, static_cast<int>(block));
}

inline void __syncwarp() { emulator::meet_warp(emulator::Operation::warp_barrier); }

inline unsigned __ballot_sync(unsigned, int predicate) {
  const std::uint64_t vote = predicate != 0 ? 1 : 0;
  const unsigned lane = threadIdx.x % emulator::warp_size;
  return static_cast<unsigned>(emulator::meet_warp(emulator::Operation::vote, vote << lane).bits);
}

// A GPU promises nothing about which threads of a warp run together; here, each does alone.
inline unsigned __activemask() { return 1u << threadIdx.x % emulator::warp_size; }

template <typename T>
unsigned __match_any_sync(unsigned mask, T value) {
  if ((mask & (mask - 1)) == 0) return mask;  // of __activemask: a lane by itself
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const auto& met = emulator::meet_warp(emulator::Operation::shuffle, bits);
  unsigned same = 0;
  for (int lane = 0; lane < emulator::warp_size; lane++) same |= unsigned{met.values[lane] == bits} << lane;
  return same & mask;
}

inline void __nanosleep(unsigned) {}

inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane) {
  if ((mask & (mask - 1)) == 0) return value;  // a lane by itself
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = emulator::meet_warp(emulator::Operation::shuffle, bits).values[lane];
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int distance) {
  const int lane = static_cast<int>(threadIdx.x) % emulator::warp_size;
  return __shfl_sync(mask, value, lane ^ distance);
}

template <typename T>
T __shfl_up_sync(unsigned mask, T value, int distance) {
  const int lane = static_cast<int>(threadIdx.x) % emulator::warp_size;
  return __shfl_sync(mask, value, lane >= distance ? lane - distance : lane);
}

// ---- Device: memory --------------------------------------------------------------------------------------------------

// These functions tell the emulator themselves what they access, at once: what they do afterwards is atomic.
#define EMULATOR_ATOMIC [[gnu::noinline, gnu::no_sanitize_thread]]

namespace emulator {

/// An atomic load, which CUDA has in PTX only.
template <typename T>
EMULATOR_ATOMIC T load(const T* variable) {
  poll(variable, sizeof(T), Access::load);
  return *variable;
}

template <typename T>
EMULATOR_ATOMIC void store(T* variable, std::type_identity_t<T> value, Scope scope) {
  access(variable, sizeof(T), Access::write, scope);
  *variable = value;
}

/// Replaces a value by a function of it and another one; returns the old one.
template <typename T, typename Function>
EMULATOR_ATOMIC T update(T* variable, T value, Function function, Scope scope = Scope::device) {
  access(variable, sizeof(T), Access::update, scope);
  const T old = *variable;
  *variable = function(old, value);
  return old;
}

template <typename T, typename... Others>
concept one_of = (std::same_as<T, Others> || ...);

template <typename T>
concept word = one_of<T, int, unsigned, unsigned long long>;

template <typename T>
concept integer = word<T> || std::same_as<T, long long>;

template <typename T>
concept number = word<T> || one_of<T, float, double>;

}  // namespace emulator

template <typename T>
EMULATOR_ATOMIC T __ldg(const T* variable) {
  emulator::access(variable, sizeof(T), emulator::Access::constant);
  return *variable;
}

inline void __threadfence_system() {}

// Atomic operations exist for the types for which CUDA has them: elsewhere, the compiler complains as nvcc does.

template <emulator::number T>
T atomicAdd(T* variable, std::type_identity_t<T> value) {
  return emulator::update<T>(variable, value, [](T old, T by) { return old + by; });
}

template <emulator::integer T>
T atomicMin(T* variable, std::type_identity_t<T> value) {
  return emulator::update<T>(variable, value, [](T old, T other) { return other < old ? other : old; });
}

template <emulator::integer T>
T atomicMin_system(T* variable, std::type_identity_t<T> value) {
  const auto min = [](T old, T other) { return other < old ? other : old; };
  return emulator::update<T>(variable, value, min, emulator::Scope::all);
}

template <emulator::integer T>
T atomicMax(T* variable, std::type_identity_t<T> value) {
  return emulator::update<T>(variable, value, [](T old, T other) { return old < other ? other : old; });
}

template <emulator::word T>
T atomicOr(T* variable, std::type_identity_t<T> value) {
  return emulator::update<T>(variable, value, [](T old, T bits) { return old | bits; });
}

template <typename T>
  requires emulator::word<T> || std::same_as<T, float>
T atomicExch(T* variable, std::type_identity_t<T> value) {
  return emulator::update<T>(variable, value, [](T, T other) { return other; });
}

template <emulator::word T>
EMULATOR_ATOMIC T atomicCAS(T* variable, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  emulator::access(variable, sizeof(T), emulator::Access::update, emulator::Scope::device);
  const T old = *variable;
  if (old == expected) {
    *variable = value;
  }
  return old;
}

template <emulator::number T>
T atomicAdd_block(T* variable, std::type_identity_t<T> value) {
  return atomicAdd(variable, value);
}

template <emulator::word T>
T atomicOr_block(T* variable, std::type_identity_t<T> value) {
  return atomicOr(variable, value);
}

template <typename T>
T atomicExch_block(T* variable, std::type_identity_t<T> value) {
  return atomicExch(variable, value);
}

// ---- Device: arithmetic ----------------------------------------------------------------------------------------------

inline int __popc(unsigned word) { return std::popcount(word); }
inline int __popcll(unsigned long long word) { return std::popcount(word); }
inline int __ffs(int word) { return word == 0 ? 0 : std::countr_zero(static_cast<unsigned>(word)) + 1; }
inline int __ffsll(long long word) {
  return word == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(word)) + 1;
}

inline int __clz(int word) { return std::countl_zero(static_cast<unsigned>(word)); }
inline int __float2int_rn(float x) { return static_cast<int>(std::lrint(x)); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }

template <typename T>
  requires std::is_arithmetic_v<T>
T min(T a, T b) {
  return b < a ? b : a;
}

template <typename T>
  requires std::is_arithmetic_v<T>
T max(T a, T b) {
  return a < b ? b : a;
}

// ---- Host ------------------------------------------------------------------------------------------------------------

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorCooperativeLaunchTooLarge = 720,
};

const char* cudaGetErrorString(cudaError_t error);

// The device.

enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  cudaDevAttrReservedSharedMemoryPerBlock
};
enum { cudaDeviceScheduleSpin, cudaDeviceScheduleBlockingSync };

struct cudaDeviceProp {
  char name[256] = "emulator";
};

cudaError_t cudaGetDevice(int* device);

cudaError_t cudaSetDevice(int device);

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int);

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned);

cudaError_t cudaGetDeviceCount(int* count);

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int);

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int);

cudaError_t cudaSetDeviceFlags(unsigned);

// Memory.

using cudaStream_t = emulator::Stream*;

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDefault };
enum { cudaHostAllocMapped, cudaHostAllocPortable };

cudaError_t cudaMalloc(void** memory, std::size_t size);

/// EMULATOR_MEMORY bytes, whatever is allocated.
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned);

cudaError_t cudaFree(void* memory);

cudaError_t cudaFreeHost(void* memory);

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind, cudaStream_t stream);

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind);

enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeDevice, cudaMemoryTypeManaged };

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
};

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory);

cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t size, cudaStream_t stream);

// Streams.

enum { cudaStreamNonBlocking };

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned);

/// Without a priority: streams go on in any order.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int);

cudaError_t cudaStreamDestroy(cudaStream_t stream);

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest);

cudaError_t cudaGetLastError();

cudaError_t cudaStreamSynchronize(cudaStream_t stream);

cudaError_t cudaStreamQuery(cudaStream_t stream);

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int, std::size_t) {
  *blocks = emulator::blocks_each;
  return cudaSuccess;
}

constexpr int cudaFuncAttributeMaxDynamicSharedMemorySize = 8;
constexpr int cudaFuncAttributePreferredSharedMemoryCarveout = 9;
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, int attribute, int value) {
  const bool known = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize ||
                     attribute == cudaFuncAttributePreferredSharedMemoryCarveout;
  const int most = attribute == cudaFuncAttributePreferredSharedMemoryCarveout ? 100 : 232448;  // percent, bytes
  return known && value >= 0 && value <= most ? cudaSuccess : cudaErrorInvalidValue;
}

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
};
template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* found, Kernel) {
  found->sharedSizeBytes = 1 << 20;  // so much that whoever limits it has reason to
  return cudaSuccess;
}

template <typename State>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(State), int blocks, int threads, void** arguments, std::size_t,
                                        cudaStream_t stream) {
  if (blocks > emulator::resident_blocks) {
    return cudaErrorCooperativeLaunchTooLarge;
  }
  emulator::launch(stream, "(cooperative)", blocks, threads, kernel, *static_cast<State*>(arguments[0]));
  return cudaSuccess;
}

struct cudaLaunchAttribute {
  enum { none, cluster_dimension } id = none;
  struct {
    struct {
      unsigned x, y, z;
    } clusterDim;
  } val;
};

constexpr auto cudaLaunchAttributeClusterDimension = cudaLaunchAttribute::cluster_dimension;

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Kernel, const cudaLaunchConfig_t*) {
  *blocks = emulator::resident_blocks;
  return cudaSuccess;
}

/// Only for launches of one cluster.
template <typename State>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(State), const State& state) {
  emulator::run(emulator::given(config->stream), "(cluster)", config->gridDim.x, config->blockDim.x,
                emulator::call_of([=] { kernel(state); }), true);
  return cudaSuccess;
}

// Time.

namespace emulator {
inline unsigned long long nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace emulator

// Events.

using cudaEvent_t = emulator::Event*;

cudaError_t cudaEventCreate(cudaEvent_t* event);

enum { cudaEventDisableTiming };

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned);

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event);

cudaError_t cudaEventSynchronize(cudaEvent_t event);

cudaError_t cudaEventQuery(cudaEvent_t event);

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

cudaError_t cudaEventDestroy(cudaEvent_t event);

// CUDA graphs: a loop over launches, which is graph, executable graph and condition at once.

using cudaGraph_t = emulator::Loop*;
using cudaGraphExec_t = emulator::Loop*;
using cudaGraphConditionalHandle = emulator::Loop*;
using cudaGraphNode_t = emulator::Loop*;

constexpr unsigned cudaGraphCondAssignDefault = 1;
enum { cudaGraphNodeTypeConditional, cudaGraphCondTypeWhile, cudaStreamCaptureModeThreadLocal };

struct cudaGraphNodeParams {
  int type;
  struct {
    cudaGraphConditionalHandle handle;
    int type;
    unsigned size;
    cudaGraph_t* phGraph_out;
  } conditional;
};

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned);

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned first,
                                             unsigned flags);

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                             cudaGraphNodeParams* params);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*, const void*,
                                          std::size_t, int);

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t*);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* loop, cudaGraph_t graph, unsigned);

cudaError_t cudaGraphDestroy(cudaGraph_t);

cudaError_t cudaGraphLaunch(cudaGraphExec_t loop, cudaStream_t stream);

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, bool more);

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t loop);
