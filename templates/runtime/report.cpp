#include "report.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <type_traits>

#include "json.hpp"
#include "options.hpp"
#include "searches.hpp"

namespace violet {

const char* program_name = "violet";

void print_error(std::string_view message) {
  std::fprintf(stderr, "%s: error: %s\n", program_name, plain(message).c_str());
}

namespace {

void print_line(const JsonObject& line) {
  if (std::puts(line.to_string().c_str()) < 0 || std::fflush(stdout) != 0) {
    throw Failure{no_resources, "cannot write to the standard output"};
  }
}

/// What the algorithm was asked.
JsonObject asked_of(const AlgorithmInfo& algorithm, const Query& query) {
  JsonObject asked;
  for (const QueryOption& each : algorithm.query) {
    const int value = query.*each.field;
    if (each.kind == QueryOption::Kind::pattern) {
      asked.add(each.name, query_text(each, value));
    } else {
      asked.add(each.name, value);
    }
  }
  return asked;
}

/// The parameters of the program's method, as they are set.
JsonObject parameters() {
  JsonObject parameters;
  for (const Parameter* each = Parameter::first; each != nullptr; each = each->next) {
    if (!each->is_file) {
      parameters.add(each->name, each->value);
    } else if (each->file != nullptr) {
      parameters.add(each->name, std::string_view(each->file));
    }
  }
  return parameters;
}

/// What each part came to, as lists.
void add_parts(JsonObject& line, const PartAccounts& accounts) {
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

std::uint64_t checksum(const Values& arrays) {
  std::uint64_t hash = 0;
  for (const std::vector<std::byte>& array : arrays) {
    hash = (hash == 0 ? 0 : mix(hash)) ^ fingerprint(array.data(), array.size());
  }
  return hash;
}

const char* model_name(Model model) {
  switch (model) {
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

}  // namespace

void report(const Subject& subject, const Query& query, const Outcome& outcome, const Phases& phases,
            const Solver& solver) {
  const auto& [program, options, algorithm, path, file] = subject;
  const Graph& graph = subject.graph();
  JsonObject line;
  line.add("program", program.name).add("graph", path).add("algorithm", algorithm.reported);
  line.add("model", model_name(program.model)).add("vertices", graph.n).add("edges", graph.m);
  line.add("source", algorithm.needs_source ? std::optional(query.source) : std::nullopt);
  if (sources_at_once > 1) line.add("sources", std::vector(query.source_list, query.source_list + query.sources));
  if (!algorithm.query.empty()) line.add("query", asked_of(algorithm, query));
  if (algorithm.needs_weights) {
    const bool all_one = options.weights == MadeWeights::one;
    line.add("weights", !file.has_made_weights() ? "of the graph" : all_one ? "one" : "hash");
  }
  line.add("rounds", outcome.rounds).add("samples_s", outcome.samples);
  const auto& preprocessing = outcome.preprocessing;
  if (std::any_of(preprocessing.begin(), preprocessing.end(), [](double seconds) { return seconds > 0; })) {
    line.add("preprocessing_s", preprocessing);
  }
  line.add("verified", options.verify ? std::optional(!outcome.error) : std::nullopt);
  if (outcome.error) line.add("error", *outcome.error);
  line.add("checksum", text("%016llx", static_cast<unsigned long long>(checksum(outcome.values))));
  if (Parameter::first != nullptr) line.add("parameters", parameters());
  if (!subject.on_gpu()) {
    const int threads = solver.threads() > 0 ? solver.threads() : options.threads;
    if (threads < options.threads) {
      std::fprintf(stderr, "%s: warning: only %d of %d threads: OMP_THREAD_LIMIT allows no more\n", program_name,
                   threads, options.threads);
    }
    line.add("threads", threads);
  }
  if (program.device != nullptr) line.add("device", program.device());
  line.add("peak_memory_bytes", outcome.peak_memory);
  if (const PartAccounts accounts = solver.accounts(); accounts.count > 0) add_parts(line, accounts);
  line.add("phases_s", JsonObject()
                           .add("load", phases.load)
                           .add("reference", phases.reference)
                           .add("prepare", phases.prepare)
                           .add("solve", phases.solve)
                           .add("verify", phases.verify));
  if (outcome.error) print_error(path + ": wrong result: " + *outcome.error);
  print_line(line);  // last, so that all that precedes it on stderr is about this graph
}

ExitCode report_failure(const Program& program, const std::string& path, const Failure& failure) {
  JsonObject line;
  line.add("program", program.name).add("graph", path).add("verified", std::optional<bool>());
  line.add("exit_code", static_cast<int>(failure.code)).add("error", failure.message);
  print_error(path + ": " + failure.message);
  print_line(line);
  return failure.code;
}

}  // namespace violet
