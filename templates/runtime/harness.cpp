// The main function of every program: solves one graph after the other, whatever goes wrong with the others.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "report.hpp"
#include "session.hpp"
#include "support.hpp"
#include "violet.hpp"

namespace violet {
namespace {

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
    for (const std::vector<int>& sources : session.sources()) {
      const ExitCode code = guarded(program, path, [&] { return session.run(sources); });
      if (first_problem == verified) first_problem = code;
    }
    if (options.dump && first_problem <= wrong_result) {  // else results are lacking
      const ExitCode code = session.dump();
      if (first_problem == verified) first_problem = code;
    }
    return first_problem;
  });
}

}  // namespace

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
    print_usage(program, options, algorithm);
    return verified;
  }
  check_options(options, algorithm);
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
