#include <algorithm>
#include <cmath>
#include <limits>

#include "deviation.hpp"

namespace violet {

namespace {

/// A positive number, and what becomes of it where every operation rounds to the digits of a float; neither overflows.
struct Long {
  long double value = 0;
  long double in_floats = 0;
};

/// Rounds to the digits of a float, whatever the exponent (Veltkamp's splitting).
long double as_float(long double x) {
  constexpr int cut = std::numeric_limits<long double>::digits - std::numeric_limits<float>::digits;
  const long double scaled = x * ((1ULL << cut) + 1);
  return scaled - (scaled - x);
}

void add(Long& sum, const Long& other) {
  sum.value += other.value;
  sum.in_floats = as_float(sum.in_floats + other.in_floats);
}

/// What one search finds.
struct Search {
  std::vector<int> order;   ///< the vertices that it reaches, nearest first
  std::vector<int> level;   ///< [n] edges from the source; -1 beyond reach
  std::vector<Long> paths;  ///< [n] shortest paths from the source
};

Search search(const Graph& graph, int source) {
  Search found = {{source}, std::vector<int>(graph.n, -1), std::vector<Long>(graph.n)};
  found.level[source] = 0;
  found.paths[source] = {1, 1};
  for (std::size_t head = 0; head < found.order.size(); head++) {
    const int v = found.order[head];
    for (const int u : neighbours(graph, v)) {
      if (found.level[u] == -1) {
        found.level[u] = found.level[v] + 1;
        found.order.push_back(u);
      } else if (found.level[u] == found.level[v] - 1) {
        add(found.paths[v], found.paths[u]);
      }
    }
  }
  return found;
}

}  // namespace

/// Brandes' algorithm in long doubles, whose exponents are large enough for grids of millions of vertices.
///
/// Beside the centralities: how far off they are with the digits of floats, and the binary exponent of the largest number of
/// paths.
Reference serial_bc(const Graph& graph, const Query& query) {
  std::vector<Rounded> centrality(graph.n);
  int exponent = 0;
  for (int i = 0; i < query.sources; i++) {
    const int source = query.source_list[i];
    const Search found = search(graph, source);
    std::vector<Long> share(graph.n);
    for (auto v = found.order.rbegin(); v != found.order.rend(); v++) {
      const Long paths = found.paths[*v];
      // The product that rounds a number is as much larger as it has more digits than a float.
      constexpr int most = std::numeric_limits<long double>::max_exponent - std::numeric_limits<long double>::digits;
      if (std::ilogb(paths.value) + 1 > most) {
        throw Failure{bad_graph, text("vertex %d has too many shortest paths from vertex %d to count", *v, source)};
      }
      exponent = std::max(exponent, std::ilogb(paths.value) + 1);
      Long sum;
      for (const int w : neighbours(graph, *v)) {
        if (found.level[w] == found.level[*v] + 1) add(sum, share[w]);
      }
      share[*v] = {1 / paths.value, as_float(1 / paths.in_floats)};
      add(share[*v], sum);
      if (*v == source) continue;
      centrality[*v].add({static_cast<double>(paths.value * sum.value),
                          static_cast<float>(as_float(paths.in_floats * sum.in_floats))});
    }
  }
  Reference reference = {values_of(centrality)};
  append(reference, Deviation::of_sums(off_in_floats(centrality), graph.n));
  reference.push_back(std::vector<double>{static_cast<double>(exponent)});
  return reference;
}

std::optional<std::string> check_bc(const Graph& graph, const Reference& expected, Results results) {
  return check_sums(graph, expected, results);
}

}  // namespace violet
