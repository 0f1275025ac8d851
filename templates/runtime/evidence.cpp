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

/// The numbers of a file, one a line, as many as the graph has of something; `can_be` says which may be there.
template <typename CanBe>
std::vector<float> read_numbers(const Parameter& option, int count, const char* of, CanBe can_be, const char* range) {
  const auto refuse = [&option](ExitCode code, const std::string& message) {
    throw Failure{code, text("--%s %s %s", option.name, option.file, message.c_str())};
  };
  std::optional<MappedFile> file;
  try {
    file.emplace(option.file, bad_graph);
  } catch (const Failure& failure) {
    refuse(failure.code, failure.message);
  }
  std::vector<float> numbers;
  const char* at = reinterpret_cast<const char*>(file->bytes());
  for (const char* const end = at + file->size(); at != end;) {
    const char* const stop = std::find(at, end, '\n');
    float number = 0;
    const auto [rest, error] = std::from_chars(at, stop, number);
    if (error != std::errc() || rest != stop || !can_be(number)) {
      const int shown = static_cast<int>(std::min<std::ptrdiff_t>(stop - at, 20));
      refuse(bad_graph, text("line %zu: '%.*s' is not a number from %s", numbers.size() + 1, shown, at, range));
    }
    numbers.push_back(number);
    at = stop == end ? end : stop + 1;
  }
  if (numbers.size() != static_cast<std::size_t>(count)) {
    refuse(bad_graph, text("has %zu lines, but the graph has %d %s", numbers.size(), count, of));
  }
  return numbers;
}

std::vector<float> priors_of(const Graph& graph, const Parameter& option) {
  if (option.file != nullptr) {
    return read_numbers(
        option, graph.n, "vertices", [](float prior) { return std::abs(prior) <= largest_prior; }, "-100 to 100");
  }
  std::vector<float> priors(graph.n);
  for (int v = 0; v < graph.n; v++) priors[v] = made_prior(v);
  return priors;
}

std::vector<float> agreements_of(const Graph& graph, const Parameter& option, double agreement, bool alike) {
  std::vector<float> agreements;
  if (option.file == nullptr) {
    for (int v = 0; v < graph.n; v++) {
      for (int e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; e++) {
        agreements.push_back(made_agreement(v, graph.neighbours[e], agreement, alike));
      }
    }
    return agreements;
  }
  agreements = read_numbers(option, graph.m, "directed edges", can_be_agreement, "0.001 to 1000");
  if (const auto odd = find_unequal(graph, agreements.data())) {
    throw Failure{
        bad_graph, text("--%s %s lines %d and %d: an edge has %g in one direction and %g in the other", option.name,
                        option.file, odd->first + 1, odd->second + 1, agreements[odd->first], agreements[odd->second])};
  }
  return agreements;
}

}  // namespace

bool take_evidence(const Graph& graph) {
  const Parameter *const file = find("priors"), *const agreement = find("agreement"),
                         *const couplings = find("couplings");
  if (file == nullptr || agreement == nullptr) return false;
  if (!can_be_agreement(agreement->value)) {
    throw Failure{usage_error, text("--agreement takes a number from %g to %g, not %g", 1 / most_agreement,
                                    most_agreement, agreement->value)};
  }
  static std::vector<float> priors, agreements;
  priors = priors_of(graph, *file);
  evidence = {priors.data(), file->file != nullptr, agreement->value};
  if (couplings != nullptr) {
    const bool alike = evidence.alike || couplings->file != nullptr;
    agreements = agreements_of(graph, *couplings, agreement->value, alike);
    evidence.alike = true;
    evidence.agreements = agreements.data();
  }
  return evidence.alike || evidence.agreement != bp::agreement;
}

}  // namespace violet
