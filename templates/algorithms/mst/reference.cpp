#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "real_weights.hpp"
#include "reference.hpp"

namespace violet {

namespace {

/// Kruskal's algorithm: from the lightest edge to the heaviest, of equal weights in the order of edges, each that joins two
/// trees. Edges are those from a smaller vertex to a larger one.
/// @param weights  of the edges; all that is asked of them is which is less
std::vector<std::int64_t> lightest_forest(const Graph& graph, const std::vector<int>& weights) {
  std::vector<int> source(graph.m);
  std::vector<int> order;
  order.reserve(graph.m / 2);
  for (int u = 0; u < graph.n; u++) {
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      source[e] = u;
      if (u < graph.neighbours[e]) order.push_back(e);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weights[a] < weights[b]; });

  std::vector<int> parent(graph.n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];  // path halving
    return v;
  };
  std::vector<std::int64_t> in_forest(graph.m);
  for (const int e : order) {
    const int a = root(source[e]), b = root(graph.neighbours[e]);
    if (a == b) continue;
    parent[a] = b;
    in_forest[e] = 1;
  }
  return in_forest;
}

}  // namespace

Reference serial_mst(const Graph& graph, const Query&) {
  const std::vector<int> weights(graph.weights, graph.weights + graph.m);
  const std::vector<std::int64_t> in_forest = lightest_forest(graph, weights);
  const std::int64_t total = std::inner_product(in_forest.begin(), in_forest.end(), weights.begin(), std::int64_t{0});
  return {in_forest, std::vector{total}};
}

Reference serial_mst_real(const Graph& graph, const Query&) {
  const float* const real = real_weights(graph.weights);
  std::vector<int> weights(graph.m);
  std::transform(real, real + graph.m, weights.begin(), ordered);
  const std::vector<std::int64_t> in_forest = lightest_forest(graph, weights);
  const double total = std::inner_product(in_forest.begin(), in_forest.end(), real, 0.0);
  return {in_forest, std::vector{total}};
}

/// There is one forest, and a total of whole numbers. A total of k real ones is rounded at each of them, in any order: by
/// all together no more than k * epsilon times what their sizes add up to.
std::optional<std::string> check_mst(const Graph& graph, const Reference& expected, Results results) {
  const bool real = results[1].info->is_real();
  if (const auto error = find_unequal(expected, real ? results.first(1) : results)) return error;
  if (!real) return std::nullopt;
  double sizes = 0, count = 0;
  for (std::int64_t e = 0; e < graph.m; e++) {
    if (integers(expected[0])[e] == 0) continue;
    sizes += std::abs(real_weights(graph.weights)[e]);
    count++;
  }
  const double right = reals(expected[1])[0], bound = count * std::numeric_limits<double>::epsilon() * sizes;
  return with_values(results[1], [&](const auto* found) -> std::optional<std::string> {
    const double got = static_cast<double>(*found);
    if (std::abs(got - right) <= bound) return std::nullopt;
    return text("%s: expected %s, got %s", results[1].info->name, to_text(right).c_str(), to_text(got).c_str());
  });
}

}  // namespace violet
