#include "graph_file.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "ranges.hpp"

namespace violet {
namespace {

static_assert(std::endian::native == std::endian::little, "graph files are little endian and used in place");

constexpr int header_size = 2 * sizeof(int);
/// The first word of files of other versions than the first: the bytes "EGR\xff", a negative vertex count.
constexpr int magic = static_cast<int>(0xff524745);
constexpr int wide_version = 2;
constexpr int directed_version = 3;

long long as_long(std::int64_t number) { return number; }

[[noreturn]] void reject(std::string reason) { throw Failure{bad_graph, std::move(reason)}; }

/// Rejects a file whose header makes no sense, in other words if it is text that nobody has converted.
[[noreturn]] void reject_header(const MappedFile& file, std::string reason) {
  const std::string_view start(reinterpret_cast<const char*>(file.bytes()), std::min<std::size_t>(file.size(), 8));
  const auto is_text = [](char c) { return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r'); };
  if (!start.empty() && std::ranges::all_of(start, is_text)) {
    reason = "not an .egr file but text: violet graphs convert GRAPH.txt GRAPH.egr";
  }
  reject(std::move(reason));
}

void check_counts(const MappedFile& file, std::int64_t n, std::int64_t m, std::int64_t most_edges = max_count) {
  if (n < 1 || n > max_count) {
    reject_header(file, text("header: %lld vertices, must be 1 to %d", as_long(n), max_count));
  }
  if (m < 0 || m > most_edges) {
    reject_header(file, text("header: %lld edges, must be 0 to %lld", as_long(m), as_long(most_edges)));
  }
}

/// Rejects a file of the size that it has with weights of eight bytes.
void reject_wide_weights(const MappedFile& file, std::size_t plain_size, std::size_t weighted_size) {
  const std::size_t weights = weighted_size - plain_size;
  if (weights > 0 && file.size() == weighted_size + weights) {
    reject("the size is that of 64-bit weights; programs take those of 32 bits: violet graphs convert");
  }
}

/// Finds the arrays in a file of version 2.
Graph locate_wide_arrays(const MappedFile& file) {
  struct Header {
    char magic[4];
    std::uint32_t version;
    std::int64_t n;
    std::int64_t m;
  };
  constexpr std::int64_t most_edges = std::int64_t{1} << 48;  // so that bytes can be counted
  if (file.size() < sizeof(Header)) {
    reject(text("too short: %zu bytes do not hold the header of %zu", file.size(), sizeof(Header)));
  }
  const Header& header = *reinterpret_cast<const Header*>(file.bytes());
  const std::int64_t n = header.n, m = header.m;
  check_counts(file, n, m, most_edges);
  const std::size_t plain_size =
      sizeof header + sizeof(std::int64_t) * (std::size_t(n) + 1) + sizeof(int) * std::size_t(m);
  const std::size_t weighted_size = plain_size + sizeof(int) * std::size_t(m);
  reject_wide_weights(file, plain_size, weighted_size);
  if (file.size() != plain_size && file.size() != weighted_size) {
    reject(text("size: %zu bytes, but %lld vertices and %lld edges take %zu, or %zu with weights", file.size(),
                as_long(n), as_long(m), plain_size, weighted_size));
  }
  const auto* const row_offsets = reinterpret_cast<const std::int64_t*>(file.bytes() + sizeof header);
  const int* const neighbours = reinterpret_cast<const int*>(row_offsets + n + 1);
  Graph graph = {
      static_cast<int>(n), m, nullptr, neighbours, file.size() == plain_size ? nullptr : neighbours + m, nullptr};
  graph.wide_row_offsets = row_offsets;
  return graph;
}

/// Finds the arrays in a file of version 3.
Graph locate_directed_arrays(const MappedFile& file) {
  struct Header {
    char magic[4];
    std::uint32_t version;
    std::int64_t n;
    std::int64_t m;
    std::uint32_t flags;
    std::uint32_t reserved;
  };
  if (file.size() < sizeof(Header)) {
    reject(text("too short: %zu bytes do not hold the header of %zu", file.size(), sizeof(Header)));
  }
  const Header& header = *reinterpret_cast<const Header*>(file.bytes());
  check_counts(file, header.n, header.m);
  if (header.flags > 1 || header.reserved != 0) {
    reject(text("header: flags %u and %u are unknown", header.flags, header.reserved));
  }
  const int n = static_cast<int>(header.n);
  const int m = static_cast<int>(header.m);
  const bool weighted = header.flags == 1;
  const std::size_t size =
      sizeof header + sizeof(int) * (2 * (std::size_t(n) + 1) + (weighted ? 4 : 3) * std::size_t(m));
  if (file.size() != size) {
    reject(text("size: %zu bytes, but %d vertices and %d directed edges take %zu", file.size(), n, m, size));
  }
  const int* const row_offsets = reinterpret_cast<const int*>(file.bytes() + sizeof header);
  const int* const neighbours = row_offsets + n + 1;
  const int* const weights = weighted ? neighbours + m : nullptr;
  const int* const in_row_offsets = neighbours + (weighted ? 2 : 1) * std::size_t(m);
  const int* const in_neighbours = in_row_offsets + n + 1;
  return {n, m, row_offsets, neighbours, weights, nullptr, in_row_offsets, in_neighbours, nullptr, in_neighbours + m};
}

/// Finds the arrays in the file, after checking that its size is exactly theirs.
Graph locate_arrays(const MappedFile& file, bool wide) {
  if (file.size() < header_size)
    reject_header(file, text("too short: %zu bytes do not hold the two counts of the header", file.size()));
  const int* const ints = reinterpret_cast<const int*>(file.bytes());
  const int n = ints[0];
  const int m = ints[1];
  if (n == magic && m == directed_version) return locate_directed_arrays(file);
  if (n == magic && m == wide_version && wide) return locate_wide_arrays(file);
  if (n == magic) {
    reject(text("header: an .egr file with 64-bit offsets; this program takes graphs of at most %d edges", max_count));
  }
  check_counts(file, n, m);
  const std::size_t plain_size = header_size + sizeof(int) * (std::size_t(n) + 1 + std::size_t(m));
  const std::size_t weighted_size = plain_size + sizeof(int) * std::size_t(m);
  reject_wide_weights(file, plain_size, weighted_size);
  if (file.size() != plain_size && file.size() != weighted_size) {
    reject_header(file, text("size: %zu bytes, but %d vertices and %d edges take %zu, or %zu with weights", file.size(),
                             n, m, plain_size, weighted_size));
  }
  const int* const row_offsets = ints + 2;
  const int* const neighbours = row_offsets + n + 1;
  const int* const weights = file.size() == plain_size ? nullptr : neighbours + m;
  return {n, m, row_offsets, neighbours, weights, nullptr};
}

/// Offsets of rows begin with 0, never fall, and end with the number of edges.
template <typename Offset>
void check_offsets(const Graph& graph, const char* name, Offset offset) {
  const int n = graph.n;
  if (offset(0) != 0) reject(text("%s[0] is %lld, must be 0", name, offset(0)));
  for (int u = 0; u < n; u++) {
    if (offset(u + 1) < offset(u)) {
      reject(text("%s[%d] is %lld, below the %lld before it", name, u + 1, offset(u + 1), offset(u)));
    }
  }
  if (offset(n) != graph.m) {
    reject(text("%s[%d] is %lld, must be the number of edges, %lld", name, n, offset(n), as_long(graph.m)));
  }
}

/// Rows hold vertices in strictly ascending order, hence none twice, and not the row's own.
void check_rows(const Graph& graph, VertexRange vertices) {
  const int n = graph.n;
  for (int u = vertices.first; u < vertices.last; u++) {
    int previous = -1;
    long long e = first_edge(graph, u);
    for (const int v : neighbours(graph, u)) {
      if (v < 0 || v >= n) reject(text("neighbours[%lld] of vertex %d is %d, must be 0 to %d", e, u, v, n - 1));
      if (v == u) reject(text("neighbours[%lld] of vertex %d is a self-loop", e, u));
      if (v == previous) reject(text("neighbours[%lld] of vertex %d is %d again, a duplicate edge", e, u, v));
      if (v < previous) reject(text("neighbours[%lld] of vertex %d is %d, unsorted after %d", e, u, v, previous));
      previous = v;
      e++;
    }
  }
}

void check_weights(const Graph& graph, VertexRange vertices) {
  for (std::int64_t e = first_edge(graph, vertices.first); e < first_edge(graph, vertices.last); e++) {
    const int weight = graph.weights[e];
    if (weight < 0 || weight > max_weight) {
      reject(text("weights[%lld] is %d, must be 0 to %d", as_long(e), weight, max_weight));
    }
  }
}

/// Has weights read as real numbers; whole ones become such.
/// @param to       where those that become real go; null if they are
void take_as_real(const Graph& graph, VertexRange vertices, bool negative, int* to) {
  for (std::int64_t e = first_edge(graph, vertices.first); e < first_edge(graph, vertices.last); e++) {
    const int weight = graph.weights[e];
    if (to != nullptr) {
      to[e] = std::bit_cast<int>(static_cast<float>(weight));
      if (static_cast<double>(std::bit_cast<float>(to[e])) != weight) {
        reject(text("weights[%lld] is %d, which single precision does not hold: take a program of i32 or i64",
                    as_long(e), weight));
      }
    } else if (const float real = std::bit_cast<float>(weight); !can_be_real_weight(real, negative)) {
      const bool only_negative = can_be_real_weight(real, true);
      reject(text("weights[%lld] is %g, must be 0 or from %g to %g%s", as_long(e), real, least_real, largest_real,
                  only_negative ? ": shortest paths need weights that are not negative" : ""));
    }
  }
}

/// Adds up a hash of every edge and its weight, positive in one direction and negative in the other: 0 if each edge has
/// its reverse, of the same weight. That it is 0 by accident has a chance of 2^-64, and the arrays are only streamed.
/// @param key  a random number, or who knows the hash could find edges that seem to balance each other
std::uint64_t imbalance(const Graph& graph, VertexRange vertices, std::uint64_t key) {
  const int* const neighbours = graph.neighbours;
  const int* const weights = graph.weights;
  std::uint64_t sum = 0;
  for (int u = vertices.first; u < vertices.last; u++) {
    const std::int64_t end = first_edge(graph, u + 1);
    for (std::int64_t e = first_edge(graph, u); e < end; e++) {
      const int v = neighbours[e];
      std::uint64_t hash = edge_hash(u, v, key);
      if (weights != nullptr) hash = mix(hash + static_cast<std::uint64_t>(weights[e]));
      sum += u < v ? hash : -hash;
    }
  }
  return sum;
}

[[noreturn]] void reject_unpaired(std::int64_t e, int u, int v) {
  reject(text("edge %lld from %d to %d has no reverse", as_long(e), u, v));
}

/// Finds an edge without its reverse. Vertices are visited in ascending order and rows ascend, so the edges (u, v) with
/// u < v meet their reverses in each row v one after the other: a cursor in every row pairs them all up in O(m).
void reject_asymmetry(const Graph& graph) {
  const int n = graph.n;
  const int* const neighbours = graph.neighbours;
  const int* const weights = graph.weights;
  std::vector<std::int64_t> unpaired(n);  // first edge of each row that has not met its reverse
  for (int u = 0; u < n; u++) unpaired[u] = first_edge(graph, u);
  for (int u = 0; u < n; u++) {
    for (std::int64_t e = unpaired[u]; e < first_edge(graph, u + 1); e++) {
      const int v = neighbours[e];
      if (v < u) reject_unpaired(e, u, v);
      const std::int64_t reverse = unpaired[v]++;
      if (reverse == first_edge(graph, v + 1) || neighbours[reverse] > u) reject_unpaired(e, u, v);
      if (neighbours[reverse] < u) reject_unpaired(reverse, v, neighbours[reverse]);
      if (weights != nullptr && weights[reverse] != weights[e]) {
        reject(text("weights[%lld] is %d from %d to %d, but weights[%lld] is %d back", as_long(e), weights[e], u, v,
                    as_long(reverse), weights[reverse]));
      }
    }
  }
}

void check_symmetry(const Graph& graph) {
  std::random_device random;
  const std::uint64_t key = std::uint64_t{random()} << 32 | random();
  std::atomic<std::uint64_t> sum = 0;
  for_vertex_ranges(graph, [&](VertexRange vertices) { sum += imbalance(graph, vertices, key); });
  if (sum != 0) reject_asymmetry(graph);
}

/// An in-row names edges that end at its vertex, each once, as they ascend. There are as many places as edges, so all
/// edges are in one. And as they ascend, so do the vertices that they come from.
void check_transpose(const Graph& graph, VertexRange vertices) {
  for (int v = vertices.first; v < vertices.last; v++) {
    int previous = -1;
    for (int i = graph.in_row_offsets[v]; i < graph.in_row_offsets[v + 1]; i++) {
      const int u = graph.in_neighbours[i], e = graph.in_edges[i];
      if (u < 0 || u >= graph.n || e < graph.row_offsets[u] || e >= graph.row_offsets[u + 1] ||
          graph.neighbours[e] != v) {
        reject(text(
            "in-rows do not transpose rows: in_neighbours[%d] is %d and in_edges[%d] is %d, no edge from there to %d",
            i, u, i, e, v));
      }
      if (e <= previous) {
        reject(text("in-rows do not transpose rows: in_edges[%d] is %d, not above the %d before it", i, e, previous));
      }
      previous = e;
    }
  }
}

std::unique_ptr<int[]> make_in_weights(const Graph& graph) {
  auto weights = std::make_unique_for_overwrite<int[]>(graph.m);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int i = graph.in_row_offsets[vertices.first]; i < graph.in_row_offsets[vertices.last]; i++) {
      weights[i] = graph.weights[graph.in_edges[i]];
    }
  });
  return weights;
}

std::unique_ptr<int[]> make_weights(const Graph& graph, MadeWeights kind) {
  auto weights = std::make_unique_for_overwrite<int[]>(graph.m);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      int* weight = weights.get() + first_edge(graph, u);
      for (const int v : neighbours(graph, u)) *weight++ = made_weight(kind, u, v);
    }
  });
  return weights;
}

std::unique_ptr<int[]> make_sources(const Graph& graph) {
  auto sources = std::make_unique_for_overwrite<int[]>(graph.m);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      std::fill_n(sources.get() + first_edge(graph, u), degree(graph, u), u);
    }
  });
  return sources;
}

}  // namespace

int default_source(const Graph& graph) {
  for (int u = 0; u < graph.n; u++) {
    if (degree(graph, u) > 0) return u;
  }
  return 0;
}

std::vector<int> spread_sources(const Graph& graph, int first, int count) {
  std::vector<int> sources{first};
  // Steps of a golden section of all vertices never come close to one that was there before they have been everywhere.
  std::int64_t step = static_cast<std::int64_t>(graph.n * 0.6180339887498949);
  while (std::gcd(step, graph.n) != 1) step++;
  std::int64_t v = first;
  for (int i = 1; i < graph.n && static_cast<int>(sources.size()) < count; i++) {
    v = (v + step) % graph.n;
    if (degree(graph, static_cast<int>(v)) > 0) sources.push_back(static_cast<int>(v));
  }
  return sources;
}

GraphFile::GraphFile(const std::string& path, Parts parts)
    : file_(path, bad_graph), made_weights_(parts.made_weights), graph_(locate_arrays(file_, parts.wide)) {
  if (!parts.weights) graph_.weights = graph_.in_weights = nullptr;
  if (graph_.directed() ? !parts.directed : !parts.undirected) {
    reject(graph_.directed() ? "the graph is directed, but has to be undirected: violet graphs convert"
                             : "the graph is undirected, but has to be directed: violet graphs convert --directed");
  }
  check_offsets(graph_, "row_offsets", [this](int u) { return as_long(first_edge(graph_, u)); });
  for_vertex_ranges(graph_, [this](VertexRange vertices) { check_rows(graph_, vertices); });
  const bool real = graph_.weights != nullptr && parts.real_weights && find_float(graph_.weights, graph_.m) >= 0;
  if (graph_.weights != nullptr && !real) {
    check_weights_are_whole(
        graph_.weights, graph_.m, "take a program of r32 or r64, or violet graphs convert --scale-weights 1000");
    for_vertex_ranges(graph_, [this](VertexRange vertices) { check_weights(graph_, vertices); });
  }
  if (graph_.directed()) {
    check_offsets(graph_, "in_row_offsets", [this](int v) { return as_long(graph_.in_row_offsets[v]); });
    for_vertex_ranges(graph_, [this](VertexRange vertices) { check_transpose(graph_, vertices); });
  } else {
    check_symmetry(graph_);
  }
  if (parts.wide && graph_.wide_row_offsets == nullptr) {
    wide_row_offsets_ = std::make_unique_for_overwrite<std::int64_t[]>(std::size_t(graph_.n) + 1);
    std::copy_n(graph_.row_offsets, std::size_t(graph_.n) + 1, wide_row_offsets_.get());
    graph_.wide_row_offsets = wide_row_offsets_.get();
    graph_.row_offsets = graph_.in_row_offsets = nullptr;
  }
  if (parts.weights && graph_.weights == nullptr) {
    weights_ = make_weights(graph_, parts.made_weights);
    graph_.weights = weights_.get();
    made_ = true;
  }
  if (parts.real_weights && graph_.weights != nullptr) {
    auto numbers = real ? nullptr : std::make_unique_for_overwrite<int[]>(graph_.m);
    for_vertex_ranges(
        graph_, [&](VertexRange vertices) { take_as_real(graph_, vertices, parts.negative_weights, numbers.get()); });
    if (numbers != nullptr) {
      weights_ = std::move(numbers);
      graph_.weights = weights_.get();
    }
  }
  if (parts.weights) {
    if (graph_.directed()) in_weights_ = make_in_weights(graph_);
    graph_.in_weights = graph_.directed() ? in_weights_.get() : graph_.weights;
  }
  if (parts.edges == Edges::both_ways || parts.edges == Edges::sides) {
    const int n = graph_.n, m = static_cast<int>(graph_.m);
    if (n > max_count / 2 || m > max_count / 2) {
      reject(text("size: %d vertices and %d edges; this program takes at most %d, as it needs all of them twice", n, m,
                  max_count / 2));
    }
    doubled_ = std::make_unique<DoubledGraph>(graph_, parts.edges, parts.sources);
    graph_.doubled = &doubled_->graph();
  } else if (parts.sources) {
    sources_ = make_sources(graph_);
    graph_.sources = sources_.get();
  }
}

std::uint64_t GraphFile::fingerprint() const {
  constexpr std::size_t piece_size = 1 << 20;
  const std::size_t size = file_.size();
  std::vector<std::uint64_t> pieces(size / piece_size + 1);
  on_all_cores(static_cast<int>(pieces.size()), [&](int i) {
    const std::size_t begin = i * piece_size;
    pieces[i] = violet::fingerprint(file_.bytes() + begin, std::min(piece_size, size - begin));
  });
  const std::uint64_t of_file = violet::fingerprint(pieces.data(), pieces.size() * sizeof pieces[0]);
  return has_made_weights() && made_weights_ == MadeWeights::one ? mix(of_file + 1) : of_file;
}

}  // namespace violet
