#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "priority.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {
namespace {

/// Greedy, from the first vertex of an order to the last.
template <typename Before>
Reference greedy_set(const Graph& graph, Before goes_before) {
  std::vector<int> order(graph.n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), goes_before);
  std::vector<std::int64_t> in_set(graph.n, 0);
  std::vector<bool> has_neighbour_in_set(graph.n);
  for (const int v : order) {
    if (has_neighbour_in_set[v]) continue;
    in_set[v] = 1;
    for (const int u : neighbours(graph, v)) has_neighbour_in_set[u] = true;
  }
  return {in_set};
}

/// Whether the set is the greedy one: a vertex is in it if no neighbour is, and out of it if one that goes before is in.
/// From the first vertex of the order to the last, that leaves no choice.
template <typename Before>
bool certify_greedy_set(const Graph& graph, const Result& result, Before goes_before) {
  return with_values(result, [&](const auto* in_set) {
    const auto holds_at = [&](int v) {
      const auto row = neighbours(graph, v);
      if (in_set[v] == 1) return std::ranges::none_of(row, [&](int u) { return in_set[u] == 1; });
      return in_set[v] == 0 && std::ranges::any_of(row, [&](int u) { return in_set[u] == 1 && goes_before(u, v); });
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

/// What keeps vertices from being a maximal independent set, whichever.
template <typename T>
std::optional<std::string> find_flaw_of_set(const Graph& graph, const T* in_set) {
  using Flaw = std::optional<std::string>;
  const auto no_answer = find_first(graph, [&](int v) -> Flaw {
    if (in_set[v] == 0 || in_set[v] == 1) return {};
    return text("vertex %d: expected 0 or 1, got %s", v, to_text(in_set[v]).c_str());
  });
  if (no_answer) return no_answer;
  return find_first(graph, [&](int v) -> Flaw {
    const auto row = neighbours(graph, v);
    const auto found = std::find_if(row.begin(), row.end(), [in_set](int u) { return in_set[u] == 1; });
    const bool has_neighbour_in_set = found != row.end();
    if (in_set[v] == 1 && has_neighbour_in_set) {
      return text("not independent: the neighbours %d and %d are both in the set", v, *found);
    }
    if (in_set[v] == 0 && !has_neighbour_in_set) {
      return text("not maximal: neither vertex %d nor a neighbour of it is in the set", v);
    }
    return {};
  });
}

/// From the highest priority to the lowest.
bool by_priority(int u, int v) { return priority(u) > priority(v); }

/// The same where vertices of smaller degree have a higher priority.
auto by_degree(const Graph& graph) {
  const auto rank = [&graph](int v) { return std::pair(degree_priority(v, degree(graph, v)), v); };
  return [rank](int u, int v) { return rank(u) > rank(v); };
}

}  // namespace

Reference serial_mis(const Graph& graph, const Query&) { return greedy_set(graph, by_priority); }
Reference serial_mis_degree(const Graph& graph, const Query&) { return greedy_set(graph, by_degree(graph)); }

Certificate certify_mis(const Graph& graph, const Query&, Results results) {
  return {certify_greedy_set(graph, results[0], by_priority)};
}

Certificate certify_mis_degree(const Graph& graph, const Query&, Results results) {
  return {certify_greedy_set(graph, results[0], by_degree(graph))};
}

/// Members of a maximal independent set, and of the greedy one. The first is tested on its own: it says more of what
/// went wrong, and relies on no reference.
std::optional<std::string> check_mis(const Graph& graph, const Reference& expected, Results results) {
  const auto flaw = with_values(results[0], [&](const auto* values) { return find_flaw_of_set(graph, values); });
  if (flaw) return flaw;
  const auto difference = find_unequal(expected, results);
  if (difference) return "a maximal independent set, but not the greedy one: " + *difference;
  return std::nullopt;
}

}  // namespace violet
