// Memory on the GPU, and what the host needs for that: errors, streams, and which GPU is in use.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "violet.hpp"

namespace violet {
inline namespace gpu {

/// Ends the program with a message if a CUDA call failed.
inline void check(cudaError_t status, const char* action) {
  if (status != cudaSuccess) {
    fail(no_resources, "cannot %s: %s", action, cudaGetErrorString(status));
  }
}

/// The stream of all launches and copies of the calling thread; null is the default one.
inline thread_local cudaStream_t stream = nullptr;

// Functions that concern a GPU take its number. Without it they are about the one that the calling thread uses.

/// The number of the GPU that the calling thread uses.
inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "find the GPU");
  return device;
}

/// Makes a GPU the one that the calling thread uses, until the end of a scope.
class OnDevice {
 public:
  explicit OnDevice(int device) : device_(device), before_(current_device()) {
    if (device_ != before_) {
      check(cudaSetDevice(device_), "use a GPU");
    }
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (device_ != before_) {
      cudaSetDevice(before_);
    }
  }

 private:
  int device_;
  int before_;
};

/// What `make()` gives on a GPU, made the first time that a thread asks for it. `make` is a lambda of its own for each thing.
template <typename Make>
auto& once_on(int device, Make make) {
  constexpr int most_devices = 64;
  static thread_local decltype(make()) values[most_devices];
  static thread_local bool made[most_devices];
  if (!made[device]) {
    const OnDevice here(device);
    values[device] = make();
    made[device] = true;
  }
  return values[device];
}

/// Whether the GPU can read an array where it is. It has to be the current GPU.
inline bool is_on_gpu(const void* array) {
  cudaPointerAttributes found;
  check(cudaPointerGetAttributes(&found, array), "find where an array is");
  return found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged;
}

/// Owns device memory and what refers to it; frees it all when it goes. What fails then is left to cudaGetLastError.
class Memory {
 public:
  /// @param counts_only  whether arrays are only counted: nobody may use them
  explicit Memory(int device = current_device(), bool counts_only = false)
      : device_(device), counts_only_(counts_only) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    while (count_ > 0) {
      cudaFree(blocks_[--count_].array);
    }
    cudaFreeHost(visible_);
    if (loop_ != nullptr) {
      cudaGraphExecDestroy(loop_);
    }
  }

  /// An array of the graph where the GPU can read it: itself if it is there already, or else a copy.
  template <typename T>
  const T* place(const T* array, std::size_t size) {
    if (size > 0 && is_on_gpu(array)) {
      return array;
    }
    T* copy = allocate<T>(size);
    if (!counts_only_) {
      check(
          cudaMemcpyAsync(copy, array, size * sizeof(T), cudaMemcpyHostToDevice, stream), "copy the graph to the GPU");
      check(cudaStreamSynchronize(stream), "copy the graph to the GPU");
    }
    blocks_[count_ - 1].working_bytes = 0;
    return copy;
  }

  /// Working memory: an array without first values in any run.
  template <typename T>
  T* allocate(std::size_t size) {
    if (count_ == most_blocks) {
      fail(no_resources, "more than %d arrays on the GPU: raise Memory::most_blocks in memory.cuh", most_blocks);
    }
    const OnDevice here(device_);
    void* array = nullptr;
    if (!counts_only_) {
      check(cudaMalloc(&array, size > 0 ? size * sizeof(T) : 1), "allocate GPU memory");
    }
    blocks_[count_++] = {array, size * sizeof(T)};
    bytes_ += size * sizeof(T);
    return static_cast<T*>(array);
  }

  /// A single value in host memory that the GPU can write.
  template <typename T = int>
  T* allocate_visible() {
    const OnDevice here(device_);
    check(cudaHostAlloc(&visible_, sizeof(T), cudaHostAllocMapped), "allocate pinned memory");
    visible_bytes_ = sizeof(T);
    return static_cast<T*>(visible_);
  }

  /// An array in memory of the host that every GPU can copy to and from.
  template <typename T>
  T* allocate_on_host(std::size_t size) {
    check(cudaHostAlloc(&visible_, size > 0 ? size * sizeof(T) : 1, cudaHostAllocPortable), "allocate pinned memory");
    visible_bytes_ = size * sizeof(T);
    return static_cast<T*>(visible_);
  }

  /// Takes over a CUDA graph.
  cudaGraphExec_t own(cudaGraphExec_t loop) { return loop_ = loop; }

  /// Calls a function with the address and the bytes of everything in working memory.
  template <typename Function>
  void for_each_working(Function function) const {
    for (int i = 0; i < count_; i++) {
      if (blocks_[i].working_bytes > 0) {
        function(blocks_[i].array, blocks_[i].working_bytes);
      }
    }
    if (visible_ != nullptr) {
      function(visible_, visible_bytes_);
    }
  }

  std::size_t bytes() const { return bytes_; }

 private:
  struct Block {
    void* array;
    std::size_t working_bytes;  // zero if what is there stays for all runs
  };

  static constexpr int most_blocks = 32;

  int device_;
  bool counts_only_;
  cudaGraphExec_t loop_ = nullptr;
  void* visible_ = nullptr;
  std::size_t visible_bytes_ = 0;
  Block blocks_[most_blocks] = {};
  int count_ = 0;
  std::size_t bytes_ = 0;
};

/// Memory to find out how much a program needs.
struct CountedMemory : Memory {
  CountedMemory() : Memory(current_device(), true) {}
};

}  // namespace gpu
}  // namespace violet
