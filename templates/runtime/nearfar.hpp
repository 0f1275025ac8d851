// Near-far: what is near, and the pile of vertices that are not.
#pragma once

#ifdef __CUDACC__
#include "cuda.cuh"
#define VIOLET_SHARED __host__ __device__
#else
#include "host.hpp"
#define VIOLET_SHARED
#endif

namespace violet {

/// The distances that are near: from `begin`, below which they were near before, up to `end`.
template <typename T>
struct Near {
  T begin;
  T end;
  T delta;  ///< by how much `end` rises at first
  T rise;   ///< ... and the next time: twice as much each time, until there is something near

  VIOLET_SHARED void raise(T infinity) {
    begin = end;
    end = end < infinity - rise ? end + rise : infinity;
    rise *= 2;
  }
};

/// A pile that grows while the one before it, which has been opened, is taken apart.
struct FarPile {
  int* vertices;     ///< [n]
  int* opened;       ///< [n] the pile before
  int opened_size;   ///< vertices on that
  unsigned* number;  ///< [1] vertices ever put on a pile, modulo 2^32
  unsigned base;     ///< their number when the pile was begun

  /// Opens the pile and begins another one, unless it is empty: whether it is not. `now` is the number by now.
  VIOLET_SHARED bool open(unsigned now) {
    int* const pile = vertices;
    vertices = opened;
    opened = pile;
    opened_size = static_cast<int>(now - base);
    base = now;
    return opened_size > 0;
  }
};

template <typename Memory>
FarPile make_far_pile(Memory& memory, int n) {
  return {
      memory.template allocate<int>(n), memory.template allocate<int>(n), 0, memory.template allocate<unsigned>(1), 0};
}

/// How distances are near at first. The threshold rises by `delta` times what suits graphs from roads to R-MAT, and at
/// least by 1. In average weights, that is 100 over the square of the average degree d, as d^2 vertices are two edges
/// away; but half of one at least, as rounds with few vertices do not fill a machine. The average weight is of a sample.
template <typename T>
Near<T> make_near(const Graph& graph, double delta, T infinity) {
  constexpr int largest_sample = 1024;
  const int size = graph.m < largest_sample ? static_cast<int>(graph.m) : largest_sample;
  double sum = 0;
  for (int i = 0; i < size; i++) {
    sum += weight_of(graph, graph.m * i / size);
  }
  const double average_degree = static_cast<double>(graph.m) / graph.n;
  const double rise = size > 0 ? delta * sum / size * (0.5 + 100 / (average_degree * average_degree)) : 1;
  const T first = rise < 1 ? 1 : rise > static_cast<double>(infinity) ? infinity : static_cast<T>(rise);
  return {0, first, first, first};
}

}  // namespace violet
