// What is right: how a result is held against the serial reference of its algorithm, and the files that keep one.
//
// A new algorithm is a value of `Algorithm`, a function in serial.cpp and a row of the table in reference.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "graph_file.hpp"
#include "serial.hpp"
#include "violet.hpp"

namespace violet {

/// Programs say that the source does not reach a vertex with any value from this one upwards. It is half of the
/// largest, so that a weight can be added.
template <typename T>
constexpr T infinity = std::numeric_limits<T>::max() / 2;

/// The result of a program: `size` values of type `element`.
struct Result {
  Element element;
  std::size_t size;
  const void* values;
};

struct AlgorithmInfo {
  Algorithm algorithm;
  const char* name;      ///< of the reference
  const char* reported;  ///< what programs are said to compute; the same unless there are several references of it
  bool from_source;      ///< the results are distances from a source vertex
  bool needs_weights;
  Reference (*solve)(const Graph& graph, int source);
  /// Describes the first wrong value, if there is one.
  std::optional<std::string> (*find_error)(const Graph& graph, const Reference& expected, const Result& result);
};

const AlgorithmInfo& info(Algorithm algorithm);
/// The algorithm of that name, or null.
const AlgorithmInfo* find_algorithm(std::string_view name);
/// Such as "bfs, cc, mis".
std::string algorithm_names();

std::size_t element_size(Element element);

/// Fails if a distance is too large for a program with that element type.
void check_range(const AlgorithmInfo& algorithm, const Reference& expected, Element element);

/// The values of a result as text, one a line; "inf" where the source does not reach.
std::string to_text(const AlgorithmInfo& algorithm, const Result& result);

/// What a reference in a file is the reference of.
struct ReferenceKey {
  const AlgorithmInfo* algorithm;
  const GraphFile* graph;
  int source;
};

void write_reference(const std::string& path, const ReferenceKey& key, const Reference& reference);
/// Fails if the file holds the reference of anything but `key`, and says how it differs.
Reference read_reference(const std::string& path, const ReferenceKey& key);

}  // namespace violet
