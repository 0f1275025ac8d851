// What numbers of few bits cannot hold, told from a result: programs refuse such graphs, and so do libraries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "support.hpp"

namespace violet {

/// Programs say that the source does not reach a vertex with any value from this one upwards. It is half of the
/// largest, so that a weight can be added.
template <typename T>
constexpr T infinity = std::numeric_limits<T>::max() / 2;

/// Whether 32 bits may be too few for distances on a graph of n vertices, none of whose edges is longer than `longest`.
constexpr bool may_lack_bits(int n, int longest) { return (n - 1LL) * longest >= infinity<std::int32_t>; }

[[noreturn]] inline void refuse_distance(std::int64_t distance) {
  throw Failure{
      bad_graph, text("a distance of %lld does not fit a 32-bit program, which has those below %d; use its i64 variant",
                      static_cast<long long>(distance), infinity<std::int32_t>)};
}

[[noreturn]] inline void refuse_counts(int largest_exponent) {
  throw Failure{bad_graph, text("a vertex has 2^%d shortest paths or more, too many for this program to count; "
                                "use its e32 or e64 variant, whose counts have an exponent of their own",
                                largest_exponent)};
}

/// The length of the longest edge, which is 1 if there are no weights.
inline int longest_edge(const Graph& graph) {
  if (graph.weights == nullptr) return 1;
  int longest = 0;
  for (std::int64_t e = 0; e < graph.m; e++) longest = std::max(longest, graph.weights[e]);
  return longest;
}

/// Fails if a distance is too large for 32 bits: some edge leads from a vertex that is reached to one that is not, and
/// further than to infinity.
/// @param distance  [n] the result of a program
/// @param longest   no edge is longer
inline void check_distances(const Graph& graph, const std::int32_t* distance, int longest) {
  constexpr std::int64_t none = infinity<std::int32_t>;
  std::int64_t furthest = 0;
  for (int v = 0; v < graph.n; v++)
    furthest = distance[v] < none ? std::max<std::int64_t>(furthest, distance[v]) : furthest;
  if (furthest + longest < none) return;
  std::int64_t nearest = std::numeric_limits<std::int64_t>::max();  // of those that do not fit
  for (int u = 0; u < graph.n; u++) {
    if (distance[u] >= none) continue;
    for (std::int64_t e = first_edge(graph, u); e < first_edge(graph, u + 1); e++) {
      const std::int64_t offer = distance[u] + (graph.weights != nullptr ? graph.weights[e] : std::int64_t{1});
      if (offer >= none && distance[graph.neighbours[e]] >= none) nearest = std::min(nearest, offer);
    }
  }
  if (nearest < std::numeric_limits<std::int64_t>::max()) refuse_distance(nearest);
}

/// Fails if a vertex had more paths than its program can count, which then has no number for it, see `counted`.
template <typename T>
void check_counts(const T* values, std::size_t size, int largest_exponent) {
  if (std::any_of(values, values + size, [](T value) { return value != value; })) refuse_counts(largest_exponent);
}

}  // namespace violet
