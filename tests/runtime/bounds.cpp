// Holds checks of real numbers to be sharp where sums are long and rounds are many: a reference's own values are accepted
// in either precision, and neither zeros nor a value that is a hundredth off.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "given.hpp"
#include "options.hpp"
#include "reference.hpp"

namespace {

using violet::Reference;

constexpr int vertices = 500;
constexpr int links = 4000;

/// An undirected graph whose first vertices have long rows.
struct RandomGraph {
  RandomGraph() {
    std::mt19937 draw(1);
    std::set<std::pair<int, int>> edges;
    while (edges.size() < links) {
      const int u = static_cast<int>(draw() % vertices * (draw() % vertices) / vertices);
      const int v = static_cast<int>(draw() % vertices);
      if (u == v) continue;
      edges.insert({u, v});
      edges.insert({v, u});
    }
    row_offsets.assign(vertices + 1, 0);
    for (const auto& [u, v] : edges) {
      row_offsets[u + 1]++;
      neighbours.push_back(v);
      weights.push_back(1 + (u + v) % 7);
    }
    for (int v = 0; v < vertices; v++) row_offsets[v + 1] += row_offsets[v];
  }

  violet::Graph graph() const {
    return {vertices, row_offsets.back(), row_offsets.data(), neighbours.data(), weights.data(), nullptr};
  }

  std::vector<int> row_offsets, neighbours, weights;
};

template <typename Real>
void check_bounds(const violet::AlgorithmInfo& info, const violet::Graph& graph, const Reference& expected) {
  std::vector<Given<Real>> values = given_by<Real>(info, expected);
  const auto require_verdict = [&](bool accepted, const char* what) {
    if (is_accepted(info, graph, expected, values) == accepted) return;
    std::fprintf(stderr, "%s with %zu bytes: %s\n", info.name, sizeof(Real), what);
    std::exit(1);
  };
  require_verdict(true, "a right result is refused");
  for (Given<Real>& given : values) {
    if (given.index() == 0) continue;
    auto& array = std::get<1>(given);
    const auto right = array;
    std::fill(array.begin(), array.end(), Real{0});
    require_verdict(false, "zeros are accepted");
    array = right;
    const auto smaller = [](Real a, Real b) { return std::abs(a) < std::abs(b); };
    *std::max_element(array.begin(), array.end(), smaller) *= Real{1.01};
    require_verdict(false, "a value that is a hundredth off is accepted");
    array = right;
  }
}

}  // namespace

int main() {
  const RandomGraph random;
  const violet::Graph graph = random.graph();
  int checked = 0;
  for (const violet::AlgorithmInfo& info : violet::algorithms()) {
    const auto is_real = [](const violet::ResultInfo& result) { return result.kind == violet::ResultInfo::Kind::real; };
    if (std::none_of(info.results.begin(), info.results.end(), is_real)) continue;
    violet::Query query = violet::preset_query(info);
    std::vector<int> list;
    violet::start_from(0, graph, query, list);
    const Reference expected = info.solve(graph, query);
    check_bounds<float>(info, graph, expected);
    check_bounds<double>(info, graph, expected);
    checked++;
  }
  std::printf("%d algorithms\n", checked);
}
