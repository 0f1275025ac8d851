// C++ thread programs: a team of threads, and atomic operations of relaxed order on shared variables.
//
// The operations are those of std::atomic_ref. They use the builtins of GCC and Clang that it is made of, because the
// standard header would take longer to compile than the rest of a program.
#pragma once

#include <type_traits>

#include "host.hpp"

namespace violet {
inline namespace cpp {

template <typename T>
T atomic_load(const T* variable) {
  T value;
  __atomic_load(variable, &value, __ATOMIC_RELAXED);
  return value;
}

template <typename T>
void atomic_store(T* variable, std::type_identity_t<T> value) {
  __atomic_store(variable, &value, __ATOMIC_RELAXED);
}

template <typename T>
T atomic_add(T* variable, std::type_identity_t<T> value) {
  if constexpr (std::is_integral_v<T>) {
    return __atomic_fetch_add(variable, value, __ATOMIC_RELAXED);
  } else {
    T old = atomic_load(variable);
    T sum;
    do {
      sum = old + value;
    } while (!__atomic_compare_exchange(variable, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
  }
}

template <typename T>
T atomic_or(T* variable, std::type_identity_t<T> bits) {
  return __atomic_fetch_or(variable, bits, __ATOMIC_RELAXED);
}

template <typename T>
T atomic_exchange(T* variable, std::type_identity_t<T> value) {
  return __atomic_exchange_n(variable, value, __ATOMIC_RELAXED);
}

template <typename T>
T atomic_min(T* variable, std::type_identity_t<T> value) {
  return compare_exchange_min(variable, value);
}

template <typename T>
T atomic_max(T* variable, std::type_identity_t<T> value) {
  T old = atomic_load(variable);
  while (old < value && !__atomic_compare_exchange(variable, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

/// First of the contiguous items of a thread; the items of the next thread follow.
inline int chunk_begin(int items, int thread, int threads) {
  return static_cast<int>(static_cast<long long>(items) * thread / threads);
}

/// Items that a thread of a dynamically scheduled loop has been given.
struct Chunk {
  int begin;
  int end;
};

/// Gives the calling thread the next `size` items of a kernel's loop over so many; false if none is left. The counter
/// behind it starts anew with every kernel, so a kernel has at most one such loop, and chunks of one size.
bool next_chunk(Chunk& chunk, int items, int size);

/// Items of a loop that are handed out at a time.
int chunk_size(int items);

constexpr Model model = Model::cpp;

/// Threads that wait for work (std::thread, threads.cpp). The thread that creates them is one of the team.
class Workers {
 public:
  explicit Workers(int threads);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  /// The team of the program, of which there is one at a time: the one that was made, or told so, last.
  static Workers& team();
  void use();

  int size() const;

  /// Calls task(argument, thread, threads) on every thread of the team; returns when all are done.
  void run(void (*task)(const void* argument, int thread, int threads), const void* argument);

 private:
  struct Implementation;
  Implementation* implementation_;
};

/// Runs a kernel on every thread of the team, each with a State of its own, and waits for all of them.
template <typename State>
void parallel(void (*kernel)(State, int thread, int threads), const State& state) {
  struct Call {
    void (*kernel)(State, int, int);
    const State& state;
  };
  const Call call = {kernel, state};
  Workers::team().run(
      [](const void* argument, int thread, int threads) {
        const Call& call = *static_cast<const Call*>(argument);
        call.kernel(call.state, thread, threads);
      },
      &call);
}

/// Fills an array with a word; every thread has a part of it.
inline void overwrite(void* array, std::size_t bytes, unsigned word) {
  struct Call {
    void* array;
    std::size_t bytes;
    unsigned word;
  };
  const Call call = {array, bytes, word};
  Workers::team().run(
      [](const void* argument, int thread, int threads) {
        const Call& call = *static_cast<const Call*>(argument);
        overwrite_part(call.array, call.bytes, call.word, thread, threads);
      },
      &call);
}

/// What one thread adds to a sum, on cache lines of its own so that no other thread waits for them.
template <typename T>
struct alignas(128) Partial {
  T value;
};

/// The sum over the team.
template <typename T>
T sum(const Partial<T>* partial) {
  T total = 0;
  for (int thread = 0; thread < Workers::team().size(); thread++) {
    total += partial[thread].value;
  }
  return total;
}

/// The one mutex of a program (std::mutex, threads.cpp).
void lock();
void unlock();

/// Runs a function that only one thread at a time may run.
template <typename Function>
void critical(Function function) {
  lock();
  function();
  unlock();
}

}  // namespace cpp
}  // namespace violet

#include "solver.hpp"
