// Holds references and checks against brute force on every graph of up to four vertices: whatever the serial algorithms
// and the checks of results say must follow from the definitions, which are written here as plainly as possible.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms.hpp"
#include "deviation.hpp"
#include "digraph.hpp"
#include "graph_file.hpp"
#include "options.hpp"
#include "pr.hpp"
#include "priority.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace {

using violet::Algorithm;
using violet::Element;
using violet::Reference;
using Values = std::vector<std::int64_t>;

constexpr int most_vertices = 4;
constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max() / 4;

void require(bool condition, const char* what, int n, unsigned edges) {
  if (condition) return;
  std::fprintf(stderr, "%s, with the edges %#x of %d vertices\n", what, edges, n);
  std::exit(1);
}

/// A graph as a matrix of weights, 0 where there is no edge, and in compressed rows.
struct SmallGraph {
  SmallGraph(int n, unsigned edges, int weighting) : n(n), edges(edges), weighting(weighting) {
    int bit = 0;
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < u; v++, bit++) {
        if ((edges >> bit & 1) == 0) continue;
        weight[u][v] = weight[v][u] = 1 + (weighting * (bit + 1)) % 7;
      }
    }
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < n; v++) {
        if (weight[u][v] == 0) continue;
        neighbours.push_back(v);
        weights.push_back(weight[u][v]);
        sources.push_back(u);
      }
      row_offsets.push_back(static_cast<int>(neighbours.size()));
    }
  }

  violet::Graph graph() const {
    return {
        n, static_cast<int>(neighbours.size()), row_offsets.data(), neighbours.data(), weights.data(), sources.data()};
  }

  int degree(int v) const { return row_offsets[v + 1] - row_offsets[v]; }

  int n;
  unsigned edges;
  int weighting;
  int weight[most_vertices][most_vertices] = {};
  std::vector<int> row_offsets{0}, neighbours, weights, sources;
};

/// Lengths of shortest paths between any two vertices (Floyd and Warshall), with weights or counting edges.
std::vector<std::vector<std::int64_t>> all_distances(const SmallGraph& small, bool weighted) {
  std::vector<std::vector<std::int64_t>> distance(small.n, std::vector<std::int64_t>(small.n, unreached));
  for (int u = 0; u < small.n; u++) {
    distance[u][u] = 0;
    for (int v = 0; v < small.n; v++) {
      if (small.weight[u][v] != 0) distance[u][v] = weighted ? small.weight[u][v] : 1;
    }
  }
  for (int k = 0; k < small.n; k++) {
    for (int u = 0; u < small.n; u++) {
      for (int v = 0; v < small.n; v++) distance[u][v] = std::min(distance[u][v], distance[u][k] + distance[k][v]);
    }
  }
  return distance;
}

Values distances(const SmallGraph& small, bool weighted, int source) {
  Values result = all_distances(small, weighted)[source];
  for (std::int64_t& value : result) value = value >= unreached ? violet::unreachable : value;
  return result;
}

Values labels(const SmallGraph& small) {
  const auto distance = all_distances(small, false);
  Values result;
  for (int v = 0; v < small.n; v++) {
    int u = 0;
    while (distance[v][u] >= unreached) u++;
    result.push_back(u);
  }
  return result;
}

/// A vertex is in the set if no neighbour of higher priority is.
template <typename Before>
Values greedy_set(const SmallGraph& small, Before goes_before) {
  std::vector<int> decided(small.n, -1);
  for (int round = 0; round < small.n; round++) {
    int best = -1;
    for (int v = 0; v < small.n; v++) {
      if (decided[v] < 0 && (best < 0 || goes_before(v, best))) best = v;
    }
    decided[best] = 1;
    for (int u = 0; u < small.n; u++) {
      if (small.weight[best][u] != 0 && decided[u] == 1) decided[best] = 0;
    }
  }
  return {decided.begin(), decided.end()};
}

std::vector<double> next_ranks(const SmallGraph& small, const std::vector<double>& rank) {
  std::vector<double> next(small.n, 0.15 / small.n);
  for (int u = 0; u < small.n; u++) {
    for (int v = 0; v < small.n; v++) {
      if (small.weight[u][v] != 0) next[v] += 0.85 * rank[u] / small.degree(u);
    }
  }
  return next;
}

std::vector<double> ranks(const SmallGraph& small) {
  std::vector<double> rank(small.n, 1.0 / small.n);
  for (int iteration = 0; iteration < 300; iteration++) rank = next_ranks(small, rank);
  return rank;
}

std::int64_t triangles(const SmallGraph& small) {
  std::int64_t count = 0;
  for (int u = 0; u < small.n; u++) {
    for (int v = 0; v < u; v++) {
      for (int w = 0; w < v; w++) count += small.weight[u][v] * small.weight[v][w] * small.weight[u][w] != 0;
    }
  }
  return count;
}

template <typename T>
constexpr Element element = std::is_floating_point_v<T> ? (sizeof(T) == 4 ? Element::f32 : Element::f64)
                                                        : (sizeof(T) == 4 ? Element::i32 : Element::i64);

/// Asks for what a user asks for by default, from a source.
template <typename Ask>
auto with_query(Algorithm algorithm, const violet::Graph& graph, int source, Ask ask) {
  violet::Query query = violet::preset_query(violet::info(algorithm));
  std::vector<int> list;
  violet::start_from(source, graph, query, list);
  return ask(query);
}

/// What the serial algorithm says.
Reference solve(Algorithm algorithm, const violet::Graph& graph, int source = 0) {
  return with_query(algorithm, graph, source,
                    [&](const violet::Query& query) { return violet::info(algorithm).solve(graph, query); });
}

/// The certificate of a result of one array.
template <typename T>
violet::Certificate certificate_of(Algorithm algorithm, const violet::Graph& graph, const std::vector<T>& values,
                                   int source = 0) {
  const violet::AlgorithmInfo& info = violet::info(algorithm);
  const violet::Result result = {&info.results[0], element<T>, values.size(), values.data()};
  return with_query(algorithm, graph, source,
                    [&](const violet::Query& query) { return violet::certify(info, graph, query, {&result, 1}); });
}

template <typename T>
bool certified(Algorithm algorithm, const violet::Graph& graph, const std::vector<T>& values, int source = 0) {
  return certificate_of(algorithm, graph, values, source).holds;
}

Values integers(Algorithm algorithm, const violet::Graph& graph, int source = 0) {
  return violet::integers(solve(algorithm, graph, source)[0]);
}

/// Describes what is wrong with a result of one array.
template <typename T>
auto error_of(Algorithm algorithm, const violet::Graph& graph, const Reference& expected,
              const std::vector<T>& values) {
  const violet::AlgorithmInfo& info = violet::info(algorithm);
  const violet::Result result = {&info.results[0], element<T>, values.size(), values.data()};
  return violet::find_error(info, graph, expected, {&result, 1});
}

/// Whether the check accepts the values.
template <typename T>
bool accepts(Algorithm algorithm, const SmallGraph& small, const Reference& expected, const std::vector<T>& values) {
  return !error_of(algorithm, small.graph(), expected, values);
}

/// The right values pass; none with one value changed does, nor with one too few or too many.
template <typename T>
void check_exact(Algorithm algorithm, const SmallGraph& small, const Values& right_values) {
  const Reference expected = {right_values};
  std::vector<T> values(right_values.begin(), right_values.end());
  for (T& value : values) value = value < 0 ? violet::infinity<T> : value;
  const auto pass = [&] { return accepts(algorithm, small, expected, values); };
  const auto demand = [&](bool condition, const char* what) { require(condition, what, small.n, small.edges); };
  demand(pass(), "a right result is refused");
  for (T& value : values) {
    const T right = value;
    const bool beyond =
        violet::info(algorithm).results[0].kind == violet::ResultInfo::Kind::distance && right >= violet::infinity<T>;
    for (const T change : {T{-1}, T{1}, T{2}}) {
      value = static_cast<T>(right + change);
      demand(pass() == (beyond && change > 0), "a wrong value is accepted, or a right one beyond reach is not");
    }
    value = violet::infinity<T>;
    demand(pass() == beyond, "a vertex that is reached may not be beyond reach");
    value = right;
  }
  values.push_back(0);
  demand(!pass(), "one value too many is accepted");
  values.resize(values.size() - 2);
  demand(!pass(), "one value too few is accepted");
}

/// Of all ways to give each vertex one of its candidates, exactly those that are right are certified.
template <typename T>
void check_certificate(Algorithm algorithm, const violet::Graph& graph, unsigned edges, int source, const Values& right,
                       const std::vector<std::vector<T>>& candidates) {
  const auto is_right = [&](const std::vector<T>& values) {
    for (int v = 0; v < graph.n; v++) {
      const bool beyond = right[v] == violet::unreachable;
      if (beyond ? values[v] < violet::infinity<T> : values[v] != right[v]) return false;
    }
    return true;
  };
  std::vector<T> values;
  const auto check = [&](auto& check_rest) -> void {
    const std::size_t v = values.size();
    if (v == right.size()) {
      require(certified(algorithm, graph, values, source) == is_right(values),
              "a wrong result is certified, or a right one is not", graph.n, edges);
      return;
    }
    for (const T value : candidates[v]) {
      values.push_back(value);
      check_rest(check_rest);
      values.pop_back();
    }
  };
  check(check);
  values.resize(right.size() + 1);
  require(!certified(algorithm, graph, values, source), "one value too many is certified", graph.n, edges);
}

/// Distances in a graph, as 32-bit levels and 64-bit lengths, around the right ones and those of other vertices.
void check_certificates_of_distances(const violet::Graph& graph, unsigned edges, int source, const Values& levels,
                                     const Values& lengths) {
  constexpr auto beyond = violet::infinity<std::int32_t>;
  check_certificate<std::int32_t>(Algorithm::bfs, graph, edges, source, levels,
                                  std::vector<std::vector<std::int32_t>>(graph.n, {-1, 0, 1, 2, 3, beyond}));
  std::vector<std::vector<std::int64_t>> candidates;
  for (const std::int64_t length : lengths) {
    candidates.push_back({0, 1, violet::infinity<std::int64_t>});
    if (length > 1) candidates.back().push_back(length);
    candidates.back().push_back(std::max<std::int64_t>(length, 1) + 1);
  }
  check_certificate<std::int64_t>(Algorithm::sssp, graph, edges, source, lengths, candidates);
}

/// Of all ways to give each vertex a predecessor or none, exactly those are right by which every vertex that is reached leads
/// back to the source, along edges that add up to its distance, each sum rounded. `length` is that of an edge by its weight;
/// `certain` says whether each edge makes a path longer, as there is no certificate otherwise.
template <typename T, typename Length>
void check_trees(Algorithm algorithm, const SmallGraph& small, int source, Length length, bool certain) {
  std::vector<int> weights = small.weights;
  for (int& weight : weights) {
    if constexpr (std::is_integral_v<T>) {
      weight = static_cast<int>(length(weight));
    } else {
      weight = std::bit_cast<int>(length(weight));
    }
  }
  violet::Graph graph = small.graph();
  graph.weights = graph.in_weights = weights.data();
  violet::Query query = {};
  query.source = source;
  const violet::AlgorithmInfo& info = violet::info(algorithm);
  const Reference expected = info.solve(graph, query);
  std::vector<T> distance(small.n, violet::infinity<T>);
  distance[source] = 0;
  for (int round = 0; round < small.n; round++) {
    for (int u = 0; u < small.n; u++) {
      for (int v = 0; v < small.n; v++) {
        if (small.weight[u][v] == 0 || distance[u] >= violet::infinity<T>) continue;
        distance[v] = std::min<T>(distance[v], distance[u] + length(small.weight[u][v]));
      }
    }
  }
  std::vector<std::int32_t> predecessor(small.n);
  const auto leads_back = [&](int v) {
    if (v == source || distance[v] >= violet::infinity<T>) return predecessor[v] == -1;
    std::vector<T> lengths;
    int u = v;
    for (int step = 0; step < small.n && u != source; step++) {
      const int before = predecessor[u];
      if (before < 0 || before >= small.n || small.weight[before][u] == 0) return false;
      lengths.push_back(length(small.weight[before][u]));
      u = before;
    }
    const T sum = std::accumulate(lengths.rbegin(), lengths.rend(), T{0});
    return u == source && sum == distance[v];
  };
  int ways = 1;
  for (int v = 0; v < small.n; v++) ways *= small.n + 2;
  for (int way = 0; way < ways; way++) {
    int rest = way;
    bool right = true;
    for (std::int32_t& before : predecessor) {
      before = rest % (small.n + 2) - 1;  // also one that is no vertex
      rest /= small.n + 2;
    }
    for (int v = 0; v < small.n; v++) right &= leads_back(v);
    const violet::Result results[] = {
        {&info.results[0], element<T>, distance.size(), distance.data()},
        {&info.results[1], Element::i32, predecessor.size(), predecessor.data()},
    };
    require(!violet::find_error(info, graph, expected, results) == right, "a tree is misjudged", small.n, small.edges);
    const bool certified = violet::certify(info, graph, query, results).holds;
    require(certified == right || (!certified && !certain), "the certificate of a tree is wrong", small.n, small.edges);
  }
}

/// What differs from certified ranks by no more than their margin is certified as well.
template <typename T>
void check_margin(const SmallGraph& small, const std::vector<double>& ranks) {
  std::vector<T> values(ranks.begin(), ranks.end());
  const auto demand = [&](bool condition, const char* what) { require(condition, what, small.n, small.edges); };
  const violet::Certificate certificate = certificate_of(Algorithm::pr, small.graph(), values);
  if (!certificate.holds) return;
  demand(certificate.margin >= 0, "certified ranks have a negative margin");
  if (certificate.margin < 1e-5) return;  // single precision has no number that is so near
  const auto result = [](const std::vector<T>& of) {
    return violet::Result{&violet::info(Algorithm::pr).results[0], element<T>, of.size(), of.data()};
  };
  for (int v = 0; v < small.n; v++) {
    for (const double share : {-0.99, 0.99}) {
      std::vector<T> others = values;
      others[v] = static_cast<T>(values[v] + share * certificate.margin);
      demand(violet::difference(result(others), result(values)) <= certificate.margin, "a difference is misjudged");
      demand(certified(Algorithm::pr, small.graph(), others), "a margin is too large");
      others[v] = -others[v];
      demand(violet::difference(result(others), result(values)) > 1, "a negative rank is near another one");
    }
  }
}

/// Errors of ranks are right as long as another iteration changes the ranks by no more than the last one may have.
template <typename T>
void check_ranks(const SmallGraph& small, const Reference& expected, const std::vector<double>& right) {
  const auto demand = [&](bool condition, const char* what) { require(condition, what, small.n, small.edges); };
  const auto pass = [&](const std::vector<double>& ranks) {
    return accepts(Algorithm::pr, small, expected, std::vector<T>(ranks.begin(), ranks.end()));
  };
  const auto is_certified = [&](const std::vector<double>& ranks) {
    return certified(Algorithm::pr, small.graph(), std::vector<T>(ranks.begin(), ranks.end()));
  };
  demand(pass(right), "right ranks are refused");
  demand(is_certified(right), "right ranks are not certified");
  std::vector<std::vector<double>> patterns(1, std::vector<double>(small.n, 1e-4));
  for (int v = 0; v < small.n; v++) {
    patterns.emplace_back(small.n)[v] = 1e-4;
    for (const double wrong : {-1e-9, std::nan(""), std::numeric_limits<double>::infinity()}) {
      std::vector<double> values = right;
      values[v] = wrong;
      demand(!pass(values) && !is_certified(values), "what is no rank is accepted");
    }
  }
  constexpr double enough = 1 + 5e-7;
  constexpr double too_much = sizeof(T) == 4 ? 1.1 : 1 + 2e-6;  // single precision has to allow for rounding
  for (const std::vector<double>& pattern : patterns) {
    const auto with_errors = [&](double scale) {
      std::vector<double> values = right;
      for (int v = 0; v < small.n; v++) values[v] += scale * pattern[v];
      return values;
    };
    const std::vector<double> values = with_errors(1), next = next_ranks(small, values);
    double change = 0;
    for (int v = 0; v < small.n; v++) change += std::abs(next[v] - values[v]);
    for (const double share : {-too_much, -enough, enough, too_much}) {
      const double scale = share * 0.85 * violet::pr::tolerance / change;
      demand(pass(with_errors(scale)) == (std::abs(share) == enough), "what another iteration changes is misjudged");
      demand(is_certified(with_errors(0.99 * scale)) == (std::abs(share) == enough || sizeof(T) == 8),
             "a smaller change is not certified");
      demand(!is_certified(with_errors(1.01 * scale)), "a larger change is certified");
      for (const double less : {0.0, 0.5, 0.9}) check_margin<T>(small, with_errors(less * scale));
    }
  }
  demand(!pass({right.begin(), right.end() - 1}), "one rank too few is accepted");
}

/// In single precision the check allows for rounding: of the terms of a rank, and of 104 operations more.
void check_rounding() {
  const auto error = [&](const violet::Graph& graph, double planted, std::size_t changed) {
    const Reference expected = solve(Algorithm::pr, graph);
    const std::vector<double>& right = violet::reals(expected[0]);
    std::vector<float> values(right.begin(), right.end());
    for (std::size_t v = 0; v < changed; v++) {
      values[v] = std::max(0.0F, static_cast<float>(right[v] + planted));
    }
    return error_of(Algorithm::pr, graph, expected, values);
  };
  const auto accepted = [&](const violet::Graph& graph, double planted) { return !error(graph, planted, 1); };
  constexpr double allowed = 0.85 * violet::pr::tolerance, unit = 0x1p-24;
  const SmallGraph complete(4, 0x3f, 0);
  const double of_terms = (allowed + 107 * unit) / 1.85;
  require(accepted(complete.graph(), 0.999 * of_terms), "the terms of a rank are not allowed for", 4, 0x3f);
  require(!accepted(complete.graph(), 1.001 * of_terms), "the terms of a rank are allowed too much for", 4, 0x3f);

  const auto first_of_equals = error(complete.graph(), 2 * allowed, 3);
  require(first_of_equals && first_of_equals->find("vertex 0 is off most:") != std::string::npos,
          "of the worst vertices, the first is not the one reported", 4, 0x3f);

  constexpr int many = 200'000;
  const std::vector<int> no_edges(many + 1, 0);
  const violet::Graph apart = {many, 0, no_edges.data(), nullptr, nullptr, nullptr};
  const double alone = allowed + 0.15 * 104 * unit;
  require(accepted(apart, -1), "a rank that is nearly 0 may not be 0", many, 0);
  std::vector<double> ranks(many, 0.15 / many);
  require(certified(Algorithm::pr, apart, ranks), "right ranks are not certified", many, 0);
  ranks.back() = -1e-9;
  require(!certified(Algorithm::pr, apart, ranks), "a rank below 0 is certified", many, 0);
  require(accepted(apart, 0.999 * alone), "operations besides a sum are not allowed for", many, 0);
  require(!accepted(apart, 1.001 * alone), "operations besides a sum are allowed too much for", many, 0);
}

void check(const SmallGraph& small) {
  const violet::Graph graph = small.graph();
  const auto demand = [&](bool condition, const char* what) { require(condition, what, small.n, small.edges); };
  for (int source = 0; source < small.n; source++) {
    const Values levels = distances(small, false, source), lengths = distances(small, true, source);
    demand(integers(Algorithm::bfs, graph, source) == levels, "serial bfs is wrong");
    demand(integers(Algorithm::sssp, graph, source) == lengths, "serial sssp is wrong");
    check_exact<std::int32_t>(Algorithm::bfs, small, levels);
    check_exact<std::int64_t>(Algorithm::sssp, small, lengths);
    if (source == small.n - 1 && small.weighting == 5) {  // all graphs have all sources, up to the numbers of vertices
      check_certificates_of_distances(graph, small.edges, source, levels, lengths);
      const auto one = [](int) { return 1; };
      const auto own = [](int weight) { return weight; };
      const auto shorter = [](int weight) { return weight - 1; };
      const auto real = [](int weight) { return static_cast<float>(weight) * (weight < 4 ? 1e-9F : 1.1F); };
      check_trees<std::int64_t>(Algorithm::bfs_tree, small, source, one, true);
      check_trees<std::int64_t>(Algorithm::sssp_tree, small, source, own, true);
      check_trees<std::int64_t>(Algorithm::sssp_tree, small, source, shorter, false);
      check_trees<float>(Algorithm::sssp_real_tree, small, source, real, false);  // 1e-9 adds nothing to 1.1
    }
  }
  const Values smallest = labels(small),
               greedy = greedy_set(small, [](int u, int v) { return violet::priority(u) > violet::priority(v); });
  demand(integers(Algorithm::cc, graph) == smallest, "serial cc is wrong");
  demand(integers(Algorithm::mis, graph) == greedy, "serial mis is wrong");
  const Values small_degrees = greedy_set(small, [&small](int u, int v) {
    if (small.degree(u) != small.degree(v)) return small.degree(u) < small.degree(v);
    const unsigned random_u = violet::priority(u) >> 13, random_v = violet::priority(v) >> 13;
    return random_u != random_v ? random_u > random_v : u > v;
  });
  demand(integers(Algorithm::mis_degree, graph) == small_degrees, "serial mis-degree is wrong");
  check_exact<std::int32_t>(Algorithm::cc, small, smallest);
  check_exact<std::int64_t>(Algorithm::mis, small, greedy);
  check_exact<std::int32_t>(Algorithm::mis_degree, small, small_degrees);
  if (small.weighting == 0) {
    const std::vector<std::vector<float>> statuses(small.n, {0, 0.5, 1, 2});
    check_certificate<float>(Algorithm::mis, graph, small.edges, 0, greedy, statuses);
    check_certificate<float>(Algorithm::mis_degree, graph, small.edges, 0, small_degrees, statuses);
  }

  const Values count = {triangles(small)};
  demand(integers(Algorithm::tc, graph) == count, "serial tc is wrong");
  check_exact<std::int64_t>(Algorithm::tc, small, count);

  const std::vector<double> right = ranks(small);
  const Reference stored = solve(Algorithm::pr, graph);
  for (int v = 0; v < small.n; v++) {
    demand(std::abs(violet::reals(stored[0])[v] - right[v]) < 1e-9, "serial pr is wrong");
  }
  check_ranks<float>(small, stored, right);
  check_ranks<double>(small, stored, right);
}

/// Values of fmix32 by another implementation, and the ends of the range of degrees.
void check_priorities() {
  require(violet::priority(1) == 0x514e28b7 && violet::priority(65536) == 0x0ea34562 &&
              violet::priority(1234567) == 0xabfd2174,
          "priorities are not those of fmix32", 0, 0);
  for (const auto& [degree, rank] : {std::pair(0, 4095), std::pair(4093, 2), std::pair(4094, 1), std::pair(5000, 1)}) {
    const int random = static_cast<int>(violet::priority(1) >> 13);
    require(violet::degree_priority(1, degree) == (rank << 19 | random), "priorities are not by degree", 0, 0);
  }
}

/// Certificates of distances go by the directions of edges, whose weights are those of their numbers.
void check_directed(unsigned edges) {
  constexpr int n = 3;
  int weight[n][n] = {};
  int bit = 0;
  for (int u = 0; u < n; u++) {
    for (int v = 0; v < n; v++) {
      if (u != v && (edges >> bit++ & 1) != 0) weight[u][v] = 1 + (u + 2 * v) % 3;
    }
  }
  const Digraph digraph(n, [&](int u, int v) { return weight[u][v]; });
  const auto shortest = [&](bool weighted) {
    Values distance(n, unreached);
    distance[0] = 0;
    for (int round = 1; round < n; round++) {
      for (int u = 0; u < n; u++) {
        for (int v = 0; v < n; v++) {
          if (weight[u][v] == 0) continue;
          distance[v] = std::min(distance[v], distance[u] + (weighted ? weight[u][v] : 1));
        }
      }
    }
    for (std::int64_t& value : distance) value = value >= unreached ? violet::unreachable : value;
    return distance;
  };
  check_certificates_of_distances(digraph.graph(), edges, 0, shortest(false), shortest(true));
}

/// Two vertices that nothing reaches explain each other's distances along an edge of no length.
void check_edges_of_no_length() {
  const int row_offsets[] = {0, 0, 1, 2}, neighbours[] = {2, 1}, weights[] = {0, 0};
  const violet::Graph graph = {3, 2, row_offsets, neighbours, weights, nullptr};
  require(!certified<std::int64_t>(Algorithm::sssp, graph, {0, 5, 5}), "a circle of explanations is certified", 3, 1);
}

/// A vertex that is too far away for 32 bits is not beyond reach.
void check_far_vertices() {
  constexpr int heavy = violet::infinity<std::int32_t> - 1;
  const int row_offsets[] = {0, 1, 3, 4}, neighbours[] = {1, 0, 2, 1}, weights[] = {heavy, heavy, heavy, heavy};
  const violet::Graph graph = {3, 4, row_offsets, neighbours, weights, nullptr};
  const std::vector<std::int32_t> stopped = {0, heavy, violet::infinity<std::int32_t>};
  require(!certified(Algorithm::sssp, graph, stopped), "a vertex too far away for 32 bits is certified", 3, 3);
  require(certified<std::int64_t>(Algorithm::sssp, graph, {0, heavy, 2LL * heavy}), "a far one is not", 3, 3);
}

template <typename Check>
bool refuses(Check check) {
  try {
    check();
  } catch (const violet::Failure&) {
    return true;
  }
  return false;
}

/// What 32 bits and floats cannot hold is told from results, and nothing else is.
void check_limits() {
  constexpr std::int32_t none = violet::infinity<std::int32_t>, heavy = none - 1;
  const auto distances = [](int longest, std::vector<int> weights, std::vector<std::int32_t> distance) {
    const int row_offsets[] = {0, 2, 4, 6}, neighbours[] = {1, 2, 0, 2, 0, 1};
    const violet::Graph triangle = {3, 6, row_offsets, neighbours, weights.data(), nullptr};
    return refuses([&] { violet::check_distances(triangle, distance.data(), longest); });
  };
  require(distances(heavy, {heavy, heavy, heavy, 1, heavy, 1}, {0, heavy, none}), "the nearest that is too far", 3, 7);
  require(!distances(heavy, {heavy - 1, heavy, heavy - 1, 1, heavy, 1}, {0, heavy - 1, heavy}), "the furthest", 3, 7);
  require(!distances(heavy, {heavy, 2, heavy, heavy, 2, heavy}, {0, heavy, 2}), "a way too long beside one", 3, 7);
  const auto longest = [](const int* weights) {
    const int row_offsets[] = {0, 1, 2}, neighbours[] = {1, 0};
    return violet::longest_edge({2, 2, row_offsets, neighbours, weights, nullptr});
  };
  const int rising[] = {0, 7}, falling[] = {7, 0}, none_at_all[] = {0, 0};
  require(longest(rising) == 7 && longest(falling) == 7 && longest(none_at_all) == 0 && longest(nullptr) == 1,
          "the longest edge is another", 2, 1);
  require(!violet::may_lack_bits(2, heavy) && violet::may_lack_bits(2, none) && violet::may_lack_bits(3, heavy) &&
              violet::may_lack_bits(1 << 24, 1 << 30) && !violet::may_lack_bits(1 << 24, 63),
          "how far vertices can be is misjudged", 2, 1);
  const float counts[] = {1, std::nanf(""), 3};
  require(refuses([&] { violet::check_counts(counts, 3, 126); }), "a count too large passes", 3, 0);
  require(!refuses([&] { violet::check_counts(counts, 1, 126); }), "a count is too large that is not", 1, 0);
}

/// Of many values the first that is off most is told, or the first that is no number.
void check_most_off() {
  constexpr int n = 300'000;  // more than a range
  const std::vector<double> right(n, 1);
  std::vector<float> values(n, 1);
  const auto told = [&](int v) {
    const violet::Result result = {
        &violet::info(Algorithm::pr).results[0], violet::Element::f32, values.size(), values.data()};
    const auto error = violet::find_off(result, values.data(), right, violet::Deviation{});
    return error && error->find(violet::text(" of vertex %d:", v)) != std::string::npos;
  };
  values[1] = 2;
  values[80'000] = values[80'001] = values[250'000] = 3;
  require(told(80'000), "what is told is not the first that is most off", n, 0);
  values[200'000] = values[200'001] = std::nanf("");
  values[299'999] = 1e30F;
  require(told(200'000), "what is told is not the first that is no number", n, 0);
  values[190'000] = std::numeric_limits<float>::infinity();
  require(told(190'000), "what is told is not the first that is infinite", n, 0);
}

/// Ranges hold each vertex once, and a few vertices with all the edges are shared out, too.
void check_ranges() {
  constexpr int hubs = 1000, degree = 4096, n = 100'000;
  std::vector<int> row_offsets(n + 1, hubs * degree);
  for (int v = 0; v < hubs; v++) row_offsets[v] = v * degree;
  std::vector<int> visits(n);
  std::mutex mutex;
  const violet::Graph graph = {n, hubs * degree, row_offsets.data(), nullptr, nullptr, nullptr};
  violet::for_vertex_ranges(graph, [&](auto vertices) {
    const std::lock_guard lock(mutex);
    for (int v = vertices.first; v < vertices.last; v++) visits[v]++;
    require(row_offsets[vertices.last] - row_offsets[vertices.first] <= hubs * degree / 2,
            "a range has most of the edges", n, hubs);
  });
  require(visits == std::vector<int>(n, 1), "ranges do not hold each vertex once", n, hubs);
  for (const int first : {0, 1, 500, n - 1, n}) {  // in one range or another; n: none
    const auto found = violet::find_first(graph, [&](int v) { return v < first ? std::nullopt : std::optional(v); });
    require(found.value_or(n) == first, "what is found is not the first", n, hubs);
  }
}

}  // namespace

int main() {
  check_ranges();
  check_most_off();
  check_edges_of_no_length();
  check_far_vertices();
  check_limits();
  for (unsigned edges = 0; edges < 64; edges++) check_directed(edges);
  check_rounding();
  check_priorities();
  int graphs = 0;
  for (int n = 1; n <= most_vertices; n++) {
    for (unsigned edges = 0; edges < 1u << (n * (n - 1) / 2); edges++) {
      for (const int weighting : {0, 1, 3, 5}) {
        check(SmallGraph(n, edges, weighting));
        graphs++;
      }
    }
  }
  std::printf("%d graphs\n", graphs);
}
