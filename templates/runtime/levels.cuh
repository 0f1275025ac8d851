// Peeling by blocks that have lists of their own, and share out what is too much for one of them.
#pragma once

#include <limits>

#include "scan.cuh"

namespace violet {
inline namespace gpu {

constexpr int most_edges = 512;     // of a row that one warp takes
constexpr int most_found = 1024;    // vertices that a block finds and keeps while it is at those before
constexpr int enough_edges = 2048;  // for other blocks to be worth a barrier
constexpr int looked_at = 8;        // vertices that a thread looks at at a time
constexpr int tile = looked_at * block_size;
constexpr int above_all = std::numeric_limits<int>::max();  // no vertex has as many neighbours

/// Part of a row, for any block to take.
struct Piece {
  int begin;
  int size;
};

/// What blocks tell each other in a round.
struct Told {
  int pieces;        // for all to take
  int gone;          // vertices
  int beyond;        // above_all - the fewest neighbours that a vertex that stays had left: 0 if all go
  unsigned waiting;  // blocks that are done
};

/// Vertices that go: those that have been found in passing, or a tile of them as well.
struct List {
  int size;
  int items[most_found + tile];
};

/// What a block has in its shared memory.
struct Lists {
  List of_turn[2];  // one is walked, the other one filled
  int turn;
  int staying;  // vertices of the block that have not gone
};

__device__ inline Lists& lists() {
  __shared__ Lists of_block;
  return of_block;
}

/// Before anything is put on a list; by all threads of the block.
__device__ inline void start(Lists& lists, int staying) {
  if (threadIdx.x == 0) {
    lists.of_turn[0].size = 0;
    lists.of_turn[1].size = 0;
    lists.turn = 0;
    lists.staying = staying;
  }
  __syncthreads();
}

}  // namespace gpu
}  // namespace violet
