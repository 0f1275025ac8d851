// What OpenMP and C++ thread programs share: memory and the clock.
#pragma once

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

#include "address_sanitizer.hpp"
#include "violet.hpp"

namespace violet {

/// Owns the working memory of a solver; frees it all when it goes.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// An array of the graph, which already is where the program can read it. Under AddressSanitizer it is copied: in the
  /// mapped file one array follows the other, and nobody could tell where a program leaves the first.
  template <typename T>
  const T* place(const T* array, std::size_t size) {
    if constexpr (address_sanitizer) {
      T* const copy = allocate<T>(size);
      std::copy_n(array, size, copy);
      keep_last();
      return copy;
    }
    return array;
  }

  /// Working memory: an array on cache lines of its own, without first values in any run. Ends the program if there is
  /// no memory left.
  template <typename T>
  T* allocate(std::size_t size) {
    return static_cast<T*>(allocate_bytes(size * sizeof(T)));
  }

  /// An object, which is destroyed when the memory goes.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    T* const object = new (allocate<T>(1)) T(std::forward<Arguments>(arguments)...);
    destroy_last([](void* last) { static_cast<T*>(last)->~T(); });
    keep_last();
    return object;
  }

  /// Calls a function with the address and the bytes of every array of working memory.
  template <typename Function>
  void for_each_working(Function function) const {
    for (const Block* block = last_; block != nullptr; block = block->before) {
      if (block->working_bytes > 0) {
        function(block->array, block->working_bytes);
      }
    }
  }

  std::size_t bytes() const { return bytes_; }

 private:
  struct Block {
    Block* before;
    void* array;
    std::size_t working_bytes;    // zero if what is there stays for all runs
    void (*destroy)(void* last);  // null if there is nothing to do
  };

  void* allocate_bytes(std::size_t bytes);
  /// Has what was allocated last stay for all runs.
  void keep_last() { last_->working_bytes = 0; }
  /// Has a function called for what was allocated last before that is freed.
  void destroy_last(void (*destroy)(void* last));

  Block* last_ = nullptr;
  std::size_t bytes_ = 0;
};

using CountedMemory = Memory;  ///< to find out how much a program needs: what nobody writes takes no room

/// The weight of an edge, for the host.
inline int weight_of(const Graph& graph, std::int64_t e) { return graph.weights[e]; }

/// Compare-and-swap of relaxed order; returns the old value.
template <typename T>
T atomic_compare_exchange(T* variable, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  __atomic_compare_exchange_n(variable, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;  // the builtin has put the old value there if it is another one
}

/// Minimum by compare-and-swap, of relaxed order; returns the old value. It writes even where that was smaller: whoever
/// wants to look first and perhaps not write at all does so before (the style `checked`).
template <typename T>
T compare_exchange_min(T* variable, std::type_identity_t<T> value) {
  T old;
  __atomic_load(variable, &old, __ATOMIC_RELAXED);
  T smaller;
  do {
    smaller = value < old ? value : old;
  } while (!__atomic_compare_exchange(variable, &old, &smaller, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

/// Items of a loop to hand out at a time: 64 chunks a thread, but none so small that it would measure the hand-out.
constexpr int chunk_size(int items, int threads) { return std::max(items / threads / 64, 64); }

constexpr int word_size = 32;  ///< vertices in a word of a set, one a bit

/// Number of the lowest bit of a word that is set.
inline int lowest_bit(unsigned word) { return __builtin_ctz(word); }

/// Whether a set has a vertex. As no vertex is below zero, dividing its number is a shift.
inline bool contains(const unsigned* set, int vertex) {
  const unsigned v = vertex;
  return (set[v / word_size] >> v % word_size & 1) != 0;
}

/// How many bits of a word are set.
inline unsigned count_bits(unsigned word) { return __builtin_popcount(word); }

/// Writes the most frequent value of a sample to `result`.
template <typename T>
void most_frequent(const T* values, int n, T* result) {
  constexpr int size = 256;
  T sample[size];
  for (int i = 0; i < size && n > 0; i++) {
    sample[i] = values[static_cast<long long>(n) * i / size];
  }
  int highest = 0;
  for (int i = 0; i < size && n > 0; i++) {
    int count = 0;
    for (const T& other : sample) {
      count += other == sample[i];
    }
    if (count > highest) {
      highest = count;
      *result = sample[i];
    }
  }
}

/// Writes the value up to which such a share of a sample lies to `result`; all of the sample if the share is 1 or larger.
template <typename T>
void find_quantile(const T* values, int n, double share, T* result) {
  constexpr int size = 256;
  T sample[size];
  for (int i = 0; i < size && n > 0; i++) {
    sample[i] = values[static_cast<long long>(n) * i / size];
  }
  if (n > 0) {
    T* const quantile = sample + std::min(static_cast<int>(std::min(share, 1.0) * size), size - 1);
    std::nth_element(sample, quantile, sample + size);
    *result = *quantile;
  }
}

/// Fails unless so many threads can be had at a time, the calling one among them: OpenMP's runtime would end the program
/// with the exit code of a wrong result. `stack_bytes` is what each gets, 0 as much as the system gives.
void try_threads(int threads, std::size_t stack_bytes);

/// Bytes of stack that OMP_STACKSIZE gives each thread; 0 if there is no such variable, or it means nothing.
std::size_t stack_bytes();

/// Seconds on a monotonic clock.
double now();

inline double preprocessing_end;

/// Tells where the preprocessing of a solve ends: its share of the time is reported, too.
inline void preprocessed() { preprocessing_end = now(); }

/// Seconds that the function takes, and how many of them until it calls `preprocessed`.
template <typename Function>
double timed(Function function, double& preprocessing) {
  const double start = preprocessing_end = now();
  function();
  preprocessing = preprocessing_end - start;
  return now() - start;
}

/// Fills a thread's part of an array with a word.
void overwrite_part(void* array, std::size_t bytes, unsigned word, int thread, int threads);

/// Copies an array of the host into one that kernels read.
template <typename T>
void upload(T* to, const T* from, int count) {
  std::copy_n(from, count, to);
}

inline void copy_values(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) __builtin_memcpy(to, from, bytes);  // an array of nothing may have no address
}

/// The processor's name.
const char* device_name();

}  // namespace violet
