// CUDA programs: memory on the GPU, launch sizes, and the device functions that CUDA itself lacks.
//
// Without <algorithm> and <memory>: they would be half of what there is to compile of a program.
#pragma once

#include <cuda_runtime.h>
#include <sched.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "violet.hpp"

namespace violet {
inline namespace gpu {  // other entities than those of host.hpp: a build that names all of runtime/ links host.cpp, too

constexpr int block_digits = 8;  // binary digits of the number of a thread in its block
constexpr int block_size = 1 << block_digits;
constexpr int warp_size = 32;
constexpr int warps_per_block = block_size / warp_size;
constexpr int most_blocks_each = 2048 / block_size;     // that a multiprocessor holds at once
constexpr int half_blocks_each = most_blocks_each / 2;  // ... of threads that may need 64 registers
constexpr int single_block_size = 1024;  // of a kernel with one block: as many threads as a block can have

constexpr int word_size = 32;  // vertices in a word of a set, one a bit

// ---- Host ----------------------------------------------------------------------------------------------------------

/// Ends the program with a message if a CUDA call failed.
inline void check(cudaError_t status, const char* action) {
  if (status != cudaSuccess) {
    fail(no_resources, "cannot %s: %s", action, cudaGetErrorString(status));
  }
}

/// The stream of all launches and copies of the calling thread; null is the default one.
inline thread_local cudaStream_t stream = nullptr;

/// Whether threads that wait for a GPU leave their cores to others meanwhile: where several parts share it, nothing is timed.
inline bool gives_way = false;

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
      fail(no_resources, "more than %d arrays on the GPU: raise Memory::most_blocks in cuda.cuh", most_blocks);
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

/// Grid size that gives every item a place, at `items_per_block` a block.
inline int blocks_for(int items, int items_per_block) {
  return items > 0 ? (items - 1) / items_per_block + 1 : 1;  // an empty grid would be an error
}

/// What a GPU has of something.
inline int amount_of(cudaDeviceAttr what, int device = current_device()) {
  int amount = 0;
  check(cudaDeviceGetAttribute(&amount, what, device), "ask the GPU what it has");
  return amount;
}

/// Multiprocessors of a GPU.
inline int multiprocessors(int device = current_device()) {
  return once_on(device, [device] { return amount_of(cudaDevAttrMultiProcessorCount, device); });
}

/// Blocks of a kernel that each multiprocessor of the current GPU has room for.
template <auto kernel>
int blocks_each() {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0), "compute the occupancy");
  return blocks;
}

/// Blocks of a kernel that a GPU holds at once.
template <auto kernel>
int held_blocks(int device = current_device()) {
  return once_on(device, [device] { return multiprocessors(device) * blocks_each<kernel>(); });
}

/// So many blocks, or one less: an odd number. What a thread visits is a grid apart; with an even number of blocks, all of
/// that agrees in many low bits. In R-MAT graphs these tell how many neighbours a vertex has, so a few blocks would get
/// all hubs.
inline int odd_number(int blocks) { return blocks > 0 ? (blocks - 1) | 1 : 0; }

/// Grid size that fills a GPU with blocks of a kernel.
template <auto kernel>
int resident_blocks() {
  return odd_number(held_blocks<kernel>());
}

/// Grid size of so many blocks of a kernel on each multiprocessor on average: at least one in all, or as many as fit.
template <auto kernel>
int few_blocks(double each) {
  return odd_number(static_cast<int>(std::fmax(1, std::fmin(each * multiprocessors(), held_blocks<kernel>()))));
}

/// Waits until `done()`, a condition on memory that the GPU writes. Ends the program if the GPU stops on an error, or is
/// done with all that was launched and the condition does not hold.
template <typename Condition>
void await(Condition done) {
  check(cudaGetLastError(), "launch a kernel");
  for (unsigned polls = 1; !done(); polls++) {
    if (polls % 65536 == 0) {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status != cudaErrorNotReady) {
        check(status, "run a kernel");
        if (done()) return;
        fail(no_resources, "the GPU has nothing left to do, and has not reported");
      }
    }
    if (gives_way) sched_yield();
  }
}

/// Waits until all launches and copies before are done.
inline void wait_for_gpu(const char* action = "run a kernel") { check(cudaStreamSynchronize(stream), action); }

/// Whether other GPUs read what this one has written once its host has been told a value, see fetch.
inline bool others_read = false;

/// How many words of 32 bits values of these types take.
template <typename... T>
constexpr int words_of = (0 + ... + static_cast<int>((sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned)));

/// What a kernel tells the host. Each word has the number of the letter in its upper half, so the order in which they arrive
/// does not matter: a fence takes 0.7 us.
template <typename... T>
struct Letter {
  volatile unsigned long long words[words_of<T...>];

  bool is_there(unsigned number) const {
    for (const volatile unsigned long long& word : words) {
      if (word >> 32 != number) return false;
    }
    return true;
  }
};

template <typename... T>
__global__ void post(Letter<T...>* letter, unsigned number, bool others_read, const T*... variables) {
  if (others_read) __threadfence_system();
  int i = 0;
  const auto write = [&]<typename Value>(const Value value) {
    unsigned words[words_of<Value>] = {};
    memcpy(words, &value, sizeof value);
    for (const unsigned word : words) {
      letter->words[i++] = static_cast<unsigned long long>(number) << 32 | word;
    }
  };
  (write(*variables), ...);
}

/// Values in the memory of a GPU, once all launches before are done; a tuple if these are several, which takes no longer.
/// Reports errors of the launches, too. A kernel of one thread brings the values: that takes half as long as a copy, and
/// the host need not sleep.
template <typename... T>
auto fetch(int device, const T*... variables) {
  struct Mailbox {
    Letter<T...>* letter = nullptr;
    unsigned number = 0;
    Mailbox() = default;
    Mailbox(Mailbox&& other) { *this = std::move(other); }
    Mailbox& operator=(Mailbox&& other) {
      std::swap(letter, other.letter);
      return *this;
    }
    ~Mailbox() { cudaFreeHost(letter); }
  };
  const OnDevice here(device);
  auto& mailbox = once_on(device, [] {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(*Mailbox::letter), cudaHostAllocMapped), "allocate pinned memory");
    Mailbox mailbox;
    mailbox.letter = new (memory) Letter<T...>{};
    return mailbox;
  });
  const unsigned number = ++mailbox.number;
  post<<<1, 1, 0, stream>>>(mailbox.letter, number, others_read, variables...);
  await([&] { return mailbox.letter->is_there(number); });
  int i = 0;
  const auto read = [&]<typename Value>(Value value) {
    unsigned words[words_of<Value>];
    for (unsigned& word : words) {
      word = static_cast<unsigned>(mailbox.letter->words[i++]);
    }
    memcpy(&value, words, sizeof value);
    return value;
  };
  const std::tuple<T...> values{read(T())...};
  if constexpr (sizeof...(T) == 1) {
    return std::get<0>(values);
  } else {
    return values;
  }
}

template <typename... T>
auto fetch(const T*... variables) {
  return fetch(current_device(), variables...);
}

/// Copies an array, wherever the two are, once all launches before are done; they are done, too, when it returns.
inline void copy(void* to, const void* from, std::size_t bytes, const char* action) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), action);
  wait_for_gpu(action);
}

/// Owns an array of the host, as std::unique_ptr does.
template <typename T>
class HostArray {
 public:
  HostArray(std::nullptr_t = nullptr) {}
  explicit HostArray(std::size_t size) : values_(new T[size]) {}
  HostArray(HostArray&& other) noexcept : values_(std::exchange(other.values_, nullptr)) {}
  HostArray& operator=(HostArray&& other) noexcept {
    std::swap(values_, other.values_);
    return *this;
  }
  ~HostArray() { delete[] values_; }

  T* get() const { return values_; }
  T& operator[](std::size_t i) const { return values_[i]; }

 private:
  T* values_ = nullptr;
};

/// The first values of an array, wherever it is, once all launches before are done.
template <typename T>
HostArray<T> fetch_array(const T* array, int count) {
  HostArray<T> values(count);
  copy(values.get(), array, count * sizeof(T), "run a kernel");
  return values;
}

/// The weight of an edge, for the host.
inline int weight_of(const Graph& graph, std::int64_t e) { return fetch_array(graph.weights + e, 1)[0]; }

/// Launches a kernel whose blocks wait for each other, so that the GPU must hold all at once.
template <auto kernel, typename State>
void launch_cooperatively(State& state, int blocks = resident_blocks<kernel>()) {
  void* arguments[] = {&state};
  check(cudaLaunchCooperativeKernel(kernel, blocks, block_size, arguments, 0, stream), "launch a kernel");
}

/// What a kernel tells the host while it goes on.
template <typename T>
struct Report {
  T value;
  unsigned made;  // written last
};

/// Before the launch of a kernel that makes a report.
template <typename T>
void expect(Report<T>* visible) {
  *static_cast<volatile unsigned*>(&visible->made) = 0;
}

/// What a kernel has reported, as soon as it has. That is some microseconds before the host could know that it is over.
template <typename T>
T when_reported(const Report<T>* visible) {
  await([made = static_cast<const volatile unsigned*>(&visible->made)] { return *made == 1; });
  static_assert(sizeof(T) % sizeof(unsigned) == 0);
  const auto words = reinterpret_cast<const volatile unsigned*>(&visible->value);  // not to be read before
  T value;
  for (std::size_t i = 0; i < sizeof(T) / sizeof(unsigned); i++) {
    const unsigned word = words[i];
    std::memcpy(reinterpret_cast<unsigned*>(&value) + i, &word, sizeof word);
  }
  return value;
}

/// Whether to launch another round, after `round` of them. The host runs a round ahead, so that the GPU need not wait
/// for it: `progress` holds the round that the GPU is in, see needs_round.
inline bool goes_on(const int* progress, int round) {
  const volatile int& reached = *progress;
  await([&] { return reached < 0 || reached >= round - 1; });
  return reached >= 0;
}

/// Rounds that the GPU found necessary, once goes_on says no.
inline int rounds_done(const int* progress) { return -*progress - 1; }

/// The same once it says no, or `most` rounds have been launched: there may have been no need for the last of them.
inline int rounds_done(const int* progress, int most) {
  const volatile int& reached = *progress;
  await([&] { return reached < 0 || reached >= most; });
  return reached < 0 ? rounds_done(progress) : most;
}

/// Sets the values of an array of device memory to zero, or a single one.
template <typename T>
void clear(T* array, int count = 1) {
  check(cudaMemsetAsync(array, 0, count * sizeof(T), stream), "clear GPU memory");
}

template <typename Word>
__global__ void fill(Word* words, std::size_t count, Word word) {
  for (std::size_t i = threadIdx.x + static_cast<std::size_t>(blockIdx.x) * block_size; i < count;
       i += static_cast<std::size_t>(gridDim.x) * block_size) {
    words[i] = word;
  }
}

/// Fills an array with a word, and waits until the GPU has done so.
inline void overwrite(void* array, std::size_t bytes, unsigned word, int device = current_device()) {
  const OnDevice here(device);
  const std::size_t words = bytes / sizeof word;
  const std::size_t rest = bytes % sizeof word;
  fill<<<multiprocessors(device), block_size, 0, stream>>>(static_cast<unsigned*>(array), words, word);
  if (rest > 0) {
    check(cudaMemsetAsync(static_cast<unsigned*>(array) + words, static_cast<int>(word & 0xff), rest, stream),
          "fill GPU memory");
  }
  check(cudaStreamSynchronize(stream), "fill GPU memory");
}

/// Copies an array of the host into one of the device.
template <typename T>
void upload(T* to, const T* from, int count) {
  copy(to, from, count * sizeof(T), "copy what is asked to the GPU");
}

inline void copy_values(void* to, const void* from, std::size_t bytes) {
  copy(to, from, bytes, "copy the result from the GPU");
}

constexpr Model model = Model::cuda;

/// The GPU; the number of CPU threads does not matter to it.
struct Workers {
  explicit Workers(int) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "find a GPU");
    // Rounds can be shorter than it takes to wake a sleeping thread.
    check(cudaSetDeviceFlags(cudaDeviceScheduleSpin), "set up the GPU");
  }
  void use() const {}
  int size() const { return 0; }
};

inline const char* device_name() {
  const int device = current_device();
  const auto& properties = once_on(device, [device] {
    cudaDeviceProp result;
    check(cudaGetDeviceProperties(&result, device), "ask the GPU for its name");
    return result;
  });
  return properties.name;
}

inline thread_local cudaEvent_t preprocessing_end = nullptr;

/// Tells where the preprocessing of a solve ends, after all launches so far: its share of the time is reported, too.
inline void preprocessed() {
  check(cudaEventCreate(&preprocessing_end), "create an event");
  check(cudaEventRecord(preprocessing_end, stream), "record an event");
}

/// Seconds from an event until what a solve has called `preprocessed` after, if it has: once for each call.
inline double preprocessing_since(cudaEvent_t start) {
  if (preprocessing_end == nullptr) {
    return 0;
  }
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, preprocessing_end), "read the time");
  check(cudaEventDestroy(std::exchange(preprocessing_end, nullptr)), "destroy an event");
  return milliseconds / 1e3;
}

/// Seconds on a GPU between two events around the function, all its launches included, and how many of them until it calls
/// `preprocessed`.
template <typename Function>
double timed(Function function, double& preprocessing, int device = current_device()) {
  const OnDevice here(device);
  cudaEvent_t start;
  cudaEvent_t stop;
  float milliseconds = 0;
  check(cudaEventCreate(&start), "create an event");
  check(cudaEventCreate(&stop), "create an event");
  check(cudaEventRecord(start, stream), "record an event");
  function();
  check(cudaGetLastError(), "launch a kernel");
  check(cudaEventRecord(stop, stream), "record an event");
  check(cudaEventSynchronize(stop), "run a kernel");
  preprocessing = preprocessing_since(start);
  check(cudaEventElapsedTime(&milliseconds, start, stop), "read the time");
  check(cudaEventDestroy(start), "destroy an event");
  check(cudaEventDestroy(stop), "destroy an event");
  return milliseconds / 1e3;
}

// ---- Device --------------------------------------------------------------------------------------------------------

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

template <typename T>
__global__ void find_most_frequent(const T* values, int n, T* result) {
  __shared__ T sample[block_size];
  const T own = values[static_cast<long long>(n) * threadIdx.x / block_size];
  sample[threadIdx.x] = own;
  __syncthreads();
  int count = 0;
  for (const T& other : sample) {
    count += other == own;
  }
  const int rank = -(count * block_size + static_cast<int>(threadIdx.x));  // no two are equal
  if (block_min(rank) == rank) {
    *result = own;
  }
}

/// Writes the most frequent value of a sample to `result`; all three in device memory, and the host does not wait.
template <typename T>
void most_frequent(const T* values, int n, T* result) {
  if (n > 0) {
    find_most_frequent<<<1, block_size, 0, stream>>>(values, n, result);
  }
}

template <typename T>
__global__ void sample_quantile(const T* values, int n, double share, T* result) {
  __shared__ T sample[block_size];
  const T own = values[static_cast<long long>(n) * threadIdx.x / block_size];
  sample[threadIdx.x] = own;
  __syncthreads();
  int rank = 0;
  for (int i = 0; i < block_size; i++) {
    rank += sample[i] < own || (sample[i] == own && i < static_cast<int>(threadIdx.x));
  }
  if (rank == min(static_cast<int>(share * block_size), block_size - 1)) {
    *result = own;
  }
}

/// Writes the value up to which such a share of a sample lies to `result`; all three in device memory, and the host does
/// not wait. All of the sample lies there if the share is 1 or larger.
template <typename T>
void find_quantile(const T* values, int n, double share, T* result) {
  if (n > 0) {
    sample_quantile<<<1, block_size, 0, stream>>>(values, n, std::fmin(share, 1), result);
  }
}

}  // namespace gpu
}  // namespace violet

#include "solver.hpp"
