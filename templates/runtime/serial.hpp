// The serial algorithms that say what is right: one for each value of `Algorithm`, written for clarity. None recurses,
// so the longest path needs no deeper stack than the shortest.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "violet.hpp"

namespace violet {

/// A right result: one value a vertex, or a single one where `result_size` says so.
using Reference = std::vector<std::int64_t>;

/// What the reference says of a vertex that the source does not reach.
constexpr std::int64_t unreachable = -1;

/// Ranks are stored by their bits.
inline double rank_of(std::int64_t stored) { return std::bit_cast<double>(stored); }

// Those that start nowhere in particular ignore the source.
Reference serial_bfs(const Graph& graph, int source);
Reference serial_cc(const Graph& graph, int);
Reference serial_mis(const Graph& graph, int);
Reference serial_mis_degree(const Graph& graph, int);
Reference serial_pr(const Graph& graph, int);
Reference serial_sssp(const Graph& graph, int source);
Reference serial_tc(const Graph& graph, int);

}  // namespace violet
