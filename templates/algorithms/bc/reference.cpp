#include <algorithm>
#include <cmath>
#include <limits>

#include "reference.hpp"

namespace violet {

namespace {

/// What one search finds.
struct Search {
  std::vector<int> order;              ///< the vertices that it reaches, nearest first
  std::vector<int> level;              ///< [n] edges from the source; -1 beyond reach
  std::vector<long double> paths;      ///< [n] shortest paths from the source
  std::vector<double> path_roundings;  ///< [n] roundings that the number of a program may have gone through
};

Search search(const Graph& graph, int source) {
  Search found = {
      {source}, std::vector<int>(graph.n, -1), std::vector<long double>(graph.n), std::vector<double>(graph.n)};
  found.level[source] = 0;
  found.paths[source] = 1;
  for (std::size_t head = 0; head < found.order.size(); head++) {
    const int v = found.order[head];
    double terms = 0;
    for (const int u : neighbours(graph, v)) {
      if (found.level[u] == -1) {
        found.level[u] = found.level[v] + 1;
        found.order.push_back(u);
      } else if (found.level[u] == found.level[v] - 1) {
        found.paths[v] += found.paths[u];
        found.path_roundings[v] = std::max(found.path_roundings[v], found.path_roundings[u]);
        terms++;
      }
    }
    found.path_roundings[v] += terms;
  }
  return found;
}

}  // namespace

/// Brandes' algorithm in long doubles, whose exponents are large enough for grids of millions of vertices.
///
/// Beside the centralities: through how many roundings, at most, the result of a program may have gone, and the binary
/// exponent of the largest number of paths. All sums are of positive numbers, so a sum of k terms is off by k roundings
/// more than its worst term, and a share enters the sum of one vertex a level: no error is counted twice.
Reference serial_bc(const Graph& graph, const Query& query) {
  std::vector<double> centrality(graph.n);
  std::vector<double> roundings(graph.n);
  int exponent = 0;
  for (int i = 0; i < query.sources; i++) {
    const int source = query.source_list[i];
    const Search found = search(graph, source);
    std::vector<long double> share(graph.n);
    std::vector<double> share_roundings(graph.n);
    for (auto v = found.order.rbegin(); v != found.order.rend(); v++) {
      const long double paths = found.paths[*v];
      if (std::ilogb(paths) + 1 > std::numeric_limits<long double>::max_exponent - 2) {
        throw Failure{bad_graph, text("vertex %d has too many shortest paths from vertex %d to count", *v, source)};
      }
      exponent = std::max(exponent, std::ilogb(paths) + 1);
      long double sum = 0;
      double sum_roundings = 0;
      for (const int w : neighbours(graph, *v)) {
        if (found.level[w] != found.level[*v] + 1) continue;
        sum += share[w];
        sum_roundings = std::max(sum_roundings, share_roundings[w]);
      }
      sum_roundings += degree(graph, *v);
      share[*v] = 1 / paths + sum;
      share_roundings[*v] = std::max(found.path_roundings[*v] + 1, sum_roundings) + 1;
      if (*v == source) continue;
      centrality[*v] += static_cast<double>(paths * sum);
      roundings[*v] = std::max(roundings[*v], found.path_roundings[*v] + sum_roundings + 2);
    }
  }
  constexpr int of_reference = 2;  // a long double is rounded to a double, which others are added to
  for (double& each : roundings) each += of_reference + 2 * query.sources;
  return {centrality, roundings, std::vector<double>{static_cast<double>(exponent)}};
}

std::optional<std::string> check_bc(const Graph&, const Reference& expected, Results results) {
  const std::vector<double>& centrality = reals(expected[0]);
  const std::vector<double>& roundings = reals(expected[1]);
  return with_values(results[0], [&]<typename T>(const T* values) -> std::optional<std::string> {
    constexpr double unit = std::numeric_limits<T>::epsilon() / 2.0;
    for (std::size_t v = 0; v < centrality.size(); v++) {
      const double off = roundings[v] * unit;
      const double of_tiny =
          std::numeric_limits<T>::min() * roundings[v];  // numbers so small have fewer digits, or none
      const double allowed = off < 0.5 ? centrality[v] * off / (1 - off) + of_tiny : std::numeric_limits<double>::max();
      if (std::abs(static_cast<double>(values[v]) - centrality[v]) <= allowed) continue;
      return text("vertex %zu: expected %.9g, give or take %.3g, got %.9g", v, centrality[v], allowed,
                  static_cast<double>(values[v]));
    }
    return std::nullopt;
  });
}

}  // namespace violet
