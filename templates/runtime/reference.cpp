#include "reference.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <queue>
#include <type_traits>
#include <utility>

namespace violet {
namespace {

/// Number of edges on a shortest path: breadth-first search with a queue.
Reference solve_bfs(const Graph& graph, int source) {
  Reference level(graph.n, unreachable);
  std::vector<int> queue{source};
  level[source] = 0;
  for (std::size_t head = 0; head < queue.size(); head++) {
    const int u = queue[head];
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      const int v = graph.neighbours[e];
      if (level[v] != unreachable) continue;
      level[v] = level[u] + 1;
      queue.push_back(v);
    }
  }
  return level;
}

/// Total weight of a lightest path: Dijkstra's algorithm with a binary heap.
Reference solve_sssp(const Graph& graph, int source) {
  using Entry = std::pair<std::int64_t, int>;  // distance, vertex
  Reference distance(graph.n, unreachable);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[source] = 0;
  heap.push({0, source});
  while (!heap.empty()) {
    const auto [from, u] = heap.top();
    heap.pop();
    if (from > distance[u]) continue;  // a shorter path was found after this entry was pushed
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      const int v = graph.neighbours[e];
      const std::int64_t candidate = from + graph.weights[e];
      if (distance[v] != unreachable && distance[v] <= candidate) continue;
      distance[v] = candidate;
      heap.push({candidate, v});
    }
  }
  return distance;
}

/// Smallest vertex of the component: union-find, where the smaller root wins.
Reference solve_cc(const Graph& graph, int) {
  Reference parent(graph.n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];  // path halving
    return v;
  };
  for (int u = 0; u < graph.n; u++) {
    for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
      const auto [low, high] = std::minmax({root(u), root(graph.neighbours[e])});
      parent[high] = low;
    }
  }
  for (int v = 0; v < graph.n; v++) parent[v] = parent[parent[v]];  // parents are smaller, hence labelled already
  return parent;
}

/// Calls `visit` with the values of `result` as a pointer to their type.
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
  }
  __builtin_unreachable();
}

template <typename T>
std::string to_text(T value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

template <typename T>
std::string distance_to_text(T value) {
  return value >= infinity<T> ? "inf" : to_text(value);
}

std::string describe_size(std::size_t expected, std::size_t got) {
  return text("expected %zu values, got %zu", expected, got);
}

/// Distances are equal; beyond reach, anything from infinity upwards is right.
std::optional<std::string> find_wrong_distance(const Graph&, const Reference& expected, const Result& result) {
  if (result.size != expected.size()) return describe_size(expected.size(), result.size);
  return with_values(result, [&expected]<typename T>(const T* values) -> std::optional<std::string> {
    for (std::size_t v = 0; v < expected.size(); v++) {
      const bool right =
          expected[v] == unreachable ? values[v] >= infinity<T> : values[v] == static_cast<T>(expected[v]);
      if (right) continue;
      const std::string wanted = expected[v] == unreachable ? "inf" : to_text(expected[v]);
      return text("vertex %zu: expected %s, got %s", v, wanted.c_str(), distance_to_text(values[v]).c_str());
    }
    return std::nullopt;
  });
}

std::optional<std::string> find_wrong_label(const Graph&, const Reference& expected, const Result& result) {
  if (result.size != expected.size()) return describe_size(expected.size(), result.size);
  return with_values(result, [&expected]<typename T>(const T* values) -> std::optional<std::string> {
    for (std::size_t v = 0; v < expected.size(); v++) {
      if (values[v] == static_cast<T>(expected[v])) continue;
      return text("vertex %zu: expected %s, got %s", v, to_text(expected[v]).c_str(), to_text(values[v]).c_str());
    }
    return std::nullopt;
  });
}

constexpr AlgorithmInfo algorithms[] = {
    // algorithm, name, from_source, needs_weights, solve, find_error
    {Algorithm::bfs, "bfs", true, false, solve_bfs, find_wrong_distance},
    {Algorithm::cc, "cc", false, false, solve_cc, find_wrong_label},
    {Algorithm::sssp, "sssp", true, true, solve_sssp, find_wrong_distance},
};

/// The start of a reference file; the values follow as int64, all little endian.
struct ReferenceHeader {
  char magic[8];
  std::uint32_t version;
  char algorithm[16];
  std::int32_t n;
  std::int32_t m;
  std::int32_t source;  ///< -1 for an algorithm without
  std::uint64_t graph_fingerprint;
  std::uint64_t value_count;
};
static_assert(sizeof(ReferenceHeader) == 56, "no padding, so that its bytes can be written as they are");

ReferenceHeader make_header(const ReferenceKey& key) {
  ReferenceHeader header{};
  std::memcpy(header.magic, "vio-ref", sizeof header.magic);
  header.version = 1;
  std::strncpy(header.algorithm, key.algorithm->name, sizeof header.algorithm - 1);
  header.n = key.graph->graph().n;
  header.m = key.graph->graph().m;
  header.source = key.algorithm->from_source ? key.source : -1;
  header.graph_fingerprint = key.graph->fingerprint();
  return header;
}

/// Fails at the first field in which two headers differ.
void check_header(const ReferenceHeader& found, const ReferenceHeader& wanted) {
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
}

}  // namespace

const AlgorithmInfo& info(Algorithm algorithm) {
  return *std::find_if(std::begin(algorithms), std::end(algorithms),
                       [=](const AlgorithmInfo& candidate) { return candidate.algorithm == algorithm; });
}

const AlgorithmInfo* find_algorithm(std::string_view name) {
  for (const AlgorithmInfo& algorithm : algorithms) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

std::string algorithm_names() {
  std::string names;
  for (const AlgorithmInfo& algorithm : algorithms) names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  return names;
}

std::size_t element_size(Element element) {
  return with_values({element, 0, nullptr}, []<typename T>(const T*) { return sizeof(T); });
}

void check_range(const AlgorithmInfo& algorithm, const Reference& expected, Element element) {
  if (!algorithm.from_source || element != Element::i32) return;
  const auto furthest = std::max_element(expected.begin(), expected.end());
  if (*furthest < infinity<std::int32_t>) return;
  throw Failure{bad_graph, text("the distance of vertex %zu, %s, does not fit a 32-bit program; use its i64 variant",
                                static_cast<std::size_t>(furthest - expected.begin()), to_text(*furthest).c_str())};
}

std::string to_text(const AlgorithmInfo& algorithm, const Result& result) {
  return with_values(result, [&]<typename T>(const T* values) {
    std::string lines;
    for (std::size_t i = 0; i < result.size; i++) {
      lines += algorithm.from_source ? distance_to_text(values[i]) : to_text(values[i]);
      lines += '\n';
    }
    return lines;
  });
}

void write_reference(const std::string& path, const ReferenceKey& key, const Reference& reference) {
  ReferenceHeader header = make_header(key);
  header.value_count = reference.size();
  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content.append(reinterpret_cast<const char*>(reference.data()), reference.size() * sizeof reference[0]);
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
  check_header(found, wanted);
  const std::size_t value_bytes = file.size() - sizeof found;
  if (value_bytes / sizeof(std::int64_t) != found.value_count || value_bytes % sizeof(std::int64_t) != 0) {
    throw Failure{usage_error, "is cut short or too long"};
  }
  Reference reference(found.value_count);
  std::memcpy(reference.data(), file.bytes() + sizeof found, value_bytes);
  return reference;
} catch (const Failure& failure) {
  throw Failure{failure.code, text("--reference %s %s", path.c_str(), failure.message.c_str())};
}

}  // namespace violet
