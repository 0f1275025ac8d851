// Vertices in the order of their degrees, the largest degree first.
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

constexpr int small_degrees = 1024;  // which many vertices have: a block counts those of each by itself first

/// Counts the vertices of each degree, those of most neighbours first.
template <typename Offset>
__global__ void count_degrees(int n, const Offset* row_offsets, int* counts) {
  __shared__ int of_block[small_degrees];
  for (int degree = threadIdx.x; degree < small_degrees; degree += block_size) {
    of_block[degree] = 0;
  }
  __syncthreads();
  for (int v = threadIdx.x + blockIdx.x * block_size; v < n; v += gridDim.x * block_size) {
    const int degree = static_cast<int>(row_offsets[v + 1] - row_offsets[v]);
    if (degree < small_degrees) {
      ::atomicAdd_block(&of_block[degree], 1);
    } else {
      ::atomicAdd(&counts[n - 1 - degree], 1);
    }
  }
  __syncthreads();
  for (int degree = threadIdx.x; degree < small_degrees; degree += block_size) {
    if (of_block[degree] > 0) {
      ::atomicAdd(&counts[n - 1 - degree], of_block[degree]);
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

/// Counts how many vertices have more neighbours than each number, as DegreeOrder and DegreeNumbers keep it; clears counts.
template <typename Offset>
void count_larger(int n, const Offset* row_offsets, int* counts, int* larger, int* chunk_sums) {
  clear(counts, n);
  count_degrees<<<min(blocks_for(n, block_size), most_chunks), block_size, 0, stream>>>(n, row_offsets, counts);
  exclusive_scan(CountAt{counts}, n, larger, chunk_sums);
  clear(counts, n);
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
  count_larger(order.n, row_offsets, order.counts, order.larger, order.chunk_sums);
  count_slots<<<blocks, block_size, 0, stream>>>(order, row_offsets);
  exclusive_scan(CountAt{order.counts}, order.n, order.before_slot, order.chunk_sums);
  fill_slots<<<blocks, block_size, 0, stream>>>(order, row_offsets);
  sort_slots<<<blocks, block_size, 0, stream>>>(order);
}

/// Numbers for vertices: those of larger degree have smaller ones. Who comes first of equals is not known before, so that it
/// takes no sorting.
struct DegreeNumbers {
  int n;
  int* larger;      // [n + 1] how many have more than n - 1 - i neighbours
  int* counts;      // [n] vertices of each degree, then how many of them have a number
  int* chunk_sums;  // [most_chunks] working memory of sums
};

/// Memory for numbers of the vertices of a graph.
inline DegreeNumbers make_degree_numbers(const Graph& graph, Memory& memory) {
  return {graph.n, memory.allocate<int>(graph.n + 1), memory.allocate<int>(graph.n), memory.allocate<int>(most_chunks)};
}

constexpr int numbered_each = 16;  // vertices of a thread

/// Calls take(v, number) for every vertex. A block takes the numbers of all its vertices of a small degree at once.
template <typename Offset, typename Take>
__global__ void hand_out_numbers(const __grid_constant__ DegreeNumbers numbers, const Offset* row_offsets,
                                 const __grid_constant__ Take take) {
  __shared__ int of_block[small_degrees];
  for (int degree = threadIdx.x; degree < small_degrees; degree += block_size) {
    of_block[degree] = 0;
  }
  __syncthreads();
  const int first = threadIdx.x + blockIdx.x * block_size * numbered_each;
  int place[numbered_each];  // of each vertex among its equals, for small degrees among those of the block
#pragma unroll
  for (int i = 0; i < numbered_each; i++) {
    const int v = first + i * block_size;
    if (v < numbers.n) {
      const int degree = static_cast<int>(row_offsets[v + 1] - row_offsets[v]);
      place[i] = degree < small_degrees ? ::atomicAdd_block(&of_block[degree], 1)
                                        : ::atomicAdd(&numbers.counts[numbers.n - 1 - degree], 1);
    }
  }
  __syncthreads();
  for (int degree = threadIdx.x; degree < small_degrees; degree += block_size) {
    if (of_block[degree] > 0) {
      of_block[degree] = ::atomicAdd(&numbers.counts[numbers.n - 1 - degree], of_block[degree]);
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < numbered_each; i++) {
    const int v = first + i * block_size;
    if (v < numbers.n) {
      const int degree = static_cast<int>(row_offsets[v + 1] - row_offsets[v]);
      const int before = degree < small_degrees ? of_block[degree] : 0;
      take(v, numbers.larger[numbers.n - 1 - degree] + before + place[i]);
    }
  }
}

/// Numbers the vertices of a graph; the host does not wait.
///
/// @param row_offsets  [n + 1] on the device
/// @param take         a function object of the device, called with each vertex and its number
template <typename Offset, typename Take>
void number_by_degree(const DegreeNumbers& numbers, const Offset* row_offsets, const Take& take) {
  if (numbers.n == 0) {
    return;
  }
  count_larger(numbers.n, row_offsets, numbers.counts, numbers.larger, numbers.chunk_sums);
  hand_out_numbers<<<blocks_for(numbers.n, block_size * numbered_each), block_size, 0, stream>>>(
      numbers, row_offsets, take);
}

}  // namespace gpu
}  // namespace violet
