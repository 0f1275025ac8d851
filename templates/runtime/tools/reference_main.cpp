// violet-reference: computes a reference once, for the --reference option of every program.

#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph_file.hpp"
#include "options.hpp"
#include "reference_file.hpp"

namespace violet {
namespace {

constexpr char usage[] =
    R"(Usage: violet-reference ALGORITHM GRAPH [OUT] [OPTION]...

Solves GRAPH (an .egr file) serially and writes the result to OUT, for the option --reference of the programs. Without
OUT, it only checks GRAPH as they do.

  ALGORITHM     one of %s
  --source V    start vertex (default: the first vertex that has an edge)
  --weights K   of a graph that has none: hash or one (default: hash)
  --help        print this text
%s
Exit code: 0 written, or a good graph, 2 usage, 3 bad graph, 4 resources.
)";

struct Arguments {
  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> options;  ///< with their values
  bool help = false;
};

/// The options that belong to an algorithm as lines of the usage.
std::string describe_queries() {
  std::string lines;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    for (const QueryOption& each : algorithm.query) {
      const std::string option = text("%s %s", each.name, placeholder(each));
      lines += text("  --%-11s %s: %s (default: %s)\n", option.c_str(), algorithm.name, each.meaning,
                    query_text(each, each.preset).c_str());
    }
  }
  return lines;
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      arguments.help = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      const std::size_t equals = argument.find('=');
      if (equals == std::string::npos && i + 1 == argc) throw Failure{usage_error, argument + " needs a value"};
      const std::string value = equals == std::string::npos ? argv[++i] : argument.substr(equals + 1);
      arguments.options.emplace_back(argument.substr(0, equals), value);
    } else {
      arguments.positional.push_back(argument);
    }
  }
  return arguments;
}

void make_reference(const Arguments& arguments) {
  const std::string &name = arguments.positional[0], &path = arguments.positional[1];
  const bool only_check = arguments.positional.size() == 2;
  const AlgorithmInfo* const algorithm = find_algorithm(name);
  if (algorithm == nullptr) {
    throw Failure{usage_error, "unknown algorithm '" + name + "'; known are " + algorithm_names()};
  }
  Query query = preset_query(*algorithm);
  std::optional<int> source;
  std::optional<MadeWeights> weights;
  for (const auto& [option, value] : arguments.options) {
    if (option == "--source") {
      source = parse_count(option, value, 0);
    } else if (option == "--weights" && algorithm->needs_weights) {
      weights = parse_weights(option, value);
    } else if (const QueryOption* const asked = find_query_option(*algorithm, option)) {
      query.*asked->field = parse_query(*asked, value);
    } else {
      throw Failure{usage_error, "unknown option '" + option + "'; --help lists all"};
    }
  }
  check_query(*algorithm, query);
  const GraphFile file(path, {.weights = algorithm->needs_weights,
                              .sources = false,
                              .undirected = algorithm->takes_undirected,
                              .directed = algorithm->takes_directed,
                              .wide = only_check,  // some programs take such graphs
                              .made_weights = weights.value_or(MadeWeights::hash),
                              .real_weights = algorithm->real_weights,
                              .negative_weights = !algorithm->needs_source});
  check_weights(weights, file);
  const Graph& graph = file.graph();
  if (!source) source = default_source(graph);
  if (*source >= graph.n) {
    throw Failure{usage_error, text("--source %d is not a vertex; the graph has 0 to %d", *source, graph.n - 1)};
  }
  if (only_check) return;
  std::vector<int> list;
  start_from(*source, graph, query, list);
  write_reference(arguments.positional[2], {algorithm, &file, &query}, algorithm->solve(graph, query));
}

int run_reference(int argc, char** argv) {
  std::string subject;  // what a failure is about
  try {
    const Arguments arguments = parse_arguments(argc, argv);
    if (arguments.help) {
      std::printf(usage, algorithm_names().c_str(), describe_queries().c_str());
      return verified;
    }
    if (const std::size_t count = arguments.positional.size(); count != 2 && count != 3) {
      throw Failure{usage_error, text("expected ALGORITHM GRAPH [OUT], got %zu arguments; see --help", count)};
    }
    subject = arguments.positional[1] + ": ";
    make_reference(arguments);
    return verified;
  } catch (const Failure& failure) {
    std::fprintf(stderr, "violet-reference: error: %s%s\n", plain(subject).c_str(), plain(failure.message).c_str());
    return failure.code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "violet-reference: error: %snot enough memory\n", plain(subject).c_str());
    return no_resources;
  }
}

}  // namespace
}  // namespace violet

int main(int argc, char** argv) { return violet::run_reference(argc, argv); }
