// What tells that distances from a source, and predecessors, are right: a pass over the edges, on all cores, instead of a
// search.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "ranges.hpp"
#include "reference.hpp"
#include "route.hpp"

namespace violet {

/// The predecessors among the results of a search, or null.
inline const std::int32_t* predecessors_in(std::span<const Result> results) {
  return results.size() > 1 ? static_cast<const std::int32_t*>(results[1].values) : nullptr;
}

/// Whether the first array of a result holds the distances from a source, where `length(e)` is that of the edge at
/// `in_neighbours[e]`. It does if
///
/// - the source is at 0;
/// - no edge out of a vertex that is reached shortens a distance, or leads to a vertex that is not: so distances are at
///   most the right ones, and all that can be reached is;
/// - any other vertex that is reached has an edge from a nearer one that explains its distance: going back along such edges,
///   distances decrease and end at the source, so they are those of paths, and at least the right ones.
///
/// All of this holds of sums of real numbers, too, each rounded as it is added: a longer distance plus a length, rounded, is
/// never a shorter one. So there is one right result, to the last bit.
///
/// The second array, if there is one, are predecessors: right if the edges from them explain, and no other vertex has one.
template <typename Length>
bool certify_distances(const Graph& graph, int source, Results results, Length length) {
  const std::int32_t* const predecessor = predecessors_in(results);
  return with_values(results[0], [&]<typename T>(const T* distance) {
    using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
    const auto holds_at = [&](int v) {
      const bool reached = !(distance[v] >= infinity<T>);  // what is no number explains nothing
      const auto own = static_cast<Sum>(distance[v]);
      const bool begins = v == source || !reached;
      if (begins && predecessor != nullptr && predecessor[v] != nobody) return false;
      bool explained = v == source ? own == 0 : !reached;
      for (std::int64_t e = first_in_edge(graph, v); e < first_in_edge(graph, v + 1); e++) {
        const int u = graph.in_neighbours[e];
        const T from = distance[u];
        if (from >= infinity<T>) continue;
        const Sum offer = static_cast<Sum>(from) + static_cast<Sum>(length(e));
        if (!reached || !(offer >= own)) return false;
        explained |= offer == own && from < own && (predecessor == nullptr || predecessor[v] == u);
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

/// Describes the first predecessor that is none, if there is one, by the right distances, `unreachable` beyond reach, and
/// predecessors. Each has to explain the distance, rounded as it was, and going back from one to the next has to end at
/// the source: edges that add nothing could lead in a circle.
template <typename T, typename Length>
std::optional<std::string> find_no_predecessor(const Graph& graph, const std::vector<T>& distance,
                                               const std::vector<std::int64_t>& expected,
                                               const std::int32_t* predecessor, Length length) {
  const auto is_tail = [&](int v, int u) {
    for (std::int64_t e = first_in_edge(graph, v); e < first_in_edge(graph, v + 1); e++) {
      if (graph.in_neighbours[e] == u) return distance[u] != unreachable && distance[u] + length(e) == distance[v];
    }
    return false;
  };
  std::vector<int> begun(graph.n, nobody);  // the vertex that the walk began at which came here first
  for (int v = 0; v < graph.n; v++) {
    const bool begins = expected[v] == nobody;
    const int u = predecessor[v];
    if (begins && u == nobody) begun[v] = v;
    if (begins ? u == nobody : is_tail(v, u)) continue;
    const char* const wanted = begins ? "no vertex" : "one on a shortest path";
    return text("predecessor of vertex %d: expected %s, got %d", v, wanted, u);
  }
  for (int v = 0; v < graph.n; v++) {
    if (begun[v] != nobody) continue;
    int u = v;
    for (; begun[u] == nobody; u = predecessor[u]) begun[u] = v;
    if (begun[u] == v) return text("predecessor of vertex %d: leads in a circle", u);
  }
  return std::nullopt;
}

/// The same of a result with its distances, of which the first that is not right is described.
template <typename Length>
std::optional<std::string> check_paths(const Graph& graph, const Reference& expected, Results results, Length length) {
  if (const auto error = find_unequal(expected, results.first(1))) return error;
  const std::int32_t* const predecessor = predecessors_in(results);
  if (predecessor == nullptr) return std::nullopt;
  return find_no_predecessor(graph, integers(expected[0]), integers(expected[1]), predecessor, length);
}

}  // namespace violet
