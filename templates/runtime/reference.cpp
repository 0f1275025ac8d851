#include "reference.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "pagerank.hpp"

namespace violet {
namespace {

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
  return text("expected %zu value%s, got %zu", expected, expected == 1 ? "" : "s", got);
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

/// What keeps vertices from being a maximal independent set, whichever.
template <typename T>
std::optional<std::string> find_flaw_of_set(const Graph& graph, const T* in_set) {
  for (int v = 0; v < graph.n; v++) {
    if (in_set[v] == 0 || in_set[v] == 1) continue;
    return text("vertex %d: expected 0 or 1, got %s", v, to_text(in_set[v]).c_str());
  }
  for (int v = 0; v < graph.n; v++) {
    const auto row = neighbours(graph, v);
    const auto found = std::find_if(row.begin(), row.end(), [in_set](int u) { return in_set[u] == 1; });
    const bool has_neighbour_in_set = found != row.end();
    if (in_set[v] == 1 && has_neighbour_in_set) {
      return text("not independent: the neighbours %d and %d are both in the set", v, *found);
    }
    if (in_set[v] == 0 && !has_neighbour_in_set) {
      return text("not maximal: neither vertex %d nor a neighbour of it is in the set", v);
    }
  }
  return std::nullopt;
}

/// Members of a maximal independent set, and of the greedy one. The first is tested on its own: it says more of what
/// went wrong, and relies on no reference.
std::optional<std::string> find_wrong_member(const Graph& graph, const Reference& expected, const Result& result) {
  if (result.size != expected.size()) return describe_size(expected.size(), result.size);
  auto error = with_values(result, [&graph](const auto* values) { return find_flaw_of_set(graph, values); });
  if (error) return error;
  error = find_wrong_label(graph, expected, result);
  if (error) return "a maximal independent set, but not the greedy one: " + *error;
  return std::nullopt;
}

/// By how much another iteration may change right ranks, as a sum over all vertices, if `unit` is the largest relative
/// error of one operation. Nothing tighter holds for all programs.
///
/// Write |x| for the sum over all vertices, d for the damping, t for the tolerance, F for an iteration in exact
/// arithmetic. No vertex gives away more than it has, so |F(x) - F(y)| <= d |x - y|. A program stops at ranks x that it
/// has computed from ranks at most t away (in place: from a mixture of those and x; by residuals: from all of x but a
/// part of t), with a rounding error of r in total: |F(x) - x| <= d t + r. So x is at most (d t + r) / (1 - d) from the
/// fixpoint. The limit of 100 iterations changes nothing, as d^100 is far below t.
///
/// A rank is a sum over the neighbours and a few operations more, by residuals an addition an iteration, each off by a
/// unit at most.
double allowed_change(const Graph& graph, const Reference& fixpoint, double unit) {
  constexpr int operations_besides_sum = 4 + pagerank::max_iterations;
  constexpr double slack = 1e-6;  // for what doubles round: the change that a program holds against t, and this check
  double rounding = 0;
  for (int v = 0; v < graph.n; v++) {
    rounding += unit * (degree(graph, v) + operations_besides_sum) * rank_of(fixpoint[v]);
  }
  return pagerank::damping * pagerank::tolerance * (1 + slack) + rounding;
}

/// The sum over all vertices of how much an iteration would change their ranks.
template <typename T>
double change_of_iteration(const Graph& graph, const T* rank) {
  std::vector<double> share(graph.n);
  for (int v = 0; v < graph.n; v++) share[v] = static_cast<double>(rank[v]) / std::max(1, degree(graph, v));
  double change = 0;
  for (int v = 0; v < graph.n; v++) {
    double sum = 0;
    for (const int u : neighbours(graph, v)) sum += share[u];
    change += std::abs((1 - pagerank::damping) / graph.n + pagerank::damping * sum - static_cast<double>(rank[v]));
  }
  return change;
}

std::optional<std::string> find_wrong_rank(const Graph& graph, const Reference& expected, const Result& result) {
  if (result.size != expected.size()) return describe_size(expected.size(), result.size);
  return with_values(result, [&]<typename T>(const T* values) -> std::optional<std::string> {
    const auto error_of = [&](std::size_t v) {
      return std::abs(static_cast<double>(values[v]) - rank_of(expected[v]));
    };
    std::size_t worst = 0;
    for (std::size_t v = 0; v < expected.size(); v++) {
      if (!(values[v] >= 0)) return text("vertex %zu: expected a rank, got %s", v, to_text(values[v]).c_str());
      if (error_of(v) > error_of(worst)) worst = v;
    }
    const double change = change_of_iteration(graph, values);
    const double allowed = allowed_change(graph, expected, std::numeric_limits<T>::epsilon() / 2.0);
    if (change <= allowed) return std::nullopt;
    return text(
        "another iteration changes ranks by %.3g, more than %.3g; vertex %zu is off most: expected %.9g, got %.9g",
        change, allowed, worst, rank_of(expected[worst]), static_cast<double>(values[worst]));
  });
}

std::optional<std::string> find_wrong_count(const Graph&, const Reference& expected, const Result& result) {
  if (result.size != expected.size()) return describe_size(expected.size(), result.size);
  if (result.element != Element::i64) return "expected a count of 64 bits (i64)";
  const std::int64_t count = *static_cast<const std::int64_t*>(result.values);
  if (count == expected[0]) return std::nullopt;
  return text("expected %s triangles, got %s", to_text(expected[0]).c_str(), to_text(count).c_str());
}

constexpr AlgorithmInfo algorithms[] = {
    // algorithm, name, reported, from_source, needs_weights, solve, find_error
    {Algorithm::bfs, "bfs", "bfs", true, false, serial_bfs, find_wrong_distance},
    {Algorithm::cc, "cc", "cc", false, false, serial_cc, find_wrong_label},
    {Algorithm::mis, "mis", "mis", false, false, serial_mis, find_wrong_member},
    {Algorithm::mis_degree, "mis-degree", "mis", false, false, serial_mis_degree, find_wrong_member},
    {Algorithm::pr, "pr", "pr", false, false, serial_pr, find_wrong_rank},
    {Algorithm::sssp, "sssp", "sssp", true, true, serial_sssp, find_wrong_distance},
    {Algorithm::tc, "tc", "tc", false, false, serial_tc, find_wrong_count},
};

/// The start of a reference file; the values follow as int64 (ranks as float64), all little endian.
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
  header.value_count = result_size(key.algorithm->algorithm, key.graph->graph());
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
  const ReferenceHeader header = make_header(key);
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
  Reference reference(wanted.value_count);
  const std::size_t value_bytes = reference.size() * sizeof reference[0];
  if (found.value_count != wanted.value_count || file.size() != sizeof found + value_bytes) {
    throw Failure{usage_error, "is cut short or too long"};
  }
  std::memcpy(reference.data(), file.bytes() + sizeof found, value_bytes);
  return reference;
} catch (const Failure& failure) {
  throw Failure{failure.code, text("--reference %s %s", path.c_str(), failure.message.c_str())};
}

}  // namespace violet
