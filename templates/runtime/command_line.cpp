#include "command_line.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "options.hpp"
#include "searches.hpp"
#include "support.hpp"

namespace violet {

Parameter* Parameter::first = nullptr;

namespace {

void enlist(Parameter* parameter) {
  Parameter** end = &Parameter::first;
  while (*end != nullptr) end = &(*end)->next;
  *end = parameter;
}

}  // namespace

Parameter::Parameter(const char* name, double value, const char* meaning, Kind kind)
    : name(name), value(value), meaning(meaning), kind(kind) {
  enlist(this);
}

Parameter::Parameter(const char* name, const char* meaning) : name(name), value(0), meaning(meaning), is_file(true) {
  enlist(this);
}

namespace {

constexpr char usage[] =
    R"(Usage: %s GRAPH... [OPTION]...

Solves each GRAPH (an .egr file) in turn, verifies every repetition, by a certificate or against a reference, and
prints one line of JSON a graph as soon as it is done with it.

  --source V         start vertex (default: the first vertex that has an edge); given several times, %s
  --reps N           timed repetitions (default: 9)
  --warmup N         repetitions before them that are verified but not reported (default: 1)
  --threads N        threads of a CPU program (default: all %d)
  --budget SECONDS   no further repetition once solving the graph has taken this long (default: unlimited); a warm-up
                     that takes as long counts as the repetition
  --reference FILE   take the reference from FILE, written by violet-reference, instead of computing it; given once for
                     each graph, in the order of the graphs
  --no-verify        compute no reference and verify nothing
  --dump FILE        write the result to FILE: for numpy if it ends in .npy, else as text, one value a line; of several
                     runs, in their order
  --help             print this text
%s%s
Exit code: 0 verified, 1 wrong result, 2 usage, 3 bad graph, 4 resources or device; the first that is not 0 if there
are several graphs.
)";

/// Hardware threads that this process may run on.
int available_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

/// A finite number for which `allowed` holds; `what` says in words which those are.
template <typename Allowed>
double parse_number(const std::string& option, const std::string& value, const char* what, Allowed allowed) {
  char* stop = nullptr;
  const double number = std::strtod(value.c_str(), &stop);
  if (value.empty() || *stop != '\0' || !std::isfinite(number) || !allowed(number)) {
    throw Failure{usage_error, text("%s takes %s, not '%s'", option.c_str(), what, value.c_str())};
  }
  return number;
}

double parse_seconds(const std::string& option, const std::string& value) {
  return parse_number(option, value, "a number of seconds, such as 1.5", [](double seconds) { return seconds >= 0; });
}

double parse_parameter(const Parameter& parameter, const std::string& option, const std::string& value) {
  return parse_number(option, value, parameter.range(), [&](double number) { return parameter.takes(number); });
}

/// The parameter that an option such as --delta sets, or null.
Parameter* find_parameter(std::string_view option) {
  Parameter* parameter = Parameter::first;
  while (parameter != nullptr && option != text("--%s", parameter->name)) parameter = parameter->next;
  return parameter;
}

/// The program's parameters as lines of the usage.
std::string describe_parameters() {
  std::string lines;
  for (const Parameter* parameter = Parameter::first; parameter != nullptr; parameter = parameter->next) {
    const std::string option = text("--%s %s", parameter->name, parameter->is_file ? "FILE" : "X");
    const std::string preset = parameter->is_file ? "" : text(" (default: %g)", parameter->value);
    lines += text("  %-18s %s%s\n", option.c_str(), parameter->meaning, preset.c_str());
  }
  return lines.empty() ? lines : "\nOf this program's method:\n\n" + lines;
}

/// What the program's algorithm may be asked as lines of the usage.
std::string describe_query(const AlgorithmInfo& algorithm) {
  std::string lines;
  for (const QueryOption& each : algorithm.query) {
    const std::string option = text("--%s %s", each.name, placeholder(each));
    lines += text("  %-18s %s (default: %s)\n", option.c_str(), each.meaning, query_text(each, each.preset).c_str());
  }
  if (algorithm.needs_weights) {
    lines += text("  %-18s %s\n", "--weights KIND",
                  "of a graph that has none: hash, from 1 to 64 by a hash of both ends, or one (default: hash)");
  }
  return lines.empty() ? lines : "\nOf what is computed:\n\n" + lines;
}

void check_combinations(const Options& options) {
  if (options.graphs.empty()) throw Failure{usage_error, "no graph; name at least one .egr file"};
  const std::size_t graphs = options.graphs.size(), references = options.references.size();
  if (references > 0 && !options.verify) {
    throw Failure{usage_error, "--reference and --no-verify exclude each other; drop one"};
  }
  if (references > 0 && references != graphs) {
    throw Failure{
        usage_error, text("--reference is given %zu times for %zu graphs; give it once for each, in their order",
                          references, graphs)};
  }
  if (references > 0 && options.sources.size() > 1) {
    throw Failure{usage_error, text("--reference is for one source, not %zu; run the program once for each",
                                    options.sources.size())};
  }
  for (const Parameter* each = Parameter::first; each != nullptr; each = each->next) {
    if (each->file != nullptr && graphs > 1) {
      throw Failure{
          usage_error, text("--%s is for one graph, not %zu; run the program once for each", each->name, graphs)};
    }
  }
  if (options.dump && graphs > 1) {
    throw Failure{usage_error, text("--dump is for one graph, not %zu; run the program once for each", graphs)};
  }
}

void check_sources(const Options& options, const AlgorithmInfo& algorithm) {
  if (!starts_from_several(algorithm) || options.sources.size() < 2) return;
  if (options.query.sources > 1) throw Failure{usage_error, "--sources is for one --source; leave out either"};
  std::vector<int> sorted = options.sources;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw Failure{usage_error, text("--source %d is given twice", *twice)};
}

void check_dump(const Options& options, const AlgorithmInfo& algorithm) {
  if (!options.dump) return;
  for (const std::filesystem::path& file : dump_files(*options.dump, algorithm)) {
    const auto check = [&](const std::string& input, const char* what) {
      std::error_code none;  // a file that is not there is no other one
      if (std::filesystem::equivalent(file, input, none)) {
        throw Failure{usage_error, text("--dump %s is the %s; name another file", file.c_str(), what)};
      }
    };
    for (const std::string& graph : options.graphs) check(graph, "graph");
    for (const std::string& reference : options.references) check(reference, "reference");
    for (const Parameter* each = Parameter::first; each != nullptr; each = each->next) {
      if (each->file != nullptr) check(each->file, each->name);
    }
  }
}

}  // namespace

Options parse_arguments(int argc, char** argv, const AlgorithmInfo& algorithm) {
  Options options;
  options.query = preset_query(algorithm);
  options.threads = available_threads();
  bool only_graphs = false;
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    if (only_graphs || argument.size() < 2 || argument[0] != '-') {
      options.graphs.push_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto value = [&]() -> std::string {
      if (equals != std::string::npos) return argument.substr(equals + 1);
      if (i + 1 == argc || std::string_view(argv[i + 1]).starts_with("--")) {
        throw Failure{usage_error, name + " needs a value"};
      }
      return argv[++i];
    };
    if (argument == "--") {
      only_graphs = true;
    } else if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--no-verify") {
      options.verify = false;
    } else if (name == "--source") {
      options.sources.push_back(parse_count(name, value(), 0));
    } else if (name == "--reps") {
      options.repetitions = parse_count(name, value(), 1);
    } else if (name == "--warmup") {
      options.warmup = parse_count(name, value(), 0);
    } else if (name == "--threads") {
      options.threads = parse_count(name, value(), 1, most_threads);
    } else if (name == "--budget") {
      options.budget = parse_seconds(name, value());
    } else if (name == "--reference") {
      options.references.push_back(value());
    } else if (name == "--dump") {
      options.dump = value();
    } else if (name == "--weights" && algorithm.needs_weights) {
      options.weights = parse_weights(name, value());
    } else if (Parameter* const parameter = find_parameter(name)) {
      if (parameter->is_file) {
        parameter->file = options.files.emplace_back(value()).c_str();
      } else {
        parameter->value = parse_parameter(*parameter, name, value());
      }
    } else if (const QueryOption* const option = find_query_option(algorithm, name)) {
      options.query.*option->field = parse_query(*option, value());
    } else {
      throw Failure{usage_error, text("unknown option '%s'; --help lists all", argument.c_str())};
    }
  }
  return options;
}

std::vector<std::filesystem::path> dump_files(const std::string& dump, const AlgorithmInfo& algorithm) {
  const std::filesystem::path file(dump);
  if (algorithm.results.size() == 1) return {file};
  std::vector<std::filesystem::path> files;
  for (const auto& result : algorithm.results) {
    files.push_back(file);
    files.back().replace_filename(file.stem().string() + "." + result.name + file.extension().string());
  }
  return files;
}

void check_options(const Options& options, const AlgorithmInfo& algorithm) {
  check_combinations(options);
  check_sources(options, algorithm);
  check_dump(options, algorithm);
  check_query(algorithm, options.query);
}

void print_usage(const Program& program, const Options& options, const AlgorithmInfo& algorithm) {
  const std::string turns =
      starts_from_several(algorithm) ? "they are the\n                     start vertices of one solution"
      : sources_at_once > 1
          ? text("%d are solved\n                     at a time, with a line for all", sources_at_once)
          : "each is solved in\n                     turn, with a line of its own";
  std::printf(usage, program.name, turns.c_str(), options.threads, describe_query(algorithm).c_str(),
              describe_parameters().c_str());
}

}  // namespace violet
