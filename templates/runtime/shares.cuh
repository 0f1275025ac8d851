// A part's share of the edges, where every GPU has the whole graph.
#pragma once

#include <algorithm>

#include "device.cuh"
#include "parts.hpp"

namespace violet {
inline namespace gpu {

/// A part's share of items that have numbers: as many that follow each other for each part.
struct Stretch {
  int first;
  int size;

  static Stretch of(std::int64_t items, const Part& part) {
    const auto begin = equal_shares(items, part.parts).begin;
    return {begin[part.number], begin[part.number + 1] - begin[part.number]};
  }
  /// The i-th of them.
  __device__ int operator[](int i) const { return first + i; }
};

/// A part's share of items that have numbers: in every turn, each part gets a chunk of those that come next, at random. So
/// shares are equal even if some stretches take longer, and what a block visits still follows each other.
struct Chunks {
  static constexpr int length = block_size;
  int part;
  int parts;
  int size;

  static Chunks of(std::int64_t items, const Part& part) {
    Chunks chunks = {part.number, part.parts, 0};
    const int each_turn = part.parts * length;
    const int turns = static_cast<int>(items / each_turn);
    const int left = static_cast<int>(items % each_turn) - chunks.place(turns) * length;
    chunks.size = turns * length + std::clamp(left, 0, length);
    return chunks;
  }
  /// The i-th of them.
  __device__ int operator[](int i) const {
    const int turn = i / length;
    return (turn * parts + place(turn)) * length + i % length;
  }

 private:
  /// Which of the chunks of a turn is this part's.
  VIOLET_HOST_DEVICE int place(unsigned turn) const {
    return static_cast<int>((part + (turn * 0x9e3779b1u >> 16)) % parts);
  }
};

}  // namespace gpu
}  // namespace violet
