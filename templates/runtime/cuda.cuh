// CUDA programs, for the host: launches, what it waits for and is told, and times.
//
// Without <algorithm> and <memory>: they would be half of what there is to compile of a program.
#pragma once

#include <sched.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device.cuh"
#include "memory.cuh"
#include "violet.hpp"

namespace violet {
inline namespace gpu {  // other entities than those of host.hpp: a build that names all of runtime/ links host.cpp, too

/// Whether threads that wait for a GPU leave their cores to others meanwhile: where several parts share it, nothing is timed.
inline bool gives_way = false;

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

}  // namespace gpu
}  // namespace violet

#include "solver.hpp"
