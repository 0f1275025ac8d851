#include "reference.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "ranges.hpp"

namespace violet {
namespace {

template <typename T>
std::string number_to_text(T value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

template <typename T>
std::string distance_to_text(T value) {
  return value >= infinity<T> ? "inf" : to_text(value);
}

/// Where a value stands: "vertex 3", or that of an array by name where there are several.
std::string describe_place(const Result& result, std::size_t index, bool has_siblings) {
  const std::string name = has_siblings ? std::string(result.info->name) + " of " : "";
  switch (result.info->length) {
    case ResultInfo::Length::one:
      return std::string(result.info->name) + ": ";
    case ResultInfo::Length::vertices:
      return text("%svertex %zu: ", name.c_str(), index);
    case ResultInfo::Length::edges:
      return text("%sedge %zu: ", name.c_str(), index);
  }
  __builtin_unreachable();
}

/// Describes the first array of a result that is no array of the right size, if there is one.
std::optional<std::string> find_wrong_size(const Graph& graph, Results results) {
  for (const Result& result : results) {
    const std::size_t right = length_of(*result.info, graph);
    if (result.size != right) {
      return text("%s: expected %zu value%s, got %zu", result.info->name, right, right == 1 ? "" : "s", result.size);
    }
    if (result.info->length == ResultInfo::Length::one && result.element == Element::i32) {
      return text("%s: expected a total of 64 bits (i64)", result.info->name);
    }
  }
  return std::nullopt;
}

}  // namespace

const AlgorithmInfo& info(Algorithm algorithm) { return algorithms()[static_cast<std::size_t>(algorithm)]; }

const AlgorithmInfo* find_algorithm(std::string_view name) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

std::string algorithm_names() {
  std::string names;
  for (const AlgorithmInfo& algorithm : algorithms())
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  return names;
}

std::size_t length_of(const ResultInfo& result, const Graph& graph) {
  switch (result.length) {
    case ResultInfo::Length::one:
      return 1;
    case ResultInfo::Length::vertices:
      return static_cast<std::size_t>(graph.n);
    case ResultInfo::Length::edges:
      return static_cast<std::size_t>(graph.m);
  }
  __builtin_unreachable();
}

std::size_t element_size(Element element) {
  return with_values({nullptr, element, 0, nullptr}, []<typename T>(const T*) { return sizeof(T); });
}

std::size_t result_size(Algorithm algorithm, std::size_t index, const Graph& graph) {
  return length_of(info(algorithm).results[index], graph);
}

std::string to_text(std::int64_t value) { return number_to_text(value); }
std::string to_text(std::int32_t value) { return number_to_text(value); }
std::string to_text(float value) { return number_to_text(value); }
std::string to_text(double value) { return number_to_text(value); }

std::string to_text(const Result& result) {
  return with_values(result, [&]<typename T>(const T* values) {
    std::string lines;
    for (std::size_t i = 0; i < result.size; i++) {
      lines += result.info->is_distance() ? distance_to_text(values[i]) : to_text(values[i]);
      lines += '\n';
    }
    return lines;
  });
}

std::string to_npy(const Result& result, int rows) {
  static_assert(std::endian::native == std::endian::little);
  return with_values(result, [&]<typename T>(const T* values) {
    const std::string shape =
        rows == 1 ? text("%zu,", result.size) : text("%d, %zu", rows, result.size / static_cast<std::size_t>(rows));
    std::string header = text("{'descr': '<%c%zu', 'fortran_order': False, 'shape': (%s), }",
                              std::is_floating_point_v<T> ? 'f'
                              : std::is_signed_v<T>       ? 'i'
                                                          : 'u',
                              sizeof(T), shape.c_str());
    constexpr std::size_t before = 10,
                          unit = 64;  // bytes before the header, and what the values' place is a multiple of
    header.append(unit - 1 - (before + header.size()) % unit, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() % 256);
    file += static_cast<char>(header.size() / 256);
    file += header;
    const std::size_t begin = file.size();
    file.append(reinterpret_cast<const char*>(values), result.size * sizeof(T));
    if (result.info->is_distance()) {
      constexpr T none = static_cast<T>(unreachable);
      for (std::size_t i = 0; i < result.size; i++) {
        if (values[i] >= infinity<T>) std::memcpy(file.data() + begin + i * sizeof(T), &none, sizeof none);
      }
    }
    return file;
  });
}

std::optional<std::string> find_unequal(const Reference& expected, std::span<const Result> results) {
  for (std::size_t index = 0; index < results.size(); index++) {
    const Result& result = results[index];
    const bool distances = result.info->kind == ResultInfo::Kind::distance;
    const std::vector<std::int64_t>& right = integers(expected[index]);
    const auto error = with_values(result, [&]<typename T>(const T* values) -> std::optional<std::string> {
      for (std::size_t i = 0; i < right.size(); i++) {
        const bool beyond = distances && right[i] == unreachable;
        if (beyond ? values[i] >= infinity<T> : values[i] == static_cast<T>(right[i])) continue;
        const std::string wanted = beyond ? "inf" : to_text(right[i]);
        const std::string got = distances ? distance_to_text(values[i]) : to_text(values[i]);
        return text("%sexpected %s, got %s", describe_place(result, i, results.size() > 1).c_str(), wanted.c_str(),
                    got.c_str());
      }
      return std::nullopt;
    });
    if (error) return error;
  }
  return std::nullopt;
}

Certificate certify(const AlgorithmInfo& algorithm, const Graph& graph, const Query& query, Results results) {
  if (algorithm.certify == nullptr || find_wrong_size(graph, results)) return {false};
  return algorithm.certify(graph, query, results);
}

double difference(const Result& result, const Result& other) {
  return with_values(result, [&]<typename T>(const T* values) {
    const T* const others = static_cast<const T*>(other.values);
    std::atomic<double> sum = 0;
    for_equal_ranges(static_cast<int>(result.size), [&](VertexRange range) {
      double part = 0;
      for (int i = range.first; i < range.last; i++) {
        part += std::abs(static_cast<double>(values[i]) - static_cast<double>(others[i]));
        if (values[i] < 0) part = std::numeric_limits<double>::infinity();
      }
      sum += part;
    });
    return sum.load();
  });
}

std::optional<std::string> find_error(const AlgorithmInfo& algorithm, const Graph& graph, const Reference& expected,
                                      Results results) {
  if (const auto error = find_wrong_size(graph, results)) return error;
  return algorithm.check != nullptr ? algorithm.check(graph, expected, results) : find_unequal(expected, results);
}

void check_range(const AlgorithmInfo& algorithm, const Reference& expected, const Program& program) {
  for (std::size_t i = 0; i < algorithm.results.size(); i++) {
    if (algorithm.results[i].kind != ResultInfo::Kind::distance || program.elements[i] != Element::i32) continue;
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();  // of those that do not fit
    for (const std::int64_t distance : integers(expected[i])) {
      if (distance >= infinity<std::int32_t>) nearest = std::min(nearest, distance);
    }
    if (nearest < std::numeric_limits<std::int64_t>::max()) refuse_distance(nearest);
  }
  for (std::size_t i = 0; i < algorithm.aids.size(); i++) {
    if (algorithm.aids[i].kind != ResultInfo::Kind::exponent || program.largest_exponent == 0) continue;
    if (reals(expected[algorithm.results.size() + i])[0] > program.largest_exponent) {
      refuse_counts(program.largest_exponent);
    }
  }
}

void check_range(const Graph& graph, int longest, const Program& program, Results results) {
  for (const Result& result : results) {
    if (result.info->kind == ResultInfo::Kind::distance && result.element == Element::i32) {
      check_distances(graph, static_cast<const std::int32_t*>(result.values), longest);
    }
    if (program.largest_exponent > 0) {
      with_values(result, [&](const auto* values) { check_counts(values, result.size, program.largest_exponent); });
    }
  }
}

}  // namespace violet
