// Programs that search from up to 64 sources at a time, a bit of a word each. Included after the header of the model.
#pragma once

#include "searches.hpp"
#include "solver.hpp"

namespace violet {

using searches_t = unsigned long long;  ///< a set of searches, a bit each
constexpr int searches_in_word = 64;

/// A start vertex for each search.
using Starts = int[searches_in_word];

#ifdef __CUDACC__

inline namespace gpu {

__device__ inline searches_t atomic_load(const searches_t* variable) {
  searches_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(variable));
  return value;
}

__device__ inline int lowest_bit(searches_t word) { return __ffsll(static_cast<long long>(word)) - 1; }

}  // namespace gpu

#else

inline int lowest_bit(searches_t word) { return __builtin_ctzll(word); }

#endif

/// A solver whose result is a row of values for each source of a query.
template <auto prepare, auto solve_all, auto result_array>
class SearchesSolver final : public Solver {
 public:
  using Bound = StateSolver<prepare, solve_all, result_array>;

  SearchesSolver(Algorithm algorithm, const Graph& graph, int threads) : bound_(algorithm, graph, threads) {}

  Run solve(const Query& query) override {
    rows_ = static_cast<std::size_t>(query.sources);
    return bound_.solve(query);
  }

  void scrub(unsigned word) override {
    bound_.scrub(word);
    overwrite(const_cast<void*>(bound_.result(0)), bytes(searches_in_word), no_result);
  }

  void copy_result(std::size_t index, void* values) const override {
    copy_values(values, bound_.result(index), bytes(rows_));
  }

  std::size_t result_size(std::size_t index) const override { return rows_ * bound_.result_size(index); }
  const void* result(std::size_t index) const override { return bound_.result(index); }
  int threads() const override { return bound_.threads(); }
  std::size_t memory_bytes() const override { return bound_.memory_bytes(); }

 private:
  std::size_t bytes(std::size_t rows) const {
    using State = typename Bound::State;
    return rows * bound_.result_size(0) * sizeof(*(State{}.*result_array));
  }

  Bound bound_;
  std::size_t rows_ = 1;
};

/// As `run`, of a program that solves queries of up to 64 sources.
template <auto prepare, auto solve, auto result>
int run_together(const char* name, Algorithm algorithm, int argc, char** argv, Edges edges = Edges::undirected) {
  using Bound = SearchesSolver<prepare, solve, result>;
  sources_at_once = searches_in_word;
  const Program program = {
      .name = name,
      .algorithm = algorithm,
      .model = model,
      .elements = Bound::Bound::elements,
      .prepare = [](Algorithm bound, const Graph& graph, int threads) -> Solver* {
        return new Bound(bound, graph, threads);
      },
      .device = device_name,
      .needs_sources = false,
      .count_bytes =
          [](const Graph& graph, int threads) {
            [[maybe_unused]] const Workers workers(threads);
            CountedMemory memory;
            prepare(graph, memory);
            return memory.bytes();
          },
      .edges = edges,
  };
  return run(argc, argv, program);
}

}  // namespace violet
