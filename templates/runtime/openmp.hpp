// OpenMP programs: atomic operations of relaxed order on shared variables.
//
// atomic_min uses OpenMP 5.1's `atomic compare` where the compiler has it (g++ 12 and later, which makes the same
// compare-and-swap loop of it that C++ threads have), else that loop itself.
#pragma once

#include <omp.h>

#include <type_traits>

#include "host.hpp"

namespace violet {
inline namespace openmp {  // apart from threads.hpp: a build that names all of runtime/ links threads.cpp, too

/// Items of a loop that are handed out at a time.
inline int chunk_size(int items) { return violet::chunk_size(items, omp_get_max_threads()); }

template <typename T>
T atomic_load(const T* variable) {
  T value;
#pragma omp atomic read
  value = *variable;
  return value;
}

template <typename T>
void atomic_store(T* variable, std::type_identity_t<T> value) {
#pragma omp atomic write
  *variable = value;
}

template <typename T>
T atomic_add(T* variable, std::type_identity_t<T> value) {
  T old;
#pragma omp atomic capture
  {
    old = *variable;
    *variable += value;
  }
  return old;
}

template <typename T>
T atomic_or(T* variable, std::type_identity_t<T> bits) {
  T old;
#pragma omp atomic capture
  {
    old = *variable;
    *variable |= bits;
  }
  return old;
}

template <typename T>
T atomic_exchange(T* variable, std::type_identity_t<T> value) {
  T old;
#pragma omp atomic capture
  {
    old = *variable;
    *variable = value;
  }
  return old;
}

template <typename T>
T atomic_min(T* variable, std::type_identity_t<T> value) {
#if _OPENMP >= 202011 || (defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12)
  T old;
#pragma omp atomic compare capture
  {
    old = *variable;
    if (value < *variable) {
      *variable = value;
    }
  }
  return old;
#else
  return compare_exchange_min(variable, value);
#endif
}

constexpr Model model = Model::openmp;

/// Makes so many threads the team of the calling thread, whatever OMP_DYNAMIC and OMP_MAX_ACTIVE_LEVELS say.
inline void use_team(int threads) {
  omp_set_dynamic(false);
  if (omp_get_max_active_levels() < 1) {
    omp_set_max_active_levels(1);
  }
  omp_set_num_threads(threads);
}

/// Starts a team; returns how many threads it has, which are fewer than asked for where OMP_THREAD_LIMIT says so.
inline int start_team(int threads) {
  try_threads(threads, stack_bytes());
  use_team(threads);
  int started = 1;
#pragma omp parallel
#pragma omp single
  started = omp_get_num_threads();
  return started;
}

/// The threads of parallel regions.
struct Workers {
  explicit Workers(int asked) : threads(start_team(asked)) { use(); }

  /// Makes them the team of the calling thread.
  void use() const { use_team(threads); }
  int size() const { return threads; }

  const int threads;
};

/// Fills an array with a word; every thread has a part of it.
inline void overwrite(void* array, std::size_t bytes, unsigned word) {
#pragma omp parallel
  overwrite_part(array, bytes, word, omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace openmp
}  // namespace violet

#include "solver.hpp"
