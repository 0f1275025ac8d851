#include <algorithm>
#include <cstdint>
#include <numeric>

#include "ranks.hpp"
#include "scores.hpp"
#include "wtf.hpp"

namespace violet {

namespace {

constexpr RankRules wtf_rules = {wtf::damping, wtf::tolerance, wtf::max_iterations};

/// The `wanted` vertices of the largest positive merit, the best one first; of equals, the smaller one comes first.
template <typename T>
std::vector<int> best(const std::vector<T>& merit, std::int64_t wanted) {
  std::vector<int> vertices(merit.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  std::erase_if(vertices, [&](int v) { return !(merit[v] > 0); });
  std::sort(vertices.begin(), vertices.end(),
            [&](int u, int v) { return merit[u] > merit[v] || (merit[u] == merit[v] && u < v); });
  if (wanted < static_cast<std::int64_t>(vertices.size())) vertices.resize(wanted);
  return vertices;
}

template <typename T>
std::vector<std::int64_t> circle(const std::vector<T>& rank, std::int64_t size) {
  std::vector<std::int64_t> trusted(rank.size());
  for (const int v : best(rank, size)) trusted[v] = 1;
  return trusted;
}

template <typename T>
std::vector<std::int64_t> places(const std::vector<T>& score, std::int64_t count) {
  std::vector<std::int64_t> place(score.size());
  std::int64_t next = 1;
  for (const int v : best(score, count)) place[v] = next++;
  return place;
}

/// SALSA's steps on the edges out of a circle, in doubles, without the scores of the user and whom the user follows.
///
/// All terms are positive. So the error of a sum is the mean of those of its terms, weighted by them, and at most a rounding for
/// each; a share has one of its own, and so have the first scores.
Scores scores_of(const Graph& graph, const std::vector<std::int64_t>& trusted, std::int64_t rounds, int user) {
  std::vector<int> members;
  for (int u = 0; u < graph.n; u++) {
    if (trusted[u] != 0) members.push_back(u);
  }
  std::vector<int> followers(graph.n);
  Scores hub = {std::vector<double>(graph.n), std::vector<double>(graph.n, 1)};
  for (const int u : members) {
    hub.value[u] = 1.0 / static_cast<double>(members.size());
    for (const int v : neighbours(graph, u)) followers[v]++;
  }
  Scores score;
  for (std::int64_t round = 0; round < rounds; round++) {
    if (round > 0) {
      for (const int u : members) {
        double sum = 0, roundings = 0;
        for (const int v : neighbours(graph, u)) {
          const double share = score.value[v] / followers[v];
          sum += share;
          roundings += share * (score.roundings[v] + 1);
        }
        hub.value[u] = sum;
        hub.roundings[u] = sum > 0 ? roundings / sum + degree(graph, u) : 0;
      }
    }
    score = {std::vector<double>(graph.n), std::vector<double>(graph.n)};
    for (const int u : members) {
      for (const int v : neighbours(graph, u)) {
        const double share = hub.value[u] / degree(graph, u);
        score.value[v] += share;
        score.roundings[v] += share * (hub.roundings[u] + 1);
      }
    }
    for (int v = 0; v < graph.n; v++) {
      if (score.value[v] > 0) score.roundings[v] = score.roundings[v] / score.value[v] + followers[v];
    }
  }
  score.value[user] = 0;
  for (const int v : neighbours(graph, user)) score.value[v] = 0;
  return score;
}

}  // namespace

/// Ranks of walks that jump to the user, SALSA in doubles, and sorting.
Reference serial_wtf(const Graph& graph, const Query& query) {
  const auto jump = [&](int v) { return v == query.source ? 1.0 : 0.0; };
  const std::vector<double> rank = fixpoint_of_ranks(graph, jump, wtf_rules);
  const std::vector<std::int64_t> trusted = circle(rank, query.circle);
  const Scores score = scores_of(graph, trusted, query.rounds, query.source);
  const auto asked = [](int number) { return std::vector<std::int64_t>{number}; };
  return {rank,
          trusted,
          score.value,
          places(score.value, query.recommendations),
          score.roundings,
          asked(query.source),
          asked(query.circle),
          asked(query.rounds),
          asked(query.recommendations)};
}

/// Ranks that are nearly equal may change places from program to program. So each stage is held against what the stage before
/// has made of it in that program: the circle against its ranks, the scores against its circle, the places against its scores.
std::optional<std::string> check_wtf(const Graph& graph, const Reference& expected, Results results) {
  const auto asked = [&](int aid) { return integers(expected[5 + aid])[0]; };
  if (const auto error = check_ranks(graph, reals(expected[0]), results, wtf_rules)) return "rank: " + *error;
  return with_values(results[0], [&]<typename T>(const T* rank) -> std::optional<std::string> {
    const std::vector<std::int64_t> trusted = circle(std::vector<T>(rank, rank + graph.n), asked(1));
    if (const auto error = find_unequal({trusted}, results.subspan(1, 1))) return "trusted: " + *error;

    const bool same = trusted == integers(expected[1]);
    const Scores score = same ? Scores{reals(expected[2]), reals(expected[4])}
                              : scores_of(graph, trusted, asked(2), static_cast<int>(asked(0)));
    const auto* const values = static_cast<const T*>(results[2].values);
    if (const auto error = find_wrong(results[2], values, score.value, score.roundings)) return error;

    const std::vector<std::int64_t> place = places(std::vector<T>(values, values + graph.n), asked(3));
    if (const auto error = find_unequal({place}, results.subspan(3, 1))) return "place: " + *error;
    return std::nullopt;
  });
}

}  // namespace violet
