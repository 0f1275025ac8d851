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
  __device__ T fetch_add(T value, memory_order order = memory_order_seq_cst) const;
  __device__ T fetch_min(T value, memory_order order = memory_order_seq_cst) const;
};

}  // namespace cuda

#endif
