// What a user says of the vertices of a graph, for programs whose parameters `priors` and `agreement` take it.
#pragma once

#include "violet.hpp"

namespace violet {

struct Evidence {
  const float* priors = nullptr;  ///< [n] what each vertex believes by itself: the logarithm of odds
  bool alike = false;    ///< whether all neighbours have one relation, as they have where a user has given priors
  double agreement = 0;  ///< how much likelier neighbours are to be equal than to differ; 0: the algorithm's own
};

/// Of the graph at hand; nothing, for programs that do not take it.
inline Evidence evidence;

/// Fills in `evidence` if the program takes it, and returns whether it differs from what others assume: then no reference
/// of theirs is one. Fails if a user's file is none of priors.
bool take_evidence(const Graph& graph);

}  // namespace violet
