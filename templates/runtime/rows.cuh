// Ways for the threads of a block to share the rows that they have.
#pragma once

#include "scan.cuh"

namespace violet {
inline namespace gpu {

/// Edges of a vertex, which are numbered by an `Edge`, and the value to push along them.
template <typename T, typename Edge = int>
struct Row {
  int vertex;
  T from;
  Edge begin;
  Edge end;

  __device__ int size() const { return static_cast<int>(end - begin); }
};

/// Visits the edges of all rows that the threads of a block have: of a row as long as the block by the whole block, one
/// such row after the other; of one as long as a warp by the warp; and of others by the thread that has them.
///
/// @param visit  called with the vertex and value of a row and the number of an edge
template <typename T, typename Edge, typename Visit>
__device__ void visit_by_class(Row<T, Edge> row, Visit visit) {
  __shared__ int winner;
  __shared__ Row<T, Edge> won;
  if (threadIdx.x == 0) {
    winner = 0;  // to be exchanged
  }
  while (__syncthreads_or(row.size() >= block_size)) {
    if (row.size() >= block_size) {
      atomicExch_block(&winner, static_cast<int>(threadIdx.x));  // one of them, whichever comes last
    }
    __syncthreads();
    if (winner == static_cast<int>(threadIdx.x)) {
      won = row;
      row.end = row.begin;
    }
    __syncthreads();
#pragma unroll 4  // which nvcc does by itself for the other rows, but not here: a thread waits once for four edges
    for (Edge e = won.begin + threadIdx.x; e < won.end; e += block_size) {
      visit(won.vertex, won.from, e);
    }
  }
  const int lane = threadIdx.x % warp_size;
  for (unsigned rows = __ballot_sync(~0u, row.size() >= warp_size); rows != 0; rows &= rows - 1) {
    const int owner = __ffs(rows) - 1;
    const int vertex = __shfl_sync(~0u, row.vertex, owner);
    const T from = __shfl_sync(~0u, row.from, owner);
    const Edge end = __shfl_sync(~0u, row.end, owner);
    for (Edge e = __shfl_sync(~0u, row.begin, owner) + lane; e < end; e += warp_size) {
      visit(vertex, from, e);
    }
  }
  if (row.size() < warp_size) {
    for (Edge e = row.begin; e < row.end; e++) {
      visit(row.vertex, row.from, e);
    }
  }
}

/// What value(e, owner) is over the edges e from `begin` to before `end`, the row that this thread has, combined; `owner` is
/// the thread of the block that has the row. The threads of a block share their rows as in visit_by_class. Which threads
/// combine a row, and in which order, follows from its length alone: the same row has the same sum, to the last bit.
template <typename T, typename Edge, typename Combine, typename Value>
__device__ T combine_by_class(Edge begin, Edge end, Combine combine, Value value) {
  __shared__ int winner;
  __shared__ Edge won_begin;
  __shared__ Edge won_end;
  T result = 0;
  if (threadIdx.x == 0) {
    winner = 0;  // to be exchanged
  }
  while (__syncthreads_or(end - begin >= block_size)) {
    if (end - begin >= block_size) {
      atomicExch_block(&winner, static_cast<int>(threadIdx.x));  // one of them, whichever comes last
    }
    __syncthreads();
    if (winner == static_cast<int>(threadIdx.x)) {
      won_begin = begin;
      won_end = end;
      end = begin;
    }
    __syncthreads();
    T part = 0;
#pragma unroll 4  // as above
    for (Edge e = won_begin + threadIdx.x; e < won_end; e += block_size) {
      part = combine(part, static_cast<T>(value(e, winner)));
    }
    part = combine_block(part, combine);
    if (winner == static_cast<int>(threadIdx.x)) {
      result = part;
    }
  }
  const int lane = threadIdx.x % warp_size;
  for (unsigned rows = __ballot_sync(~0u, end - begin >= warp_size); rows != 0; rows &= rows - 1) {
    const int owner = __ffs(rows) - 1;
    const Edge row_end = __shfl_sync(~0u, end, owner);
    T part = 0;
    for (Edge e = __shfl_sync(~0u, begin, owner) + lane; e < row_end; e += warp_size) {
      part = combine(part, static_cast<T>(value(e, static_cast<int>(threadIdx.x) - lane + owner)));
    }
    part = combine_lanes<warp_size>(part, combine);
    if (lane == owner) {
      result = part;
    }
  }
  if (end - begin < warp_size) {
    for (Edge e = begin; e < end; e++) {
      result = combine(result, static_cast<T>(value(e, static_cast<int>(threadIdx.x))));
    }
  }
  return result;
}

/// The sum of value(e) over the edges of a row, as in combine_by_class.
template <typename T, typename Edge, typename Value>
__device__ T sum_by_class(Edge begin, Edge end, Value value) {
  return combine_by_class<T>(begin, end, Sum{}, [&](Edge e, int) { return value(e); });
}

/// Visits the edges of all rows that the threads of a block have, equally many by every thread; returns how many in all. An int
/// numbers them, whatever numbers the edges of a graph: no GPU has the 8 GB for each block that more would take.
///
/// @param visit  called with the vertex and value of a row, the number of an edge, and how many come before it in the rows
///               up to there
template <typename T, typename Edge, typename Visit>
__device__ int visit_numbered(const Row<T, Edge>& row, Visit visit) {
  __shared__ int edges_before[block_size];
  __shared__ Row<T, Edge> rows[block_size];
  int edges;
  edges_before[threadIdx.x] = sum_before(row.size(), edges);
  rows[threadIdx.x] = row;
  __syncthreads();
  for (int i = threadIdx.x; i < edges; i += block_size) {
    int owner = 0;  // the last thread with no more than i edges before its own
    for (int step = block_size / 2; step > 0; step /= 2) {
      owner += edges_before[owner + step] <= i ? step : 0;
    }
    visit(rows[owner].vertex, rows[owner].from, rows[owner].begin + (i - edges_before[owner]), i);
  }
  __syncthreads();  // the next call writes the rows again
  return edges;
}

/// Visits the edges of all rows that the threads of a block have, equally many by every thread.
///
/// @param visit  called with the vertex and value of a row and the number of an edge
template <typename T, typename Edge, typename Visit>
__device__ void visit_evenly(const Row<T, Edge>& row, Visit visit) {
  visit_numbered(row, [&](int vertex, T from, Edge edge, int) { visit(vertex, from, edge); });
}

/// What a block gets if all blocks share the edges of all rows equally: edges from `begin` to before `end`, which belong
/// to rows from `first_row` to before `stop_row`.
template <typename Edge>
struct Share {
  Edge begin;
  Edge end;
  int first_row;
  int stop_row;
};

/// The row of an edge: the last one with no more than so many edges before it.
template <typename Edge>
__device__ int row_of(Edge edge, const Edge* edges_before, int rows) {
  int low = 0;
  int high = rows;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (edges_before[middle] <= edge) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

constexpr int most_shared_percent = 85;  // of shared memory; on Hopper, 60 of 256 KB are left for the L1 cache

/// Grid size that fills a GPU with blocks that share rows. They keep rows in shared memory, of which the L1 cache is made, too:
/// where as many as fit would leave hardly any of it, there is a block less on each multiprocessor.
template <auto kernel>
int sharing_blocks() {
  return once_on(current_device(), [] {
    cudaFuncAttributes needed;
    check(cudaFuncGetAttributes(&needed, kernel), "ask for the shared memory of a kernel");
    const int most = amount_of(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int a_block = static_cast<int>(needed.sharedSizeBytes) + amount_of(cudaDevAttrReservedSharedMemoryPerBlock);
    if (blocks_each<kernel>() * a_block > most / 100 * most_shared_percent) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, most_shared_percent),
            "limit the shared memory of a kernel");
    }
    return resident_blocks<kernel>();
  });
}

/// Grid size where blocks share the edges of so many items: these may have many, so no fewer blocks than the GPU holds.
template <auto kernel>
int blocks_for_shares(int items) {
  return max(blocks_for(items, block_size), sharing_blocks<kernel>());
}

/// The share of this block; all its threads take part.
///
/// @param edges_before  [rows + 1] the edges of all rows before one
template <typename Edge>
__device__ Share<Edge> share_of_block(const Edge* edges_before, int rows) {
  __shared__ int row_at[2];
  const Edge edges = edges_before[rows];
  const Edge size = max((edges - 1) / static_cast<int>(gridDim.x) + 1, static_cast<Edge>(block_size));
  Share<Edge> share;
  share.begin = static_cast<Edge>(min(static_cast<long long>(size) * blockIdx.x, static_cast<long long>(edges)));
  share.end = share.begin + min(size, edges - share.begin);
  if (threadIdx.x == 0) {
    row_at[0] = row_of(share.begin, edges_before, rows);
  } else if (threadIdx.x == warp_size) {  // of another warp: both search at a time
    row_at[1] = row_of(share.end - 1, edges_before, rows);
  }
  __syncthreads();
  share.first_row = row_at[0];
  share.stop_row = share.begin < share.end ? row_at[1] + 1 : row_at[0];
  return share;
}

constexpr int few_rows = 1024;

/// What exclusive_scan does, of few values and by every block for itself; all its threads take part.
///
/// @param sums  [few_rows + 1] in the shared memory of the block; returned
template <typename Value, typename T>
__device__ const T* scan_few(const Value& value, int count, T* sums) {
  const T total = scan_range(value, 0, count, T{0}, sums);
  if (threadIdx.x == 0) {
    sums[count] = total;
  }
  __syncthreads();
  return sums;
}

}  // namespace gpu
}  // namespace violet
