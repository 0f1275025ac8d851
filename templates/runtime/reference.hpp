// What is right: the serial reference of each algorithm, and how a result is held against it.
//
// An algorithm's folder, templates/algorithms/NAME/, has its reference and, where equality is not what matters, its check;
// the table of all (algorithms.cpp) is generated from what its algorithm.toml says.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "range.hpp"
#include "support.hpp"
#include "violet.hpp"

namespace violet {

/// One array of a right result: whole numbers, or real ones.
using Array = std::variant<std::vector<std::int64_t>, std::vector<double>>;
/// A right result: the arrays that the algorithm has as results, in order.
using Reference = std::vector<Array>;

inline const std::vector<std::int64_t>& integers(const Array& array) { return std::get<0>(array); }
inline const std::vector<double>& reals(const Array& array) { return std::get<1>(array); }

/// What the reference says of the distance of a vertex that the source does not reach.
constexpr std::int64_t unreachable = -1;

/// One array of what an algorithm computes.
struct ResultInfo {
  const char* name;
  enum class Kind { integer, distance, vertex, real, real_distance, exponent } kind;
  enum class Length { one, vertices, edges } length;

  bool is_distance() const { return kind == Kind::distance || kind == Kind::real_distance; }
  bool is_real() const { return kind == Kind::real || kind == Kind::real_distance || kind == Kind::exponent; }
};

/// One array of a program's result: `size` values of type `element`.
struct Result {
  const ResultInfo* info;
  Element element;
  std::size_t size;
  const void* values;
};

/// The arrays of a program's result.
struct Results : std::span<const Result> {
  using span::span;
  int rounds = 0;  ///< after which the program ended; 0 if nobody knows
};

/// What a user may ask with, as `--NAME VALUE`: a whole number, or a pattern, which is one number, too.
struct QueryOption {
  const char* name;
  enum class Kind { number, pattern } kind;
  int preset;
  int minimum;
  int maximum;
  const char* meaning;
  int Query::* field;
  const char* labels;  ///< of a pattern: the option that says how many labels the graph has; else null
};

/// What a graph alone tells of a result.
struct Certificate {
  bool holds;         ///< whether the result is right; it may be right all the same
  double margin = 0;  ///< if it is, so is what differs from it by no more, see `difference`
};

struct AlgorithmInfo {
  Algorithm algorithm;
  const char* name;      ///< of the reference
  const char* reported;  ///< what programs are said to compute; the same unless there are several references of it
  bool needs_source;
  bool needs_weights;
  bool real_weights;      ///< ... which are real numbers, see real_weights.hpp
  bool takes_undirected;  ///< graphs
  bool takes_directed;
  std::span<const ResultInfo> results;
  std::span<const ResultInfo> aids;  ///< arrays that the reference has besides, for the check
  std::span<const QueryOption> query;
  Reference (*solve)(const Graph& graph, const Query& query);
  /// Tells from the graph alone that a result is right, on all cores; null where only the reference can. Sizes are right.
  Certificate (*certify)(const Graph& graph, const Query& query, Results results);
  /// Describes the first wrong value, if there is one; null where results have to be equal. Sizes are right.
  std::optional<std::string> (*check)(const Graph& graph, const Reference& expected, Results results);
};

/// All algorithms, by the names of their references (algorithms.cpp).
std::span<const AlgorithmInfo> algorithms();
const AlgorithmInfo& info(Algorithm algorithm);
/// The algorithm of that name, or null.
const AlgorithmInfo* find_algorithm(std::string_view name);
/// Such as "bfs, cc, mis".
std::string algorithm_names();

std::size_t element_size(Element element);

/// How many values an array of a result has.
std::size_t length_of(const ResultInfo& array, const Graph& graph);

/// What the graph alone tells of a result.
Certificate certify(const AlgorithmInfo& algorithm, const Graph& graph, const Query& query, Results results);

/// The sum over the values of an array of how much they differ from those of another one of the same size and type, on all
/// cores. If any value of `result` is negative or no number, the sum is infinite or not a number.
double difference(const Result& result, const Result& other);

/// Describes what is wrong with a result, if anything is.
std::optional<std::string> find_error(const AlgorithmInfo& algorithm, const Graph& graph, const Reference& expected,
                                      Results results);

/// The first value that is not the expected one. Beyond reach, any distance from infinity upwards is right.
std::optional<std::string> find_unequal(const Reference& expected, std::span<const Result> results);

/// Fails if a distance or a number on the way to a right result is too large for a program.
void check_range(const AlgorithmInfo& algorithm, const Reference& expected, const Program& program);
/// The same, told from what the program itself has found.
void check_range(const Graph& graph, int longest, const Program& program, Results results);

/// A value as text; the same text for the same value.
std::string to_text(std::int64_t value);
std::string to_text(std::int32_t value);
std::string to_text(float value);
std::string to_text(double value);

/// The values of an array as text, one a line; "inf" where the source does not reach.
std::string to_text(const Result& result);

/// The values of an array as a .npy file, which numpy and cupy load; -1 where the source does not reach.
std::string to_npy(const Result& result, int rows = 1);

/// Calls `visit` with the values of an array as a pointer to their type.
template <typename Visitor>
auto with_values(const Result& result, Visitor visit) {
  switch (result.element) {
    case Element::i32:
      return visit(static_cast<const std::int32_t*>(result.values));
    case Element::i64:
      return visit(static_cast<const std::int64_t*>(result.values));
    case Element::f32:
      return visit(static_cast<const float*>(result.values));
    case Element::f64:
      return visit(static_cast<const double*>(result.values));
    case Element::u8:
      return visit(static_cast<const std::uint8_t*>(result.values));
  }
  __builtin_unreachable();
}

}  // namespace violet
