// Edges by bins, for programs on several GPUs.
#pragma once

#include "binned_edges.cuh"
#include "multigpu.cuh"

namespace violet {
inline namespace gpu {

/// Words that so many values smaller than one may have part in, wherever they begin.
template <typename T>
__host__ __device__ constexpr int words_for(int count) {
  return count / static_cast<int>(sizeof(unsigned) / sizeof(T)) + 2;
}

/// Writes value(i) to to[i], for those of `count` values that are in a word, the w-th of these. It takes one store, or one for
/// each value at either end, where others have the rest of the word.
template <typename T, typename Value>
__device__ void write_word(T* to, int count, int w, Value value) {
  constexpr int bits = 8 * sizeof(T);
  constexpr int in_word = sizeof(unsigned) / sizeof(T);
  const int first = w * in_word - static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % sizeof(unsigned) / sizeof(T));
  if (first >= 0 && first + in_word <= count) {
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < in_word; k++) {
      word |= static_cast<unsigned>(value(first + k)) << (k * bits);
    }
    *reinterpret_cast<unsigned*>(to + first) = word;
  } else {
    for (int i = max(first, 0); i < min(first + in_word, count); i++) {
      to[i] = value(i);
    }
  }
}

/// What messages are rounded to parts of, where parts have to agree on it since they add up messages of all of them.
struct Scale {
  float told;  ///< no number was larger that the messages tell which are added up in an iteration
  float next;  ///< ... and those which are made in it

  void start(double first) { told = next = static_cast<float>(first); }
};

/// Ends an iteration: returns the change of all ranks, and has the scale follow the largest number that is to be told. One
/// kernel brings both to the host, and parts meet once.
template <typename State>
double total_and_scale(State& s) {
  const auto [change_here, largest_here] = fetch(s.change, s.largest + s.round + 1);
  const Totals of_all = totals(change_here, largest_here);
  s.scale.told = s.scale.next;
  s.scale.next = static_cast<float>(of_all.largest);
  return of_all.sum;
}

}  // namespace gpu
}  // namespace violet
