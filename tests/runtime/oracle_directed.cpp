// Holds references against brute force on directed graphs of up to four vertices: paths, components, ranks and scores follow
// from the definitions, which are written here with matrices instead of rows.
//
// Usage: oracle_directed [STEP]: every STEP-th of the graphs of four vertices, 1 by default, and all smaller ones.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <type_traits>
#include <variant>
#include <vector>

#include "algorithms.hpp"
#include "digraph.hpp"
#include "given.hpp"
#include "options.hpp"
#include "reference.hpp"

namespace {

using violet::Algorithm;
using violet::Reference;
using Values = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Matrix = std::vector<Reals>;

constexpr int most_vertices = 4;
constexpr double damping = 0.85;
constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;

/// A directed graph as a matrix of weights, 0 where there is no edge, and in compressed rows of both directions.
struct SmallGraph {
  SmallGraph(int n, unsigned edges) : n(n), edges(edges), rows(n, [this](int u, int v) { return weight_of(u, v); }) {
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < n; v++) weight[u][v] = weight_of(u, v);
    }
  }

  violet::Graph graph() const { return rows.graph(); }
  bool joins(int u, int v) const { return weight[u][v] != 0; }
  int out(int u) const { return rows.row_offsets[u + 1] - rows.row_offsets[u]; }
  int in(int v) const { return rows.in_row_offsets[v + 1] - rows.in_row_offsets[v]; }

  int n;
  unsigned edges;
  int weight[most_vertices][most_vertices] = {};
  Digraph rows;

 private:
  /// Every pair of different vertices has a bit of `edges`, in the order of the matrix.
  int weight_of(int u, int v) const {
    if (u == v || (edges >> (u * (n - 1) + v - (v > u ? 1 : 0)) & 1) == 0) return 0;
    return 1 + (5 * u + 3 * v + static_cast<int>(edges)) % 7;
  }
};

void require(bool condition, const char* what, const SmallGraph& small) {
  if (condition) return;
  std::fprintf(stderr, "%s, with the edges %#x of %d vertices\n", what, small.edges, small.n);
  std::exit(1);
}

bool close(const Reals& left, const Reals& right, double tolerance) {
  const auto near = [&](double x, double y) { return std::abs(x - y) <= tolerance; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), near);
}

/// Lengths of shortest paths between any two vertices (Floyd and Warshall).
template <typename Length>
std::vector<Values> all_distances(int n, Length length) {
  std::vector<Values> distance(n, Values(n, far));
  for (int u = 0; u < n; u++) {
    for (int v = 0; v < n; v++) distance[u][v] = u == v ? 0 : length(u, v);
  }
  for (int k = 0; k < n; k++) {
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < n; v++) distance[u][v] = std::min(distance[u][v], distance[u][k] + distance[k][v]);
    }
  }
  return distance;
}

/// The smallest vertex that each one belongs together with.
template <typename Together>
Values smallest(int n, Together together) {
  Values label(n);
  for (int v = 0; v < n; v++) {
    while (!together(static_cast<int>(label[v]), v)) label[v]++;
  }
  return label;
}

/// Solves x = A x + b (Gauss and Jordan); A shrinks every vector.
Reals solution(Matrix a, Reals b) {
  const int n = static_cast<int>(b.size());
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i][j] = (i == j) - a[i][j];
  }
  for (int i = 0; i < n; i++) {
    for (int row = 0; row < n; row++) {
      if (row == i) continue;
      const double factor = a[row][i] / a[i][i];
      for (int j = 0; j < n; j++) a[row][j] -= factor * a[i][j];
      b[row] -= factor * b[i];
    }
  }
  for (int i = 0; i < n; i++) b[i] /= a[i][i];
  return b;
}

/// Ranks of walks that jump as often to each vertex; a vertex without edges out loses its rank, or spreads it over all.
Reals ranks(const SmallGraph& small, const Reals& jump, bool spreads) {
  Matrix passed(small.n, Reals(small.n));
  Reals alone(small.n);
  for (int v = 0; v < small.n; v++) {
    alone[v] = (1 - damping) * jump[v];
    for (int u = 0; u < small.n; u++) {
      if (small.joins(u, v)) passed[v][u] = damping / small.out(u);
      if (spreads && small.out(u) == 0) passed[v][u] = damping / small.n;
    }
  }
  return solution(passed, alone);
}

/// Scores of both sides after some rounds, in which an edge passes on its share of a hub or an authority.
struct Sides {
  Reals hub;
  Reals authority;
};

template <typename FromHub, typename FromAuthority>
Sides after_rounds(const SmallGraph& small, Reals hub, int rounds, FromHub from_hub, FromAuthority from_authority) {
  Reals authority;
  for (int round = 0; round < rounds; round++) {
    authority.assign(small.n, 0);
    for (int u = 0; u < small.n; u++) {
      for (int v = 0; v < small.n; v++) authority[v] += small.joins(u, v) ? hub[u] / from_hub(u) : 0;
    }
    hub.assign(small.n, 0);
    for (int u = 0; u < small.n; u++) {
      for (int v = 0; v < small.n; v++) hub[u] += small.joins(u, v) ? authority[v] / from_authority(v) : 0;
    }
  }
  return {hub, authority};
}

Reals divided_by_sum(Reals values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = sum > 0 ? value / sum : 0;
  return values;
}

/// Where SALSA's walks end up: on an authority as often as it has edges, of those of its part of the graph, which keeps the
/// walks that it has at first (Lempel and Moran).
Reals limits_of_authorities(const SmallGraph& small) {
  const int n = small.n;
  const auto distance = all_distances(2 * n, [&](int u, int v) {
    const bool joined = u < n ? v >= n && small.joins(u, v - n) : v < n && small.joins(v, u - n);
    return joined ? 1 : far;
  });
  int starts = 0;
  for (int u = 0; u < n; u++) starts += small.out(u) > 0;
  Reals limit(n);
  for (int v = 0; v < n; v++) {
    int hubs = 0, edges = 0;
    for (int u = 0; u < n; u++) {
      hubs += distance[n + v][u] < far;
      edges += distance[n + v][n + u] < far ? small.in(u) : 0;
    }
    if (small.in(v) > 0) limit[v] = static_cast<double>(hubs) / starts * small.in(v) / edges;
  }
  return limit;
}

/// 1, 2, ... for the `wanted` largest positive merits; of equals, the smaller vertex comes first.
Values places(const Reals& merit, int wanted) {
  Values place(merit.size());
  for (int next = 1; next <= wanted; next++) {
    int best = -1;
    for (int v = 0; v < static_cast<int>(merit.size()); v++) {
      if (place[v] == 0 && merit[v] > 0 && (best < 0 || merit[v] > merit[best])) best = v;
    }
    if (best >= 0) place[best] = next;
  }
  return place;
}

/// What SALSA on the edges out of a circle says of those that the user does not follow.
Reals scores_of_others(const SmallGraph& small, const Values& trusted, int rounds, int user) {
  SmallGraph followed(small.n, 0);
  Reals hub(small.n);
  std::vector<int> followers(small.n);
  for (int u = 0; u < small.n; u++) {
    if (trusted[u] == 0) continue;
    hub[u] = 1.0 / static_cast<double>(std::count(trusted.begin(), trusted.end(), 1));
    for (int v = 0; v < small.n; v++) {
      followed.weight[u][v] = small.weight[u][v];
      followers[v] += small.joins(u, v);
    }
  }
  Reals score = after_rounds(
                    followed, hub, rounds, [&](int u) { return small.out(u); }, [&](int v) { return followers[v]; })
                    .authority;
  for (int v = 0; v < small.n; v++) score[v] = v == user || small.joins(user, v) ? 0 : score[v];
  return score;
}

struct Asked {
  int source = 0;
  int rounds = 20;
  int circle = 1000;
  int recommendations = 10;
};

/// How often ranks tie, so that a circle could have been another one; and how often that makes other scores.
int other_circles = 0, other_scores = 0;

Reference solve(Algorithm algorithm, const violet::Graph& graph, Asked asked = {}) {
  violet::Query query = violet::preset_query(violet::info(algorithm));
  std::vector<int> list;
  violet::start_from(asked.source, graph, query, list);
  query.rounds = asked.rounds;
  query.circle = asked.circle;
  query.recommendations = asked.recommendations;
  return violet::info(algorithm).solve(graph, query);
}

Values integers(Algorithm algorithm, const violet::Graph& graph, Asked asked = {}) {
  return violet::integers(solve(algorithm, graph, asked)[0]);
}

/// A reference's own result is accepted, in reals of some precision, and none with one value changed.
template <typename Real = double>
void check_check(Algorithm algorithm, const SmallGraph& small, const Reference& expected) {
  const violet::AlgorithmInfo& info = violet::info(algorithm);
  std::vector<Given<Real>> values = given_by<Real>(info, expected);
  const auto accepted = [&] { return is_accepted(info, small.graph(), expected, values); };
  require(accepted(), "a right result is refused", small);
  const auto change_each = [&](auto& array) {
    for (auto& value : array) {
      const auto right = value;
      value += std::is_floating_point_v<std::decay_t<decltype(value)>> ? static_cast<decltype(right)>(1e-3) : 1;
      require(!accepted(), "a wrong value is accepted", small);
      value = right;
    }
  };
  for (Given<Real>& array : values) std::visit(change_each, array);
}

void check_paths(const SmallGraph& small) {
  const violet::Graph graph = small.graph();
  const auto edges = all_distances(small.n, [&](int u, int v) { return small.joins(u, v) ? 1 : far; });
  const auto lengths =
      all_distances(small.n, [&](int u, int v) { return small.joins(u, v) ? small.weight[u][v] : far; });
  const auto shown = [](Values distance) {
    for (std::int64_t& value : distance) value = value >= far ? violet::unreachable : value;
    return distance;
  };
  for (int source = 0; source < small.n; source++) {
    require(integers(Algorithm::bfs, graph, {source}) == shown(edges[source]), "serial bfs is wrong", small);
    require(integers(Algorithm::sssp, graph, {source}) == shown(lengths[source]), "serial sssp is wrong", small);
  }
  const auto ways =
      all_distances(small.n, [&](int u, int v) { return small.joins(u, v) || small.joins(v, u) ? 1 : far; });
  const auto weak = [&](int u, int v) { return ways[u][v] < far; };
  const auto strong = [&](int u, int v) { return edges[u][v] < far && edges[v][u] < far; };
  require(integers(Algorithm::cc, graph) == smallest(small.n, weak), "serial cc is wrong", small);
  require(integers(Algorithm::scc, graph) == smallest(small.n, strong), "serial scc is wrong", small);
  check_check(Algorithm::scc, small, solve(Algorithm::scc, graph));
}

void check_ranks(const SmallGraph& small, int source) {
  const violet::Graph graph = small.graph();
  const Reals anywhere(small.n, 1.0 / small.n), lost = ranks(small, anywhere, false);
  const Reference reference = solve(Algorithm::pr, graph);
  require(close(violet::reals(reference[0]), lost, 1e-9), "serial pr is wrong", small);
  require(close(divided_by_sum(lost), ranks(small, anywhere, true), 1e-12),
          "ranks divided by their sum are not those that vertices without edges out spread", small);
  check_check(Algorithm::pr, small, reference);
  Reals jump(small.n);
  jump[source] = 1;
  require(close(violet::reals(solve(Algorithm::ppr, graph, {source})[0]), ranks(small, jump, false), 1e-9),
          "serial ppr is wrong", small);
}

void check_sides(const SmallGraph& small) {
  const violet::Graph graph = small.graph();
  const auto all = [](int) { return 1; };
  Reals starts(small.n);
  for (int v = 0; v < small.n; v++) starts[v] = small.out(v) > 0;
  for (const int rounds : {1, 2, 20}) {
    const Sides scores = after_rounds(small, Reals(small.n, 1), rounds, all, all);
    const Reference hits = solve(Algorithm::hits, graph, {.rounds = rounds});
    require(close(violet::reals(hits[0]), divided_by_sum(scores.hub), 1e-12), "hubs of serial hits are wrong", small);
    require(close(violet::reals(hits[1]), divided_by_sum(scores.authority), 1e-12), "its authorities are wrong", small);
    const Sides walks = after_rounds(
        small, divided_by_sum(starts), rounds, [&](int u) { return small.out(u); }, [&](int v) { return small.in(v); });
    const Reference salsa = solve(Algorithm::salsa, graph, {.rounds = rounds});
    require(close(violet::reals(salsa[0]), walks.hub, 1e-12), "hubs of serial salsa are wrong", small);
    require(close(violet::reals(salsa[1]), walks.authority, 1e-12), "its authorities are wrong", small);
    check_check(Algorithm::hits, small, hits);
    check_check<float>(Algorithm::hits, small, hits);
    check_check<float>(Algorithm::salsa, small, salsa);
  }
  const Reference salsa = solve(Algorithm::salsa, graph, {.rounds = 200});
  require(close(violet::reals(salsa[1]), limits_of_authorities(small), 1e-9), "serial salsa has another limit", small);
}

/// Of two vertices with nearly the same rank, a program may have put the other one into the circle. All that follows is
/// right, then, if it follows from that circle.
void check_other_circle(const SmallGraph& small, Asked asked, const Reference& wtf) {
  const violet::AlgorithmInfo& info = violet::info(Algorithm::wtf);
  std::vector<Given<double>> given = given_by<double>(info, wtf);
  auto& rank = std::get<Reals>(given[0]);
  const Values order = places(rank, small.n);
  const auto at = [&](int place) { return std::find(order.begin(), order.end(), place) - order.begin(); };
  const auto last = at(asked.circle), first_left_out = at(asked.circle + 1);
  if (first_left_out == small.n || rank[last] - rank[first_left_out] > 1e-9) return;
  rank[first_left_out] = rank[last] + 1e-9;
  Values trusted = places(rank, asked.circle);
  for (std::int64_t& each : trusted) each = each > 0;
  const Reals scores = scores_of_others(small, trusted, asked.rounds, asked.source);
  given[1] = trusted;
  given[2] = scores;
  given[3] = places(scores, asked.recommendations);
  require(is_accepted(info, small.graph(), wtf, given), "what follows from a circle as good is refused", small);
  other_circles++;
  if (close(scores, violet::reals(wtf[2]), 1e-3)) return;
  given[2] = wtf[2];
  given[3] = wtf[3];
  require(!is_accepted(info, small.graph(), wtf, given), "scores of another circle are accepted", small);
  other_scores++;
}

void check_recommendations(const SmallGraph& small, Asked asked) {
  const violet::Graph graph = small.graph();
  const Reference wtf = solve(Algorithm::wtf, graph, asked);
  Reals jump(small.n);
  jump[asked.source] = 1;
  require(close(violet::reals(wtf[0]), ranks(small, jump, false), 1e-9), "ranks of serial wtf are wrong", small);
  Values trusted = places(violet::reals(wtf[0]), asked.circle);
  for (std::int64_t& each : trusted) each = each > 0;
  require(violet::integers(wtf[1]) == trusted, "its circle is wrong", small);
  const Reals scores = scores_of_others(small, trusted, asked.rounds, asked.source);
  require(close(violet::reals(wtf[2]), scores, 1e-12), "its scores are wrong", small);
  require(
      violet::integers(wtf[3]) == places(violet::reals(wtf[2]), asked.recommendations), "its places are wrong", small);
  check_check(Algorithm::wtf, small, wtf);
  check_other_circle(small, asked, wtf);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned step = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  int graphs = 0;
  for (int n = 1; n <= most_vertices; n++) {
    for (unsigned edges = 0; edges < 1U << (n * (n - 1)); edges += n < most_vertices ? 1 : step) {
      const SmallGraph small(n, edges);
      const int source = static_cast<int>(edges % n);  // all graphs have all sources, up to the numbers of vertices
      check_paths(small);
      check_ranks(small, source);
      check_sides(small);
      for (const int circle : {1, 3}) check_recommendations(small, {source, circle, circle, 1 + source % 2});
      graphs++;
    }
  }
  if (other_circles == 0 || other_scores == 0) {
    std::fprintf(stderr, "too few circles with a tie: %d, %d of them with other scores\n", other_circles, other_scores);
    return 1;
  }
  std::printf("%d graphs\n", graphs);
}
