// Graphs with two copies of every vertex, for the programs that take such graphs.
#pragma once

#include <cstddef>
#include <vector>

#include "violet.hpp"

namespace violet {

/// A graph with two copies of every vertex, made of a directed one (see Edges), of at most half of max_count vertices
/// and edges.
class DoubledGraph {
 public:
  DoubledGraph(const Graph& graph, Edges edges, bool with_sources) {
    const int n = graph.n, m = static_cast<int>(graph.m);
    const bool sides = edges == Edges::sides;  // a row leads to the other copies
    const auto join = [&](std::vector<int>& offsets, std::vector<int>& neighbours, const int* first_offsets,
                          const int* first, const int* second_offsets, const int* second) {
      offsets.assign(first_offsets, first_offsets + n);
      for (int v = 0; v <= n; v++) offsets.push_back(m + second_offsets[v]);
      neighbours.reserve(2 * static_cast<std::size_t>(m));
      for (int e = 0; e < m; e++) neighbours.push_back(first[e] + (sides ? n : 0));
      for (int e = 0; e < m; e++) neighbours.push_back(second[e] + (sides ? 0 : n));
    };
    join(row_offsets_, neighbours_, graph.row_offsets, graph.neighbours, graph.in_row_offsets, graph.in_neighbours);
    graph_ = {2 * n, 2 * m, row_offsets_.data(), neighbours_.data(), nullptr, nullptr};
    if (!sides) {
      join(in_row_offsets_, in_neighbours_, graph.in_row_offsets, graph.in_neighbours, graph.row_offsets,
           graph.neighbours);
      graph_.in_row_offsets = in_row_offsets_.data();
      graph_.in_neighbours = in_neighbours_.data();
    }
    if (with_sources) {
      sources_.reserve(neighbours_.size());
      for (int v = 0; v < 2 * n; v++) {
        sources_.insert(sources_.end(), graph_.row_offsets[v + 1] - graph_.row_offsets[v], v);
      }
      graph_.sources = sources_.data();
    }
  }
  DoubledGraph(const DoubledGraph&) = delete;
  DoubledGraph& operator=(const DoubledGraph&) = delete;

  const Graph& graph() const { return graph_; }

  /// Bytes of its arrays.
  std::size_t bytes() const {
    return sizeof(int) * (row_offsets_.size() + neighbours_.size() + in_row_offsets_.size() + in_neighbours_.size() +
                          sources_.size());
  }

 private:
  std::vector<int> row_offsets_, neighbours_, in_row_offsets_, in_neighbours_, sources_;
  Graph graph_{};
};

}  // namespace violet
