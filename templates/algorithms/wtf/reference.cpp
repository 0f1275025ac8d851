#include <algorithm>
#include <cstdint>
#include <numeric>

#include "deviation.hpp"
#include "ranks.hpp"
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

/// SALSA's steps on the edges out of a circle, in doubles and beside them in floats, as programs do; without the scores of the
/// user and whom the user follows.
std::vector<Rounded> scores_of(const Graph& graph, const std::vector<std::int64_t>& trusted, std::int64_t rounds,
                               int user) {
  std::vector<int> members;
  for (int u = 0; u < graph.n; u++) {
    if (trusted[u] != 0) members.push_back(u);
  }
  std::vector<int> followers(graph.n);
  std::vector<Rounded> hub(graph.n), score;
  const auto size = static_cast<double>(members.size());
  for (const int u : members) {
    hub[u] = {1 / size, 1 / static_cast<float>(size)};
    for (const int v : neighbours(graph, u)) followers[v]++;
  }
  for (std::int64_t round = 0; round < rounds; round++) {
    if (round > 0) {
      for (const int u : members) {
        hub[u] = {};
        for (const int v : neighbours(graph, u)) hub[u].add(score[v].part(followers[v]));
      }
    }
    score.assign(graph.n, {});
    for (const int u : members) {
      const Rounded share = hub[u].part(degree(graph, u));
      for (const int v : neighbours(graph, u)) score[v].add(share);
    }
  }
  score[user] = {};
  for (const int v : neighbours(graph, user)) score[v] = {};
  return score;
}

}  // namespace

/// Ranks of walks that jump to the user, SALSA in doubles, and sorting.
Reference serial_wtf(const Graph& graph, const Query& query) {
  const auto jump = [&](int v) { return v == query.source ? 1.0 : 0.0; };
  const std::vector<double> rank = fixpoint_of_ranks(graph, jump, wtf_rules);
  const std::vector<std::int64_t> trusted = circle(rank, query.circle);
  const std::vector<Rounded> scores = scores_of(graph, trusted, query.rounds, query.source);
  const std::vector<double> score = values_of(scores);
  Reference reference = {rank, trusted, score, places(score, query.recommendations)};
  append(reference, Deviation::of_sums(off_in_floats(scores), graph.n));
  for (const int each : {query.source, query.circle, query.rounds, query.recommendations}) {
    reference.push_back(std::vector<std::int64_t>{each});
  }
  return reference;
}

/// Ranks that are nearly equal may change places from program to program. So each stage is held against what the stage before
/// has made of it in that program: the circle against its ranks, the scores against its circle, the places against its scores.
std::optional<std::string> check_wtf(const Graph& graph, const Reference& expected, Results results) {
  const auto asked = [&](int aid) { return integers(expected[6 + aid])[0]; };
  if (const auto error = check_ranks(graph, reals(expected[0]), results, wtf_rules)) return "rank: " + *error;
  return with_values(results[0], [&]<typename T>(const T* rank) -> std::optional<std::string> {
    const std::vector<std::int64_t> trusted = circle(std::vector<T>(rank, rank + graph.n), asked(1));
    if (const auto error = find_unequal({trusted}, results.subspan(1, 1))) return "trusted: " + *error;

    std::vector<double> score = reals(expected[2]);
    Deviation deviation = deviation_in(expected, 4);
    if (trusted != integers(expected[1])) {
      const std::vector<Rounded> scores = scores_of(graph, trusted, asked(2), static_cast<int>(asked(0)));
      score = values_of(scores);
      deviation = Deviation::of_sums(off_in_floats(scores), graph.n);
    }
    const auto* const values = static_cast<const T*>(results[2].values);
    if (const auto error = find_off(results[2], values, score, deviation)) return error;

    const std::vector<std::int64_t> place = places(std::vector<T>(values, values + graph.n), asked(3));
    if (const auto error = find_unequal({place}, results.subspan(3, 1))) return "place: " + *error;
    return std::nullopt;
  });
}

}  // namespace violet
