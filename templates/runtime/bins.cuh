// Edges by bins of the vertices that they lead to, for programs that send a value along every edge again and again: the sums
// of the vertices of a bin fit the shared memory of a block (propagation blocking: Beamer, Asanovic and Patterson, 2017).
#pragma once

#include "cuda.cuh"

namespace violet {
inline namespace gpu {

/// Vertices of a bin, as a power of two, if each has a value of type T.
template <typename T>
constexpr int bin_bits = sizeof(T) == 4 ? 13 : 12;
template <typename T>
constexpr int bin_size = 1 << bin_bits<T>;

constexpr int chunk_size = 32768;     // edges that a block sorts in its shared memory
constexpr int part_size = 131072;     // edges of a bin that a block adds up; there are more blocks if a bin has more
constexpr int edges_per_thread = 33;  // odd, so that threads write to different banks of shared memory

/// Edges that follow each other in the rows of at most a bin of vertices.
struct Chunk {
  int first;    // vertex that the first of them begins at
  int sources;  // vertices from there on to that of the last one
  int size;     // edges; in an unused chunk, none
};

/// Edges in chunks, those of a chunk by bins; what belongs to edge `i` of chunk `c` is at `c * chunk_size + i`.
struct BinnedEdges {
  int bits;  // as bin_bits
  int bins;
  int most_chunks;         // as many as there may be
  int most_parts;          // of all bins
  int* first_chunk;        // [bins + 1] first chunk with edges that begin in a bin
  int* first_part;         // [bins + 1] first part of a bin
  unsigned* arrivals;      // [bins] parts of a bin that have been added up in an iteration, if there are several
  Chunk* chunk;            // [most_chunks]
  unsigned short* run;     // [bins + 1][most_chunks] first edge of a chunk that leads to a bin
  unsigned short* source;  // [room] where an edge begins, as a vertex of its chunk
  unsigned short* target;  // [room] where it ends, as a vertex of its bin
  std::size_t room;        // edges and gaps after chunks
};

/// Memory for the edges of a graph, which sort_into_bins fills.
inline BinnedEdges make_bins(const Graph& graph, int bits, Memory& memory) {
  BinnedEdges edges = {};
  edges.bits = bits;
  edges.bins = graph.n > 0 ? ((graph.n - 1) >> bits) + 1 : 0;
  edges.most_chunks = static_cast<int>(graph.m) / chunk_size + edges.bins;
  edges.most_parts = static_cast<int>(graph.m) / part_size + edges.bins;
  edges.first_chunk = memory.allocate<int>(edges.bins + 1);
  edges.first_part = memory.allocate<int>(edges.bins + 1);
  edges.arrivals = memory.allocate<unsigned>(edges.bins);
  edges.chunk = memory.allocate<Chunk>(edges.most_chunks);
  edges.run = memory.allocate<unsigned short>(static_cast<std::size_t>(edges.bins + 1) * edges.most_chunks);
  edges.room = static_cast<std::size_t>(edges.most_chunks) * chunk_size;
  edges.source = memory.allocate<unsigned short>(edges.room);
  edges.target = memory.allocate<unsigned short>(edges.room);
  return edges;
}

/// The last of `count` ascending values that is at most `value`; the first one is.
__device__ inline int last_at_most(const int* values, int count, int value) {
  int low = 0;
  int high = count;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (values[middle] <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The sum over all threads before this one of a block of single_block_size, and `total` over all.
__device__ inline int sum_before(int value, int& total) {
  __shared__ int of_warp[warp_size];
  const int lane = threadIdx.x % warp_size;
  const auto sum_lanes = [lane](int sum) {
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const int other = __shfl_up_sync(~0u, sum, distance);
      sum += lane >= distance ? other : 0;
    }
    return sum;
  };
  const int up_to_here = sum_lanes(value);
  if (lane == warp_size - 1) {
    of_warp[threadIdx.x / warp_size] = up_to_here;
  }
  __syncthreads();
  const int warps_up_to_lane = sum_lanes(of_warp[lane]);
  total = __shfl_sync(~0u, warps_up_to_lane, warp_size - 1);
  const int warp = static_cast<int>(threadIdx.x / warp_size);
  const int before = __shfl_sync(~0u, warps_up_to_lane, warp > 0 ? warp - 1 : 0);
  __syncthreads();  // the next call writes of_warp again
  return up_to_here - value + (warp > 0 ? before : 0);
}

/// Finds out how many chunks and parts each bin has. One block.
__global__ void count_chunks(BinnedEdges edges, int n, const int* row_offsets) {
  int chunks_before = 0;
  int parts_before = 0;
  for (int base = 0; base < edges.bins; base += single_block_size) {
    const int bin = base + static_cast<int>(threadIdx.x);
    int size = 0;
    if (bin < edges.bins) {
      const int end = bin + 1 < edges.bins ? (bin + 1) << edges.bits : n;
      size = row_offsets[end] - row_offsets[bin << edges.bits];
      edges.arrivals[bin] = 0;
    }
    int chunks = 0;
    int parts = 0;
    const int chunk = sum_before(size > 0 ? (size - 1) / chunk_size + 1 : 0, chunks);
    const int part = sum_before(bin < edges.bins ? size / part_size + 1 : 0, parts);
    if (bin < edges.bins) {
      edges.first_chunk[bin] = chunks_before + chunk;
      edges.first_part[bin] = parts_before + part;
    }
    chunks_before += chunks;
    parts_before += parts;
  }
  if (threadIdx.x == 0) {
    edges.first_chunk[edges.bins] = chunks_before;
    edges.first_part[edges.bins] = parts_before;
  }
}

/// Sorts the edges of a chunk by bins. A block a chunk; a counting sort, all of it in shared memory.
__global__ void sort_chunks(BinnedEdges edges, int n, const int* row_offsets, const int* neighbours) {
  extern __shared__ unsigned sorted[];  // [chunk_size] target and source of an edge
  auto* const source = reinterpret_cast<unsigned short*>(sorted + chunk_size);  // [chunk_size] of edges in rows
  auto* const place = reinterpret_cast<unsigned*>(source + chunk_size);         // [bins] next one of a bin
  const int c = static_cast<int>(blockIdx.x);
  if (c >= edges.first_chunk[edges.bins]) {
    if (threadIdx.x == 0) {
      edges.chunk[c] = {};
    }
    return;
  }
  const int rows = last_at_most(edges.first_chunk, edges.bins, c);
  const int first_row = rows << edges.bits;
  const int last_row = rows + 1 < edges.bins ? (rows + 1) << edges.bits : n;
  const int begin = row_offsets[first_row] + (c - edges.first_chunk[rows]) * chunk_size;
  const int end = row_offsets[last_row] - begin < chunk_size ? row_offsets[last_row] : begin + chunk_size;
  const int size = end - begin;
  const int first = first_row + last_at_most(row_offsets + first_row, last_row - first_row, begin);
  for (int bin = threadIdx.x; bin < edges.bins; bin += single_block_size) {
    place[bin] = 0;
  }
  const int stretch = static_cast<int>(threadIdx.x) * edges_per_thread;
  if (stretch < size) {
    int v = first + last_at_most(row_offsets + first, last_row - first, begin + stretch);
    for (int i = stretch; i < stretch + edges_per_thread && i < size; i++) {
      while (row_offsets[v + 1] <= begin + i) {
        v++;
      }
      source[i] = static_cast<unsigned short>(v - first);
    }
  }
  __syncthreads();
#pragma unroll 8
  for (int i = threadIdx.x; i < size; i += single_block_size) {
    ::atomicAdd(&place[__ldg(&neighbours[begin + i]) >> edges.bits], 1u);
  }
  __syncthreads();
  unsigned before = 0;
  for (int base = 0; base < edges.bins; base += single_block_size) {
    const int bin = base + static_cast<int>(threadIdx.x);
    int total = 0;
    const unsigned run = before + sum_before(bin < edges.bins ? static_cast<int>(place[bin]) : 0, total);
    if (bin < edges.bins) {
      place[bin] = run;
      edges.run[static_cast<std::size_t>(bin) * edges.most_chunks + c] = static_cast<unsigned short>(run);
    }
    before += total;
  }
  if (threadIdx.x == 0) {
    edges.run[static_cast<std::size_t>(edges.bins) * edges.most_chunks + c] = static_cast<unsigned short>(size);
    edges.chunk[c] = {first, source[size - 1] + 1, size};
  }
  __syncthreads();
  const unsigned in_bin = (1u << edges.bits) - 1;
#pragma unroll 8
  for (int i = threadIdx.x; i < size; i += single_block_size) {
    const int v = __ldg(&neighbours[begin + i]);
    const unsigned to = ::atomicAdd(&place[v >> edges.bits], 1u);
    sorted[to] = (static_cast<unsigned>(v) & in_bin) << 16 | source[i];
  }
  __syncthreads();
  const std::size_t base = static_cast<std::size_t>(c) * chunk_size;
  for (int i = threadIdx.x; i < size; i += single_block_size) {
    edges.source[base + i] = static_cast<unsigned short>(sorted[i]);
    edges.target[base + i] = static_cast<unsigned short>(sorted[i] >> 16);
  }
}

/// Sorts all edges of a graph.
inline void sort_into_bins(const BinnedEdges& edges, int n, const int* row_offsets, const int* neighbours) {
  const std::size_t shared_bytes =
      chunk_size * (sizeof(unsigned) + sizeof(unsigned short)) + edges.bins * sizeof(unsigned);
  const bool fits = cudaFuncSetAttribute(sort_chunks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(shared_bytes)) == cudaSuccess;
  if (!fits) {
    fail(no_resources,
         "the vertices make %d bins, which do not fit the shared memory of a block; use a style without bins",
         edges.bins);
  }
  count_chunks<<<1, single_block_size, 0, stream>>>(edges, n, row_offsets);
  if (edges.most_chunks > 0) {
    sort_chunks<<<edges.most_chunks, single_block_size, shared_bytes, stream>>>(edges, n, row_offsets, neighbours);
  }
}

/// Edges that lead to a bin, as far as one of its blocks adds them up.
struct Part {
  int bin;
  int index;  // among the parts of the bin
  int count;  // parts of the bin
};

__device__ inline Part find_part(const BinnedEdges& edges, int part) {
  const int bin = last_at_most(edges.first_part, edges.bins, part);
  const int first = __ldg(&edges.first_part[bin]);
  return {bin, part - first, __ldg(&edges.first_part[bin + 1]) - first};
}

/// Calls `take(v, value)` for every edge of a part: it leads to vertex `v` of the bin, and `value` is what `values` has for it.
/// The warps of a block take one chunk after the other, each with eight values of a thread under way.
template <typename T, typename Take>
__device__ void for_each_value(const BinnedEdges& edges, const Part& part, const T* values, Take take) {
  constexpr int runs = 4;   // chunks at a time
  constexpr int steps = 2;  // of a warp, in each of them
  const int lane = threadIdx.x % warp_size;
  const int warps = part.count * warps_per_block;
  const int warp = part.index * warps_per_block + static_cast<int>(threadIdx.x / warp_size);
  const int chunks = __ldg(&edges.first_chunk[edges.bins]);
  const unsigned short* const run = edges.run + static_cast<std::size_t>(part.bin) * edges.most_chunks;
  for (int base = warp; base < chunks; base += warps * warp_size) {
    const int c = base + lane * warps;  // each lane looks up the run of another chunk
    const int first = c < chunks ? __ldg(&run[c]) : 0;
    const int last = c < chunks ? __ldg(&run[c + edges.most_chunks]) : 0;
    for (int k = 0; k < warp_size && base + k * warps < chunks; k += runs) {
      unsigned begin[runs];
      int size[runs];
      unsigned short v[runs][steps];
      T value[runs][steps];
#pragma unroll
      for (int r = 0; r < runs; r++) {
        const int from = __shfl_sync(~0u, first, k + r);
        size[r] = __shfl_sync(~0u, last, k + r) - from;
        begin[r] = static_cast<unsigned>(base + (k + r) * warps) * chunk_size + from;
#pragma unroll
        for (int step = 0; step < steps; step++) {
          const int i = lane + step * warp_size;
          if (i < size[r]) {
            v[r][step] = __ldg(&edges.target[begin[r] + i]);
            value[r][step] = __ldg(&values[begin[r] + i]);
          }
        }
      }
#pragma unroll
      for (int r = 0; r < runs; r++) {
#pragma unroll
        for (int step = 0; step < steps; step++) {
          if (lane + step * warp_size < size[r]) {
            take(v[r][step], value[r][step]);
          }
        }
      }
      for (int r = 0; r < runs; r++) {  // what is left of long runs
#pragma unroll 4
        for (int i = lane + steps * warp_size; i < size[r]; i += warp_size) {
          take(__ldg(&edges.target[begin[r] + i]), __ldg(&values[begin[r] + i]));
        }
      }
    }
  }
}

/// Whether this block is the last one of its bin to come here in an iteration: then it sees what the others have written
/// before. All threads take part.
__device__ inline bool is_last_part(const BinnedEdges& edges, const Part& part) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = ::atomicAdd(&edges.arrivals[part.bin], 1u) + 1 == static_cast<unsigned>(part.count);
    if (last) {
      edges.arrivals[part.bin] = 0;
    }
  }
  __syncthreads();
  __threadfence();
  return last;
}

}  // namespace gpu
}  // namespace violet
