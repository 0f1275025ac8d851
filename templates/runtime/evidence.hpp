// What a user says of the vertices of a graph, for programs whose parameters `priors` and `agreement` take it.
#pragma once

#include <cstdint>

#include "violet.hpp"

namespace violet {

constexpr float largest_prior = 100;     // what is surer than that is no number with a loss of digits anywhere
constexpr double most_agreement = 1000;  // or its inverse: with more, messages are all that counts and have few digits

/// What a vertex believes by itself where nobody says so: from -1 to 1, and the same in either precision.
inline float made_prior(int v) {
  return static_cast<float>((static_cast<std::uint32_t>(v) * 2654435761u >> 8) / 8388608.0 - 1);
}

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
