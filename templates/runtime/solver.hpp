// Binds a program's functions to the interface the harness calls. A model's header (cuda.cuh, openmp.hpp, threads.hpp)
// includes this after declaring what differs between models: model, Memory, Workers, device_name, timed, preprocessed,
// copy_to_host, overwrite.
#pragma once

#include <type_traits>

#include "violet.hpp"

namespace violet {

template <typename Value>
constexpr Element element_of() {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8);
  if constexpr (std::is_floating_point_v<Value>) {
    return sizeof(Value) == 4 ? Element::f32 : Element::f64;
  } else {
    return sizeof(Value) == 4 ? Element::i32 : Element::i64;
  }
}

template <auto prepare_state, auto solve_state, auto result>
class StateSolver final : public Solver {
 public:
  StateSolver(Algorithm algorithm, const Graph& graph, int threads)
      : workers_(threads), size_(violet::result_size(algorithm, graph)), state_(prepare_state(graph, memory_)) {}

  Run solve(const Query& query) override {
    Run run = {};
    run.seconds = timed([&] { run.rounds = solve_state(state_, query); }, run.preprocessing_seconds);
    return run;
  }

  void scrub(unsigned word) override {
    memory_.for_each_working([word](void* array, std::size_t bytes) { overwrite(array, bytes, word); });
    overwrite(values_(), size_ * sizeof(*values_()), no_result);
  }

  void copy_result(void* values) const override { copy_to_host(values, values_(), size_ * sizeof(*values_())); }
  std::size_t result_size() const override { return size_; }
  std::size_t memory_bytes() const override { return memory_.bytes(); }

  static constexpr Element element() { return element_of<std::remove_reference_t<decltype(*(State{}.*result))>>(); }
  static constexpr bool needs_sources() {
    return requires(State s) { s.sources; };
  }

 private:
  using State = decltype(prepare_state(std::declval<const Graph&>(), std::declval<Memory&>()));

  auto values_() const { return state_.*result; }

  Workers workers_;
  Memory memory_;
  std::size_t size_;
  State state_;
};

/// Main function of a program. `prepare` puts a graph in place and allocates memory, `solve` starts from the state that
/// `prepare` returned and gives the number of rounds, `result` is the array of the state with the `result_size` values.
template <auto prepare, auto solve, auto result>
int run(const char* name, Algorithm algorithm, int argc, char** argv) {
  using Bound = StateSolver<prepare, solve, result>;
  const Program program = {
      name,
      algorithm,
      model,
      Bound::element(),
      [](Algorithm bound, const Graph& graph, int threads) -> Solver* { return new Bound(bound, graph, threads); },
      device_name,
      Bound::needs_sources(),
  };
  return run(argc, argv, program);
}

}  // namespace violet
