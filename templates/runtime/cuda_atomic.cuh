// cuda::atomic_ref of libcu++ for kernels. <cuda/atomic> takes 2.6 s of CPU time to compile, and two thirds of that pass
// over the file for the host, where nothing calls what a kernel calls. For that pass, these declarations are enough.
#pragma once

#ifdef __CUDA_ARCH__
#include <cuda/atomic>
#else

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block };
enum memory_order { memory_order_relaxed, memory_order_seq_cst };

template <typename T, thread_scope scope = thread_scope_system>
struct atomic_ref {
  __device__ explicit atomic_ref(T& variable);
  __device__ T load(memory_order order = memory_order_seq_cst) const;
  __device__ void store(T value, memory_order order = memory_order_seq_cst) const;
  __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const;
  __device__ bool compare_exchange_strong(T& expected, T value, memory_order order = memory_order_seq_cst) const;
  __device__ T fetch_add(T value, memory_order order = memory_order_seq_cst) const;
  __device__ T fetch_min(T value, memory_order order = memory_order_seq_cst) const;
  __device__ T fetch_max(T value, memory_order order = memory_order_seq_cst) const;
  __device__ T fetch_or(T value, memory_order order = memory_order_seq_cst) const;
};

}  // namespace cuda

#endif

#include <type_traits>

namespace violet {
inline namespace gpu {

/// Compare-and-swap that returns the old value, as the classic one does.
template <typename T, cuda::thread_scope scope>
__device__ T compare_exchange(cuda::atomic_ref<T, scope> variable, std::type_identity_t<T> expected,
                              std::type_identity_t<T> value, cuda::memory_order order = cuda::memory_order_seq_cst) {
  variable.compare_exchange_strong(expected, value, order);
  return expected;
}

}  // namespace gpu
}  // namespace violet
