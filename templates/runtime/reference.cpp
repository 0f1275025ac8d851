#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

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

std::size_t length(const ResultInfo& result, const Graph& graph) {
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

std::size_t value_count(const AlgorithmInfo& algorithm, const Graph& graph) {
  std::size_t count = 0;
  for (const ResultInfo& result : algorithm.results) count += length(result, graph);
  for (const ResultInfo& aid : algorithm.aids) count += length(aid, graph);
  return count;
}

/// How many numbers an algorithm can be asked with.
constexpr std::size_t most_options = 4;

/// The start of a reference file; the values of its arrays follow as int64 (real ones as float64), all little endian.
struct ReferenceHeader {
  char magic[8];
  std::uint32_t version;
  char algorithm[16];
  std::int32_t n;
  std::int32_t m;
  std::int32_t source;  ///< -1 for an algorithm without
  std::int32_t query[most_options];
  std::uint64_t graph_fingerprint;
  std::uint64_t value_count;
};
static_assert(sizeof(ReferenceHeader) == 72, "no padding, so that its bytes can be written as they are");

ReferenceHeader make_header(const ReferenceKey& key) {
  ReferenceHeader header{};
  std::memcpy(header.magic, "vio-ref", sizeof header.magic);
  header.version = 2;
  std::strncpy(header.algorithm, key.algorithm->name, sizeof header.algorithm - 1);
  header.n = key.graph->graph().n;
  header.m = key.graph->graph().m;
  header.source = key.algorithm->needs_source ? key.query->source : -1;
  for (std::size_t i = 0; i < key.algorithm->query.size(); i++) {
    header.query[i] = key.query->*key.algorithm->query[i].field;
  }
  header.graph_fingerprint = key.graph->fingerprint();
  header.value_count = value_count(*key.algorithm, key.graph->graph());
  return header;
}

/// Fails at the first field in which two headers differ.
void check_header(const ReferenceHeader& found, const ReferenceHeader& wanted, std::span<const QueryOption> query) {
  const auto reject = [](const std::string& what, const std::string& has, const std::string& needs) {
    throw Failure{usage_error, "is of another " + what + ": " + has + ", not " + needs};
  };
  const auto number = [](auto value) { return std::to_string(value); };
  if (found.version != wanted.version) reject("format version", number(found.version), number(wanted.version));
  if (std::strncmp(found.algorithm, wanted.algorithm, sizeof found.algorithm) != 0) {
    reject("algorithm", std::string(found.algorithm, strnlen(found.algorithm, sizeof found.algorithm)),
           wanted.algorithm);
  }
  if (found.n != wanted.n) reject("graph", number(found.n) + " vertices", number(wanted.n));
  if (found.m != wanted.m) reject("graph", number(found.m) + " edges", number(wanted.m));
  if (found.graph_fingerprint != wanted.graph_fingerprint) {
    reject("graph", text("fingerprint %016llx", static_cast<unsigned long long>(found.graph_fingerprint)),
           text("%016llx", static_cast<unsigned long long>(wanted.graph_fingerprint)));
  }
  if (found.source != wanted.source) reject("source", number(found.source), number(wanted.source));
  for (std::size_t i = 0; i < query.size(); i++) {
    if (found.query[i] != wanted.query[i]) reject(query[i].name, number(found.query[i]), number(wanted.query[i]));
  }
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

std::size_t element_size(Element element) {
  return with_values({nullptr, element, 0, nullptr}, []<typename T>(const T*) { return sizeof(T); });
}

std::size_t result_size(Algorithm algorithm, std::size_t index, const Graph& graph) {
  return length(info(algorithm).results[index], graph);
}

std::string to_text(std::int64_t value) { return number_to_text(value); }
std::string to_text(std::int32_t value) { return number_to_text(value); }
std::string to_text(float value) { return number_to_text(value); }
std::string to_text(double value) { return number_to_text(value); }

std::string to_text(const Result& result) {
  return with_values(result, [&]<typename T>(const T* values) {
    std::string lines;
    for (std::size_t i = 0; i < result.size; i++) {
      lines += result.info->kind == ResultInfo::Kind::distance ? distance_to_text(values[i]) : to_text(values[i]);
      lines += '\n';
    }
    return lines;
  });
}

std::string to_npy(const Result& result) {
  static_assert(std::endian::native == std::endian::little);
  return with_values(result, [&]<typename T>(const T* values) {
    std::string header = text("{'descr': '<%c%zu', 'fortran_order': False, 'shape': (%zu,), }",
                              std::is_floating_point_v<T> ? 'f' : 'i', sizeof(T), result.size);
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
    if (result.info->kind == ResultInfo::Kind::distance) {
      constexpr T none = unreachable;
      for (std::size_t i = 0; i < result.size; i++) {
        if (values[i] >= infinity<T>) std::memcpy(file.data() + begin + i * sizeof(T), &none, sizeof none);
      }
    }
    return file;
  });
}

std::optional<std::string> find_unequal(const Reference& expected, Results results) {
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

std::optional<std::string> find_error(const AlgorithmInfo& algorithm, const Graph& graph, const Reference& expected,
                                      Results results) {
  for (const Result& result : results) {
    const std::size_t right = length(*result.info, graph);
    if (result.size != right) {
      return text("%s: expected %zu value%s, got %zu", result.info->name, right, right == 1 ? "" : "s", result.size);
    }
    if (result.info->length == ResultInfo::Length::one && result.element == Element::i32) {
      return text("%s: expected a total of 64 bits (i64)", result.info->name);
    }
  }
  return algorithm.check != nullptr ? algorithm.check(graph, expected, results) : find_unequal(expected, results);
}

void check_range(const AlgorithmInfo& algorithm, const Reference& expected, const Program& program) {
  for (std::size_t i = 0; i < algorithm.results.size(); i++) {
    if (algorithm.results[i].kind != ResultInfo::Kind::distance || program.elements[i] != Element::i32) continue;
    const std::vector<std::int64_t>& distances = integers(expected[i]);
    const auto furthest = std::max_element(distances.begin(), distances.end());
    if (*furthest < infinity<std::int32_t>) continue;
    throw Failure{bad_graph, text("the distance of vertex %zu, %s, does not fit a 32-bit program; use its i64 variant",
                                  static_cast<std::size_t>(furthest - distances.begin()), to_text(*furthest).c_str())};
  }
  for (std::size_t i = 0; i < algorithm.aids.size(); i++) {
    if (algorithm.aids[i].kind != ResultInfo::Kind::exponent || program.largest_exponent == 0) continue;
    const double exponent = reals(expected[algorithm.results.size() + i])[0];
    if (exponent <= program.largest_exponent) continue;
    throw Failure{bad_graph,
                  text("2^%.0f shortest paths to a vertex are too many for this program, which counts to 2^%d; "
                       "use its e32 or e64 variant, whose counts have an exponent of their own",
                       exponent - 1, program.largest_exponent)};
  }
}

void write_reference(const std::string& path, const ReferenceKey& key, const Reference& reference) {
  const ReferenceHeader header = make_header(key);
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  for (const Array& array : reference) {
    std::visit(
        [&](const auto& values) {
          content.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
        },
        array);
  }
  write_file(path, content);
}

Reference read_reference(const std::string& path, const ReferenceKey& key) try {
  const MappedFile file(path, usage_error);
  const ReferenceHeader wanted = make_header(key);
  ReferenceHeader found;
  if (file.size() < sizeof found || std::memcmp(file.bytes(), wanted.magic, sizeof wanted.magic) != 0) {
    throw Failure{usage_error, "is not a reference file"};
  }
  std::memcpy(&found, file.bytes(), sizeof found);
  check_header(found, wanted, key.algorithm->query);
  constexpr std::size_t value_size = 8;
  if (found.value_count != wanted.value_count || file.size() != sizeof found + wanted.value_count * value_size) {
    throw Failure{usage_error, "is cut short or too long"};
  }
  Reference reference;
  const auto* next = file.bytes() + sizeof found;
  const auto read = [&next](auto values) {
    static_assert(sizeof values[0] == value_size);
    std::memcpy(values.data(), next, values.size() * value_size);
    next += values.size() * value_size;
    return Array(std::move(values));
  };
  for (const auto arrays : {key.algorithm->results, key.algorithm->aids}) {
    for (const ResultInfo& array : arrays) {
      const std::size_t size = length(array, key.graph->graph());
      const bool real = array.kind == ResultInfo::Kind::real || array.kind == ResultInfo::Kind::exponent;
      reference.push_back(real ? read(std::vector<double>(size)) : read(std::vector<std::int64_t>(size)));
    }
  }
  return reference;
} catch (const Failure& failure) {
  throw Failure{failure.code, text("--reference %s %s", path.c_str(), failure.message.c_str())};
}

}  // namespace violet
