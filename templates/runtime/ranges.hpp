// Work that is shared out to the cores of the host, on all vertices of a graph or else.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

#include "support.hpp"
#include "violet.hpp"

namespace violet {

/// Vertices `first` to `last` - 1.
struct VertexRange {
  int first;
  int last;
};

/// Asked once: the system reads a file each time, which takes longer than the work on a small graph.
inline int core_count() {
  static const int count = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return count;
}

/// Calls work(i) for i from 0 to before `count`, on all cores: who is done with one takes the next. What the lowest i that
/// fails throws is thrown here. No template: threads would be compiled for each caller.
inline void on_all_cores(int count, const std::function<void(int)>& work) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<int> next = 0;
  const auto run = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (int thread = 1; thread < std::min(core_count(), count); thread++) threads.emplace_back(run);
  run();
  threads.clear();  // waits for them
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

/// Calls work(range) for ranges of all vertices, on all cores if the graph is large. Ranges have about the same number of
/// edges, whatever the degrees. The first error of a file is the one reported.
inline void for_vertex_ranges(const Graph& graph, const std::function<void(VertexRange)>& work) {
  constexpr int edges_worth_a_thread = 1 << 20;
  constexpr int parts_a_core = 16;
  const int most = core_count() * parts_a_core;
  const int parts = static_cast<int>(std::clamp<std::int64_t>(graph.m / edges_worth_a_thread, 1, most));
  const auto bound = [&](int part) {
    if (part == parts) return graph.n;
    const std::int64_t edge = graph.m * part / parts;
    const auto vertices = std::views::iota(0, graph.n);
    const auto comes_before = [&](int v) { return first_edge(graph, v) < edge; };
    return static_cast<int>(std::ranges::partition_point(vertices, comes_before) - vertices.begin());
  };
  on_all_cores(parts, [&](int part) { work(VertexRange{bound(part), bound(part + 1)}); });
}

/// What `find(v)` finds at the first vertex where it finds anything, an optional, or nothing; looked for on all cores.
template <typename Find>
auto find_first(const Graph& graph, Find find) {
  std::mutex mutex;
  int first = graph.n;
  decltype(find(0)) found;
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) {
      auto here = find(v);
      if (!here) continue;
      const std::lock_guard lock(mutex);
      if (v < first) {
        first = v;
        found = std::move(here);
      }
      return;
    }
  });
  return found;
}

/// How many vertices are worth a thread where each takes as little work as any other.
constexpr int equal_range = 1 << 16;

inline int count_equal_ranges(int n) { return n / equal_range + 1; }

/// Calls work(range) for ranges of n vertices, as many in each whatever their edges, on all cores if they are many.
inline void for_equal_ranges(int n, const std::function<void(VertexRange)>& work) {
  on_all_cores(count_equal_ranges(n), [&](int i) {
    const std::int64_t first = std::int64_t{i} * equal_range;
    work(VertexRange{static_cast<int>(first), static_cast<int>(std::min<std::int64_t>(first + equal_range, n))});
  });
}

/// Calls work(v) for n vertices, in ranges of those.
template <typename Work>
void for_vertices(int n, Work work) {
  for_equal_ranges(n, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) work(v);
  });
}

/// Writes to sums[v], for v from 0 to n, the sum of what `value` says of all before v; on all cores.
template <typename T, typename Value>
void add_up(int n, T* sums, Value value) {
  std::vector<T> before(count_equal_ranges(n) + 1);  // each range
  for_equal_ranges(n, [&](VertexRange vertices) {
    T sum = 0;
    for (int v = vertices.first; v < vertices.last; v++) sum += value(v);
    before[vertices.first / equal_range + 1] = sum;
  });
  for (std::size_t range = 1; range < before.size(); range++) before[range] += before[range - 1];
  for_equal_ranges(n, [&](VertexRange vertices) {
    T sum = before[vertices.first / equal_range];
    for (int v = vertices.first; v < vertices.last; v++) {
      sums[v] = sum;
      sum += value(v);
    }
  });
  sums[n] = before.back();
}

/// n vertices in groups, each in the order of its vertices; made on all cores.
template <typename GroupOf>
class Groups {
 public:
  /// @param group_of  the group of a vertex, from 0 to before `count`, or -1 for none
  Groups(int n, int count, GroupOf group_of)
      : n_(n), count_(count), group_of_(group_of), before_((count_equal_ranges(n) + 1) * std::size_t(count)) {
    for_equal_ranges(n, [&](VertexRange vertices) {
      std::vector<int> sizes(count_);
      for (int v = vertices.first; v < vertices.last; v++) {
        if (const int group = group_of_(v); group >= 0) sizes[group]++;
      }
      std::ranges::copy(sizes, of_range(vertices.first / equal_range + 1));
    });
    for (std::size_t i = count; i < before_.size(); i++) before_[i] += before_[i - count];
  }

  int size(int group) const { return before_[before_.size() - count_ + group]; }

  /// Calls place(v, group, i) for each vertex that is the i-th of a group.
  template <typename Place>
  void for_each(Place place) const {
    for_equal_ranges(n_, [&](VertexRange vertices) {
      const auto first = of_range(vertices.first / equal_range);
      std::vector<int> next(first, first + count_);
      for (int v = vertices.first; v < vertices.last; v++) {
        if (const int group = group_of_(v); group >= 0) place(v, group, next[group]++);
      }
    });
  }

 private:
  auto of_range(int range) const { return before_.begin() + std::ptrdiff_t{range} * count_; }
  auto of_range(int range) { return before_.begin() + std::ptrdiff_t{range} * count_; }

  int n_;
  int count_;
  GroupOf group_of_;
  std::vector<int> before_;  ///< vertices of each group before each range, and at last all of them
};

}  // namespace violet
