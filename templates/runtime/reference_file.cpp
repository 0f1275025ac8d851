#include "reference_file.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "options.hpp"

namespace violet {
namespace {

std::size_t value_count(const AlgorithmInfo& algorithm, const Graph& graph) {
  std::size_t count = 0;
  for (const ResultInfo& result : algorithm.results) count += length_of(result, graph);
  for (const ResultInfo& aid : algorithm.aids) count += length_of(aid, graph);
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
  std::uint32_t m;      ///< modulo 2^32
  std::int32_t source;  ///< -1 for an algorithm without
  std::int32_t query[most_options];
  std::uint64_t graph_fingerprint;
  std::uint64_t value_count;
};
static_assert(sizeof(ReferenceHeader) == 72, "no padding, so that its bytes can be written as they are");

ReferenceHeader make_header(const ReferenceKey& key) {
  ReferenceHeader header{};
  std::memcpy(header.magic, "vio-ref", sizeof header.magic);
  header.version = 3;
  std::strncpy(header.algorithm, key.algorithm->name, sizeof header.algorithm - 1);
  header.n = key.graph->graph().n;
  header.m = static_cast<std::uint32_t>(key.graph->graph().m);
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
    reject(
        "algorithm", std::string(found.algorithm, strnlen(found.algorithm, sizeof found.algorithm)), wanted.algorithm);
  }
  if (found.n != wanted.n) reject("graph", number(found.n) + " vertices", number(wanted.n));
  if (found.m != wanted.m) reject("graph", number(found.m) + " edges", number(wanted.m));
  if (found.graph_fingerprint != wanted.graph_fingerprint) {
    reject("graph", text("fingerprint %016llx", static_cast<unsigned long long>(found.graph_fingerprint)),
           text("%016llx", static_cast<unsigned long long>(wanted.graph_fingerprint)));
  }
  if (found.source != wanted.source) reject("source", number(found.source), number(wanted.source));
  for (std::size_t i = 0; i < query.size(); i++) {
    if (found.query[i] != wanted.query[i])
      reject(query[i].name, query_text(query[i], found.query[i]), query_text(query[i], wanted.query[i]));
  }
}

}  // namespace

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
    if (!values.empty()) std::memcpy(values.data(), next, values.size() * value_size);
    next += values.size() * value_size;
    return Array(std::move(values));
  };
  for (const auto arrays : {key.algorithm->results, key.algorithm->aids}) {
    for (const ResultInfo& array : arrays) {
      const std::size_t size = length_of(array, key.graph->graph());
      reference.push_back(array.is_real() ? read(std::vector<double>(size)) : read(std::vector<std::int64_t>(size)));
    }
  }
  return reference;
} catch (const Failure& failure) {
  throw Failure{failure.code, text("--reference %s %s", path.c_str(), failure.message.c_str())};
}

}  // namespace violet
