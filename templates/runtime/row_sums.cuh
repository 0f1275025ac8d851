// Sums over all rows by blocks that have equally many edges each, whatever the lengths of rows: programs that do so again and
// again know from the first time on which rows belong to whom.
#pragma once

#include "rows.cuh"

namespace violet {
inline namespace gpu {

constexpr int edges_each = 8;                        // of a share, for every thread
constexpr int share_size = edges_each * block_size;  // edges that a block sums up at a time

/// How many shares so many edges make.
__host__ __device__ constexpr int shares_of(int edges) { return edges / share_size + (edges % share_size != 0); }

/// Sums over rows, in parts: all edges make shares of equally many, and a row has a part in every share that has edges of it.
template <typename T>
struct RowSums {
  int* first_row;  // [shares + 1] row of the first edge of a share; then the last row
  T* begun;        // [n] the part of a row in the share in which it begins
  T* continued;    // [shares] the part, in a share, of the row that began before it
};

/// Memory for the sums over the rows of a graph.
template <typename T>
RowSums<T> make_row_sums(const Graph& graph, Memory& memory) {
  const int shares = shares_of(graph.m);
  return {memory.allocate<int>(shares + 1), memory.allocate<T>(graph.n), memory.allocate<T>(shares)};
}

template <typename T>
__global__ void find_rows(RowSums<T> sums, int n, const int* row_offsets) {
  const int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n) {
    const int end = __ldg(&row_offsets[row + 1]);
    for (int share = shares_of(__ldg(&row_offsets[row])); share < shares_of(end); share++) {
      sums.first_row[share] = row;
    }
    if (row == n - 1) {
      sums.first_row[shares_of(end)] = row;
    }
  }
}

/// Finds the rows with which shares begin; before the first sums.
template <typename T>
void start_row_sums(const RowSums<T>& sums, int n, const int* row_offsets) {
  find_rows<<<blocks_for(n, block_size), block_size, 0, stream>>>(sums, n, row_offsets);
}

/// Sums up the parts that rows from `first` to before `stop` have in a share; all threads of the block take part. Threads get
/// the values of edges in order, and leave them in shared memory, where the threads of each row find them.
///
/// @param value  called with the number of an edge
template <typename T, typename Value>
__device__ void sum_up_share(const RowSums<T>& sums, const int* row_offsets, int first, int stop, int share,
                             Value value) {
  __shared__ T values[share_size];
  const int share_begin = share * share_size;
  const int begin = max(__ldg(&row_offsets[first]), share_begin);
  const int end = share_begin + min(__ldg(&row_offsets[stop]) - share_begin, share_size);
  T own[edges_each];
#pragma unroll
  for (int i = 0; i < edges_each; i++) {
    const int e = share_begin + i * block_size + static_cast<int>(threadIdx.x);
    own[i] = e >= begin && e < end ? value(e) : T{0};
  }
  __syncthreads();  // the share before has been summed up
#pragma unroll
  for (int i = 0; i < edges_each; i++) {
    values[i * block_size + threadIdx.x] = own[i];
  }
  __syncthreads();
  const int last = min(sums.first_row[share + 1], stop - 1);
  for (int top = max(sums.first_row[share], first); top <= last; top += block_size) {
    const int row = top + static_cast<int>(threadIdx.x);
    const int row_begin = row <= last ? __ldg(&row_offsets[row]) : end;
    const int from = max(row_begin, begin);
    const int to = row <= last ? max(min(__ldg(&row_offsets[row + 1]), end), from) : end;
    const T sum = sum_by_class<T>(from, to, [&](int e) { return values[e - share_begin]; });
    if (from < to) {
      (row_begin < share_begin ? sums.continued[share] : sums.begun[row]) = sum;
    }
  }
}

/// The sum over a row of edges from `begin` to before `end`, from all its parts, in their order.
template <typename T>
__device__ T sum_of_row(const RowSums<T>& sums, int row, int begin, int end) {
  T sum = begin < end ? sums.begun[row] : T{0};
  for (int share = begin / share_size + 1; share < shares_of(end); share++) {
    sum += sums.continued[share];
  }
  return sum;
}

}  // namespace gpu
}  // namespace violet
