// Who owns each vertex of a graph that is divided among several GPUs.
#pragma once

#include "violet.hpp"

namespace violet {

constexpr int most_parts = 8;

/// Decides who owns each vertex: writes numbers of parts to `owners` [n]. None decides where edges are shared out: part 0
/// owns all vertices then.
using Partition = void (*)(const Graph& graph, int parts, unsigned char* owners);

void equal_vertices(const Graph& graph, int parts, unsigned char* owners);  ///< as many in each, in their order
void equal_edges(const Graph& graph, int parts, unsigned char* owners);     ///< in their order, too
void at_random(const Graph& graph, int parts, unsigned char* owners);
void biased(const Graph& graph, int parts, unsigned char* owners);  ///< at random, or to where most neighbours are

/// Takes the owners from a file with the number of a part in each line, as METIS writes it. Throws what does not fit.
void read_owners(const char* path, const Graph& graph, int parts, unsigned char* owners);

}  // namespace violet
