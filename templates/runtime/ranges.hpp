// Work on all vertices of a graph, shared out to the cores of the host.
#pragma once

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "violet.hpp"

namespace violet {

/// Vertices `first` to `last` - 1.
struct VertexRange {
  int first;
  int last;
};

/// Calls work(range) for ranges of all vertices, on all cores if the graph is large. What the lowest range that fails
/// throws is thrown here, so that the first error of a file is the one reported.
template <typename Work>
void for_vertex_ranges(const Graph& graph, Work work) {
  constexpr int edges_worth_a_thread = 1 << 20;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int parts = std::clamp(graph.m / edges_worth_a_thread, 1, cores);
  const auto bound = [&](int part) { return static_cast<int>(static_cast<long long>(graph.n) * part / parts); };
  std::vector<std::exception_ptr> errors(parts);
  const auto run = [&](int part) {
    try {
      work(VertexRange{bound(part), bound(part + 1)});
    } catch (...) {
      errors[part] = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  for (int part = 1; part < parts; part++) threads.emplace_back(run, part);
  run(0);
  threads.clear();  // waits for them
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace violet
