// Distances that are sums of real weights, so that none is negative, for programs of every model.
#pragma once

#include <cmath>

#include "nearfar.hpp"
#include "real_weights.hpp"

namespace violet {

#ifdef __CUDACC__

inline namespace gpu {

// CUDA has no atomic minimum of real numbers. As long as none is negative, their bits are ordered as they are.

__device__ inline float atomicMin(float* variable, float value) {
  return __int_as_float(::atomicMin(reinterpret_cast<int*>(variable), __float_as_int(value)));
}

__device__ inline double atomicMin(double* variable, double value) {
  return __longlong_as_double(::atomicMin(reinterpret_cast<long long*>(variable), __double_as_longlong(value)));
}

// ... of what other GPUs access, too.

__device__ inline float atomicMin_system(float* variable, float value) {
  return __int_as_float(::atomicMin_system(reinterpret_cast<int*>(variable), __float_as_int(value)));
}

__device__ inline double atomicMin_system(double* variable, double value) {
  return __longlong_as_double(::atomicMin_system(reinterpret_cast<long long*>(variable), __double_as_longlong(value)));
}

}  // namespace gpu

#endif

/// How real distances are near at first: as whole ones, but a power of two, by which numbers are divided without rounding.
template <typename T>
Near<T> near_of_reals(const Graph& graph, double delta, T infinity) {
  constexpr int largest_sample = 1024;
  const int size = graph.m < largest_sample ? static_cast<int>(graph.m) : largest_sample;
  double sum = 0;
  for (int i = 0; i < size; i++) {
    const int bits = weight_of(graph, graph.m * i / size);
    float weight;
    std::memcpy(&weight, &bits, sizeof weight);
    sum += weight;
  }
  const double average_degree = static_cast<double>(graph.m) / graph.n;
  const double rise = sum > 0 ? delta * sum / size * (0.5 + 100 / (average_degree * average_degree)) : 1;
  const T first = static_cast<T>(std::exp2(std::floor(std::log2(std::fmin(rise, infinity)))));
  return {0, first, first, first};
}

inline Near<float> make_near(const Graph& graph, double delta, float infinity) {
  return near_of_reals(graph, delta, infinity);
}
inline Near<double> make_near(const Graph& graph, double delta, double infinity) {
  return near_of_reals(graph, delta, infinity);
}

/// The bucket of a distance; the last one is for all that is further.
template <typename T>
VIOLET_HOST_DEVICE long long bucket_of(T distance, T width) {
  constexpr T last = 1LL << 62;
  const T bucket = distance / width;
  return static_cast<long long>(bucket < last ? bucket : last);
}

}  // namespace violet
