// The emulated GPU: who runs when, who waits for whom, and which memory there is. See cuda_runtime.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace emulator {

constexpr int warp_size = 32;
constexpr int most_threads = 1024;  // of a block
constexpr int multiprocessors = 2;
constexpr int blocks_each = 2;  // that a multiprocessor holds at a time
constexpr int resident_blocks = multiprocessors * blocks_each;

// ---- Threads -------------------------------------------------------------------------------------------------------

/// Runs a grid to its end, beside those that other threads of the host have launched.
///
/// @param name    of the kernel, for messages
/// @param kernel  called by every thread
/// @param is_cluster  whether its blocks are a cluster
void run(const char* name, int blocks, int threads, const std::function<void()>& kernel, bool is_cluster = false);

/// What threads do together; all that meet must be there for the same.
enum class Operation { barrier, barrier_or, cluster_barrier, warp_barrier, shuffle, vote };

/// What threads have brought to where they met.
struct Meeting {
  std::uint64_t values[most_threads];  ///< of each
  std::uint64_t bits;                  ///< set in any value
};

/// Waits for all threads of the block, or of the warp. What it returns lasts until this thread comes back.
const Meeting& meet_block(Operation operation, std::uint64_t value = 0);
const Meeting& meet_warp(Operation operation, std::uint64_t value = 0);

/// Waits for all threads of the cluster.
void meet_cluster();

// ---- GPUs ----------------------------------------------------------------------------------------------------------

/// How many there are (EMULATOR_DEVICES), and the one that the calling thread uses.
int devices();
int device();
void use_device(int device);

/// Lets kernels on the GPU in use reach the memory of another one; false if they can already.
bool enable_access(int peer);

// ---- Memory --------------------------------------------------------------------------------------------------------

enum class Space : unsigned char { none, device, visible, shared };

/// What an access is for. `constant`: to read through the read-only cache, which does not see what the kernel writes.
enum class Access { read, constant, write, update };

/// Which threads an update is atomic for, if for any: those of the same GPU, or all.
enum class Scope { device, all };

/// An uninitialised array, nullptr if there is no room.
void* allocate(std::size_t size, Space space);
void free(void* block);

/// Whether an address is in memory that only the device reads.
bool is_on_device(const void* address);

/// Called before a thread accesses memory: lets others run if its time slice is over, and ends the program with a message
/// if the access is wrong.
void access(const void* address, std::size_t size, Access kind, Scope scope = Scope::all);

/// Called before a read that may be one of many until another thread has written: takes a good part of a time slice.
void poll(const void* address, std::size_t size);

/// Called before the host copies to or from memory of the device.
void copy(const void* address, std::size_t size, Access kind);

/// Number of the next variable in shared memory.
int number_shared_variable();

/// What this block has for a variable in shared memory.
void* shared_variable(int number, std::size_t size);

/// Where another block of the cluster has what is at an address in shared memory of this one.
void* in_block(const void* address, int block);

/// A variable in shared memory, in place of a declaration; `Declaration` is a type that no other declaration has.
template <typename T, typename Declaration>
struct Shared {
  static inline const int number = number_shared_variable();
};

template <typename T, typename Declaration>
T& shared() {
  return *static_cast<T*>(shared_variable(Shared<T, Declaration>::number, sizeof(T)));
}

}  // namespace emulator
