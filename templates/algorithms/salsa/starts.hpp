// How many vertices have edges.
#pragma once

#include "violet.hpp"

namespace violet {

/// How many of the first `half` vertices an edge leaves.
inline int count_starts(const Graph& graph, int half) {
  int count = 0;
  for (int v = 0; v < half; v++) count += graph.row_offsets[v] < graph.row_offsets[v + 1];
  return count;
}

}  // namespace violet
