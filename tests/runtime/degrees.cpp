// A program with two results, as the generator writes them: the degree of every vertex, and the number of edges at those
// to start from. With an argument WRONG in the environment, the array of that name has a wrong value.

#include <cstdlib>
#include <string_view>

#include "threads.hpp"

namespace {

using namespace violet;

struct State {
  int n;
  const int* row_offsets;
  int* degree;       // [n]
  long long* edges;  // [1]
};

int solve(State s, const Query& query) {
  *s.edges = 0;
  for (int i = 0; i < query.sources; i++) {
    const int v = query.source_list[i];
    *s.edges += s.row_offsets[v + 1] - s.row_offsets[v];
  }
  for (int v = 0; v < s.n; v++) {
    s.degree[v] = s.row_offsets[v + 1] - s.row_offsets[v];
  }
  const char* const wrong = std::getenv("WRONG");
  s.degree[s.n - 1] += wrong != nullptr && std::string_view(wrong) == "degree";
  *s.edges += wrong != nullptr && std::string_view(wrong) == "edges";
  return 1;
}

State prepare(const Graph& graph, Memory& memory) {
  return {graph.n, graph.row_offsets, memory.allocate<int>(graph.n), memory.allocate<long long>(1)};
}

}  // namespace

int main(int argc, char** argv) {
  return run<prepare, solve, &State::degree, &State::edges>("degrees", Algorithm::degrees, argc, argv);
}
