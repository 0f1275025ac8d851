// What a program says: a line of JSON for each graph, and messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "graph_file.hpp"
#include "reference.hpp"
#include "support.hpp"
#include "violet.hpp"

namespace violet {

/// Wall-clock seconds spent on one graph.
struct Phases {
  double load = 0;
  double reference = 0;
  double prepare = 0;
  double solve = 0;
  double verify = 0;
};

/// Calls `work` and adds the time that it takes to `total`.
template <typename Work>
auto timed(double& total, Work work) {
  const Stopwatch stopwatch(total);
  return work();
}

/// The arrays of a result, as bytes.
using Values = std::vector<std::vector<std::byte>>;

/// What the repetitions on one graph came to.
struct Outcome {
  std::vector<double> samples;        ///< seconds of each repetition after the warm-up
  std::vector<double> preprocessing;  ///< and of its preprocessing
  int rounds = 0;                     ///< of the latest repetition
  std::size_t peak_memory = 0;
  Values values;  ///< the latest result
  std::optional<std::string> error;
};

/// What a line is about.
struct Subject {
  const Program& program;
  const Options& options;
  const AlgorithmInfo& algorithm;
  const std::string& path;  ///< of the graph
  const GraphFile& file;

  const Graph& graph() const { return file.graph(); }
  bool on_gpu() const { return program.model == Model::cuda || program.model == Model::multigpu; }
};

/// The name that messages begin with.
extern const char* program_name;

void print_error(std::string_view message);

/// Prints the line of a graph that was solved, and what is wrong with the result.
void report(const Subject& subject, const Query& query, const Outcome& outcome, const Phases& phases,
            const Solver& solver);

/// Says on both outputs why a graph has no result: every graph gets its line, so that a reader knows where they stand.
ExitCode report_failure(const Program& program, const std::string& path, const Failure& failure);

}  // namespace violet
