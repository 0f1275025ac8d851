#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "bp.hpp"
#include "news.hpp"
#include "ranges.hpp"
#include "reference.hpp"

namespace violet {
namespace {

constexpr double news[2] = {bp::enough<float>, bp::enough<double>};

/// A number, and how far from it a program's may be that computes with floats or with doubles.
struct Odds {
  double value;
  double error[2];
};

constexpr double units[2] = {std::numeric_limits<float>::epsilon() / 2.0, std::numeric_limits<double>::epsilon() / 2.0};

double prior(int v) { return (static_cast<std::uint32_t>(v) * 2654435761u >> 8) / 8388608.0 - 1; }

/// What u tells v: the logarithm of (agreement * odds + 1) / (odds + agreement), or of its inverse.
///
/// It changes by no more than its slope at that of all beliefs within the error that is nearest to none, where it is
/// steepest. To this, a program adds at most 16 roundings and, if it sends only what is news, what is none.
Odds message(const Odds& belief, int u, int v) {
  constexpr double a = bp::agreement;
  constexpr double weakening = (a - 1) / (a + 1);  // tanh(message / 2) = weakening * tanh(belief / 2)
  Odds told = {};
  told.value = 2 * std::atanh(weakening * std::tanh(belief.value / 2));
  if (((u ^ v) & 1) != 0) told.value = -told.value;
  for (int i = 0; i < 2; i++) {
    const double tangent = std::tanh(std::max(0.0, std::abs(belief.value) - belief.error[i]) / 2);
    const double slope = weakening * (1 - tangent * tangent) / (1 - weakening * weakening * tangent * tangent);
    told.error[i] = slope * belief.error[i] + 16 * units[i] + news[i];
  }
  return told;
}

/// The first belief that is further off than it may be.
template <typename T>
std::optional<std::string> find_wrong(const T* values, const Reference& expected) {
  const std::vector<double>& right = reals(expected[0]);
  const std::vector<double>& error = reals(expected[sizeof(T) == sizeof(float) ? 1 : 2]);
  for (std::size_t v = 0; v < right.size(); v++) {
    const double allowed = error[v] + 1e-12 * (1 + std::abs(right[v]));  // the reference rounds as well
    if (std::abs(static_cast<double>(values[v]) - right[v]) <= allowed) continue;
    return text("belief of vertex %zu: expected %.9g, give or take %.3g, got %.9g", v, right[v], allowed,
                static_cast<double>(values[v]));
  }
  return std::nullopt;
}

}  // namespace

/// Rounds of messages in doubles, on all cores, pushed along edges instead of pulled, with hyperbolic functions instead of logarithms.
Reference serial_bp(const Graph& graph, const Query& query) {
  std::vector<int> reverse(graph.m);  // rows are ascending: the edges to a vertex come in the order of its row
  std::vector<int> next(graph.row_offsets, graph.row_offsets + graph.n);
  for (int e = 0; e < graph.m; e++) reverse[e] = next[graph.neighbours[e]]++;

  std::vector<Odds> belief(graph.n), sent(graph.m), told(graph.m);
  for (int v = 0; v < graph.n; v++) belief[v].value = prior(v);
  for (int round = 0; round < query.rounds; round++) {
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int u = vertices.first; u < vertices.last; u++) {
        for (int e = graph.row_offsets[u]; e < graph.row_offsets[u + 1]; e++) {
          Odds without = {belief[u].value - told[e].value, {}};
          for (int i = 0; i < 2; i++) {
            without.error[i] = belief[u].error[i] + told[e].error[i] + units[i] * std::abs(without.value);
          }
          sent[reverse[e]] = message(without, u, graph.neighbours[e]);
        }
      }
    });
    for_vertex_ranges(graph, [&](VertexRange vertices) {
      for (int v = vertices.first; v < vertices.last; v++) {
        Odds sum = {};
        double size = 0;
        for (int e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; e++) {
          sum.value += sent[e].value;
          size += std::abs(sent[e].value);
          for (int i = 0; i < 2; i++) sum.error[i] += sent[e].error[i];
        }
        belief[v].value = prior(v) + sum.value;
        for (int i = 0; i < 2; i++) {
          const double in_doubles = (degree(graph, v) + 1) * units[1] * (1 + size);
          belief[v].error[i] = sum.error[i] + in_doubles + units[i] * (std::abs(belief[v].value) + sum.error[i]);
        }
      }
    });
    std::swap(sent, told);
  }

  std::vector<double> value(graph.n), float_error(graph.n), double_error(graph.n);
  for (int v = 0; v < graph.n; v++) {
    value[v] = belief[v].value;
    float_error[v] = belief[v].error[0];
    double_error[v] = belief[v].error[1];
  }
  return {value, float_error, double_error};
}

std::optional<std::string> check_bp(const Graph&, const Reference& expected, Results results) {
  return with_values(results[0], [&]<typename T>(const T* values) { return find_wrong(values, expected); });
}

}  // namespace violet
