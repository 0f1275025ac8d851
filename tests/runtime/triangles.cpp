// A program as the generator writes them, for the tests of what binds one to the harness: its result is a single count.

#include "threads.hpp"

namespace {

using namespace violet;

struct State {
  int n;
  const int* row_offsets;
  const int* neighbours;
  long long* triangles;  // [1]
};

bool adjacent(const State& s, int u, int v) {
  for (int e = s.row_offsets[u]; e < s.row_offsets[u + 1]; e++) {
    if (s.neighbours[e] == v) return true;
  }
  return false;
}

void count(const State s, int thread, int threads) {
  for (int u = thread; u < s.n; u += threads) {
    for (int v = 0; v < u; v++) {
      for (int w = 0; w < v; w++) {
        if (adjacent(s, u, v) && adjacent(s, v, w) && adjacent(s, w, u)) atomic_add(s.triangles, 1LL);
      }
    }
  }
}

int solve(State s, const Query&) {
  *s.triangles = 0;
  parallel(count, s);
  return 1;
}

State prepare(const Graph& graph, Memory& memory) {
  return {graph.n, graph.row_offsets, graph.neighbours, memory.allocate<long long>(1)};
}

}  // namespace

int main(int argc, char** argv) {
  return violet::run<prepare, solve, &State::triangles>("triangles", Algorithm::tc, argc, argv);
}
