// violet-reference: computes a reference once, for the --reference option of every program.

#include <charconv>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "graph_file.hpp"
#include "reference.hpp"

namespace violet {
namespace {

constexpr char usage[] =
    R"(Usage: violet-reference ALGORITHM GRAPH OUT [--source V]

Solves GRAPH (an .egr file) serially and writes the result to OUT, for the option --reference of the programs.

  ALGORITHM     one of %s
  --source V    start vertex (default: the first vertex that has an edge)
  --help        print this text

Exit code: 0 written, 2 usage, 3 bad graph, 4 resources.
)";

struct Arguments {
  std::vector<std::string> positional;
  int source = -1;  ///< negative: the graph's default
  bool help = false;
};

int parse_vertex(std::string_view value) {
  int vertex;
  const auto [stop, error] = std::from_chars(value.begin(), value.end(), vertex);
  if (error == std::errc() && stop == value.end() && vertex >= 0) return vertex;
  throw Failure{usage_error, "--source takes a vertex, a whole number from 0, not '" + std::string(value) + "'"};
}

Arguments parse_arguments(int argc, char** argv) {
  constexpr std::string_view source_equals = "--source=";
  Arguments arguments;
  for (int i = 1; i < argc; i++) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      arguments.help = true;
    } else if (argument == "--source") {
      if (++i == argc) throw Failure{usage_error, "--source needs a value"};
      arguments.source = parse_vertex(argv[i]);
    } else if (argument.starts_with(source_equals)) {
      arguments.source = parse_vertex(argument.substr(source_equals.size()));
    } else if (argument.size() > 1 && argument[0] == '-') {
      throw Failure{usage_error, "unknown option '" + std::string(argument) + "'; --help lists all"};
    } else {
      arguments.positional.emplace_back(argument);
    }
  }
  return arguments;
}

void make_reference(const std::string& algorithm_name, const std::string& graph_path, const std::string& out,
                    int source) {
  const AlgorithmInfo* const algorithm = find_algorithm(algorithm_name);
  if (algorithm == nullptr) {
    throw Failure{usage_error, "unknown algorithm '" + algorithm_name + "'; known are " + algorithm_names()};
  }
  const GraphFile file(graph_path, {.weights = algorithm->needs_weights, .sources = false});
  const Graph& graph = file.graph();
  if (source < 0) source = default_source(graph);
  if (source >= graph.n) {
    throw Failure{usage_error, text("--source %d is not a vertex; the graph has 0 to %d", source, graph.n - 1)};
  }
  write_reference(out, {algorithm, &file, source}, algorithm->solve(graph, {source, degree(graph, source)}));
}

int run_reference(int argc, char** argv) {
  std::string subject;  // what a failure is about
  try {
    const Arguments arguments = parse_arguments(argc, argv);
    if (arguments.help) {
      std::printf(usage, algorithm_names().c_str());
      return verified;
    }
    if (arguments.positional.size() != 3) {
      throw Failure{usage_error,
                    text("expected ALGORITHM GRAPH OUT, got %zu arguments; see --help", arguments.positional.size())};
    }
    subject = arguments.positional[1] + ": ";
    make_reference(arguments.positional[0], arguments.positional[1], arguments.positional[2], arguments.source);
    return verified;
  } catch (const Failure& failure) {
    std::fprintf(stderr, "violet-reference: error: %s%s\n", subject.c_str(), failure.message.c_str());
    return failure.code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "violet-reference: error: %snot enough memory\n", subject.c_str());
    return no_resources;
  }
}

}  // namespace
}  // namespace violet

int main(int argc, char** argv) { return violet::run_reference(argc, argv); }
