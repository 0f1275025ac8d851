// Near-far: how far shortest paths look at a time.
#pragma once

#include "violet.hpp"

namespace violet {

/// By how much the threshold rises: `delta` average weights over the square of the average degree, and at least 1. The
/// more neighbours a vertex has, the closer the next ones are, and the more edges are relaxed in vain if it rises too
/// much; if it rises too little, there are rounds with little to do. The average weight is that of a sample.
template <typename T>
T threshold_rise(const Graph& graph, double delta, T most) {
  constexpr int largest_sample = 1024;
  const int size = graph.m < largest_sample ? graph.m : largest_sample;
  double sum = 0;
  for (int i = 0; i < size; i++) {
    sum += graph.weights[static_cast<long long>(graph.m) * i / size];
  }
  const double average_degree = static_cast<double>(graph.m) / graph.n;
  const double rise = size > 0 ? delta * sum / size / (average_degree * average_degree) : 1;
  return rise < 1 ? 1 : rise > static_cast<double>(most) ? most : static_cast<T>(rise);
}

}  // namespace violet
