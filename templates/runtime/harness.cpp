// The main function of every program: command line, repetitions, verification and report.

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <list>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "graph_file.hpp"
#include "json.hpp"
#include "options.hpp"
#include "reference_file.hpp"
#include "support.hpp"
#include "violet.hpp"

namespace violet {
namespace {

constexpr char usage[] =
    R"(Usage: %s GRAPH... [OPTION]...

Solves each GRAPH (an .egr file) in turn, verifies every repetition, by a certificate or against a reference, and
prints one line of JSON a graph as soon as it is done with it.

  --source V         start vertex (default: the first vertex that has an edge); given several times, each is solved in
                     turn, with a line of its own
  --reps N           timed repetitions (default: 9)
  --warmup N         repetitions before them that are verified but not reported (default: 1)
  --threads N        threads of a CPU program (default: all %d)
  --budget SECONDS   no further repetition once solving the graph has taken this long (default: unlimited); a warm-up
                     that takes as long counts as the repetition
  --reference FILE   take the reference from FILE, written by violet-reference, instead of computing it; given once for
                     each graph, in the order of the graphs
  --no-verify        compute no reference and verify nothing
  --dump FILE        write the result to FILE: for numpy if it ends in .npy, else as text, one value a line
  --help             print this text
%s%s
Exit code: 0 verified, 1 wrong result, 2 usage, 3 bad graph, 4 resources or device; the first that is not 0 if there
are several graphs.
)";

const char* program_name = "violet";

void print_error(std::string_view message) {
  std::fprintf(stderr, "%s: error: %s\n", program_name, plain(message).c_str());
}

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

/// Options may stand anywhere, as `--name value` or `--name=value`; after `--` everything is a graph.
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
  if (options.dump && options.sources.size() > 1) {
    throw Failure{
        usage_error, text("--dump is for one source, not %zu; run the program once for each", options.sources.size())};
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

/// The files that the result goes to: of several arrays one each, which has the array's name before its ending.
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

/// Fails if the result would be written over what the program reads, by whatever name.
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

/// What the repetitions on one graph came to.
struct Outcome {
  std::vector<double> samples;        ///< seconds of each repetition after the warm-up
  std::vector<double> preprocessing;  ///< and of its preprocessing
  int rounds = 0;                     ///< of the latest repetition
  std::size_t peak_memory = 0;
  std::vector<std::vector<std::byte>> values;  ///< the latest result, array by array
  std::optional<std::string> error;
};

void print_line(const JsonObject& line) {
  if (std::puts(line.to_string().c_str()) < 0 || std::fflush(stdout) != 0) {
    throw Failure{no_resources, "cannot write to the standard output"};
  }
}

/// One program on one graph.
class Session {
 public:
  /// `index` says which of the graphs in `options`.
  Session(const Program& program, const Options& options, std::size_t index)
      : program_(program),
        options_(options),
        path_(options.graphs[index]),
        reference_(options.references.empty() ? nullptr : &options.references[index]),
        algorithm_(info(program.algorithm)),
        file_(timed(phases_.load,
                    [&] {
                      return GraphFile(path_, {.weights = algorithm_.needs_weights,
                                               .sources = program.needs_sources,
                                               .undirected = program.edges == Edges::undirected,
                                               .directed = program.edges != Edges::undirected,
                                               .edges = program.edges,
                                               .wide = program.wide,
                                               .made_weights = options.weights.value_or(MadeWeights::hash)});
                    })),
        query_(options.query) {
    check_weights(options.weights, file_);
  }

  /// The vertices to start from, one after the other.
  std::vector<int> sources() const {
    return options_.sources.empty() ? std::vector{default_source(graph())} : options_.sources;
  }

  ExitCode run(int source) {
    if (source >= graph().n) {
      throw Failure{usage_error, text("--source %d is not a vertex; the graph has 0 to %d", source, graph().n - 1)};
    }
    start_from(source, graph(), query_, source_list_);
    outcome_ = {};
    checked_.reset();
    margin_ = 0;
    expected_.reset();
    if (options_.verify && (reference_ != nullptr || algorithm_.certify == nullptr)) obtain_reference();
    repeat();
    count();
    report();
    phases_ = {};
    if (options_.dump) {
      try {
        dump();
      } catch (const Failure& failure) {  // which must not add a second line for this graph
        print_error(path_ + ": " + failure.message);
        return failure.code;
      }
    }
    return outcome_.error ? wrong_result : verified;
  }

 private:
  const Graph& graph() const { return file_.graph(); }

  std::vector<Result> results() const { return results(outcome_.values); }

  std::vector<Result> results(const std::vector<std::vector<std::byte>>& of) const {
    std::vector<Result> arrays;
    for (std::size_t i = 0; i < of.size(); i++) {
      const std::vector<std::byte>& values = of[i];
      const Element element = program_.elements[i];
      arrays.push_back({&algorithm_.results[i], element, values.size() / element_size(element), values.data()});
    }
    return arrays;
  }

  void dump() const {
    const std::vector<Result> arrays = results();
    const std::vector<std::filesystem::path> files = dump_files(*options_.dump, algorithm_);
    for (std::size_t i = 0; i < files.size(); i++) {
      write_file(files[i].string(), files[i].extension() == ".npy" ? to_npy(arrays[i]) : to_text(arrays[i]));
    }
  }

  void obtain_reference() {
    const Stopwatch stopwatch(phases_.reference);
    expected_ = reference_ != nullptr ? read_reference(*reference_, {&algorithm_, &file_, &query_})
                                      : algorithm_.solve(graph(), query_);
    check_range(algorithm_, *expected_, program_);
  }

  /// Describes what is wrong with the latest result, if anything is. Unless a reference is there, a certificate is
  /// enough; what it does not certify is held against the reference, which says what is wrong.
  std::optional<std::string> find_result_error() {
    const std::vector<Result> arrays = results();
    Results found(arrays);
    found.rounds = outcome_.rounds;
    if (!expected_) {
      const auto certificate = timed(phases_.verify, [&] { return certify(algorithm_, graph(), query_, found); });
      margin_ = certificate.holds ? certificate.margin : 0;
      if (certificate.holds) return {};
      obtain_reference();
    }
    return timed(phases_.verify, [&] { return find_error(algorithm_, graph(), *expected_, found); });
  }

  /// Warms up, then repeats until the repetitions or the budget are used up or a result is wrong.
  void repeat() {
    if (!solver_) {
      solver_.reset(
          timed(phases_.prepare, [this] { return program_.prepare(program_.algorithm, graph(), options_.threads); }));
    }
    std::optional<Run> warm_up;
    for (int warmup = 0; warmup < options_.warmup && !outcome_.error; warmup++) {
      if (warmup > 0 && !within_budget()) break;
      warm_up = solve_once(text("warm-up %d", warmup + 1));
    }
    if (warm_up && warm_up->seconds >= options_.budget) {
      add_sample(*warm_up);
      return;
    }
    for (int repetition = 0; repetition < options_.repetitions && !outcome_.error; repetition++) {
      if (repetition > 0 && !within_budget()) break;
      add_sample(solve_once(text("repetition %d", repetition + 1)));
    }
  }

  /// Has what the parts of a divided graph do counted, in a repetition of its own because that takes time.
  void count() {
    if (solver_->divided() && !outcome_.error && within_budget()) {
      solve_once("counted repetition", [this] { return solver_->solve_counted(query_); });
    }
  }

  bool within_budget() const { return phases_.solve < options_.budget; }

  void add_sample(const Run& run) {
    outcome_.samples.push_back(run.seconds);
    outcome_.preprocessing.push_back(run.preprocessing_seconds);
  }

  /// What to fill working memory with before a repetition: by turns what no program has there, and a small number, as
  /// levels, rounds and vertices are.
  static constexpr unsigned leftover(int repetition) {
    return repetition % 2 == 1 ? no_result : static_cast<unsigned>(repetition) / 2;
  }

  /// Solves, and verifies what comes out unless it is what was verified last, byte for byte, or so near that its certificate
  /// covers it. Each repetition but the first, whose memory nobody has written, finds its memory scrubbed, or it could take
  /// over what the last one found.
  Run solve_once(const std::string& name) {
    return solve_once(name, [this] { return solver_->solve(query_); });
  }

  template <typename Solve>
  Run solve_once(const std::string& name, Solve solve) {
    if (solved_ > 0) timed(phases_.prepare, [this] { solver_->scrub(leftover(solved_)); });
    solved_++;
    const Run run = timed(phases_.solve, solve);
    outcome_.rounds = run.rounds;
    outcome_.peak_memory = std::max(outcome_.peak_memory, solver_->memory_bytes());
    outcome_.values.resize(algorithm_.results.size());
    timed(phases_.verify, [this] {
      for (std::size_t i = 0; i < outcome_.values.size(); i++) {
        outcome_.values[i].resize(solver_->result_size(i) * element_size(program_.elements[i]));
        solver_->copy_result(i, outcome_.values[i].data());
      }
    });
    if (options_.verify && !timed(phases_.verify, [this] { return is_checked(); })) {
      const auto error = find_result_error();
      if (error) outcome_.error = name + ", " + *error;
      checked_ = outcome_.values;
    }
    if (!outcome_.error) check_range(graph(), program_, results());
    if (!outcome_.error && run.seconds < least_seconds()) {
      outcome_.error =
          text("%s, took %.3g s, less than the %.3g s that it takes to touch the graph: nothing was computed",
               name.c_str(), run.seconds, least_seconds());
    }
    return run;
  }

  /// Whether the latest result is what was verified last, or covered by its certificate.
  bool is_checked() const {
    if (!checked_) return false;
    // Comparing vectors would go byte by byte.
    const auto equal = [](const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
      return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
    };
    if (std::ranges::equal(outcome_.values, *checked_, equal)) return true;
    return margin_ > 0 && outcome_.values.size() == 1 && outcome_.values[0].size() == (*checked_)[0].size() &&
           difference(results()[0], results(*checked_)[0]) <= margin_;
  }

  /// What no solve can be faster than: it reads or writes at least four bytes for each vertex or for each edge. A
  /// thread moves less than 1 TB/s, three vectors of 64 bytes at 5 GHz, even from its own cache; a GPU less than 100.
  double least_seconds() const {
    const double bytes = 4.0 * static_cast<double>(std::min<std::int64_t>(graph().n, graph().m));
    return bytes / (on_gpu() ? 100e12 : 1e12 * options_.threads);
  }

  void report() const {
    JsonObject line;
    line.add("program", program_.name).add("graph", path_).add("algorithm", algorithm_.reported);
    line.add("model", model_name()).add("vertices", graph().n).add("edges", graph().m);
    line.add("source", algorithm_.needs_source ? std::optional(query_.source) : std::nullopt);
    if (!algorithm_.query.empty()) {
      JsonObject asked;
      for (const QueryOption& each : algorithm_.query) {
        const int value = query_.*each.field;
        if (each.kind == QueryOption::Kind::pattern) {
          asked.add(each.name, query_text(each, value));
        } else {
          asked.add(each.name, value);
        }
      }
      line.add("query", asked);
    }
    if (algorithm_.needs_weights) {
      const bool all_one = options_.weights == MadeWeights::one;
      line.add("weights", !file_.has_made_weights() ? "of the graph" : all_one ? "one" : "hash");
    }
    line.add("rounds", outcome_.rounds).add("samples_s", outcome_.samples);
    const auto& preprocessing = outcome_.preprocessing;
    if (std::any_of(preprocessing.begin(), preprocessing.end(), [](double seconds) { return seconds > 0; })) {
      line.add("preprocessing_s", preprocessing);
    }
    line.add("verified", options_.verify ? std::optional(!outcome_.error) : std::nullopt);
    if (outcome_.error) line.add("error", *outcome_.error);
    line.add("checksum", text("%016llx", static_cast<unsigned long long>(checksum())));
    if (Parameter::first != nullptr) {
      JsonObject parameters;
      for (const Parameter* each = Parameter::first; each != nullptr; each = each->next) {
        if (!each->is_file) {
          parameters.add(each->name, each->value);
        } else if (each->file != nullptr) {
          parameters.add(each->name, std::string_view(each->file));
        }
      }
      line.add("parameters", parameters);
    }
    if (!on_gpu()) {
      const int threads = solver_->threads() > 0 ? solver_->threads() : options_.threads;
      if (threads < options_.threads) {
        std::fprintf(stderr, "%s: warning: only %d of %d threads: OMP_THREAD_LIMIT allows no more\n", program_name,
                     threads, options_.threads);
      }
      line.add("threads", threads);
    }
    if (program_.device != nullptr) line.add("device", program_.device());
    line.add("peak_memory_bytes", outcome_.peak_memory);
    if (const PartAccounts accounts = solver_->accounts(); accounts.count > 0) add_parts(line, accounts);
    line.add("phases_s", JsonObject()
                             .add("load", phases_.load)
                             .add("reference", phases_.reference)
                             .add("prepare", phases_.prepare)
                             .add("solve", phases_.solve)
                             .add("verify", phases_.verify));
    if (outcome_.error) print_error(path_ + ": wrong result: " + *outcome_.error);
    print_line(line);  // last, so that all that precedes it on stderr is about this graph
  }

  /// What each part came to, as lists.
  static void add_parts(JsonObject& line, const PartAccounts& accounts) {
    const auto each = [&](auto field) {
      std::vector<std::remove_cvref_t<decltype(accounts.of->*field)>> list;
      for (int part = 0; part < accounts.count; part++) list.push_back(accounts.of[part].*field);
      return list;
    };
    const auto known = [&](auto field) {
      const auto list = each(field);
      return list[0] >= 0 ? std::optional(list) : std::nullopt;
    };
    const std::vector<std::int64_t> edges = each(&PartAccount::edges);
    const double mean = std::accumulate(edges.begin(), edges.end(), 0.0) / accounts.count;
    line.add("parts", JsonObject()
                          .add("gpu", each(&PartAccount::gpu))
                          .add("edges", edges)
                          .add("imbalance", mean > 0 ? *std::max_element(edges.begin(), edges.end()) / mean : 1.0)
                          .add("memory_bytes", each(&PartAccount::memory_bytes))
                          .add("items_sent", known(&PartAccount::items_sent))
                          .add("bytes_sent", known(&PartAccount::bytes_sent))
                          .add("computing_s", each(&PartAccount::computing))
                          .add("communicating_s", known(&PartAccount::communicating))
                          .add("waiting_s", each(&PartAccount::waiting)));
  }

  std::uint64_t checksum() const {
    std::uint64_t hash = 0;
    for (const std::vector<std::byte>& array : outcome_.values) {
      hash = (hash == 0 ? 0 : mix(hash)) ^ fingerprint(array.data(), array.size());
    }
    return hash;
  }

  const char* model_name() const {
    switch (program_.model) {
      case Model::cuda:
        return "cuda";
      case Model::openmp:
        return "openmp";
      case Model::cpp:
        return "cpp";
      case Model::multigpu:
        return "multigpu";
    }
    __builtin_unreachable();
  }

  bool on_gpu() const { return program_.model == Model::cuda || program_.model == Model::multigpu; }

  const Program& program_;
  const Options& options_;
  const std::string& path_;
  const std::string* reference_;  ///< file with the reference, or null
  const AlgorithmInfo& algorithm_;
  Phases phases_;
  GraphFile file_;
  Query query_;
  std::vector<int> source_list_;  ///< of the query
  std::unique_ptr<Solver> solver_;
  std::optional<Reference> expected_;
  Outcome outcome_;
  int solved_ = 0;  ///< how often
  /// The latest result that was verified.
  std::optional<std::vector<std::vector<std::byte>>> checked_;
  double margin_ = 0;  ///< by which others may differ from it, of an algorithm with one array; see Certificate
};

/// Says on both outputs why a graph has no result: every graph gets its line, so that a reader knows where they stand.
ExitCode report_failure(const Program& program, const std::string& path, const Failure& failure) {
  JsonObject line;
  line.add("program", program.name).add("graph", path).add("verified", std::optional<bool>());
  line.add("exit_code", static_cast<int>(failure.code)).add("error", failure.message);
  print_error(path + ": " + failure.message);
  print_line(line);
  return failure.code;
}

/// Runs what is about one graph, or one source in it. Whatever goes wrong leaves the others to be solved.
template <typename Work>
ExitCode guarded(const Program& program, const std::string& path, Work work) {
  Failure failure = {no_resources, ""};
  try {
    return work();
  } catch (const Failure& thrown) {
    failure = thrown;
  } catch (const std::bad_alloc&) {
    failure.message = "not enough memory";
  } catch (const std::exception& exception) {
    failure.message = exception.what();
  }
  return report_failure(program, path, failure);
}

/// The first of the exit codes that is not 0 counts.
ExitCode run_graph(const Program& program, const Options& options, std::size_t index) {
  const std::string& path = options.graphs[index];
  return guarded(program, path, [&] {
    Session session(program, options, index);
    ExitCode first_problem = verified;
    for (const int source : session.sources()) {
      const ExitCode code = guarded(program, path, [&] { return session.run(source); });
      if (first_problem == verified) first_problem = code;
    }
    return first_problem;
  });
}

}  // namespace

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

void fail(ExitCode code, const char* format, ...) {
  char message[4096];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  print_error(message);
  std::exit(code);
}

int run(int argc, char** argv, const Program& program) try {
  program_name = program.name;
  const AlgorithmInfo& algorithm = info(program.algorithm);
  const Options options = parse_arguments(argc, argv, algorithm);
  if (options.help) {
    std::printf(usage, program.name, options.threads, describe_query(algorithm).c_str(), describe_parameters().c_str());
    return verified;
  }
  check_combinations(options);
  check_dump(options, algorithm);
  check_query(algorithm, options.query);
  ExitCode first_problem = verified;
  for (std::size_t index = 0; index < options.graphs.size(); index++) {
    const ExitCode code = run_graph(program, options, index);
    if (first_problem == verified) first_problem = code;
  }
  return first_problem;
} catch (const Failure& failure) {
  fail(failure.code, "%s", failure.message.c_str());
}

}  // namespace violet
