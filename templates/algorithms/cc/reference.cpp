#include <algorithm>
#include <atomic>
#include <numeric>

#include "ranges.hpp"
#include "reference.hpp"

namespace violet {
namespace {

/// Union-find on all cores, where the smaller root wins. Parents are smaller than their children, and an ancestor stays
/// one, so a thread may follow and shorten paths that others change.
class Forest {
 public:
  explicit Forest(int n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::int64_t root(std::int64_t v) {
    for (;;) {
      const std::int64_t parent = of(v).load(relaxed), grandparent = of(parent).load(relaxed);
      if (parent == grandparent) return parent;
      of(v).store(grandparent, relaxed);  // path halving
      v = grandparent;
    }
  }

  void unite(std::int64_t u, std::int64_t v) {
    for (;;) {
      const auto [low, high] = std::minmax({root(u), root(v)});
      if (low == high) return;
      std::int64_t still_a_root = high;
      if (of(high).compare_exchange_strong(still_a_root, low, relaxed)) return;
    }
  }

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;
  std::atomic_ref<std::int64_t> of(std::int64_t v) { return std::atomic_ref(parent_[v]); }

  std::vector<std::int64_t> parent_;
};

}  // namespace

/// The root of a component is its smallest vertex.
Reference serial_cc(const Graph& graph, const Query&) {
  Forest forest(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int u = vertices.first; u < vertices.last; u++) {
      for (const int v : neighbours(graph, u)) forest.unite(u, v);
    }
  });
  std::vector<std::int64_t> label(graph.n);
  for_vertex_ranges(graph, [&](VertexRange vertices) {
    for (int v = vertices.first; v < vertices.last; v++) label[v] = forest.root(v);
  });
  return {label};
}

}  // namespace violet
