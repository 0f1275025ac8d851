// Worklists of vertices by degree: three lists in one array, each for another number of threads that share a vertex.
#pragma once

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

enum List { for_threads, for_warps, for_blocks };
constexpr int list_count = 3;
constexpr int threads_of[list_count] = {1, warp_size, block_size};  ///< that share a vertex on a list

/// Items ever appended to each list, modulo 2^32.
struct Appended {
  unsigned to[list_count];
};

/// For which degrees the lists are.
struct Cutoffs {
  int warp_degree;   ///< edges from which a warp shares a vertex ...
  int block_degree;  ///< ... and from which a block does

  __host__ __device__ List list_of(int degree) const {
    return degree < warp_degree ? for_threads : degree < block_degree ? for_warps : for_blocks;
  }
};

inline Cutoffs make_cutoffs(double warp_degree, double block_degree) {
  const auto whole = [](double degree) { return static_cast<int>(degree < 1e9 ? degree : 1e9); };
  return {whole(warp_degree), whole(block_degree)};
}

/// Where the lists are in an array of items, and how long they are.
struct Lists : Cutoffs {
  unsigned begin[list_count + 1];  ///< first slot of each list, and of what comes after
  unsigned base[list_count];       ///< items appended to each list when the round began, less its first slot
  int size[list_count];            ///< items of the round

  /// The slot of the i-th item of all lists.
  __device__ unsigned slot_of(int i) const {
    if (i < size[for_threads]) {
      return begin[for_threads] + i;
    }
    i -= size[for_threads];
    return i < size[for_warps] ? begin[for_warps] + i : begin[for_blocks] + (i - size[for_warps]);
  }

  /// Makes what has been appended by now the items of the next round; returns how many these are.
  int count_appended(const Appended* now) {
    const auto [threads, warps, blocks] = fetch(&now->to[for_threads], &now->to[for_warps], &now->to[for_blocks]);
    const unsigned ends[list_count] = {threads, warps, blocks};
    int total = 0;
    for (int list = 0; list < list_count; list++) {
      const unsigned next_base = ends[list] - begin[list];
      size[list] = static_cast<int>(next_base - base[list]);
      base[list] = next_base;
      total += size[list];
    }
    return total;
  }

  /// Whether a list has more items than slots.
  bool overflow() const {
    bool found = false;
    for (int list = 0; list < list_count; list++) {
      found = found || static_cast<unsigned>(size[list]) > begin[list + 1] - begin[list];
    }
    return found;
  }
};

/// Shares slots among the lists. A vertex without duplicates needs one, so every list gets one for each of its vertices;
/// if there are more, it gets these in proportion to its edges, along which duplicates come.
///
/// @param slots  no fewer than the graph has vertices
inline Lists make_lists(const Graph& graph, unsigned slots, double warp_degree, double block_degree) {
  Lists lists = {make_cutoffs(warp_degree, block_degree), {}, {}, {}};
  const auto row_offsets = fetch_array(graph.row_offsets, graph.n + 1);
  unsigned vertices[list_count] = {};
  long long edges[list_count] = {};
  for (int v = 0; v < graph.n; v++) {
    const int degree = row_offsets[v + 1] - row_offsets[v];
    vertices[lists.list_of(degree)]++;
    edges[lists.list_of(degree)] += degree;
  }
  const long long rest = slots - static_cast<unsigned>(graph.n);
  for (int list = 0; list < list_count; list++) {
    const long long more = graph.m > 0 ? rest * edges[list] / graph.m : 0;
    lists.begin[list + 1] = lists.begin[list] + vertices[list] + static_cast<unsigned>(more);
    lists.base[list] = 0u - lists.begin[list];
  }
  return lists;
}

}  // namespace gpu
}  // namespace violet
