#include "partitions.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "files.hpp"
#include "ranges.hpp"
#include "support.hpp"

namespace violet {

void equal_vertices(const Graph& graph, int parts, unsigned char* owners) {
  for_vertices(
      graph.n, [&](int v) { owners[v] = static_cast<unsigned char>(static_cast<std::int64_t>(v) * parts / graph.n); });
}

void equal_edges(const Graph& graph, int parts, unsigned char* owners) {
  for_vertices(graph.n, [&](int v) {
    const std::int64_t middle = (first_edge(graph, v) + first_edge(graph, v + 1)) / 2;
    owners[v] =
        static_cast<unsigned char>(graph.m > 0 ? std::min<std::int64_t>(middle * parts / graph.m, parts - 1) : 0);
  });
}

namespace {

/// A random number for each vertex (splitmix64).
std::uint64_t random_number(int v) {
  std::uint64_t x = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

void at_random(const Graph& graph, int parts, unsigned char* owners) {
  for_vertices(
      graph.n, [&](int v) { owners[v] = static_cast<unsigned char>(random_number(v) % static_cast<unsigned>(parts)); });
}

void biased(const Graph& graph, int parts, unsigned char* owners) {
  constexpr int batch = 1 << 20;  // vertices, whose neighbours before it all cores count
  constexpr int piece = 1 << 12;  // vertices at a time
  const auto is_drawn_alone = [](std::uint64_t random) { return random >> 63 == 0; };
  std::vector<int> counts(static_cast<std::size_t>(std::min(batch, graph.n)) * parts);
  std::int64_t sizes[most_parts] = {};
  for (std::int64_t first = 0; first < graph.n; first += batch) {
    const int last = static_cast<int>(std::min<std::int64_t>(first + batch, graph.n));
    const auto begin_here = [&](std::span<const int> row) { return std::ranges::lower_bound(row, first); };
    const auto neighbours_in = [&](int v) { return &counts[(v - first) * parts]; };  // each part
    on_all_cores(static_cast<int>((last - first - 1) / piece) + 1, [&](int i) {
      const std::int64_t begin = first + std::int64_t{i} * piece;
      for (std::int64_t v = begin; v < std::min<std::int64_t>(begin + piece, last); v++) {
        if (is_drawn_alone(random_number(static_cast<int>(v)))) continue;
        int* const there = neighbours_in(static_cast<int>(v));
        std::fill_n(there, parts, 0);
        const auto row = neighbours(graph, static_cast<int>(v));
        for (auto u = row.begin(), end = begin_here(row); u != end; ++u) there[owners[*u]]++;
      }
    });
    for (int v = static_cast<int>(first); v < last; v++) {
      const std::uint64_t random = random_number(v);
      const int drawn = static_cast<int>(random % static_cast<unsigned>(parts));
      int owner = drawn;
      if (!is_drawn_alone(random)) {
        int* const there = neighbours_in(v);  // that have an owner
        const auto row = neighbours(graph, v);
        for (auto u = begin_here(row); u != row.end() && *u < v; ++u) there[owners[*u]]++;
        int most = 0;
        for (int k = 0; k < parts; k++) {  // from a random part on, which decides ties
          const int part = (drawn + k) % parts;
          // No part draws all to itself: those that have more than their share get vertices at random only.
          if (there[part] > most && sizes[part] * parts <= v) {
            most = there[part];
            owner = part;
          }
        }
      }
      owners[v] = static_cast<unsigned char>(owner);
      sizes[owner]++;
    }
  }
}

void read_owners(const char* path, const Graph& graph, int parts, unsigned char* owners) {
  const auto refuse = [path](const std::string& message) {
    throw Failure{bad_graph, text("--partition %s %s", path, message.c_str())};
  };
  const std::unique_ptr<MappedFile> file = [&] {
    try {
      return std::make_unique<MappedFile>(path, bad_graph);
    } catch (const Failure& failure) {
      throw Failure{failure.code, text("--partition %s %s", path, failure.message.c_str())};
    }
  }();
  const char* const begin = reinterpret_cast<const char*>(file->bytes());
  const char* const end = begin + file->size();
  int line = 0;
  for (const char* at = begin; at != end; line++) {
    const char* const stop = std::find(at, end, '\n');
    const std::string_view word(at, static_cast<std::size_t>(stop - at));
    int owner = -1;
    const auto [rest, error] = std::from_chars(at, stop, owner);
    if (error != std::errc() || rest != stop || owner < 0 || owner >= parts) {
      refuse(text("line %d: '%.*s' is not a part from 0 to %d; --parts says how many there are", line + 1,
                  static_cast<int>(std::min<std::size_t>(word.size(), 20)), word.data(), parts - 1));
    }
    if (line < graph.n) owners[line] = static_cast<unsigned char>(owner);
    at = stop == end ? end : stop + 1;
  }
  if (line != graph.n) refuse(text("has %d lines, but the graph has %d vertices", line, graph.n));
}

}  // namespace violet
