#include "parts.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ranges.hpp"
#include "support.hpp"

namespace violet {

/// The arrays of one part. All cores write them first, so nobody clears them before.
struct Arrays {
  std::unique_ptr<int[]> numbers;
  std::unique_ptr<int[]> row_offsets;  ///< or
  std::unique_ptr<std::int64_t[]> wide_row_offsets;
  std::unique_ptr<int[]> neighbours;
  std::unique_ptr<int[]> weights;
  std::unique_ptr<int[]> sources;
  std::unique_ptr<int[]> halo_vertices;
  std::unique_ptr<int[]> numbers_there;
};

namespace {

template <typename T>
T* allocate(std::unique_ptr<T[]>& array, std::int64_t size) {
  array = std::make_unique_for_overwrite<T[]>(size);
  return array.get();
}

}  // namespace

/// Parts are made one after the other, each on all cores.
struct Division::Implementation {
  const Graph& graph;
  bool lists_copies;  ///< whether a part has copies of some vertices only, so that lists tell which
  std::unique_ptr<unsigned char[]> owners;
  std::unique_ptr<int[]> number_there;  ///< [n] the number of each vertex in the part that owns it
  std::vector<Part> parts;
  std::vector<Arrays> arrays;

  Implementation(const Graph& graph, int count, Copies copies, Partition partition, const char* file)
      : graph(graph), lists_copies(copies != Copies::all), parts(count), arrays(count) {
    allocate(owners, graph.n);
    allocate(number_there, graph.n);
    if (partition == nullptr) {
      if (file != nullptr) throw Failure{usage_error, "--partition is about vertices; this program shares out edges"};
      std::fill_n(owners.get(), graph.n, 0);
    } else if (file != nullptr) {
      read_owners(file, graph, count, owners.get());
    } else {
      partition(graph, count, owners.get());
    }
    for (int part = 0; part < count; part++) {
      parts[part].divided = &graph;
      parts[part].number = part;
      parts[part].parts = count;
    }
    number_own(copies == Copies::border_first);
    if (copies == Copies::whole) {
      for (Part& part : parts) take_whole(part);
      return;
    }
    {
      const std::unique_ptr<int[]> numbers_here = std::make_unique_for_overwrite<int[]>(graph.n);
      for (Part& part : parts) copy_rows(part, numbers_here.get());
    }
    for (Part& part : parts) count_halo(part);
    int most_halo = 0;
    for (const Part& part : parts) most_halo = std::max(most_halo, part.halo.begin[count]);
    for (Part& part : parts) {
      part.most_halo = most_halo;
      if (lists_copies) lend(part);
    }
  }

  /// Numbers the vertices of each part, in their order or those on the border first.
  void number_own(bool border_first) {
    const int count = static_cast<int>(parts.size());
    const std::unique_ptr<char[]> on_border = border_first ? find_border() : nullptr;
    const auto group_of = [&](int v) { return owners[v] + (on_border && on_border[v] == 0 ? count : 0); };
    const Groups groups(graph.n, 2 * count, group_of);
    for (Part& part : parts) {
      part.border = border_first ? groups.size(part.number) : 0;
      part.own = groups.size(part.number) + groups.size(count + part.number);
    }
    groups.for_each(
        [&](int v, int group, int i) { number_there[v] = group < count ? i : parts[group - count].border + i; });
  }

  /// [n] which vertices are neighbours of one that another part owns.
  std::unique_ptr<char[]> find_border() const {
    auto found = std::make_unique_for_overwrite<char[]>(graph.n);
    for_vertex_ranges(graph, [&](VertexRange range) {
      for (int v = range.first; v < range.last; v++) {
        const auto row = neighbours(graph, v);
        found[v] = std::ranges::any_of(row, [&](int u) { return owners[u] != owners[v]; });
      }
    });
    return found;
  }

  /// Gives a part all of the graph.
  void take_whole(Part& part) {
    static_cast<Graph&>(part) = graph;
    std::atomic<std::int64_t> edges = 0;
    int* const numbers = allocate(arrays[part.number].numbers, part.own);
    for_equal_ranges(graph.n, [&](VertexRange range) {
      std::int64_t here = 0;
      for (int v = range.first; v < range.last; v++) {
        if (owners[v] != part.number) continue;
        numbers[number_there[v]] = v;
        here += degree(graph, v);
      }
      edges += here;
    });
    part.own_edges = edges;
    part.numbers = numbers;
  }

  /// Gives a part the rows of its vertices, and copies of their neighbours.
  ///
  /// @param number_here  [n] for the number in the part of each vertex that it has
  void copy_rows(Part& part, int* number_here) {
    Arrays& to = arrays[part.number];
    number_vertices(part, number_here);
    if (graph.wide_row_offsets != nullptr) {
      part.wide_row_offsets = add_up_degrees(part, to.wide_row_offsets);
    } else {
      part.row_offsets = part.in_row_offsets = add_up_degrees(part, to.row_offsets);
    }
    part.m = part.own_edges = first_edge(part, part.n);
    int* const neighbours = allocate(to.neighbours, part.m);
    int* const weights = graph.weights != nullptr ? allocate(to.weights, part.m) : nullptr;
    int* const sources = graph.sources != nullptr ? allocate(to.sources, part.m) : nullptr;
    for_vertex_ranges(part, [&](VertexRange range) {
      for (int v = range.first; v < std::min(range.last, part.own); v++) {
        const std::int64_t there = first_edge(graph, part.numbers[v]);
        const std::int64_t here = first_edge(part, v);
        const std::int64_t edges = first_edge(part, v + 1) - here;
        for (std::int64_t i = 0; i < edges; i++) neighbours[here + i] = number_here[graph.neighbours[there + i]];
        if (weights != nullptr) std::copy_n(graph.weights + there, edges, weights + here);
        if (sources != nullptr) std::fill_n(sources + here, edges, v);
      }
    });
    part.neighbours = part.in_neighbours = neighbours;
    part.weights = weights;
    part.sources = sources;
  }

  /// Row offsets of a part; copies have no edges.
  template <typename Offset>
  const Offset* add_up_degrees(const Part& part, std::unique_ptr<Offset[]>& array) const {
    Offset* const row_offsets = allocate(array, std::int64_t{part.n} + 1);
    add_up(part.n, row_offsets, [&](int v) { return v < part.own ? degree(graph, part.numbers[v]) : 0; });
    return row_offsets;
  }

  /// [n] which vertices are neighbours of those that a part owns.
  std::unique_ptr<char[]> mark_neighbours(const Part& part) const {
    auto marks = std::make_unique<char[]>(graph.n);
    for_vertex_ranges(graph, [&](VertexRange range) {
      for (int v = range.first; v < range.last; v++) {
        if (owners[v] != part.number) continue;
        for (const int u : neighbours(graph, v)) {
          const std::atomic_ref<char> mark(marks[u]);
          // Most are marked: a look leaves their cache lines with all cores.
          if (mark.load(std::memory_order_relaxed) == 0) mark.store(1, std::memory_order_relaxed);
        }
      }
    });
    return marks;
  }

  /// Numbers the vertices that a part has: its own ones, then copies, by owner.
  void number_vertices(Part& part, int* number_here) {
    Arrays& to = arrays[part.number];
    const std::unique_ptr<char[]> needed = lists_copies ? mark_neighbours(part) : nullptr;
    const auto owner_of_copy = [&](int v) {
      return owners[v] == part.number || (needed && needed[v] == 0) ? -1 : owners[v];
    };
    const Groups copies(graph.n, part.parts, owner_of_copy);
    part.copies.begin[0] = part.own;
    for (int owner = 0; owner < most_parts; owner++) {
      part.copies.begin[owner + 1] = part.copies.begin[owner] + (owner < part.parts ? copies.size(owner) : 0);
    }
    part.n = part.copies.begin[most_parts];
    int* const numbers = allocate(to.numbers, part.n);
    int* const numbers_there = lists_copies ? allocate(to.numbers_there, part.n - part.own) : nullptr;
    for_vertices(graph.n, [&](int v) {
      if (owners[v] != part.number) return;
      number_here[v] = number_there[v];
      numbers[number_there[v]] = v;
    });
    copies.for_each([&](int v, int owner, int i) {
      const int copy = part.copies.begin[owner] + i;
      number_here[v] = copy;
      numbers[copy] = v;
      if (numbers_there != nullptr) numbers_there[copy - part.own] = number_there[v];
    });
    part.numbers = numbers;
    part.numbers_there = numbers_there;
  }

  /// Says how many vertices of a part each other one has copies of.
  void count_halo(Part& part) const {
    constexpr std::int64_t most = std::numeric_limits<int>::max() / 2;  // as there may be two inboxes
    std::int64_t all = 0;
    for (int other = 0; other < most_parts; other++) {
      if (other < part.parts) all += count_copies(parts[other], part.number);
      if (all > most) {
        throw Failure{no_resources, text("part %d owns %d vertices, of which other parts have more than %lld copies",
                                         part.number, part.own, static_cast<long long>(most))};
      }
      part.halo.begin[other + 1] = static_cast<int>(all);
    }
  }

  static int count_copies(const Part& part, int owner) {
    return part.copies.begin[owner + 1] - part.copies.begin[owner];
  }

  /// Lists them, by what those that have the copies call their numbers there.
  void lend(Part& part) {
    int* const halo = allocate(arrays[part.number].halo_vertices, part.halo.begin[part.parts]);
    for (const Part& other : parts) {
      const int* const from = other.numbers_there + (other.copies.begin[part.number] - other.own);
      int* const to = halo + part.halo.begin[other.number];
      for_vertices(count_copies(other, part.number), [&](int i) { to[i] = from[i]; });
    }
    part.halo_vertices = halo;
  }
};

Division::Division(const Graph& graph, int parts, Copies copies, Partition partition, const char* file)
    : implementation_(new Implementation(graph, parts, copies, partition, file)) {}

Division::~Division() { delete implementation_; }

const Part& Division::operator[](int part) const { return implementation_->parts[part]; }

int Division::find(int part, int vertex) const {
  return implementation_->owners[vertex] == part ? implementation_->number_there[vertex] : -1;
}

namespace {

template <std::size_t value_size>
void scatter(const Part& part, const std::byte* own, std::byte* values) {
  for_vertices(
      part.own, [&](int v) { std::memcpy(values + part.numbers[v] * value_size, own + v * value_size, value_size); });
}

}  // namespace

void Division::put_in_place(int part, const void* own, std::size_t value_size, void* values) const {
  const auto put = value_size == 8 ? scatter<8> : scatter<4>;
  put((*this)[part], static_cast<const std::byte*>(own), static_cast<std::byte*>(values));
}

void refuse_memory(int gpus, const std::size_t* needed, const std::size_t* available, int enough) {
  std::string message = "the graph does not fit:";
  for (int gpu = 0; gpu < gpus; gpu++) {
    message += text("%s GPU %d needs %zu bytes and has %zu", gpu > 0 ? "," : "", gpu, needed[gpu], available[gpu]);
  }
  if (enough > 0) message += text("; %d such GPUs would do", enough);
  if (enough == 0) message += text("; %d such GPUs would not do", most_parts);
  throw Failure{no_resources, message};
}

}  // namespace violet
