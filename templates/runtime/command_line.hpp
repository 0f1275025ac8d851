// The command line of a program: what its user may ask of the harness, of the algorithm and of the program's method.
#pragma once

#include <filesystem>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "reference.hpp"
#include "violet.hpp"
#include "weights.hpp"

namespace violet {

struct Options {
  std::vector<std::string> graphs;
  std::vector<int> sources;
  Query query;
  std::optional<MadeWeights> weights;
  int repetitions = 9;
  int warmup = 1;
  int threads;
  double budget = std::numeric_limits<double>::infinity();
  std::vector<std::string> references;
  std::optional<std::string> dump;
  std::list<std::string> files;  ///< that parameters name
  bool verify = true;
  bool help = false;
};

/// Options may stand anywhere, as `--name value` or `--name=value`; after `--` everything is a graph. Fails if one is wrong.
Options parse_arguments(int argc, char** argv, const AlgorithmInfo& algorithm);

/// Fails if options do not go together, or if the result would be written over what the program reads, by whatever name.
void check_options(const Options& options, const AlgorithmInfo& algorithm);

/// The files that the result goes to: of several arrays one each, which has the array's name before its ending.
std::vector<std::filesystem::path> dump_files(const std::string& dump, const AlgorithmInfo& algorithm);

/// Prints what a program's user may ask, with the defaults in `options`.
void print_usage(const Program& program, const Options& options, const AlgorithmInfo& algorithm);

}  // namespace violet
