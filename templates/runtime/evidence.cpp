#include "evidence.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bp.hpp"
#include "files.hpp"
#include "support.hpp"

namespace violet {
namespace {

const Parameter* find(std::string_view name) {
  const Parameter* parameter = Parameter::first;
  while (parameter != nullptr && parameter->name != name) parameter = parameter->next;
  return parameter;
}

std::vector<float> read_priors(const char* path, int n) {
  const auto refuse = [path](ExitCode code, const std::string& message) {
    throw Failure{code, text("--priors %s %s", path, message.c_str())};
  };
  std::optional<MappedFile> file;
  try {
    file.emplace(path, bad_graph);
  } catch (const Failure& failure) {
    refuse(failure.code, failure.message);
  }
  std::vector<float> priors;
  const char* at = reinterpret_cast<const char*>(file->bytes());
  for (const char* const end = at + file->size(); at != end;) {
    const char* const stop = std::find(at, end, '\n');
    float prior = 0;
    const auto [rest, error] = std::from_chars(at, stop, prior);
    if (error != std::errc() || rest != stop || !(std::abs(prior) <= largest_prior)) {
      const int shown = static_cast<int>(std::min<std::ptrdiff_t>(stop - at, 20));
      refuse(bad_graph, text("line %zu: '%.*s' is not a number from %g to %g", priors.size() + 1, shown, at,
                             -largest_prior, largest_prior));
    }
    priors.push_back(prior);
    at = stop == end ? end : stop + 1;
  }
  if (priors.size() != static_cast<std::size_t>(n)) {
    refuse(bad_graph, text("has %zu lines, but the graph has %d vertices", priors.size(), n));
  }
  return priors;
}

}  // namespace

bool take_evidence(const Graph& graph) {
  const Parameter *const file = find("priors"), *const agreement = find("agreement");
  if (file == nullptr || agreement == nullptr) return false;
  if (!(*agreement <= most_agreement && *agreement * most_agreement >= 1)) {
    throw Failure{usage_error, text("--agreement takes a number from %g to %g, not %g", 1 / most_agreement,
                                    most_agreement, agreement->value)};
  }
  static std::vector<float> priors;
  if (file->file != nullptr) {
    priors = read_priors(file->file, graph.n);
  } else {
    priors.resize(graph.n);
    for (int v = 0; v < graph.n; v++) priors[v] = made_prior(v);
  }
  evidence = {priors.data(), file->file != nullptr, agreement->value};
  return evidence.alike || evidence.agreement != bp::agreement;
}

}  // namespace violet
