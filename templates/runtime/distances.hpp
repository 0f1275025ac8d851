// What certifies distances from a source: a pass over the edges, on all cores, instead of a search.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// Whether an array holds the distances from a source, where `length(e)` is that of the edge at `in_neighbours[e]`. It
/// does if
///
/// - the source is at 0;
/// - every length is positive;
/// - no edge out of a vertex that is reached shortens a distance, or leads to a vertex that is not: so distances are at
///   most the right ones, and all that can be reached is;
/// - any other vertex that is reached has an edge that explains its distance: going back along such edges, distances
///   decrease and end at the source, so they are those of paths, and at least the right ones.
template <typename Length>
bool certify_distances(const Graph& graph, int source, const Result& result, Length length) {
  return with_values(result, [&]<typename T>(const T* distance) {
    if constexpr (!std::is_integral_v<T>) return false;  // sums of real numbers explain nothing exactly
    const auto holds_at = [&](int v) {
      const bool reached = distance[v] < infinity<T>;
      const auto own = static_cast<std::int64_t>(distance[v]);
      bool explained = v == source ? own == 0 : !reached;
      for (std::int64_t e = first_in_edge(graph, v); e < first_in_edge(graph, v + 1); e++) {
        const T from = distance[graph.in_neighbours[e]];
        if (length(e) <= 0) return false;
        if (from >= infinity<T>) continue;
        const std::int64_t offer = static_cast<std::int64_t>(from) + length(e);
        if (!reached || offer < own) return false;
        explained |= offer == own;
      }
      return explained;
    };
    std::atomic<bool> holds = true;
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int v = vertices.first; v < vertices.last; v++) {
        if (!holds_at(v)) holds = false;
      }
    });
    return holds.load();
  });
}

}  // namespace violet
