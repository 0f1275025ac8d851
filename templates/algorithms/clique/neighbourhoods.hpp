// How much memory a program that counts cliques needs for what is around a vertex.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace violet {

/// The most edges that a vertex may keep, if every edge is kept at its end of lower degree: the largest h for which more
/// than h vertices have h neighbours or more. Who keeps h edges has h of them, and so has the other end of each.
inline int most_kept(const int* row_offsets, int n) {
  std::vector<int> degrees(n);
  for (int v = 0; v < n; v++) {
    degrees[v] = row_offsets[v + 1] - row_offsets[v];
  }
  std::sort(degrees.begin(), degrees.end(), std::greater<>());
  int most = 0;
  while (most + 1 < n && degrees[most + 1] > most) {
    most++;
  }
  return most;
}

}  // namespace violet
