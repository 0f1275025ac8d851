// Binds a program's functions to the interface the harness calls. A model's header (cuda.cuh, openmp.hpp, threads.hpp)
// includes this after declaring what differs between models: model, Memory, Workers, device_name, timed, preprocessed,
// copy_values, overwrite.
#pragma once

#include <limits>
#include <type_traits>

#include "algorithms.hpp"
#include "violet.hpp"

#ifdef __CUDACC__
#define VIOLET_COUNTED __host__ __device__
#else
#define VIOLET_COUNTED
#endif

namespace violet {

template <typename T>
constexpr T too_many_paths = 1 / std::numeric_limits<T>::min();
template <typename T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// A number of paths; no number (NaN) if there are more than can be counted, as the inverse of so many loses digits.
template <typename T>
VIOLET_COUNTED inline T counted(T paths) {
  return paths < too_many_paths<T> ? paths : not_a_number<T>;
}

template <typename Value>
constexpr Element element_of() {
  static_assert(sizeof(Value) == 1 || sizeof(Value) == 4 || sizeof(Value) == 8);
  if constexpr (sizeof(Value) == 1) {
    return Element::u8;
  } else if constexpr (std::is_floating_point_v<Value>) {
    return sizeof(Value) == 4 ? Element::f32 : Element::f64;
  } else {
    return sizeof(Value) == 4 ? Element::i32 : Element::i64;
  }
}

template <auto prepare_state, auto solve_state, auto... results>
class StateSolver final : public Solver {
 public:
  StateSolver(Algorithm algorithm, const Graph& graph, int threads)
      : workers_(threads), state_(prepare_state(graph, memory_)) {
    for (std::size_t i = 0; i < sizeof...(results); i++) sizes_[i] = violet::result_size(algorithm, i, graph);
  }

  Run solve(const Query& query) override {
    workers_.use();
    Run run = {};
    run.seconds = timed([&] { run.rounds = solve_state(state_, query); }, run.preprocessing_seconds);
    return run;
  }

  void scrub(unsigned word) override {
    memory_.for_each_working([word](void* array, std::size_t bytes) { overwrite(array, bytes, word); });
    for_each_result(
        [](auto* array, std::size_t size, std::size_t) { overwrite(array, size * sizeof(*array), no_result); });
  }

  void copy_result(std::size_t index, void* values) const override {
    for_each_result([&](const auto* array, std::size_t size, std::size_t i) {
      if (i == index) copy_values(values, array, size * sizeof(*array));
    });
  }

  std::size_t result_size(std::size_t index) const override { return sizes_[index]; }
  int threads() const override { return workers_.size(); }

  const void* result(std::size_t index) const override {
    const void* const arrays[] = {state_.*results...};
    return arrays[index];
  }

  std::size_t memory_bytes() const override { return memory_.bytes(); }

  using State = decltype(prepare_state(std::declval<const Graph&>(), std::declval<Memory&>()));

  static constexpr Element elements[] = {element_of<std::remove_reference_t<decltype(*(State{}.*results))>>()...};
  static constexpr bool needs_sources() {
    return requires(State s) { s.sources; };
  }
  /// See Program, and `counted`.
  static constexpr int largest_exponent() {
    if constexpr (requires(State s) { s.paths; }) {
      constexpr int exponent = std::numeric_limits<std::remove_pointer_t<decltype(State::paths)>>::max_exponent;
      return exponent > 0 ? exponent - 2 : 0;
    }
    return 0;
  }

 private:
  template <typename Function>
  void for_each_result(Function function) const {
    std::size_t i = 0;
    ((function(state_.*results, sizes_[i], i), i++), ...);
  }

  Workers workers_;
  Memory memory_;
  std::size_t sizes_[sizeof...(results)];
  State state_;
};

/// Main function of a program. `prepare` puts a graph in place and allocates memory, `solve` starts from the state that
/// `prepare` returned and gives the number of rounds, `results` are the arrays of the state that are the algorithm's.
/// `edges` says which graphs the program takes.
template <auto prepare, auto solve, auto... results>
int run(const char* name, Algorithm algorithm, int argc, char** argv, Edges edges = Edges::undirected) {
  using Bound = StateSolver<prepare, solve, results...>;
  const Program program = {
      name,
      algorithm,
      model,
      Bound::elements,
      [](Algorithm bound, const Graph& graph, int threads) -> Solver* { return new Bound(bound, graph, threads); },
      device_name,
      Bound::needs_sources(),
      Bound::largest_exponent(),
      [](const Graph& graph, int threads) {
        [[maybe_unused]] const Workers workers(threads);
        CountedMemory memory;
        prepare(graph, memory);
        return memory.bytes();
      },
      edges,
  };
  return run(argc, argv, program);
}

}  // namespace violet
