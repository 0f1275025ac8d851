#include <bit>
#include <functional>
#include <queue>
#include <utility>

#include "distances.hpp"
#include "reference.hpp"

namespace violet {

namespace {

template <typename T>
struct Tree {
  std::vector<T> distance;  ///< infinity<T> beyond reach
  std::vector<std::int64_t> predecessor;
};

/// The weight of an edge to whoever adds up distances of this type: a real one if they are.
template <typename T>
T weight_for(int stored) {
  if constexpr (std::is_integral_v<T>) return stored;
  return std::bit_cast<float>(stored);
}

/// Dijkstra's algorithm with a binary heap, from vertices at 0. Real distances are rounded after each edge, as programs do:
/// a path that goes on is never shorter, which is all that the algorithm needs.
template <typename T>
Tree<T> search(const Graph& graph, const std::vector<int>& starts) {
  using Entry = std::pair<T, int>;  // distance, vertex
  Tree<T> tree{std::vector<T>(graph.n, infinity<T>), std::vector<std::int64_t>(graph.n, nobody)};
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  for (const int start : starts) {
    tree.distance[start] = 0;
    heap.push({T{0}, start});
  }
  while (!heap.empty()) {
    const auto [from, u] = heap.top();
    heap.pop();
    if (from > tree.distance[u]) continue;  // a shorter path was found after this entry was pushed
    for (std::int64_t e = first_edge(graph, u); e < first_edge(graph, u + 1); e++) {
      const int v = graph.neighbours[e];
      const T candidate = from + weight_for<T>(graph.weights[e]);
      if (tree.distance[v] <= candidate) continue;
      tree.distance[v] = candidate;
      tree.predecessor[v] = u;
      heap.push({candidate, v});
    }
  }
  return tree;
}

template <typename T>
std::vector<T> with_unreachable(std::vector<T> distances) {
  for (T& distance : distances) {
    if (distance >= infinity<T>) distance = static_cast<T>(unreachable);
  }
  return distances;
}

}  // namespace

Reference serial_sssp_tree(const Graph& graph, const Query& query) {
  Tree<std::int64_t> tree = search<std::int64_t>(graph, {query.source});
  return {with_unreachable(std::move(tree.distance)), tree.predecessor};
}

Reference serial_sssp(const Graph& graph, const Query& query) { return {serial_sssp_tree(graph, query)[0]}; }

Reference serial_sssp_real_tree(const Graph& graph, const Query& query) {
  Tree<double> tree = search<double>(graph, {query.source});
  return {with_unreachable(std::move(tree.distance)), tree.predecessor};
}

Reference serial_sssp_real(const Graph& graph, const Query& query) { return {serial_sssp_real_tree(graph, query)[0]}; }

namespace {

auto lengths_of(const Graph& graph) {
  return [&graph](std::int64_t e) { return graph.in_weights[e]; };
}

auto real_lengths_of(const Graph& graph) {
  return [&graph](std::int64_t e) { return weight_for<float>(graph.in_weights[e]); };
}

}  // namespace

Certificate certify_sssp(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results, lengths_of(graph))};
}

Certificate certify_sssp_tree(const Graph& graph, const Query& query, Results results) {
  return certify_sssp(graph, query, results);
}

Certificate certify_sssp_real(const Graph& graph, const Query& query, Results results) {
  return {certify_distances(graph, query.source, results, real_lengths_of(graph))};
}

Certificate certify_sssp_real_tree(const Graph& graph, const Query& query, Results results) {
  return certify_sssp_real(graph, query, results);
}

/// Real distances are right if they are, to the last bit, what numbers of their own precision come to: see
/// certify_distances. Those of the reference are of double precision, and tell where paths begin.
std::optional<std::string> check_sssp(const Graph& graph, const Reference& expected, Results results) {
  if (results[0].info->kind != ResultInfo::Kind::real_distance) {
    return check_paths(graph, expected, results, lengths_of(graph));
  }
  const std::int32_t* const predecessor = predecessors_in(results);
  std::vector<int> starts;
  for (int v = 0; v < graph.n; v++) {
    const bool begins = predecessor == nullptr || integers(expected[1])[v] == nobody;
    if (begins && reals(expected[0])[v] == 0) starts.push_back(v);
  }
  return with_values(results[0], [&]<typename T>(const T* found) -> std::optional<std::string> {
    Tree<T> tree = search<T>(graph, starts);
    const std::vector<T> right = with_unreachable(std::move(tree.distance));
    for (int v = 0; v < graph.n; v++) {
      const bool beyond = right[v] == static_cast<T>(unreachable);
      if (beyond ? found[v] >= infinity<T> : found[v] == right[v]) continue;
      const std::string wanted = beyond ? "inf" : to_text(right[v]);
      return text("vertex %d: expected %s, got %s", v, wanted.c_str(), to_text(found[v]).c_str());
    }
    if (predecessor == nullptr) return std::nullopt;
    return find_no_predecessor(graph, right, tree.predecessor, predecessor, real_lengths_of(graph));
  });
}

}  // namespace violet
