#include "reference.hpp"

#include <algorithm>

#include "pattern.hpp"
#include "plan.hpp"

namespace violet {
namespace {

bool are_neighbours(const Graph& graph, int u, int v) {
  const auto row = neighbours(graph, u);
  return std::binary_search(row.begin(), row.end(), v);
}

/// Gives the vertices of a pattern different vertices of the graph, in the order of their numbers as far as each has a
/// neighbour among those before it.
class Embeddings {
 public:
  Embeddings(const Graph& graph, const Query& query)
      : graph_(graph), labels_(query.labels), pattern_(pattern_of(query.pattern)) {
    unsigned placed = 1;
    order_ = {0};
    while (static_cast<int>(order_.size()) < pattern_.size) {
      for (int v = 0; v < pattern_.size; v++) {
        if ((placed >> v & 1) != 0 || (pattern_.joined[v] & placed) == 0) continue;
        order_.push_back(v);
        placed |= 1U << v;
      }
    }
  }

  /// How many there are.
  std::int64_t count() {
    std::int64_t found = 0;
    for (int v = 0; v < graph_.n; v++) found += with(0, v);
    return found;
  }

  /// How many ways there are to give the vertices of the pattern each other's places.
  std::int64_t automorphisms() const {
    std::vector<int> image(pattern_.size);
    for (int v = 0; v < pattern_.size; v++) image[v] = v;
    std::int64_t found = 0;
    do {
      bool same = true;
      for (int v = 0; v < pattern_.size; v++) {
        unsigned joined = 0;
        for (int u = 0; u < pattern_.size; u++) joined |= (pattern_.joined[v] >> u & 1) << image[u];
        same = same && joined == pattern_.joined[image[v]] && pattern_.labels[v] == pattern_.labels[image[v]];
      }
      found += same;
    } while (std::next_permutation(image.begin(), image.end()));
    return found;
  }

 private:
  /// Those in which graph vertex v takes the next place.
  std::int64_t with(std::size_t place, int v) {
    const int of_pattern = order_[place];
    if (pattern_.labels[of_pattern] != 0 && pattern_.labels[of_pattern] != label_of(v, labels_)) return 0;
    for (std::size_t i = 0; i < place; i++) {
      if (taken_[i] == v) return 0;
      if ((pattern_.joined[of_pattern] >> order_[i] & 1) != 0 && !are_neighbours(graph_, taken_[i], v)) return 0;
    }
    if (place + 1 == order_.size()) return 1;
    taken_[place] = v;
    int neighbour = 0;  // of the next place
    while ((pattern_.joined[order_[place + 1]] >> order_[neighbour] & 1) == 0) neighbour++;
    std::int64_t found = 0;
    for (const int w : neighbours(graph_, taken_[neighbour])) found += with(place + 1, w);
    return found;
  }

  const Graph& graph_;
  int labels_;
  Pattern pattern_;
  std::vector<int> order_;
  std::vector<int> taken_ = std::vector<int>(Pattern::most);
};

}  // namespace

/// Backtracking over all embeddings. Each match is found once for every automorphism of the pattern.
Reference serial_match(const Graph& graph, const Query& query) {
  Embeddings embeddings(graph, query);
  return {std::vector<std::int64_t>{embeddings.count() / embeddings.automorphisms()}};
}

}  // namespace violet
