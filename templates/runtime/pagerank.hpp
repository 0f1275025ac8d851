// What every PageRank program agrees on. All ranks start from 1 / n, and an iteration computes
//
//   rank(v) = (1 - damping) / n + damping * sum of rank(u) / degree(u) over the neighbours u of v
//
// until its change, the sum of |new rank - old rank| over all vertices, is below the tolerance. A vertex without edges
// keeps (1 - damping) / n, and its rank flows nowhere: where there are such vertices, ranks sum to less than 1.
#pragma once

namespace violet::pagerank {

constexpr double damping = 0.85;
constexpr double tolerance = 1e-4;
constexpr int max_iterations = 100;

}  // namespace violet::pagerank
