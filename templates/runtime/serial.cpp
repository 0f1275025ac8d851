#include "serial.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "pagerank.hpp"
#include "priority.hpp"
#include "support.hpp"

namespace violet {
namespace {

/// Number of elements that two ascending lists share.
std::int64_t count_common(std::span<const int> a, std::span<const int> b) {
  std::int64_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int x = *i, y = *j;
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

/// Maximal independent set: greedy, from the first vertex of an order to the last.
template <typename Before>
Reference greedy_set(const Graph& graph, Before goes_before) {
  std::vector<int> order(graph.n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), goes_before);
  Reference in_set(graph.n, 0);
  std::vector<bool> has_neighbour_in_set(graph.n);
  for (const int v : order) {
    if (has_neighbour_in_set[v]) continue;
    in_set[v] = 1;
    for (const int u : neighbours(graph, v)) has_neighbour_in_set[u] = true;
  }
  return in_set;
}

}  // namespace

/// Number of edges on a shortest path: breadth-first search with a queue.
Reference serial_bfs(const Graph& graph, int source) {
  Reference level(graph.n, unreachable);
  std::vector<int> queue{source};
  level[source] = 0;
  for (std::size_t head = 0; head < queue.size(); head++) {
    const int u = queue[head];
    for (const int v : neighbours(graph, u)) {
      if (level[v] != unreachable) continue;
      level[v] = level[u] + 1;
      queue.push_back(v);
    }
  }
  return level;
}

/// Smallest vertex of the component: union-find, where the smaller root wins.
Reference serial_cc(const Graph& graph, int) {
  Reference parent(graph.n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];  // path halving
    return v;
  };
  for (int u = 0; u < graph.n; u++) {
    for (const int v : neighbours(graph, u)) {
      const auto [low, high] = std::minmax({root(u), root(v)});
      parent[high] = low;
    }
  }
  for (int v = 0; v < graph.n; v++) parent[v] = parent[parent[v]];  // parents are smaller, hence labelled already
  return parent;
}

/// Maximal independent set: greedy, from the highest priority to the lowest.
Reference serial_mis(const Graph& graph, int) {
  return greedy_set(graph, [](int u, int v) { return priority(u) > priority(v); });
}

/// The same where vertices of smaller degree have a higher priority.
Reference serial_mis_degree(const Graph& graph, int) {
  const auto rank = [&graph](int v) { return std::pair(degree_priority(v, degree(graph, v)), v); };
  return greedy_set(graph, [rank](int u, int v) { return rank(u) > rank(v); });
}

/// PageRank, to a millionth of the programs' tolerance. Every sum takes the newest ranks there are (the Gauss-Seidel
/// method), which leads to the same fixpoint in fewer iterations.
Reference serial_pr(const Graph& graph, int) {
  using pagerank::damping;
  constexpr double tolerance = pagerank::tolerance / 1e6;
  constexpr int max_iterations =
      200;  // more than it takes: each shrinks the change by the damping, to 0.85^200 < 1e-14
  std::vector<double> rank(graph.n, 1.0 / graph.n);
  std::vector<double> share(graph.n);  // of its rank that a vertex gives to each of its neighbours
  const auto set_share = [&](int v) { share[v] = rank[v] / std::max(1, degree(graph, v)); };
  for (int v = 0; v < graph.n; v++) set_share(v);

  double change = 1;
  for (int iteration = 0; change > tolerance && iteration < max_iterations; iteration++) {
    change = 0;
    for (int v = 0; v < graph.n; v++) {
      double sum = 0;
      for (const int u : neighbours(graph, v)) sum += share[u];
      const double old = std::exchange(rank[v], (1 - damping) / graph.n + damping * sum);
      set_share(v);
      change += std::abs(rank[v] - old);
    }
  }
  Reference stored(graph.n);
  std::transform(rank.begin(), rank.end(), stored.begin(), std::bit_cast<std::int64_t, double>);
  return stored;
}

/// Total weight of a lightest path: Dijkstra's algorithm with a binary heap.
Reference serial_sssp(const Graph& graph, int source) {
  using Entry = std::pair<std::int64_t, int>;  // distance, vertex
  Reference distance(graph.n, unreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[source] = 0;
  heap.push({0, source});
  while (!heap.empty()) {
    const auto [from, u] = heap.top();
    heap.pop();
    if (from > distance[u]) continue;  // a shorter path was found after this entry was pushed
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      const int v = graph.neighbours[e];
      const std::int64_t candidate = from + graph.weights[e];
      if (distance[v] != unreachable && distance[v] <= candidate) continue;
      distance[v] = candidate;
      heap.push({candidate, v});
    }
  }
  return distance;
}

/// Number of triangles. Every vertex keeps only those neighbours that come after it by degree, then by number: the two
/// first vertices of each triangle have kept its third, and even a hub keeps at most sqrt(m).
Reference serial_tc(const Graph& graph, int) {
  const auto comes_after = [&graph](int v, int u) {
    return std::pair(degree(graph, v), v) > std::pair(degree(graph, u), u);
  };
  std::vector<int> kept;
  std::vector<std::size_t> offsets{0};
  kept.reserve(graph.m / 2);
  for (int u = 0; u < graph.n; u++) {
    for (const int v : neighbours(graph, u)) {
      if (comes_after(v, u)) kept.push_back(v);
    }
    offsets.push_back(kept.size());
  }
  const auto kept_by = [&](int v) { return std::span(kept).subspan(offsets[v], offsets[v + 1] - offsets[v]); };

  std::int64_t triangles = 0;
  for (int u = 0; u < graph.n; u++) {
    for (const int v : kept_by(u)) triangles += count_common(kept_by(u), kept_by(v));
  }
  return {triangles};
}

}  // namespace violet
