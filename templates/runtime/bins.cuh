// Edges by bins of the vertices that they lead to, for programs that send a value along every edge again and again: the sums
// of the vertices of a bin fit the shared memory of a block (propagation blocking: Beamer, Asanovic and Patterson, 2017).
#pragma once

#include "scan.cuh"

namespace violet {
inline namespace gpu {

/// Vertices of a bin, as a power of two, if each has a value of type T.
template <typename T>
constexpr int bin_bits = sizeof(T) == 4 ? 13 : 12;
template <typename T>
constexpr int bin_size = 1 << bin_bits<T>;

constexpr int edges_in_chunk = 32768;  // that a block sorts in its shared memory
constexpr int edges_in_part = 131072;  // of a bin that a block adds up; there are more blocks if a bin has more
constexpr int edges_per_thread = 33;   // odd, so that threads write to different banks of shared memory

/// Edges that follow each other in the rows of at most a bin of vertices.
struct Chunk {
  int first;    // vertex that the first of them begins at
  int sources;  // vertices from there on to that of the last one
  int begin;    // the first edge
  int size;     // edges; in an unused chunk, none
};

/// Edges in two orders: by chunks and, within those, by bins; and by bins and, within those, by chunks. Those of a chunk that
/// lead to the same bin are a run, together in both.
struct BinnedEdges {
  int bits;  // as bin_bits
  int bins;
  int most_chunks;     // as many as there may be
  int most_parts;      // of all bins
  int* first_chunk;    // [bins + 1] first chunk with edges that begin in a bin
  int* first_part;     // [bins + 1] first part of a bin
  unsigned* arrivals;  // [bins] parts of a bin that have been added up in an iteration, if there are several
  Chunk* chunk;        // [most_chunks]
  int* shift;          // [most_chunks][bins] from a run in its chunk to where it is by bins
  int* place;          // [bins][most_chunks] where a run begins among all edges by bins; then their number
  int* scanned;        // [most_chunks of scan.cuh] working memory of prefix sums
  ushort2* edge;       // [m] by chunks: where an edge begins, as a vertex of its chunk, and the bin that it leads to
  unsigned short* target;  // [m] by bins: where it ends, as the place of a vertex in its bin
};

/// Memory for the edges of a graph, which sort_into_bins fills.
inline BinnedEdges make_bins(const Graph& graph, int bits, Memory& memory) {
  BinnedEdges edges = {};
  const int m = static_cast<int>(graph.m);
  edges.bits = bits;
  edges.bins = (graph.n >> bits) + 1;
  edges.most_chunks = m / edges_in_chunk + edges.bins;
  edges.most_parts = m / edges_in_part + edges.bins;
  const std::size_t runs = static_cast<std::size_t>(edges.bins) * edges.most_chunks;
  edges.first_chunk = memory.allocate<int>(edges.bins + 1);
  edges.first_part = memory.allocate<int>(edges.bins + 1);
  edges.arrivals = memory.allocate<unsigned>(edges.bins);
  edges.chunk = memory.allocate<Chunk>(edges.most_chunks);
  edges.shift = memory.allocate<int>(runs);
  edges.place = memory.allocate<int>(runs + 1);
  edges.scanned = memory.allocate<int>(most_chunks);
  edges.edge = memory.allocate<ushort2>(m);
  edges.target = memory.allocate<unsigned short>(m);
  return edges;
}

/// How many of `count` ascending values, value(0) and so on, are at most `limit`.
template <typename Value>
__device__ int count_at_most(int limit, int count, Value value) {
  int low = 0;
  int high = count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (value(middle) <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Where a bin keeps what is of one of its vertices, or of which vertex it keeps it there. High bits of the number also choose
/// the bank of shared memory: those of hubs have few bits set where graphs are self-similar, as R-MAT is.
__host__ __device__ inline int spread(int v) { return v ^ ((v >> 5 ^ v >> 10) & (warp_size - 1)); }

/// Where the edges to a bin are among all by bins, chunk by chunk; then where those to the next bin begin.
__device__ inline int* places_of(const BinnedEdges& edges, int bin) {
  return edges.place + static_cast<std::size_t>(bin) * edges.most_chunks;
}

/// The first vertex of a bin, for the one after the last bin, too.
__device__ inline int first_vertex(const BinnedEdges& edges, int bin, int n) { return min(bin << edges.bits, n); }

/// Chunks of the edges that begin in a bin.
struct ChunksFromBin {
  BinnedEdges edges;
  int n;
  const int* row_offsets;

  __device__ int operator()(int bin) const {
    const int size = row_offsets[first_vertex(edges, bin + 1, n)] - row_offsets[first_vertex(edges, bin, n)];
    return size / edges_in_chunk + (size % edges_in_chunk != 0);
  }
};

/// Parts of the edges that lead to a bin; vertices without edges need one, too.
struct PartsOfBin {
  BinnedEdges edges;

  __device__ int operator()(int bin) const {
    const int* const first = places_of(edges, bin);
    return (first[edges.most_chunks] - *first) / edges_in_part + 1;
  }
};

/// Edges of a run, where they are counted.
struct LengthOfRun {
  const int* lengths;

  __device__ int operator()(int i) const { return lengths[i]; }
};

/// Finds the edges of every chunk, in all rows of a bin, and how many of them lead to each bin. A block a chunk.
__global__ void count_runs(BinnedEdges edges, int n, const int* row_offsets, const int* neighbours) {
  extern __shared__ int lengths[];  // [bins]
  const int c = static_cast<int>(blockIdx.x);
  Chunk chunk = {};
  if (c < edges.first_chunk[edges.bins]) {
    const int bin = count_at_most(c, edges.bins, [&](int bin) { return edges.first_chunk[bin]; }) - 1;
    const int first = first_vertex(edges, bin, n);
    const int last = first_vertex(edges, bin + 1, n);
    const int begin = row_offsets[first] + (c - edges.first_chunk[bin]) * edges_in_chunk;
    chunk = {first, last - first, begin, min(row_offsets[last] - begin, edges_in_chunk)};
  }
  for (int bin = threadIdx.x; bin < edges.bins; bin += single_block_size) {
    lengths[bin] = 0;
  }
  __syncthreads();
#pragma unroll 8
  for (int i = threadIdx.x; i < chunk.size; i += single_block_size) {
    ::atomicAdd(&lengths[__ldg(&neighbours[chunk.begin + i]) >> edges.bits], 1);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < edges.bins; bin += single_block_size) {
    places_of(edges, bin)[c] = lengths[bin];
  }
  if (threadIdx.x == 0) {
    edges.chunk[c] = chunk;
  }
}

/// Sorts the edges of a chunk by bins. A block a chunk; a counting sort, all of it in shared memory.
__global__ void sort_chunks(BinnedEdges edges, const int* row_offsets, const int* neighbours) {
  constexpr int warps = single_block_size / warp_size;
  extern __shared__ unsigned sorted[];  // [edges_in_chunk] target and source of an edge
  auto* const source = reinterpret_cast<unsigned short*>(sorted + edges_in_chunk);  // [edges_in_chunk] in rows
  auto* const next = reinterpret_cast<int*>(source + edges_in_chunk);               // [bins] place of the next edge
  __shared__ int first;
  const int c = static_cast<int>(blockIdx.x);
  const Chunk chunk = edges.chunk[c];
  if (chunk.size == 0) {
    return;
  }
  int before = 0;
  for (int base = 0; base < edges.bins; base += single_block_size) {
    const int bin = base + static_cast<int>(threadIdx.x);
    const int length = bin < edges.bins ? places_of(edges, bin)[c + 1] - places_of(edges, bin)[c] : 0;
    int total = 0;
    const int begin = before + sum_before<int, warps>(length, total);
    if (bin < edges.bins) {
      next[bin] = begin;
    }
    before += total;
  }
  const int stretch = static_cast<int>(threadIdx.x) * edges_per_thread;
  const int* const ends = row_offsets + chunk.first + 1;
  int row = count_at_most(chunk.begin + stretch, chunk.sources, [ends](int row) { return ends[row]; });
  if (threadIdx.x == 0) {
    first = row;
  }
  __syncthreads();
  for (int i = stretch; i < stretch + edges_per_thread && i < chunk.size; i++) {
    while (ends[row] <= chunk.begin + i) {
      row++;
    }
    source[i] = static_cast<unsigned short>(row - first);
  }
  __syncthreads();
  const int in_bin = (1 << edges.bits) - 1;
#pragma unroll 8
  for (int i = threadIdx.x; i < chunk.size; i += single_block_size) {
    const int v = __ldg(&neighbours[chunk.begin + i]);
    const int to = ::atomicAdd(&next[v >> edges.bits], 1);
    sorted[to] = static_cast<unsigned>(spread(v & in_bin)) << 16 | source[i];
  }
  if (threadIdx.x == 0) {
    edges.chunk[c] = {chunk.first + first, source[chunk.size - 1] + 1, chunk.begin, chunk.size};
  }
  __syncthreads();
  // Now `next` has the ends of runs. A warp takes one after the other, each of which another lane has looked up.
  const int lane = static_cast<int>(threadIdx.x % warp_size);
  const int warp = static_cast<int>(threadIdx.x / warp_size);
  for (int base = warp; base < edges.bins; base += single_block_size) {
    const int own = base + lane * warps;
    const int own_begin = own > 0 && own < edges.bins ? next[own - 1] : 0;
    const int own_end = own < edges.bins ? next[own] : 0;
    const int own_shift = own < edges.bins ? places_of(edges, own)[c] - own_begin : 0;
    if (own < edges.bins) {
      edges.shift[static_cast<std::size_t>(c) * edges.bins + own] = own_shift;
    }
    for (int k = 0; k < warp_size; k++) {
      const int begin = __shfl_sync(~0u, own_begin, k);
      const int end = __shfl_sync(~0u, own_end, k);
      const int shift = __shfl_sync(~0u, own_shift, k);
      const auto bin = static_cast<unsigned short>(base + k * warps);
      for (int i = begin + lane; i < end; i += warp_size) {
        edges.edge[chunk.begin + i] = {static_cast<unsigned short>(sorted[i]), bin};
        edges.target[shift + i] = static_cast<unsigned short>(sorted[i] >> 16);
      }
    }
  }
}

/// Sorts all edges of a graph.
inline void sort_into_bins(const BinnedEdges& edges, int n, const int* row_offsets, const int* neighbours) {
  const std::size_t counter_bytes = edges.bins * sizeof(int);
  const std::size_t shared_bytes = edges_in_chunk * (sizeof(unsigned) + sizeof(unsigned short)) + counter_bytes;
  const bool fits = cudaFuncSetAttribute(sort_chunks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(shared_bytes)) == cudaSuccess;
  if (!fits) {
    fail(no_resources,
         "the vertices make %d bins, which do not fit the shared memory of a block; use a style without bins",
         edges.bins);
  }
  check(cudaMemsetAsync(edges.arrivals, 0, edges.bins * sizeof(unsigned), stream), "clear GPU memory");
  exclusive_scan(ChunksFromBin{edges, n, row_offsets}, edges.bins, edges.first_chunk, edges.scanned);
  count_runs<<<edges.most_chunks, single_block_size, counter_bytes, stream>>>(edges, n, row_offsets, neighbours);
  exclusive_scan(LengthOfRun{edges.place}, edges.bins * edges.most_chunks, edges.place, edges.scanned);
  exclusive_scan(PartsOfBin{edges}, edges.bins, edges.first_part, edges.scanned);
  sort_chunks<<<edges.most_chunks, single_block_size, shared_bytes, stream>>>(edges, row_offsets, neighbours);
}

/// Calls `take(place, u)` for every edge of a chunk: it begins at vertex `u` of the chunk, and `place` is where it is by bins.
/// All threads of a block take part, each with four edges under way.
template <typename Take>
__device__ void for_each_edge(const BinnedEdges& edges, int c, const Chunk& chunk, Take take) {
  constexpr int steps = 4;
  const int* const shift = edges.shift + static_cast<std::size_t>(c) * edges.bins;
  for (int base = threadIdx.x; base < chunk.size; base += steps * block_size) {
    ushort2 edge[steps];
    int place[steps];
#pragma unroll
    for (int step = 0; step < steps; step++) {
      const int i = base + step * block_size;
      if (i < chunk.size) {
        edge[step] = __ldg(&edges.edge[chunk.begin + i]);
      }
    }
#pragma unroll
    for (int step = 0; step < steps; step++) {
      const int i = base + step * block_size;
      if (i < chunk.size) {
        place[step] = __ldg(&shift[edge[step].y]) + i;
      }
    }
#pragma unroll
    for (int step = 0; step < steps; step++) {
      if (base + step * block_size < chunk.size) {
        take(place[step], edge[step].x);
      }
    }
  }
}

/// Edges that lead to a bin, as far as one of its blocks adds them up.
struct Part {
  int bin;
  int count;  // parts of the bin
  int begin;  // the first of these edges by bins
  int end;
};

__device__ inline Part find_part(const BinnedEdges& edges, int p) {
  const int bin = count_at_most(p, edges.bins, [&](int bin) { return edges.first_part[bin]; }) - 1;
  const int index = p - edges.first_part[bin];
  const int count = edges.first_part[bin + 1] - edges.first_part[bin];
  const int* const first = places_of(edges, bin);
  const int size = (first[edges.most_chunks] - *first) / count + 1;
  const int begin = min(*first + index * size, first[edges.most_chunks]);
  return {bin, count, begin, min(begin + size, first[edges.most_chunks])};
}

/// Calls `take(i, value)` for every edge of a part: it leads to the vertex whose place in the bin is `i`, and `value` is what
/// `values` has for it. All threads of a block take part, each with four values under way.
template <typename T, typename Take>
__device__ void for_each_value(const BinnedEdges& edges, const Part& part, const T* values, Take take) {
  constexpr int steps = 4;
  for (int base = part.begin + static_cast<int>(threadIdx.x); base < part.end; base += steps * block_size) {
    unsigned short v[steps];
    T value[steps];
#pragma unroll
    for (int step = 0; step < steps; step++) {
      const int i = base + step * block_size;
      if (i < part.end) {
        v[step] = __ldg(&edges.target[i]);
        value[step] = __ldg(&values[i]);
      }
    }
#pragma unroll
    for (int step = 0; step < steps; step++) {
      if (base + step * block_size < part.end) {
        take(v[step], value[step]);
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
