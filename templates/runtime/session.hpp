// A program on one graph: solves, repeats and has verified what comes out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "graph_file.hpp"
#include "report.hpp"
#include "verification.hpp"
#include "violet.hpp"

namespace violet {

/// One program on one graph.
class Session {
 public:
  /// `index` says which of the graphs in `options`.
  Session(const Program& program, const Options& options, std::size_t index);
  Session(const Session&) = delete;  // what it consists of refers to it
  Session& operator=(const Session&) = delete;

  /// The vertices to start from: as many at a time as the program takes.
  std::vector<std::vector<int>> sources() const;

  /// Solves from some of them, and reports.
  ExitCode run(const std::vector<int>& sources);

  /// Writes the results of all runs, one after the other, to the files that the options name.
  ExitCode dump() const;

 private:
  void repeat();
  void count();
  bool within_budget() const { return phases_.solve < options_.budget; }
  void add_sample(const Run& run);
  Run solve_once(const std::string& name);
  template <typename Solve>
  Run solve_once(const std::string& name, Solve solve);
  double least_seconds() const;
  void keep();

  const Graph& graph() const { return file_.graph(); }

  const Program& program_;
  const Options& options_;
  const std::string& path_;
  const AlgorithmInfo& algorithm_;
  Phases phases_;
  GraphFile file_;
  const int longest_edge_;
  const Subject subject_;
  Verification verification_;
  Query query_;
  std::vector<int> source_list_;  ///< of the query
  std::unique_ptr<Solver> solver_;
  Outcome outcome_;
  Values kept_;  ///< of all runs, to be dumped
  int kept_rows_ = 0;
  int solved_ = 0;  ///< how often
};

}  // namespace violet
