#include "session.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "evidence.hpp"
#include "files.hpp"
#include "options.hpp"
#include "range.hpp"
#include "searches.hpp"

namespace violet {

namespace {

/// What to fill working memory with before a repetition: by turns what no program has there, and a small number, as
/// levels, rounds and vertices are.
constexpr unsigned leftover(int repetition) {
  return repetition % 2 == 1 ? no_result : static_cast<unsigned>(repetition) / 2;
}

}  // namespace

Session::Session(const Program& program, const Options& options, std::size_t index)
    : program_(program),
      options_(options),
      path_(options.graphs[index]),
      algorithm_(info(program.algorithm)),
      file_(timed(phases_.load,
                  [&] {
                    return GraphFile(path_, {.weights = algorithm_.needs_weights,
                                             .sources = program.needs_sources,
                                             .undirected = program.edges == Edges::undirected,
                                             .directed = program.edges != Edges::undirected,
                                             .edges = program.edges,
                                             .wide = program.wide,
                                             .made_weights = options.weights.value_or(MadeWeights::hash),
                                             .real_weights = algorithm_.real_weights,
                                             .negative_weights = !algorithm_.needs_source});
                  })),
      longest_edge_(timed(phases_.load, [&] { return longest_edge(file_.graph()); })),
      subject_{program_, options_, algorithm_, path_, file_},
      verification_(subject_,
                    take_evidence(file_.graph()) || options.references.empty() ? nullptr : &options.references[index],
                    phases_),
      query_(options.query) {
  check_weights(options.weights, file_);
}

std::vector<std::vector<int>> Session::sources() const {
  const std::vector<int> all = options_.sources.empty() ? std::vector{default_source(graph())} : options_.sources;
  const std::size_t at_once = starts_from_several(algorithm_) ? all.size() : static_cast<std::size_t>(sources_at_once);
  std::vector<std::vector<int>> runs;
  for (std::size_t i = 0; i < all.size(); i++) {
    if (i % at_once == 0) runs.emplace_back();
    runs.back().push_back(all[i]);
  }
  return runs;
}

ExitCode Session::run(const std::vector<int>& sources) {
  for (const int source : sources) {
    if (source >= graph().n) {
      throw Failure{usage_error, text("--source %d is not a vertex; the graph has 0 to %d", source, graph().n - 1)};
    }
  }
  if (sources_at_once > 1 || sources.size() > 1) {
    start_from(sources, graph(), query_, source_list_);
  } else {
    start_from(sources[0], graph(), query_, source_list_);
  }
  outcome_ = {};
  if (options_.verify) verification_.begin(query_);
  repeat();
  count();
  report(subject_, query_, outcome_, phases_, *solver_);
  phases_ = {};
  if (options_.dump) keep();
  return outcome_.error ? wrong_result : verified;
}

/// Solves, and has verified what comes out. Each repetition but the first, whose memory nobody has written, finds its
/// memory scrubbed, or it could take over what the last one found.
template <typename Solve>
Run Session::solve_once(const std::string& name, Solve solve) {
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
  if (options_.verify) {
    const auto error = verification_.find_error(outcome_.values, outcome_.rounds);
    if (error) outcome_.error = name + ", " + *error;
  }
  for (int row = 0; row < rows_of(query_) && !outcome_.error; row++) {
    check_range(graph(), longest_edge_, program_, arrays_of(subject_, outcome_.values, row, rows_of(query_)));
  }
  if (!outcome_.error && run.seconds < least_seconds()) {
    outcome_.error =
        text("%s, took %.3g s, less than the %.3g s that it takes to touch the graph: nothing was computed",
             name.c_str(), run.seconds, least_seconds());
  }
  return run;
}

Run Session::solve_once(const std::string& name) {
  return solve_once(name, [this] { return solver_->solve(query_); });
}

/// Warms up, then repeats until the repetitions or the budget are used up or a result is wrong.
void Session::repeat() {
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
void Session::count() {
  if (solver_->divided() && !outcome_.error && within_budget()) {
    solve_once("counted repetition", [this] { return solver_->solve_counted(query_); });
  }
}

void Session::add_sample(const Run& run) {
  outcome_.samples.push_back(run.seconds);
  outcome_.preprocessing.push_back(run.preprocessing_seconds);
}

/// What no solve can be faster than: it reads or writes at least four bytes for each vertex or for each edge. A
/// thread moves less than 1 TB/s, three vectors of 64 bytes at 5 GHz, even from its own cache; a GPU less than 100.
double Session::least_seconds() const {
  const double bytes = 4.0 * static_cast<double>(std::min<std::int64_t>(graph().n, graph().m));
  return bytes / (subject_.on_gpu() ? 100e12 : 1e12 * options_.threads);
}

void Session::keep() {
  kept_.resize(outcome_.values.size());
  for (std::size_t i = 0; i < kept_.size(); i++) {
    kept_[i].insert(kept_[i].end(), outcome_.values[i].begin(), outcome_.values[i].end());
  }
  kept_rows_ += rows_of(query_);
}

ExitCode Session::dump() const try {
  const std::vector<Result> arrays = arrays_of(subject_, kept_);
  const std::vector<std::filesystem::path> files = dump_files(*options_.dump, algorithm_);
  for (std::size_t i = 0; i < files.size(); i++) {
    write_file(files[i].string(), files[i].extension() == ".npy" ? to_npy(arrays[i], kept_rows_) : to_text(arrays[i]));
  }
  return verified;
} catch (const Failure& failure) {  // which must not add a second line for this graph
  print_error(path_ + ": " + failure.message);
  return failure.code;
}

}  // namespace violet
