// libFuzzer target: whatever bytes a graph file holds, loading it either keeps the promises of `Graph` or says why not.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "graph_file.hpp"

namespace {

/// Reads every array to its end, so that AddressSanitizer sees one that is too short.
void walk(const violet::Graph& graph) {
  for (int u = 0; u < graph.n; u++) {
    for (std::int64_t e = violet::first_edge(graph, u); e < violet::first_edge(graph, u + 1); e++) {
      const int v = graph.neighbours[e];
      if (v < 0 || v >= graph.n || v == u || graph.sources[e] != u || graph.weights[e] < 0) std::abort();
    }
    for (std::int64_t e = violet::first_in_edge(graph, u); e < violet::first_in_edge(graph, u + 1); e++) {
      const int v = graph.in_neighbours[e];
      if (v < 0 || v >= graph.n || v == u || graph.in_weights[e] < 0) std::abort();
      if (graph.directed() && graph.neighbours[graph.in_edges[e]] != u) std::abort();
    }
  }
}

/// Loads a file, for programs whose edges have numbers of 32 or 64 bits, and whole weights or real ones.
void load(const std::string& path, bool wide, bool real) {
  try {
    const violet::GraphFile graph_file(path, {.weights = true,
                                              .sources = true,
                                              .directed = !wide,
                                              .wide = wide,
                                              .real_weights = real,
                                              .negative_weights = real});
    walk(graph_file.graph());
  } catch (const violet::Failure& failure) {
    if (failure.code != violet::bad_graph || failure.message.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = ::memfd_create("graph.egr", 0);  // one file in memory, rewritten for every input
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (::ftruncate(file, static_cast<off_t>(size)) != 0) std::abort();
  if (::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const bool wide : {false, true}) {
    for (const bool real : {false, true}) load(path, wide, real);
  }
  return 0;
}
