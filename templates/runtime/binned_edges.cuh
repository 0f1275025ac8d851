// Edges by bins of the vertices that they lead to, for programs that send a number along every edge again and again: the sums
// of the vertices of a bin fit the shared memory of a block (propagation blocking: Beamer, Asanovic and Patterson, 2017).
//
// What is our own: edges are also sorted by stripes of the vertices that they begin at, within chunks of a bin, so that what is
// given to an edge lies where the edge lies and both ends take 16 bits; and a message is by how much a value has changed since
// it was told last, rounded to few bits, where what rounding leaves out is told later (differences with feedback).
#pragma once

#include <limits>

#include "scan.cuh"

namespace violet {
inline namespace gpu {

constexpr int bin_bits = 13;
constexpr int bin_size = 1 << bin_bits;           // vertices of a bin, whose sums take 32 KB of shared memory
constexpr int bin_places = bin_size + warp_size;  // ... and what leads to no vertex, which has a place in every bank
constexpr int stripe_bits = 16;
constexpr int stripe_size = 1 << stripe_bits;  // vertices of a stripe, of which an edge has a place in 16 bits
constexpr int unit = 8;                        // edges that a thread takes at once
constexpr int region = 16384;                  // places that a chunk has for its edges
constexpr int region_units = region / unit;
constexpr int chunks_in_part = 4;  // of a bin that a block adds up; there are more blocks if a bin has more
constexpr int adders_each = 5;     // blocks that add up bins, on a multiprocessor: six leave little L1 cache
constexpr int sort_size = 512;     // threads that sort a chunk
constexpr int counters_each = 4;   // of a stripe, for lanes that count edges of the same one
constexpr int going_units = 12;    // that can be given in the time that it takes to go to another run (H200)

// ---- Messages ------------------------------------------------------------------------------------------------------

/// A whole number of 16 bits, as a message.
using fixed16 = unsigned short;

/// A whole number with a sign, four bits of exponent and three of mantissa, as a message: 0 to 8, 9, ..., 15, 16, 18, ..., 30,
/// 32, 36, .... These are the digits of the 8-bit format E4M3 (Micikevicius et al., 2022), with other exponents.
using float8 = unsigned char;

/// The largest number that a message can say: a part adds up no more than a 32-bit integer can hold, whatever the graph.
template <typename Message>
constexpr int largest_number = 32767;
template <>
inline constexpr int largest_number<float8> = 15 << 11;
static_assert(static_cast<long long>(chunks_in_part) * region * 32767 <= 0x7fffffff);

/// The number that a message says.
__device__ inline int number(fixed16 message) { return static_cast<short>(message); }
__device__ inline int number(float8 message) {
  const int exponent = message >> 3 & 15;
  const int mantissa = message & 7;
  const int size = exponent > 0 ? (mantissa | 8) << (exponent - 1) : mantissa;
  return (message & 128) != 0 ? -size : size;
}

/// The message whose number is nearest to x; what is beyond the largest number is told as that.
template <typename Message>
__device__ Message nearest(float x) {
  constexpr float most = largest_number<Message>;
  const float size = fminf(fabsf(x), most);
  if constexpr (sizeof(Message) == sizeof(fixed16)) {
    return static_cast<fixed16>(__float2int_rn(x < 0 ? -size : size));
  } else {
    unsigned code = 0;
    if (size < 8) {
      code = static_cast<unsigned>(__float2int_rn(size));
    } else {  // the exponent and the first digits of a float, rounded to even, are the code but for a constant
      const unsigned bits = __float_as_uint(size);
      code = ((bits + 0x7ffff + (bits >> 20 & 1)) >> 20) - ((127 + 3) << 3) + 8;
    }
    return static_cast<float8>(code | (x < 0 ? 128 : 0));
  }
}

// As many numbers of 16 or 8 bits as a unit has edges, loaded at once.
template <typename Message>
struct UnitOf {
  using type = uint4;
};
template <>
struct UnitOf<float8> {
  using type = uint2;
};

__device__ inline unsigned at(const uint4& numbers, int k) {
  const unsigned word = k < 2 ? numbers.x : k < 4 ? numbers.y : k < 6 ? numbers.z : numbers.w;
  return word >> (k % 2 * 16) & 0xffff;
}
__device__ inline unsigned at(const uint2& numbers, int k) {
  const unsigned word = k < 4 ? numbers.x : numbers.y;
  return word >> (k % 4 * 8) & 0xff;
}

/// Writes one of them, which is 0.
__device__ inline void put(uint4& numbers, int k, unsigned number) {
  unsigned& word = k < 2 ? numbers.x : k < 4 ? numbers.y : k < 6 ? numbers.z : numbers.w;
  word |= number << (k % 2 * 16);
}
__device__ inline void put(uint2& numbers, int k, unsigned number) {
  unsigned& word = k < 4 ? numbers.x : numbers.y;
  word |= number << (k % 4 * 8);
}

// ---- Edges ---------------------------------------------------------------------------------------------------------

/// A chunk has edges that follow each other in the rows of a bin, where they come in, sorted by stripes. Those from the same
/// stripe are a run, which fills whole units: places without an edge lead to sums that nobody asks for.
template <typename Message>
struct BinnedEdges {
  int tellers;  // vertices that edges begin at
  int bins;
  int stripes;
  int chunk_edges;     // of a chunk, at most: so many that the runs of all stripes fit its region
  int chunk_capacity;  // as many chunks as there may be
  int part_capacity;   // ... and parts, of all bins
  int givers;          // blocks that give
  int* first_chunk;    // [bins + 1] first chunk of a bin
  int* first_part;     // [bins + 1] first part of a bin
  unsigned* arrivals;  // [bins] parts of a bin that have been added up in an iteration, if there are several
  unsigned* run;     // [stripes][chunk_capacity] where a run begins in its chunk, times 2^16, and its length, in units
  int* cost_before;  // [stripes * chunk_capacity + 1] of all runs before one
  int* first_run;    // [givers + 1] of the runs that a block gives
  int* size;         // [chunk_capacity] units of a chunk
  int* scanned;      // [most_chunks of scan.cuh] working memory of prefix sums
  unsigned short* source;  // [chunk_capacity][region] where an edge begins, as the place of a vertex in its stripe
  unsigned short* target;  // [chunk_capacity][region] where it ends, as the place of a vertex in its bin
  Message* given;          // [chunk_capacity][region] what flows along it
  Message* message;        // [tellers] what flows from a vertex, and zeros up to a whole word of 16 bytes
};

/// Blocks that give on a multiprocessor, which have the messages of a stripe in shared memory, and their threads.
template <typename Message>
constexpr int givers_each = sizeof(Message) == 1 ? 3 : 1;
template <typename Message>
constexpr int giver_size = sizeof(Message) == 1 ? 512 : 1024;

/// Memory for the edges of a graph, which sort_into_bins fills, and for what flows along them. Of a part of a graph, edges
/// lead to its own vertices, and begin at copies, too.
template <typename Message, typename Rows>
BinnedEdges<Message> make_bins(const Rows& graph, Memory& memory) {
  int told = graph.n;
  if constexpr (requires { graph.own; }) {
    told = graph.own;
  }
  BinnedEdges<Message> edges = {};
  edges.tellers = graph.n;
  edges.bins = (told >> bin_bits) + 1;
  edges.stripes = (graph.n >> stripe_bits) + 1;
  edges.chunk_edges = region - unit * edges.stripes;
  if (edges.chunk_edges < region / 4) {
    fail(no_resources, "the vertices make %d stripes, whose runs do not fit a chunk of edges; use a style without bins",
         edges.stripes);
  }
  const auto chunks = static_cast<std::size_t>(graph.m / edges.chunk_edges) + edges.bins;
  const std::size_t runs = chunks * edges.stripes;
  const std::size_t units = chunks * region_units;
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (units > most || 2 * runs + units / going_units > most) {  // places in a stripe, and what all runs cost
    fail(no_resources,
         "edges would make %zu runs in %zu chunks, too many for numbers of 32 bits; use a style without bins", runs,
         chunks);
  }
  edges.chunk_capacity = static_cast<int>(chunks);
  edges.part_capacity = edges.chunk_capacity / chunks_in_part + edges.bins;
  edges.givers = givers_each<Message> * multiprocessors();
  const std::size_t places = static_cast<std::size_t>(edges.chunk_capacity) * region;
  edges.first_chunk = memory.allocate<int>(edges.bins + 1);
  edges.first_part = memory.allocate<int>(edges.bins + 1);
  edges.arrivals = memory.allocate<unsigned>(edges.bins);
  edges.run = memory.allocate<unsigned>(runs);
  edges.cost_before = memory.allocate<int>(runs + 1);
  edges.first_run = memory.allocate<int>(edges.givers + 1);
  edges.size = memory.allocate<int>(edges.chunk_capacity);
  edges.scanned = memory.allocate<int>(most_chunks);
  edges.source = memory.allocate<unsigned short>(places);
  edges.target = memory.allocate<unsigned short>(places);
  edges.given = memory.allocate<Message>(places);
  edges.message = memory.allocate<Message>(graph.n + sizeof(uint4));
  return edges;
}

/// How many of `count` ascending values, value(0) and so on, are at most `limit`. All lanes of a warp take part.
template <typename Limit, typename Value>
__device__ int count_at_most(Limit limit, int count, Value value) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  int low = 0;
  int high = count;
  while (low < high) {
    const int step = (high - low - 1) / warp_size + 1;
    const int i = low + lane * step;
    const int found = __popc(__ballot_sync(~0u, i < high && value(i) <= limit));
    if (found == 0) {
      return low;
    }
    high = min(high, low + found * step);
    low += (found - 1) * step + 1;
  }
  return low;
}

/// Where a bin keeps what is of one of its vertices, or of which vertex it keeps it there. High bits of the number also choose
/// the bank of shared memory: those of hubs have few bits set where graphs are self-similar, as R-MAT is.
__host__ __device__ inline int spread(int v) { return v ^ ((v >> 5 ^ v >> 10) & (warp_size - 1)); }

/// The first vertex of a bin, for the one after the last bin, too.
__device__ inline int first_vertex(int bin, int n) { return min(bin << bin_bits, n); }

/// Chunks of the edges that lead to a bin.
template <typename Edge>
struct ChunksOfBin {
  int n;
  int chunk_edges;
  const Edge* row_offsets;

  __device__ int operator()(int bin) const {
    const Edge size = row_offsets[first_vertex(bin + 1, n)] - row_offsets[first_vertex(bin, n)];
    return static_cast<int>(size / chunk_edges) + (size % chunk_edges != 0);
  }
};

/// Parts of a bin; vertices without edges need one, too.
struct PartsOfBin {
  const int* first_chunk;

  __device__ int operator()(int bin) const {
    return max(first_chunk[bin + 1] - first_chunk[bin] - 1, 0) / chunks_in_part + 1;
  }
};

/// What it costs to give a run its messages, in steps of as many units as going there costs.
struct CostOfRun {
  const unsigned* run;

  __device__ int operator()(int r) const {
    const int units = static_cast<int>(run[r] & 0xffff);
    return units > 0 ? (units - 1) / going_units + 2 : 0;
  }
};

/// Sorts the edges of a chunk by stripes. A block a chunk; a counting sort, all of it in shared memory.
template <typename Message, typename Edge>
__global__ void __launch_bounds__(sort_size, 1024 / sort_size)
    sort_chunks(BinnedEdges<Message> edges, int n, const Edge* row_offsets, const int* neighbours) {
  constexpr int warps = sort_size / warp_size;
  constexpr int edges_each = region / sort_size;
  extern __shared__ uint4 shared[];
  auto* const heads =
      reinterpret_cast<unsigned short*>(shared);  // [region] the row that begins at an edge, counted from 1
  auto* const source = heads + region;            // [region] as in edges
  auto* const target = source + region;           // [region]
  auto* const next = reinterpret_cast<int*>(target + region);  // [stripes][counters_each] place of the next edge
  __shared__ int last_head[warps];
  const int c = static_cast<int>(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % warp_size;
  const int warp = thread / warp_size;
  if (c >= edges.first_chunk[edges.bins]) {  // there is no such chunk
    for (int stripe = thread; stripe < edges.stripes; stripe += sort_size) {
      edges.run[static_cast<std::size_t>(stripe) * edges.chunk_capacity + c] = 0;
    }
    if (thread == 0) {
      edges.size[c] = 0;
    }
    return;
  }
  const int bin = count_at_most(c, edges.bins, [&](int bin) { return edges.first_chunk[bin]; }) - 1;
  const int first = first_vertex(bin, n);
  const int rows = first_vertex(bin + 1, n) - first;
  const Edge* const begins = row_offsets + first;
  const Edge begin = begins[0] + static_cast<Edge>(c - edges.first_chunk[bin]) * edges.chunk_edges;
  const int size = static_cast<int>(min(begins[rows] - begin, static_cast<Edge>(edges.chunk_edges)));
  // A warp has edges that follow each other, so that it finds their rows by itself.
  const int own = warp * (warp_size * edges_each) + lane;
  int u[edges_each];
#pragma unroll
  for (int j = 0; j < edges_each; j++) {
    const int i = own + j * warp_size;
    u[j] = i < size ? __ldg(&neighbours[begin + i]) : 0;
  }
  for (int i = thread; i < region_units; i += sort_size) {
    shared[i] = uint4{0, 0, 0, 0};  // heads
  }
  for (int i = thread; i < edges.stripes * counters_each; i += sort_size) {
    next[i] = 0;
  }
  __syncthreads();
  const int first_row = count_at_most(begin, rows, [&](int row) { return begins[row]; }) - 1;
  for (int row = first_row + thread; row < rows; row += sort_size) {
    const Edge from = max(begins[row], begin);
    if (from >= begin + size) {
      break;
    }
    if (begins[row + 1] > from) {
      heads[from - begin] = static_cast<unsigned short>(row + 1);
    }
  }
#pragma unroll
  for (int j = 0; j < edges_each; j++) {
    if (own + j * warp_size < size) {
      ::atomicAdd(&next[(u[j] >> stripe_bits) * counters_each + lane % counters_each], 1);
    }
  }
  __syncthreads();
  int head = 0;
#pragma unroll
  for (int j = 0; j < edges_each; j++) {
    head = max(head, static_cast<int>(heads[own + j * warp_size]));
  }
  head = combine_lanes<warp_size>(head, Maximum{});
  if (lane == 0) {
    last_head[warp] = head;
  }
  // Where runs begin. Places without an edge lead to sums after those of the bin.
  int units = 0;
  for (int base = 0; base < edges.stripes; base += sort_size) {
    const int stripe = base + thread;
    int count[counters_each];
    int length = 0;
    for (int j = 0; j < counters_each; j++) {
      count[j] = stripe < edges.stripes ? next[stripe * counters_each + j] : 0;
      length += count[j];
    }
    const int run_units = (length + unit - 1) / unit;
    int total = 0;
    const int first_unit = units + sum_before<int, warps>(run_units, total);
    if (stripe < edges.stripes) {
      int place = first_unit * unit;
      for (int j = 0; j < counters_each; j++) {
        next[stripe * counters_each + j] = place;
        place += count[j];
      }
      edges.run[static_cast<std::size_t>(stripe) * edges.chunk_capacity + c] =
          static_cast<unsigned>(first_unit) << 16 | static_cast<unsigned>(run_units);
      for (; place < (first_unit + run_units) * unit; place++) {
        source[place] = 0;
        target[place] = static_cast<unsigned short>(bin_size + stripe % warp_size);
      }
    }
    units += total;
  }
  __syncthreads();
  // The row of an edge is the last one that begins there or before.
  int row = 0;
  for (int w = 0; w < warp; w++) {
    row = max(row, last_head[w]);
  }
#pragma unroll
  for (int j = 0; j < edges_each; j++) {
    const int i = own + j * warp_size;
    const int begun = heads[i];
    const unsigned up_to_here = __ballot_sync(~0u, begun != 0) & ((2u << lane) - 1);
    const int latest = __shfl_sync(~0u, begun, up_to_here != 0 ? 31 - __clz(static_cast<int>(up_to_here)) : lane);
    const int here = up_to_here != 0 ? latest : row;
    row = __shfl_sync(~0u, here, warp_size - 1);
    if (i < size) {
      const int place = ::atomicAdd(&next[(u[j] >> stripe_bits) * counters_each + lane % counters_each], 1);
      source[place] = static_cast<unsigned short>(u[j] & (stripe_size - 1));
      target[place] = static_cast<unsigned short>(spread(here - 1));
    }
  }
  __syncthreads();
  auto* const sources = reinterpret_cast<uint4*>(edges.source) + static_cast<std::size_t>(c) * region_units;
  auto* const targets = reinterpret_cast<uint4*>(edges.target) + static_cast<std::size_t>(c) * region_units;
  for (int i = thread; i < units; i += sort_size) {
    sources[i] = shared[region_units + i];
    targets[i] = shared[2 * region_units + i];
  }
  if (thread == 0) {
    edges.size[c] = units;
  }
}

/// Divides all runs among the blocks that give: by what they cost, as far as whole runs allow.
template <typename Message>
__global__ void divide_runs(BinnedEdges<Message> edges) {
  const int giver = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  const int runs = edges.stripes * edges.chunk_capacity;
  if (giver > edges.givers) {
    return;
  }
  const auto before = static_cast<int>(static_cast<long long>(edges.cost_before[runs]) * giver / edges.givers);
  int low = 0;
  int high = giver == edges.givers ? 0 : runs;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (edges.cost_before[middle] < before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  edges.first_run[giver] = giver == edges.givers ? runs : low;
}

/// Lets blocks of a kernel have so many bytes of shared memory, which a launch asks for.
template <typename Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "get shared memory");
}

/// Gives edges their messages, see `give`: a block has the messages of one stripe after the other, as its runs need them. A
/// warp takes up to as many runs at a time as it has lanes, which share out the units of all of them, as runs may be short.
template <typename Message>
__global__ void __launch_bounds__(giver_size<Message>, givers_each<Message>)
    give_messages(BinnedEdges<Message> edges, int n) {
  using messages_t = typename UnitOf<Message>::type;
  constexpr int steps = 2;   // units that a thread has under way
  constexpr int rounds = 4;  // that warps take at least, if there are runs enough, for all to end at a time
  constexpr int threads = giver_size<Message>;
  constexpr int warps = threads / warp_size;
  constexpr int in_word = static_cast<int>(sizeof(uint4) / sizeof(Message));
  extern __shared__ uint4 words[];
  __shared__ int shifts[threads];  // of a warp's runs that have units: from a unit's number to its place
  const auto* const messages = reinterpret_cast<const Message*>(words);  // [stripe_size] of a stripe
  const auto* const sources = reinterpret_cast<const uint4*>(edges.source);
  auto* const given = reinterpret_cast<messages_t*>(edges.given);
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % warp_size;
  const unsigned lanes_before = (1u << lane) - 1;
  int* const shift_of = shifts + (thread - lane);
  int begin = __ldg(&edges.first_run[blockIdx.x]);
  const int end = __ldg(&edges.first_run[blockIdx.x + 1]);
  while (begin < end) {
    const int stripe = begin / edges.chunk_capacity;
    const int before = stripe * edges.chunk_capacity;  // runs of other stripes
    const int stop = min(end, before + edges.chunk_capacity);
    const int first = stripe << stripe_bits;
    const auto* const from = reinterpret_cast<const uint4*>(edges.message + first);
    const int size = (min(stripe_size, n - first) - 1) / in_word + 1;
    __syncthreads();
#pragma unroll 8
    for (int i = thread; i < size; i += threads) {
      const uint4 word = __ldg(&from[i]);
      words[i] = word;
    }
    __syncthreads();
    const int each = max(1, min((stop - begin) / (warps * rounds), warp_size));
    for (int base = begin + thread / warp_size * each; base < stop; base += warps * each) {
      const unsigned run = lane < min(each, stop - base) ? __ldg(&edges.run[base + lane]) : 0;
      const int length = static_cast<int>(run & 0xffff);
      const int up_to_here = sum_up_to_lane(length);
      const int total = __shfl_sync(~0u, up_to_here, warp_size - 1);
      const int first_unit = up_to_here - length;
      const unsigned with_units = __ballot_sync(~0u, length > 0);
      if (length > 0) {
        const int place = (base + lane - before) * region_units + static_cast<int>(run >> 16);
        shift_of[__popc(with_units & lanes_before)] = place - first_unit;
      }
      __syncwarp();
      int latest = -1;  // of these runs, that has begun
      for (int window = 0; window < total; window += steps * warp_size) {
        int place[steps];
        uint4 source[steps];
#pragma unroll
        for (int step = 0; step < steps; step++) {
          const int i = window + step * warp_size;
          const bool begins = length > 0 && first_unit >= i && first_unit < i + warp_size;
          const unsigned begun = warp_or(begins ? 1u << (first_unit - i) : 0u);
          place[step] = shift_of[latest + __popc(begun & (lanes_before << 1 | 1))] + i + lane;
          latest += __popc(begun);
          if (i + lane < total) {
            source[step] = __ldg(&sources[place[step]]);
          }
        }
#pragma unroll
        for (int step = 0; step < steps; step++) {
          if (window + step * warp_size + lane < total) {
            messages_t unit_of_messages = {};
#pragma unroll
            for (int j = 0; j < unit; j++) {
              put(unit_of_messages, j, messages[at(source[step], j)]);
            }
            given[place[step]] = unit_of_messages;
          }
        }
      }
      __syncwarp();
    }
    begin = stop;
  }
}

/// Sorts all edges of a graph, of which `row_offsets` and `neighbours` are the rows of edges that come in, of `n` vertices.
template <typename Message, typename Edge>
void sort_into_bins(const BinnedEdges<Message>& edges, int n, const Edge* row_offsets, const int* neighbours) {
  const std::size_t shared_bytes =
      3 * region * sizeof(unsigned short) + static_cast<std::size_t>(edges.stripes) * counters_each * sizeof(int);
  allow_shared_memory(sort_chunks<Message, Edge>, shared_bytes);
  allow_shared_memory(give_messages<Message>, stripe_size * sizeof(Message));
  check(cudaMemsetAsync(edges.arrivals, 0, edges.bins * sizeof(unsigned), stream), "clear GPU memory");
  check(cudaMemsetAsync(edges.message + edges.tellers, 0, sizeof(uint4), stream),
        "clear GPU memory");  // up to a whole word
  exclusive_scan(ChunksOfBin<Edge>{n, edges.chunk_edges, row_offsets}, edges.bins, edges.first_chunk, edges.scanned);
  exclusive_scan(PartsOfBin{edges.first_chunk}, edges.bins, edges.first_part, edges.scanned);
  sort_chunks<<<edges.chunk_capacity, sort_size, shared_bytes, stream>>>(edges, n, row_offsets, neighbours);
  exclusive_scan(CostOfRun{edges.run}, edges.stripes * edges.chunk_capacity, edges.cost_before, edges.scanned);
  divide_runs<Message><<<blocks_for(edges.givers + 1, block_size), block_size, 0, stream>>>(edges);
}

/// Gives every edge the message of the vertex that it begins at. Reads and writes of global memory are in order; messages are
/// looked up in shared memory. The host does not wait for it.
template <typename Message>
void give(const BinnedEdges<Message>& edges, int n) {
  constexpr int threads = giver_size<Message>;
  constexpr std::size_t shared_bytes = stripe_size * sizeof(Message);
  give_messages<Message><<<edges.givers, threads, shared_bytes, stream>>>(edges, n);
}

/// Chunks of a bin, as far as one block adds them up.
struct PartOfBin {
  int bin;
  int count;  // parts of the bin
  int begin;  // the first chunk
  int end;
};

template <typename Message>
__device__ PartOfBin find_part(const BinnedEdges<Message>& edges, int p) {
  const int bin = count_at_most(p, edges.bins, [&](int bin) { return edges.first_part[bin]; }) - 1;
  const int index = p - edges.first_part[bin];
  const int count = edges.first_part[bin + 1] - edges.first_part[bin];
  const int first = edges.first_chunk[bin];
  const int chunks = edges.first_chunk[bin + 1] - first;
  const auto chunk_of = [&](int part) {
    return first + static_cast<int>(static_cast<long long>(chunks) * part / count);
  };
  return {bin, count, chunk_of(index), chunk_of(index + 1)};
}

/// Whether all edges of a unit lead to the same vertex, as those of a hub do.
__device__ inline bool all_alike(const uint4& target) {
  const unsigned first = at(target, 0);
  const unsigned word = first << 16 | first;
  return target.x == word && target.y == word && target.z == word && target.w == word;
}

/// Calls `take(i, number)` for all edges of a part: they lead to the vertex whose place in the bin is `i`, or to none if that
/// is bin_size or more, and `number` is what an edge was given, or edges of a hub together. All threads of a block take part.
template <typename Message, typename Take>
__device__ void for_each_message(const BinnedEdges<Message>& edges, const PartOfBin& part, Take take) {
  using messages_t = typename UnitOf<Message>::type;
  constexpr int steps = 2;  // units that a thread has under way
  for (int c = part.begin; c < part.end; c++) {
    const int size = __ldg(&edges.size[c]);
    const auto* const targets =
        reinterpret_cast<const uint4*>(edges.target) + static_cast<std::size_t>(c) * region_units;
    const auto* const all_given =
        reinterpret_cast<const messages_t*>(edges.given) + static_cast<std::size_t>(c) * region_units;
    for (int base = threadIdx.x; base < size; base += steps * block_size) {
      uint4 target[steps];
      messages_t messages[steps];
#pragma unroll
      for (int step = 0; step < steps; step++) {
        const int i = base + step * block_size;
        if (i < size) {
          target[step] = __ldg(&targets[i]);
          messages[step] = __ldg(&all_given[i]);
        }
      }
#pragma unroll
      for (int step = 0; step < steps; step++) {
        if (base + step * block_size < size) {
          const auto place = [&](int k) { return static_cast<int>(at(target[step], k)); };
          const auto given = [&](int k) { return number(static_cast<Message>(at(messages[step], k))); };
          if (all_alike(target[step])) {  // lanes would wait for each other at every edge
            int sum = 0;
#pragma unroll
            for (int k = 0; k < unit; k++) {
              sum += given(k);
            }
            take(place(0), sum);
          } else {
#pragma unroll
            for (int k = 0; k < unit; k++) {
              take(place(k), given(k));
            }
          }
        }
      }
    }
  }
}

/// Calls `use(i, load(i))` for every place `i` of a bin that has so many vertices. All threads of a block take part, each with
/// what it loads for four of them under way.
template <typename Load, typename Use>
__device__ void for_each_place(int size, Load load, Use use) {
  constexpr int steps = 4;
  for (int base = threadIdx.x; base < size; base += steps * block_size) {
    decltype(load(base)) loaded[steps];
#pragma unroll
    for (int step = 0; step < steps; step++) {
      if (base + step * block_size < size) {
        loaded[step] = load(base + step * block_size);
      }
    }
#pragma unroll
    for (int step = 0; step < steps; step++) {
      if (base + step * block_size < size) {
        use(base + step * block_size, loaded[step]);
      }
    }
  }
}

/// Whether this block is the last one of its bin to come here in an iteration: then it sees what the others have written
/// before. All threads take part.
template <typename Message>
__device__ bool is_last_part(const BinnedEdges<Message>& edges, const PartOfBin& part) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomic_add_acq_rel(&edges.arrivals[part.bin], 1) + 1 == static_cast<unsigned>(part.count);
    if (last) {
      edges.arrivals[part.bin] = 0;
    }
  }
  __syncthreads();
  return last;
}

// ---- Scale of messages ---------------------------------------------------------------------------------------------

/// Before the first iteration: no value that messages tell in the first two is larger than `first`.
///
/// @param largest  [count] the largest size of what was to be told in an iteration, from 1 on; what is told in the next one is
///                 rounded to parts of it
inline void start_scale(float* largest, int count, double first) {
  check(cudaMemsetAsync(largest, 0, count * sizeof(float), stream), "clear GPU memory");
  fill<<<1, warp_size, 0, stream>>>(largest, 2, static_cast<float>(first));
}

/// What the number 1 of a message stands for, if no value is larger than `largest`: a power of two, so that multiples of it are
/// rounded only where they are added to something.
template <typename Message>
__device__ float unit_of_messages(float largest) {
  constexpr unsigned mantissa = (1 << 23) - 1;
  const unsigned up = (__float_as_uint(largest / largest_number<Message>) + mantissa) & ~mantissa;
  return up > 0 ? __uint_as_float(up) : 1;
}

/// Makes *largest the largest of what all threads have found, which is not negative. All threads of a block take part.
__device__ inline void keep_largest(float* largest, float found) {
  found = block_max(found);
  if (threadIdx.x == 0) {
    ::atomicMax(reinterpret_cast<int*>(largest), __float_as_int(found));  // in the order of the numbers themselves
  }
}

}  // namespace gpu
}  // namespace violet
