// Command-line options that programs and violet-reference have in common: numbers, and what an algorithm may be asked.
#pragma once

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_file.hpp"
#include "pattern.hpp"
#include "reference.hpp"
#include "support.hpp"
#include "violet.hpp"

namespace violet {

/// The value of an option that takes a whole number. Fails if it is none, or not from `minimum` to `maximum`.
inline int parse_count(const std::string& option, const std::string& value, int minimum,
                       int maximum = std::numeric_limits<int>::max()) {
  int count;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, count);
  if (error != std::errc() || stop != end || count < minimum || count > maximum) {
    throw Failure{usage_error, text("%s takes a whole number from %d to %d, not '%s'", option.c_str(), minimum, maximum,
                                    value.c_str())};
  }
  return count;
}

/// The value of an option by which an algorithm is asked. Fails if it is none.
inline int parse_query(const QueryOption& option, const std::string& value) {
  const std::string name = text("--%s", option.name);
  if (option.kind == QueryOption::Kind::number) return parse_count(name, value, option.minimum, option.maximum);
  const ReadPattern pattern = read_pattern(value);
  if (pattern.fault != nullptr) {
    throw Failure{usage_error, text("%s '%s' %s", name.c_str(), value.c_str(), pattern.fault)};
  }
  return pattern.code;
}

/// What edges are to weigh where a graph has no weights.
inline MadeWeights parse_weights(const std::string& option, const std::string& value) {
  if (value == "hash") return MadeWeights::hash;
  if (value == "one") return MadeWeights::one;
  throw Failure{usage_error, text("%s takes 'hash' or 'one', not '%s'", option.c_str(), value.c_str())};
}

/// Fails if such weights were asked for and the graph has its own.
inline void check_weights(const std::optional<MadeWeights>& asked, const GraphFile& file) {
  if (asked && !file.has_made_weights()) {
    throw Failure{usage_error, "the graph has weights: leave out --weights, which is for graphs that have none"};
  }
}

/// What stands for its value in a usage.
inline const char* placeholder(const QueryOption& option) {
  return option.kind == QueryOption::Kind::number ? "K" : "EDGES";
}

/// A value as an option takes it.
inline std::string query_text(const QueryOption& option, int value) {
  return option.kind == QueryOption::Kind::number ? std::to_string(value) : to_text(pattern_of(value));
}

/// What an option such as --k asks of an algorithm, or null.
inline const QueryOption* find_query_option(const AlgorithmInfo& algorithm, std::string_view option) {
  for (const QueryOption& each : algorithm.query) {
    if (option == text("--%s", each.name)) return &each;
  }
  return nullptr;
}

/// Whether an algorithm starts from several vertices at once: --source, given several times, names all of them.
inline bool starts_from_several(const AlgorithmInfo& algorithm) {
  return find_query_option(algorithm, "--sources") != nullptr;
}

/// Fails if what is asked has no answer but nothing: a pattern with a label that no vertex has.
inline void check_query(const AlgorithmInfo& algorithm, const Query& query) {
  for (const QueryOption& each : algorithm.query) {
    if (each.labels == nullptr) continue;
    const int pattern = query.*each.field;
    const int labels = query.*find_query_option(algorithm, each.labels)->field;
    const std::string fault = label_fault(pattern_of(pattern), labels, each.labels);
    if (!fault.empty()) {
      throw Failure{usage_error, text("--%s '%s' %s", each.name, query_text(each, pattern).c_str(), fault.c_str())};
    }
  }
}

/// What an algorithm is asked unless an option says otherwise; without a vertex to start from.
inline Query preset_query(const AlgorithmInfo& algorithm) {
  Query query = {};
  query.sources = 1;
  for (const QueryOption& each : algorithm.query) query.*each.field = each.preset;
  return query;
}

/// Fills in the vertices to start from, which `list` keeps: as many as the query asks for, if the graph has them.
inline void start_from(int source, const Graph& graph, Query& query, std::vector<int>& list) {
  list = spread_sources(graph, source, query.sources);
  query.source = source;
  query.source_degree = degree(graph, source);
  query.sources = static_cast<int>(list.size());
  query.source_list = list.data();
}

/// The same, where the program is to start from these.
inline void start_from(const std::vector<int>& sources, const Graph& graph, Query& query, std::vector<int>& list) {
  list = sources;
  query.source = list[0];
  query.source_degree = degree(graph, query.source);
  query.sources = static_cast<int>(list.size());
  query.source_list = list.data();
}

}  // namespace violet
