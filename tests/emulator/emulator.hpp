// The emulated GPU: who runs when, who waits for whom, and which memory there is. See cuda_runtime.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace emulator {

constexpr int warp_size = 32;
constexpr int most_threads = 1024;  // of a block
constexpr int blocks_each = 2;      // that a multiprocessor holds at a time
extern const int multiprocessors;   // of a GPU: EMULATOR_MULTIPROCESSORS, or 3
extern const int resident_blocks;   // that a GPU holds

// ---- Threads -------------------------------------------------------------------------------------------------------

/// What a stream does stands in a queue. With one GPU, it is over when it was given to the stream; with several, it begins
/// at any time, but for what it has to wait for: what was given to the stream before, and events.
struct Stream;

/// In the place of a stream that is null: that of the GPU in use.
Stream* default_stream();
Stream* make_stream();
void destroy(Stream* stream);

/// A kernel with its arguments: a function that is given a copy of some bytes.
struct Call {
  void (*function)(const void* copy);
  const void* bytes;
  std::size_t size;
};

/// Has a stream run a grid.
///
/// @param name  of the kernel, for messages
/// @param call  of every thread
/// @param is_cluster  whether its blocks are a cluster
void run(Stream* stream, const char* name, int blocks, int threads, Call call, bool is_cluster = false);

/// A CUDA graph: a loop over launches that is repeated as long as a kernel says so.
struct Loop;

Loop* make_loop();
void destroy(Loop* loop);
void set_more(Loop* loop, bool more);           ///< whether it goes on
void set_more_at_first(Loop* loop, bool more);  ///< ... whenever it is launched

/// What is launched in a stream in between is not run, but is what the loop repeats.
void begin_recording(Stream* stream, Loop* loop);
void end_recording(Stream* stream);

/// Runs a loop. The host waits for the end.
void run(Stream* stream, Loop& loop);

/// Where streams of a GPU have come: the numbers of the last record given to a stream, and of the last one that is over.
struct Event {
  int device;
  unsigned recorded = 0;
  unsigned reached = 0;
  std::chrono::steady_clock::time_point time = {};  ///< of the latter
  bool is_destroyed = false;                        ///< streams may still come to it, so it stays in memory
};

Event* make_event();
void destroy(Event& event);

void record(Stream* stream, Event& event);
void wait_for(Stream* stream, const Event& event);  ///< for its last record

/// The host waits: for all that a stream was given, for the last record of an event, or for everything.
void synchronize(Stream* stream);
void synchronize(const Event& event);
void synchronize();

/// The host asks whether they are over; if they are not, streams go on a little first.
bool is_over(Stream* stream);
bool is_over(const Event& event);

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

/// What an access is for. `load` and `update` are atomic; `constant` reads through the read-only cache, which does not see
/// what the kernel writes.
enum class Access { read, load, constant, write, update };

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

/// Called before a read that may be one of many until another thread has written: takes a good part of a time slice. If it
/// is the host that reads, streams go on; where they have queues, it sometimes finds what was there before they do.
void poll(const void* address, std::size_t size, Access kind);

/// Ends the program with a message if memory is not what instructions for global memory can reach.
void require_global(const void* address);

/// Ends the program with a message if groups of so many threads of a block are not whole warps.
void require_warps(int threads);

/// Copies bytes, or sets them; the host waits for that if they come from or go to its own memory.
void copy(Stream* stream, void* to, const void* from, std::size_t size);
void fill(Stream* stream, void* memory, int byte, std::size_t size);

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
