// Vertices in the order of their degrees, for programs that take them one after the other, the largest degree first.
#pragma once

#include "priority.hpp"
#include "scan.cuh"

namespace violet {
inline namespace gpu {

/// Vertices of larger degree before others, of equal degrees those of higher priority before others.
///
/// They are sorted without comparing most of them: where vertices of a degree begin follows from how many have more, and the
/// place of a vertex among its equals is guessed from its priority, as that looks random. Each guess is a slot, to which on
/// average one vertex belongs; where there are several, a thread sorts them (ProxmapSort, Standish and Jacobson 2005).
struct DegreeOrder {
  int n;
  int* vertices;     // [n] in this order
  int* larger;       // [n + 1] how many have more than n - 1 - i neighbours
  int* before_slot;  // [n + 1] how many belong to the slots before one
  int* counts;       // [n] vertices of each degree, then of each slot
  int* place;        // [n] of each vertex in its slot
  int* chunk_sums;   // [most_chunks] working memory of sums

  __device__ int operator[](int i) const { return vertices[i]; }

  /// How many vertices have at least so many neighbours: they come first.
  __device__ int count_from(int degree) const { return degree < n ? larger[n - degree] : 0; }
};

/// Memory for the order of the vertices of a graph.
inline DegreeOrder make_degree_order(const Graph& graph, Memory& memory) {
  const int n = graph.n;
  return {n,
          memory.allocate<int>(n),
          memory.allocate<int>(n + 1),
          memory.allocate<int>(n + 1),
          memory.allocate<int>(n),
          memory.allocate<int>(n),
          memory.allocate<int>(most_chunks)};
}

struct CountAt {
  const int* counts;
  __device__ int operator()(int i) const { return counts[i]; }
};

/// A block counts the small degrees, which many vertices have, by itself first.
template <typename Offset>
__global__ void count_degrees(const __grid_constant__ DegreeOrder order, const Offset* row_offsets) {
  constexpr int small = 1024;
  __shared__ int of_block[small];
  for (int degree = threadIdx.x; degree < small; degree += block_size) {
    of_block[degree] = 0;
  }
  __syncthreads();
  for (int v = threadIdx.x + blockIdx.x * block_size; v < order.n; v += gridDim.x * block_size) {
    const int degree = static_cast<int>(row_offsets[v + 1] - row_offsets[v]);
    if (degree < small) {
      ::atomicAdd_block(&of_block[degree], 1);
    } else {
      ::atomicAdd(&order.counts[order.n - 1 - degree], 1);
    }
  }
  __syncthreads();
  for (int degree = threadIdx.x; degree < small; degree += block_size) {
    if (of_block[degree] > 0) {
      ::atomicAdd(&order.counts[order.n - 1 - degree], of_block[degree]);
    }
  }
}

/// The slot of a vertex: among its equals, it is as far from their beginning as its priority is from the highest one.
template <typename Offset>
__device__ int slot_of(const DegreeOrder& order, const Offset* row_offsets, int v) {
  const int i = order.n - 1 - static_cast<int>(row_offsets[v + 1] - row_offsets[v]);
  const int equals = order.larger[i + 1] - order.larger[i];
  return order.larger[i] + static_cast<int>(static_cast<unsigned long long>(~priority(v)) * equals >> 32);
}

template <typename Offset>
__global__ void count_slots(const __grid_constant__ DegreeOrder order, const Offset* row_offsets) {
  for (int v = threadIdx.x + blockIdx.x * block_size; v < order.n; v += gridDim.x * block_size) {
    order.place[v] = ::atomicAdd(&order.counts[slot_of(order, row_offsets, v)], 1);
  }
}

template <typename Offset>
__global__ void fill_slots(const __grid_constant__ DegreeOrder order, const Offset* row_offsets) {
  for (int v = threadIdx.x + blockIdx.x * block_size; v < order.n; v += gridDim.x * block_size) {
    order.vertices[order.before_slot[slot_of(order, row_offsets, v)] + order.place[v]] = v;
  }
}

/// Sorts each slot by inserting one vertex after the other.
__global__ void sort_slots(const __grid_constant__ DegreeOrder order) {
  for (int slot = threadIdx.x + blockIdx.x * block_size; slot < order.n; slot += gridDim.x * block_size) {
    const int begin = order.before_slot[slot];
    const int end = order.before_slot[slot + 1];
    for (int i = begin + 1; i < end; i++) {
      const int v = order.vertices[i];
      int hole = i;
      for (; hole > begin && priority(order.vertices[hole - 1]) < priority(v); hole--) {
        order.vertices[hole] = order.vertices[hole - 1];
      }
      order.vertices[hole] = v;
    }
  }
}

/// Brings the vertices of a graph in this order; the host does not wait.
///
/// @param row_offsets  [n + 1] on the device
template <typename Offset>
void sort_by_degree(const DegreeOrder& order, const Offset* row_offsets) {
  if (order.n == 0) {
    return;
  }
  const int blocks = min(blocks_for(order.n, block_size), most_chunks);
  clear(order.counts, order.n);
  count_degrees<<<blocks, block_size, 0, stream>>>(order, row_offsets);
  exclusive_scan(CountAt{order.counts}, order.n, order.larger, order.chunk_sums);
  clear(order.counts, order.n);
  count_slots<<<blocks, block_size, 0, stream>>>(order, row_offsets);
  exclusive_scan(CountAt{order.counts}, order.n, order.before_slot, order.chunk_sums);
  fill_slots<<<blocks, block_size, 0, stream>>>(order, row_offsets);
  sort_slots<<<blocks, block_size, 0, stream>>>(order);
}

}  // namespace gpu
}  // namespace violet
