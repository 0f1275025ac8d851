#include <algorithm>
#include <numeric>
#include <tuple>

#include "priority.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {

/// Greedy, one vertex after the other: those of larger degree first, of equal degrees those of higher priority.
Reference serial_gc(const Graph& graph, const Query&) {
  std::vector<int> order(graph.n);
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&graph](int v) { return std::tuple(degree(graph, v), priority(v)); };
  std::sort(order.begin(), order.end(), [rank](int u, int v) { return rank(u) > rank(v); });

  std::vector<std::int64_t> colour(graph.n, -1);
  std::vector<int> taken_for;  // by colour: the last vertex that found a neighbour to have it
  for (const int v : order) {
    for (const int u : neighbours(graph, v)) {
      if (colour[u] >= 0) taken_for[colour[u]] = v;
    }
    const auto free = std::find_if(taken_for.begin(), taken_for.end(), [v](int last) { return last != v; });
    colour[v] = free - taken_for.begin();
    if (free == taken_for.end()) taken_for.push_back(-1);
  }
  return {colour, std::vector{static_cast<std::int64_t>(taken_for.size())}};
}

namespace {

/// What keeps colours from being a proper colouring, whichever.
template <typename T>
std::optional<std::string> find_flaw_of_colouring(const Graph& graph, const T* colour) {
  using Flaw = std::optional<std::string>;
  const auto no_colour = find_first(graph, [&](int v) -> Flaw {
    if (colour[v] >= 0) return {};
    return text("vertex %d: expected a colour, got %s", v, to_text(colour[v]).c_str());
  });
  if (no_colour) return no_colour;
  return find_first(graph, [&](int v) -> Flaw {
    for (const int u : neighbours(graph, v)) {
      if (colour[u] != colour[v]) continue;
      return text("not a colouring: the neighbours %d and %d both have colour %s", v, u, to_text(colour[v]).c_str());
    }
    return {};
  });
}

}  // namespace

/// A proper colouring, and the greedy one. The first is tested on its own: it says more of what went wrong, and relies
/// on no reference.
std::optional<std::string> check_gc(const Graph& graph, const Reference& expected, Results results) {
  const auto flaw = with_values(results[0], [&](const auto* values) { return find_flaw_of_colouring(graph, values); });
  if (flaw) return flaw;
  const auto difference = find_unequal(expected, results);
  if (difference) return "a proper colouring, but not the greedy one: " + *difference;
  return std::nullopt;
}

}  // namespace violet
