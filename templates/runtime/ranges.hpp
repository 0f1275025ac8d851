// Work that is shared out to the cores of the host, on all vertices of a graph or else.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <ranges>
#include <thread>
#include <vector>

#include "support.hpp"
#include "violet.hpp"

namespace violet {

/// Vertices `first` to `last` - 1.
struct VertexRange {
  int first;
  int last;
};

inline int core_count() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

/// Calls work(i) for i from 0 to before `count`, on all cores: who is done with one takes the next. What the lowest i that
/// fails throws is thrown here.
template <typename Work>
void on_all_cores(int count, Work work) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<int> next = 0;
  const auto run = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (int thread = 1; thread < std::min(core_count(), count); thread++) threads.emplace_back(run);
  run();
  threads.clear();  // waits for them
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

/// Calls work(range) for ranges of all vertices, on all cores if the graph is large. Ranges have about the same number of
/// edges, whatever the degrees. The first error of a file is the one reported.
template <typename Work>
void for_vertex_ranges(const Graph& graph, Work work) {
  constexpr int edges_worth_a_thread = 1 << 20;
  constexpr int parts_a_core = 16;
  const int most = core_count() * parts_a_core;
  const int parts = static_cast<int>(std::clamp<std::int64_t>(graph.m / edges_worth_a_thread, 1, most));
  const auto bound = [&](int part) {
    if (part == parts) return graph.n;
    const std::int64_t edge = graph.m * part / parts;
    const auto vertices = std::views::iota(0, graph.n);
    const auto comes_before = [&](int v) { return first_edge(graph, v) < edge; };
    return static_cast<int>(std::ranges::partition_point(vertices, comes_before) - vertices.begin());
  };
  on_all_cores(parts, [&](int part) { work(VertexRange{bound(part), bound(part + 1)}); });
}

}  // namespace violet
