// A program for the tests of the harness: Bellman-Ford in its simplest form, and on demand everything that can go wrong
// with a program. Compiled once for each algorithm and element type; the environment says what goes wrong:
//
//   WRONG_REPETITION=K  plants a wrong value in the K-th solve, counted from 0, ...
//   WRONG_VERTEX=V      ... at vertex V (default 0)
//   LAST_VALUE=X        sets the last value of every result to X
//   SHORT_RESULT        reports one value too few
//   PREPARE, SOLVE      = bad_alloc, exception or fail: how preparing or solving ends
//   SECONDS=S           every solve sleeps so long and reports to have taken it

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "violet.hpp"

#ifndef ELEMENT
#define ELEMENT i32
#endif
#ifndef ALGORITHM
#define ALGORITHM bfs
#endif
#ifndef MODEL
#define MODEL cpp
#endif

namespace {

using violet::Algorithm;
using violet::Element;

template <Element>
struct Value;
template <>
struct Value<Element::i32> {
  using Type = std::int32_t;
};
template <>
struct Value<Element::i64> {
  using Type = std::int64_t;
};

constexpr Algorithm algorithm = Algorithm::ALGORITHM;
constexpr Element element = Element::ELEMENT;
using value_t = Value<element>::Type;
constexpr value_t infinity = std::numeric_limits<value_t>::max() / 2;

double setting(const char* name, double fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fallback : std::atof(value);
}

void misbehave(const char* phase) {
  const char* const how = std::getenv(phase);
  if (how == nullptr) return;
  if (std::strcmp(how, "bad_alloc") == 0) throw std::bad_alloc();
  if (std::strcmp(how, "exception") == 0) throw std::runtime_error("the device caught fire");
  violet::fail(violet::no_resources, "no device: %s", "it caught fire");
}

class BellmanFord : public violet::Solver {
 public:
  explicit BellmanFord(const violet::Graph& graph) : graph_(graph), values_(graph.n) {}

  violet::Run solve(const violet::Query& query) override {
    misbehave("SOLVE");
    const double seconds = setting("SECONDS", 0);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const int rounds = relax(query.source);
    if (solves_++ == setting("WRONG_REPETITION", -1)) values_[static_cast<int>(setting("WRONG_VERTEX", 0))] += 5;
    if (std::getenv("LAST_VALUE") != nullptr) values_.back() = std::atoll(std::getenv("LAST_VALUE"));
    return {rounds, seconds};
  }

  void copy_result(void* values) const override {
    std::memcpy(values, values_.data(), result_size() * sizeof(value_t));
  }

  std::size_t result_size() const override { return values_.size() - (std::getenv("SHORT_RESULT") != nullptr); }

  std::size_t memory_bytes() const override { return values_.size() * sizeof(value_t) + 1000 * solves_; }

 private:
  int relax(int source) {
    for (int v = 0; v < graph_.n; v++) values_[v] = algorithm == Algorithm::cc ? v : infinity;
    if (algorithm != Algorithm::cc) values_[source] = 0;
    int rounds = 0;
    for (bool changed = true; changed; rounds++) {
      changed = false;
      for (int e = 0; e < graph_.m; e++) {
        const value_t from = values_[graph_.sources[e]];
        const value_t candidate = from + weight(e);
        value_t& to = values_[graph_.neighbours[e]];
        if (from >= infinity || candidate >= to) continue;
        to = candidate;
        changed = true;
      }
    }
    return rounds;
  }

  value_t weight(int e) const {
    switch (algorithm) {
      case Algorithm::bfs:
        return 1;
      case Algorithm::sssp:
        return graph_.weights[e];
      default:
        return 0;
    }
  }

  const violet::Graph& graph_;
  std::vector<value_t> values_;
  int solves_ = 0;
};

violet::Solver* prepare(const violet::Graph& graph, int) {
  misbehave("PREPARE");
  return new BellmanFord(graph);
}

const char* device() { return "a \"quoted\" device"; }

}  // namespace

int main(int argc, char** argv) {
  return violet::run(argc, argv, {"test-program", algorithm, violet::Model::MODEL, element, prepare, device});
}
