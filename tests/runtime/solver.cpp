// A program for the tests of the harness: Bellman-Ford in its simplest form, and on demand all that can go wrong with a
// program. The environment says what it is to be and to do:
//
//   ALGORITHM, ELEMENT, MODEL   such as sssp, i64, cuda (default: bfs, i32, cpp)
//   RESULT="X Y ..."            solves nothing, and reports these values; "/" begins the next array of the result
//   ROUNDS=K                    ... after so many rounds (default: 1)
//   DRIFT=X                     ... and X more at vertex 0 each time
//   WRONG_REPETITION=K          plants a wrong value in the K-th solve, counted from 0 ...
//   WRONG_VERTEX=V              ... at vertex V (default: 0)
//   LAST_VALUE=X                every result ends with the value X
//   SHORT_RESULT=1              reports one value too few
//   PREPARE, SOLVE              how preparing or solving ends: bad_alloc, exception or fail
//   SECONDS=S                   every solve takes so long (default: 1e-6), by a clock that nothing else moves
//   REPORTED=S                  ... and is said to take so long
//   DIRECTED=1                  it takes directed graphs
//   LAZY=1                      solves only once, and reports what it has from then on

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms.hpp"
#include "violet.hpp"

namespace {

using violet::Algorithm;
using violet::Element;
using violet::Model;

std::atomic<std::int64_t> clock_ns = 0;

violet::Parameter patience("patience", 1.5, "nobody asks for it");
violet::Parameter priors("priors", "of belief propagation");
violet::Parameter agreement("agreement", 1.5, "of belief propagation");

std::string_view word(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

const std::unique_ptr<violet::Parameter> couplings(word("COUPLED").empty()
                                                       ? nullptr
                                                       : new violet::Parameter("couplings", "of belief propagation"));

double number(const char* name, double fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fallback : std::atof(value);
}

template <typename Choice>
struct Named {
  const char* name;
  Choice choice;
};

/// What the environment variable `variable` names; the first without it.
template <typename Choice, std::size_t size>
Choice chosen(const char* variable, const Named<Choice> (&choices)[size]) {
  for (const auto& [name, choice] : choices) {
    if (word(variable) == name) return choice;
  }
  return choices[0].choice;
}

Algorithm chosen_algorithm() {
  return chosen<Algorithm>("ALGORITHM", {{"bfs", Algorithm::bfs},
                                         {"bc", Algorithm::bc},
                                         {"bp", Algorithm::bp},
                                         {"cc", Algorithm::cc},
                                         {"gc", Algorithm::gc},
                                         {"kcore", Algorithm::kcore},
                                         {"lcc", Algorithm::lcc},
                                         {"lp", Algorithm::lp},
                                         {"mis", Algorithm::mis},
                                         {"mis-degree", Algorithm::mis_degree},
                                         {"mst", Algorithm::mst},
                                         {"mst-real", Algorithm::mst_real},
                                         {"ppr", Algorithm::ppr},
                                         {"pr", Algorithm::pr},
                                         {"product", Algorithm::product},
                                         {"sssp", Algorithm::sssp},
                                         {"sssp-real", Algorithm::sssp_real},
                                         {"tc", Algorithm::tc}});
}

Element chosen_element() {
  return chosen<Element>(
      "ELEMENT", {{"i32", Element::i32}, {"i64", Element::i64}, {"f32", Element::f32}, {"f64", Element::f64}});
}

void misbehave(const char* phase) {
  const auto how = word(phase);
  if (how == "bad_alloc") throw std::bad_alloc();
  if (how == "exception") throw std::runtime_error("the device caught fire");
  if (how == "fail") violet::fail(violet::no_resources, "no device: %s", "it caught fire");
}

template <typename Value>
class BellmanFord : public violet::Solver {
 public:
  explicit BellmanFord(const violet::Graph& graph) : graph_(graph), values_(graph.n) {}

  violet::Run solve(const violet::Query& query) override {
    misbehave("SOLVE");
    const double seconds = number("SECONDS", 1e-6);
    clock_ns += std::llround(seconds * 1e9);
    const int rounds = solves_ > 0 && !word("LAZY").empty() ? 1 : relax(query.source);
    if (solves_++ == number("WRONG_REPETITION", -1)) values_[static_cast<int>(number("WRONG_VERTEX", 0))] += 5;
    if (!word("LAST_VALUE").empty()) values_.back() = static_cast<Value>(std::atoll(std::getenv("LAST_VALUE")));
    return {rounds, number("REPORTED", seconds), number("PREPROCESSING", 0)};
  }

  void scrub(unsigned) override { std::ranges::fill(values_, Value{-1}); }

  void copy_result(std::size_t index, void* values) const override {
    std::memcpy(values, values_.data(), result_size(index) * sizeof(Value));
  }

  std::size_t result_size(std::size_t) const override {
    return values_.size() - (word("SHORT_RESULT").empty() ? 0 : 1);
  }

  /// Grows with every solve.
  std::size_t memory_bytes() const override { return 1000 * static_cast<std::size_t>(solves_); }

 private:
  static constexpr Value infinity = std::numeric_limits<Value>::max() / 2;

  int relax(int source) {
    for (int v = 0; v < graph_.n; v++) values_[v] = algorithm_ == Algorithm::cc ? v : infinity;
    if (algorithm_ != Algorithm::cc) values_[source] = 0;
    int rounds = 0;
    for (bool changed = true; changed; rounds++) {
      changed = false;
      for (int e = 0; e < graph_.m; e++) {
        const Value from = values_[graph_.sources[e]];
        const Value candidate = from + length(e);
        Value& to = values_[graph_.neighbours[e]];
        if (from >= infinity || candidate >= to) continue;
        to = candidate;
        changed = true;
      }
    }
    return rounds;
  }

  Value length(int e) const {
    if (algorithm_ == Algorithm::sssp) return graph_.weights[e];
    if (algorithm_ == Algorithm::sssp_real) return static_cast<Value>(std::bit_cast<float>(graph_.weights[e]));
    return algorithm_ == Algorithm::bfs ? 1 : 0;
  }

  const violet::Graph& graph_;
  const Algorithm algorithm_ = chosen_algorithm();
  std::vector<Value> values_;
  int solves_ = 0;
};

/// Reports values that it was told.
template <typename Value>
class Parrot : public violet::Solver {
 public:
  Parrot() {
    std::istringstream words{std::string(word("RESULT"))};
    for (std::string value; words >> value;) {
      if (value == "/") {
        arrays_.emplace_back();
      } else {
        arrays_.back().push_back(parse(value));
      }
    }
  }

  violet::Run solve(const violet::Query&) override {
    if (solves_++ > 0 && !word("DRIFT").empty()) arrays_[0][0] += static_cast<Value>(number("DRIFT", 0));
    return {static_cast<int>(number("ROUNDS", 1)), 1e-6};
  }
  void scrub(unsigned) override {}
  void copy_result(std::size_t index, void* values) const override {
    std::ranges::copy(arrays_[index], static_cast<Value*>(values));
  }
  std::size_t result_size(std::size_t index) const override { return arrays_[index].size(); }
  std::size_t memory_bytes() const override { return 0; }

 private:
  static Value parse(const std::string& value) {
    if constexpr (std::is_floating_point_v<Value>) {
      return static_cast<Value>(std::stod(value));
    } else {
      return static_cast<Value>(std::stoll(value));
    }
  }

  std::vector<std::vector<Value>> arrays_{1};
  int solves_ = 0;
};

template <typename Value>
violet::Solver* new_solver(const violet::Graph& graph) {
  if (std::getenv("RESULT") != nullptr) return new Parrot<Value>();
  return new BellmanFord<Value>(graph);
}

violet::Solver* prepare(Algorithm, const violet::Graph& graph, int) {
  misbehave("PREPARE");
  switch (chosen_element()) {
    case Element::i32:
      return new_solver<std::int32_t>(graph);
    case Element::i64:
      return new_solver<std::int64_t>(graph);
    case Element::f32:
      return new_solver<float>(graph);
    case Element::f64:
      return new_solver<double>(graph);
    case Element::u8:
      return new Parrot<std::uint8_t>();
  }
  __builtin_unreachable();
}

const char* device() { return "a \"quoted\" device"; }

}  // namespace

// Takes the place of the library's, or what a budget leaves would depend on what else the machine does.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(duration(++clock_ns));
}

int main(int argc, char** argv) {
  const Element elements[] = {chosen_element(), chosen_element()};
  const violet::Program program = {
      .name = "test-program",
      .algorithm = chosen_algorithm(),
      .model = word("MODEL") == "cuda" ? Model::cuda : Model::cpp,
      .elements = elements,
      .prepare = prepare,
      .device = device,
      .edges = word("DIRECTED").empty() ? violet::Edges::undirected : violet::Edges::directed,
  };
  return violet::run(argc, argv, program);
}
