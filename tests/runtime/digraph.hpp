// Small directed graphs as programs take them, from a matrix.
#pragma once

#include <vector>

#include "violet.hpp"

/// The rows of a directed graph, in both directions.
struct Digraph {
  /// @param weight  a callable; of the edge from a vertex to another one, 0 if there is none
  template <typename Weight>
  Digraph(int n, Weight weight) {
    std::vector<std::vector<int>> number(n, std::vector<int>(n));
    for (int u = 0; u < n; u++) {
      for (int v = 0; v < n; v++) {
        if (weight(u, v) == 0) continue;
        number[u][v] = static_cast<int>(neighbours.size());
        neighbours.push_back(v);
        weights.push_back(weight(u, v));
      }
      row_offsets.push_back(static_cast<int>(neighbours.size()));
    }
    for (int v = 0; v < n; v++) {
      for (int u = 0; u < n; u++) {
        if (weight(u, v) == 0) continue;
        in_neighbours.push_back(u);
        in_weights.push_back(weight(u, v));
        in_edges.push_back(number[u][v]);
      }
      in_row_offsets.push_back(static_cast<int>(in_neighbours.size()));
    }
  }

  violet::Graph graph() const {
    return {static_cast<int>(row_offsets.size()) - 1,
            row_offsets.back(),
            row_offsets.data(),
            neighbours.data(),
            weights.data(),
            nullptr,
            in_row_offsets.data(),
            in_neighbours.data(),
            in_weights.data(),
            in_edges.data()};
  }

  std::vector<int> row_offsets{0}, neighbours, weights, in_row_offsets{0}, in_neighbours, in_weights, in_edges;
};
