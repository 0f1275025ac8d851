// In which order the vertices of a pattern are matched, and what a vertex has to be in its place.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "host_device.hpp"
#include "pattern.hpp"

namespace violet {

/// The label of a vertex of the graph, from 1 to `labels`.
VIOLET_HOST_DEVICE constexpr int label_of(int v, int labels) {
  return 1 + static_cast<int>((static_cast<std::uint32_t>(v) * 2654435769U >> 16) % static_cast<unsigned>(labels));
}

/// What is known of the vertex in one place of the order. Sets of earlier places are bits.
struct Place {
  unsigned joined;  ///< places whose vertices must be neighbours; from the second place on, there is one
  unsigned below;   ///< places whose vertices must have smaller numbers
  int label;        ///< or 0, if any will do
  int degree;       ///< neighbours in the pattern
};

struct Plan {
  int size;
  Place places[Pattern::most];
};

/// The order begins with the vertex of most neighbours, and always goes on with one that has most neighbours among those
/// before it. Of all automorphisms of the pattern, conditions on numbers leave one (Grochow and Kellis 2007): where an
/// automorphism that keeps all earlier places moves a place, its vertex has the smallest number of all that it moves to.
inline Plan plan_of(const Pattern& pattern) {
  using Order = std::array<int, Pattern::most>;
  Order order = {};
  unsigned chosen = 0;
  for (int place = 0; place < pattern.size; place++) {
    int best = -1, best_value = -1;
    for (int v = 0; v < pattern.size; v++) {
      const int value = std::popcount(pattern.joined[v] & chosen) * Pattern::most + std::popcount(pattern.joined[v]);
      if ((chosen >> v & 1) == 0 && value > best_value) {
        best = v;
        best_value = value;
      }
    }
    order[place] = best;
    chosen |= 1U << best;
  }
  const auto joined = [&](int a, int b) { return (pattern.joined[order[a]] >> order[b] & 1) != 0; };
  const auto label = [&](int place) { return pattern.labels[order[place]]; };
  Plan plan = {pattern.size, {}};
  for (int place = 0; place < plan.size; place++) {
    plan.places[place].label = label(place);
    plan.places[place].degree = std::popcount(pattern.joined[order[place]]);
    for (int earlier = 0; earlier < place; earlier++) {
      if (joined(place, earlier)) plan.places[place].joined |= 1U << earlier;
    }
  }
  std::vector<Order> automorphisms;
  Order image = {};
  std::iota(image.begin(), image.end(), 0);
  do {
    bool same = true;
    for (int a = 0; a < plan.size; a++) {
      same = same && label(a) == label(image[a]);
      for (int b = 0; b < a; b++) same = same && joined(a, b) == joined(image[a], image[b]);
    }
    if (same) automorphisms.push_back(image);
  } while (std::next_permutation(image.begin(), image.begin() + plan.size));
  for (int place = 0; place < plan.size; place++) {
    for (const Order& each : automorphisms) {
      if (each[place] != place) plan.places[each[place]].below |= 1U << place;
    }
    std::erase_if(automorphisms, [&](const Order& each) { return each[place] != place; });
  }
  return plan;
}

}  // namespace violet
