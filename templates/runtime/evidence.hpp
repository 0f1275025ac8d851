// What a user says of the vertices and edges of a graph, for programs whose parameters `priors`, `agreement` and, perhaps,
// `couplings` take it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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
  bool alike = false;             ///< whether nothing depends on numbers of vertices, as where a user has given priors
  double agreement = 0;  ///< how much likelier neighbours are to be equal than to differ; 0: the algorithm's own
  const float* agreements = nullptr;  ///< [m] the same of each edge, for programs that load it
};

inline bool can_be_agreement(double agreement) {
  return agreement <= most_agreement && agreement * most_agreement >= 1;
}

/// The first edge whose reverse has another number, and this reverse; nothing if there is none.
inline std::optional<std::pair<int, int>> find_unequal(const Graph& graph, const float* numbers) {
  std::vector<int> next(graph.row_offsets, graph.row_offsets + graph.n);  // rows ascend: reverses come in their order
  for (int e = 0; e < graph.m; e++) {
    const int reverse = next[graph.neighbours[e]]++;
    if (numbers[e] != numbers[reverse]) return std::pair(e, reverse);
  }
  return std::nullopt;
}

/// How much likelier the ends of an edge are to be equal, where no user says that of edges.
inline float made_agreement(int u, int v, double agreement, bool alike) {
  return static_cast<float>(alike || ((u ^ v) & 1) == 0 ? agreement : 1 / agreement);
}

/// Of the graph at hand; nothing, for programs that do not take it.
inline Evidence evidence;

/// Fills in `evidence` if the program takes it, and returns whether it differs from what others assume: then no reference
/// of theirs is one. Fails if a user's file is none of priors, or of couplings.
bool take_evidence(const Graph& graph);

}  // namespace violet
