#include <algorithm>
#include <vector>

#include "reference.hpp"

namespace violet {

/// Takes out a vertex of smallest degree, again and again; vertices lie in buckets by degree (Matula and Beck).
Reference serial_kcore(const Graph& graph, const Query& query) {
  std::vector<int> left(graph.n), place(graph.n), order(graph.n);
  int most = 0;
  for (int v = 0; v < graph.n; v++) most = std::max(most, left[v] = degree(graph, v));
  std::vector<int> begin(most + 2);  // of each bucket in `order`
  for (const int d : left) begin[d + 1]++;
  for (int d = 0; d <= most; d++) begin[d + 1] += begin[d];
  std::vector<int> next = begin;
  for (int v = 0; v < graph.n; v++) order[place[v] = next[left[v]]++] = v;

  for (int i = 0; i < graph.n; i++) {
    for (const int u : neighbours(graph, order[i])) {
      if (left[u] <= left[order[i]]) continue;
      const int first = begin[left[u]]++;  // vertex of its bucket, which ends where the smaller one begins to be longer
      std::swap(order[place[u]], order[first]);
      std::swap(place[u], place[order[place[u]]]);
      left[u]--;
    }
  }
  std::vector<std::int64_t> core(left.begin(), left.end());
  if (query.k > 0) {
    for (std::int64_t& c : core) c = c < query.k ? query.k - 1 : query.k;
  }
  return {core};
}

}  // namespace violet
