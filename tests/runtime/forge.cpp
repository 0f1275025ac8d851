// Gives checks of real numbers results that are right, and forged ones: zeros, all values equal, a hundredth too much, two
// values exchanged, one that is no number, those of a round too few, and those of another source.
//
// Usage: forge GRAPH...   prints a line for each verdict: graph,algorithm,asked,element,bound,forgery,verdict
//
// A verdict is "verified", "refused" or, if the check takes what is forged for right, and no value of it is further off than
// the bound, "near". The exit code is 1 if a right result is refused, or a bound or anything else is more than a thousandth.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms.hpp"
#include "deviation.hpp"
#include "given.hpp"
#include "graph_file.hpp"
#include "odds.hpp"
#include "options.hpp"
#include "pr.hpp"
#include "ranks.hpp"
#include "reference.hpp"

namespace {

using violet::Reference;

constexpr violet::RankRules rules = {violet::pr::damping, violet::pr::tolerance, violet::pr::max_iterations};
constexpr double thousandth = 1e-3;
constexpr int many_rounds = 60;
constexpr int small_circle = 100;  // where a graph is a path, ranks further away are no floats

bool failed = false;

/// What is asked of an algorithm, and after how many rounds a program says that it ended.
struct Asked {
  std::string name;
  violet::Query query;
  int rounds = 0;
};

bool has(const violet::AlgorithmInfo& info, const char* option) {
  return violet::find_query_option(info, std::string("--") + option) != nullptr;
}

/// Whether its first result are ranks, which come to rest instead of having rounds.
bool is_ranking(const violet::AlgorithmInfo& info) { return std::string(info.results[0].name) == "rank"; }

std::vector<Asked> all_asked(const violet::AlgorithmInfo& info) {
  violet::Query preset = violet::preset_query(info);
  if (has(info, "circle")) preset.circle = small_circle;
  std::vector<Asked> asked = {{"default", preset}};
  if (has(info, "rounds")) {
    for (const int rounds : {1, many_rounds}) {
      asked.push_back({"rounds " + std::to_string(rounds), preset});
      asked.back().query.rounds = rounds;
    }
  }
  if (has(info, "sources")) {
    asked.push_back({"sources 3", preset});
    asked.back().query.sources = 3;
  }
  if (is_ranking(info)) asked.push_back({"at the limit", preset, rules.max_iterations});
  return asked;
}

/// The first ranks of a program of whose iterations the next one still changes twice as much as it may.
std::vector<double> early_ranks(const violet::Graph& graph, const violet::AlgorithmInfo& info,
                                const violet::Query& query) {
  std::vector<double> jump(graph.n, info.needs_source ? 0.0 : 1.0 / graph.n);
  if (info.needs_source) {
    for (int i = 0; i < query.sources; i++) jump[query.source_list[i]] = 1.0 / query.sources;
  }
  std::vector<double> rank = jump, next(graph.n);
  while (true) {
    const double change = violet::iterate(
        graph, [&](int v) { return jump[v]; }, rank.data(), rules.damping, [&](int v, double r) { next[v] = r; });
    if (change < 4 * rules.tolerance) return rank;
    rank.swap(next);
  }
}

void demand(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  failed = true;
}

/// Where rounding may do anything, what is more than a thousandth off is no result all the same.
template <typename Real>
void check_cap(const violet::Graph& graph) {
  const std::vector<double> right = {1, 2};
  const auto verdict = [&](double second) -> std::string {
    const Real values[] = {1, static_cast<Real>(second)};
    const violet::Result result = {&violet::algorithms()[0].results[0], violet::Element::f64, 2, values};
    try {
      return violet::find_off(result, values, right, violet::Deviation{1, 1}) ? "wrong" : "right";
    } catch (const violet::Failure&) {
      return "too few bits";
    }
  };
  demand(verdict(2.0018) == "right", "what is less than a thousandth off is refused");
  demand(verdict(2.0022) == "too few bits", "what is more than a thousandth off is judged");
  demand(verdict(40) == "wrong", "rounding is to blame for what it cannot have done");
  const std::vector<double> ranks(graph.n, 0.5 / graph.n);
  for (const int rounds : {1, rules.max_iterations}) {
    demand(violet::allowed_change(graph, ranks, 1, rounds, rules).allowed <= 0.5 * thousandth,
           "ranks may be more than a thousandth off");
  }
}

/// A check of results of one algorithm on one graph.
template <typename Real>
class Forger {
 public:
  Forger(const char* graph_name, const violet::AlgorithmInfo& info, const violet::Graph& graph, const Asked& asked)
      : graph_name_(graph_name), info_(info), graph_(graph), asked_(asked) {
    const int first = violet::default_source(graph);
    violet::start_from(first, graph, asked_.query, sources_);
    expected_ = info.solve(graph, asked_.query);
    right_ = given(expected_);
  }

  void forge() {
    report(0, "nothing", right_);
    for (std::size_t i = 0; i < right_.size(); i++) {
      if (right_[i].index() == 1) forge_array(i);
    }
    if (has(info_, "rounds") && asked_.query.rounds > 1) {
      violet::Query fewer = asked_.query;
      fewer.rounds--;
      report_all("a round too few", given(info_.solve(graph_, fewer)));
    }
    if (is_ranking(info_)) {
      std::vector<Given<Real>> forged = right_;
      const std::vector<double> ranks = early_ranks(graph_, info_, asked_.query);
      forged[0] = std::vector<Real>(ranks.begin(), ranks.end());
      report(0, "a round too few", forged);
    }
    if (info_.needs_source) forge_source();
  }

 private:
  using Reals = std::vector<Real>;

  /// What a program would give. Scores that differ in doubles may be equal in floats: then places go by the vertices' numbers.
  std::vector<Given<Real>> given(const Reference& reference) const {
    std::vector<Given<Real>> arrays = given_by<Real>(info_, reference);
    if (std::string(info_.results.back().name) != "place") return arrays;
    const Reals& score = std::get<1>(arrays[arrays.size() - 2]);
    std::vector<int> order(score.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int u, int v) { return score[u] > score[v]; });
    std::vector<std::int64_t>& place = std::get<0>(arrays.back());
    for (std::size_t i = 0; i < order.size(); i++) {
      const bool has_one = score[order[i]] > 0 && std::cmp_less(i, asked_.query.recommendations);
      place[order[i]] = has_one ? static_cast<std::int64_t>(i) + 1 : 0;
    }
    return arrays;
  }

  void forge_array(std::size_t i) {
    const Reals& right = std::get<1>(right_[i]);
    const auto with = [&](const char* forgery, auto change) {
      std::vector<Given<Real>> forged = right_;
      change(std::get<1>(forged[i]));
      report(i, forgery, forged);
    };
    const double sum = std::accumulate(right.begin(), right.end(), 0.0);
    const auto mean = static_cast<Real>(sum / static_cast<double>(right.size()));
    with("zeros", [](Reals& values) { std::fill(values.begin(), values.end(), Real{0}); });
    with("all equal", [&](Reals& values) { std::fill(values.begin(), values.end(), mean); });
    with("times 1.01", [](Reals& values) {
      for (Real& value : values) value *= Real{1.01};
    });
    with("two exchanged", [](Reals& values) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      std::iter_swap(least, most);
    });
    with("no number", [](Reals& values) { values[values.size() / 2] = std::numeric_limits<Real>::quiet_NaN(); });
  }

  void forge_source() {
    violet::Query other = asked_.query;
    std::vector<int> list;
    for (int v = asked_.query.source + 1; v < graph_.n; v++) {
      if (std::find(sources_.begin(), sources_.end(), v) != sources_.end() || violet::degree(graph_, v) == 0) continue;
      violet::start_from(v, graph_, other, list);
      report_all("another source", given(info_.solve(graph_, other)));
      return;
    }
  }

  /// How far values may be off: ranks all together, as a part of their sum, others each as a part of its own.
  double bound(std::size_t i) const {
    if (!is_ranking(info_) && info_.aids.empty()) return violet::bounds_of<Real>(violet::Deviation{}).allowed;
    const std::vector<double>& right = violet::reals(expected_[i]);
    if (is_rank(i)) {
      const double unit = std::numeric_limits<Real>::epsilon() / 2;
      return violet::allowed_change(graph_, right, unit, asked_.rounds, rules).allowed /
             std::accumulate(right.begin(), right.end(), 0.0);
    }
    std::size_t aid = 0;
    while (std::string(info_.aids[aid].name) != "deviation_in_floats") aid++;
    return violet::bounds_of<Real>(violet::deviation_in(expected_, info_.results.size() + aid)).allowed;
  }

  bool is_rank(std::size_t i) const { return is_ranking(info_) && i == 0; }

  /// Whether no value is further off than the bound; ranks are off by what another iteration changes, over 1 less the damping.
  bool is_near(std::size_t i, const Reals& values) const {
    const std::vector<double>& right = violet::reals(expected_[i]);
    const bool beliefs = std::string(info_.results[i].name) == "belief";
    double most = 0, sum = 0, total = 0;
    for (std::size_t v = 0; v < right.size(); v++) {
      const double off = std::abs(values[v] - right[v]);
      if (std::isnan(off)) return false;
      most = std::max(most, off / std::max(std::abs(right[v]), beliefs ? 1.0 : 1e-31));
      sum += off;
      total += right[v];
    }
    return is_rank(i) ? sum <= 1.01 * bound(i) * total / (1 - rules.damping) : most <= 1.0001 * bound(i);
  }

  void report_all(const char* forgery, const std::vector<Given<Real>>& forged) {
    for (std::size_t i = 0; i < forged.size(); i++) {
      if (forged[i].index() == 1) report(i, forgery, forged);
    }
  }

  void report(std::size_t i, const char* forgery, const std::vector<Given<Real>>& forged) {
    const bool is_right = forged == right_;
    const bool accepted = is_accepted(info_, graph_, expected_, forged, asked_.rounds);
    const char* verdict = is_right ? "verified" : "refused";
    bool fault = bound(i) > 1.0001 * thousandth || (is_right && !accepted);
    if (accepted && !is_right) {
      verdict = "near";
      for (std::size_t each = 0; each < forged.size(); each++) {
        fault |= forged[each].index() == 1 && !is_near(each, std::get<1>(forged[each]));
      }
    }
    std::printf("%s,%s,%s,%s,%.2g,%s,%s\n", graph_name_, info_.name, asked_.name.c_str(),
                sizeof(Real) == sizeof(float) ? "f32" : "f64", bound(i), forgery, fault ? "fault" : verdict);
    failed |= fault;
  }

  const char* graph_name_;
  const violet::AlgorithmInfo& info_;
  const violet::Graph& graph_;
  Asked asked_;
  std::vector<int> sources_;
  Reference expected_;
  std::vector<Given<Real>> right_;
};

void forge_on(const std::string& path) {
  const std::string name = std::filesystem::path(path).stem().string();
  for (const violet::AlgorithmInfo& info : violet::algorithms()) {
    const auto is_real = [](const violet::ResultInfo& result) { return result.kind == violet::ResultInfo::Kind::real; };
    if (std::none_of(info.results.begin(), info.results.end(), is_real)) continue;
    std::optional<violet::GraphFile> file;
    try {
      file.emplace(path, violet::GraphFile::Parts{.weights = info.needs_weights,
                                                  .sources = false,
                                                  .undirected = info.takes_undirected,
                                                  .directed = info.takes_directed});
    } catch (const violet::Failure&) {
      continue;  // it is for graphs of another kind
    }
    for (const Asked& asked : all_asked(info)) {
      Forger<float>(name.c_str(), info, file->graph(), asked).forge();
      Forger<double>(name.c_str(), info, file->graph(), asked).forge();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int row_offsets[] = {0, 1, 2, 2}, neighbours[] = {1, 0};
  const violet::Graph edge_and_vertex = {3, 2, row_offsets, neighbours, nullptr, nullptr};
  check_cap<float>(edge_and_vertex);
  check_cap<double>(edge_and_vertex);
  std::printf("graph,algorithm,asked,element,bound,forgery,verdict\n");
  for (int i = 1; i < argc; i++) forge_on(argv[i]);
  return failed ? 1 : 0;
}
