// A program for the tests of the harness: Bellman-Ford in its simplest form, and on demand all that can go wrong with a
// program. The environment says what it is to be and to do:
//
//   ALGORITHM, ELEMENT, MODEL   such as sssp, i64, cuda (default: bfs, i32, cpp)
//   WRONG_REPETITION=K          plants a wrong value in the K-th solve, counted from 0 ...
//   WRONG_VERTEX=V              ... at vertex V (default: 0)
//   LAST_VALUE=X                every result ends with the value X
//   SHORT_RESULT=1              reports one value too few
//   PREPARE, SOLVE              how preparing or solving ends: bad_alloc, exception or fail
//   SECONDS=S                   every solve takes so long

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "violet.hpp"

namespace {

using violet::Algorithm;
using violet::Element;
using violet::Model;

std::string_view word(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

double number(const char* name, double fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fallback : std::atof(value);
}

Algorithm chosen_algorithm() {
  const auto name = word("ALGORITHM");
  return name == "cc" ? Algorithm::cc : name == "sssp" ? Algorithm::sssp : Algorithm::bfs;
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
    const double seconds = number("SECONDS", 0);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const int rounds = relax(query.source);
    if (solves_++ == number("WRONG_REPETITION", -1)) values_[static_cast<int>(number("WRONG_VERTEX", 0))] += 5;
    if (!word("LAST_VALUE").empty()) values_.back() = static_cast<Value>(std::atoll(std::getenv("LAST_VALUE")));
    return {rounds, seconds};
  }

  void copy_result(void* values) const override { std::memcpy(values, values_.data(), result_size() * sizeof(Value)); }

  std::size_t result_size() const override { return values_.size() - (word("SHORT_RESULT").empty() ? 0 : 1); }

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
    return algorithm_ == Algorithm::bfs ? 1 : 0;
  }

  const violet::Graph& graph_;
  const Algorithm algorithm_ = chosen_algorithm();
  std::vector<Value> values_;
  int solves_ = 0;
};

violet::Solver* prepare(const violet::Graph& graph, int) {
  misbehave("PREPARE");
  if (word("ELEMENT") == "i64") return new BellmanFord<std::int64_t>(graph);
  return new BellmanFord<std::int32_t>(graph);
}

const char* device() { return "a \"quoted\" device"; }

}  // namespace

int main(int argc, char** argv) {
  const violet::Program program = {
      .name = "test-program",
      .algorithm = chosen_algorithm(),
      .model = word("MODEL") == "cuda" ? Model::cuda : Model::cpp,
      .element = word("ELEMENT") == "i64" ? Element::i64 : Element::i32,
      .prepare = prepare,
      .device = device,
  };
  return violet::run(argc, argv, program);
}
