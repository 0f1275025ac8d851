// Divides random graphs into parts, and holds every part against the graph; then lets threads of teams fail. Prints how many
// divisions it has looked at, or what is wrong with one.

#include "part_threads.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <vector>

#include "fail.hpp"
#include "support.hpp"

namespace {

using violet::Graph;
using violet::Part;

void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

/// Some edges out of every vertex, to anywhere, in ascending rows, with weights and sources, and the way back if asked for.
struct RandomGraph {
  std::vector<int> row_offsets{0}, neighbours, weights, sources;
  std::vector<std::int64_t> wide_row_offsets;

  RandomGraph(int n, int most_edges, unsigned seed, bool both_ways = false) {
    std::mt19937 random(seed);
    std::vector<std::vector<int>> rows(n);
    for (int v = 0; v < n; v++) {
      for (unsigned e = random() % (most_edges + 1U); e > 0; e--) {
        const int u = static_cast<int>(random() % static_cast<unsigned>(n));
        rows[v].push_back(u);
        if (both_ways) rows[u].push_back(v);
      }
    }
    for (int v = 0; v < n; v++) {
      std::ranges::sort(rows[v]);
      for (const int u : rows[v]) {
        neighbours.push_back(u);
        weights.push_back(static_cast<int>(random() % 100));
        sources.push_back(v);
      }
      row_offsets.push_back(static_cast<int>(neighbours.size()));
    }
    wide_row_offsets.assign(row_offsets.begin(), row_offsets.end());
  }

  Graph graph(bool wide, bool weighted) const {
    Graph graph = {};
    graph.n = static_cast<int>(row_offsets.size()) - 1;
    graph.m = static_cast<std::int64_t>(neighbours.size());
    graph.row_offsets = graph.in_row_offsets = wide ? nullptr : row_offsets.data();
    graph.wide_row_offsets = wide ? wide_row_offsets.data() : nullptr;
    graph.neighbours = graph.in_neighbours = neighbours.data();
    graph.weights = weighted ? weights.data() : nullptr;
    graph.sources = weighted ? sources.data() : nullptr;
    return graph;
  }
};

/// Whether a part has the rows of its vertices, in its own numbers, and no other ones.
void check_rows(const Graph& graph, const Part& part) {
  expect(part.m == part.own_edges, "edges of a part");
  for (int v = 0; v < part.n; v++) {
    const std::int64_t there = v < part.own ? violet::first_edge(graph, part.numbers[v]) : 0;
    const int edges = v < part.own ? violet::degree(graph, part.numbers[v]) : 0;
    expect(violet::degree(part, v) == edges, "length of a row");
    for (int i = 0; i < edges; i++) {
      const std::int64_t here = violet::first_edge(part, v) + i;
      expect(part.numbers[part.neighbours[here]] == graph.neighbours[there + i], "neighbour");
      expect(part.weights == nullptr || part.weights[here] == graph.weights[there + i], "weight");
      expect(part.sources == nullptr || part.sources[here] == v, "source");
    }
  }
}

/// Whether each copy is of a neighbour, or of any vertex if all have copies, once, and its owner lends it.
void check_copies(const violet::Division& division, const Part& part, bool all) {
  std::vector<char> needed(part.n, all);
  for (std::int64_t e = 0; e < part.m; e++) needed[part.neighbours[e]] = 1;
  expect(part.copies.begin[0] == part.own && part.copies.begin[part.parts] == part.n, "bounds of copies");
  for (int owner = 0; owner < part.parts; owner++) {
    const Part& other = division[owner];
    const int first = part.copies.begin[owner];
    const int halo = other.halo.begin[part.number];
    const int count = part.copies.begin[owner + 1] - first;
    expect(other.halo.begin[part.number + 1] - halo == count, "vertices halo");
    expect(owner != part.number || count == 0, "copy of an own vertex");
    expect(!all || owner == part.number || count == other.own, "copies of all vertices");
    expect(!all || (part.numbers_there == nullptr && other.halo_vertices == nullptr), "lists of copies");
    for (int i = 0; i < count; i++) {
      const int there = all ? i : part.numbers_there[first + i - part.own];
      expect(needed[first + i] != 0, "copy that nobody needs");
      expect(there < other.own && other.numbers[there] == part.numbers[first + i], "number with the owner");
      expect(all || other.halo_vertices[halo + i] == there, "halo vertex");
      expect(i == 0 || part.numbers[first + i - 1] < part.numbers[first + i], "order of copies");
    }
  }
}

/// Whether the vertices that others have copies of have the first numbers, and both they and the others keep their order.
void check_border(const Part& part) {
  std::vector<char> halo(part.own);
  for (int i = 0; i < part.halo.begin[part.parts]; i++) halo[part.halo_vertices[i]] = 1;
  for (int v = 0; v < part.own; v++) {
    expect((halo[v] != 0) == (v < part.border), "border");
    expect(v == 0 || v == part.border || part.numbers[v - 1] < part.numbers[v], "order of own vertices");
  }
}

void check(const Graph& graph, int parts, violet::Partition partition, violet::Copies copies) {
  const violet::Division division(graph, parts, copies, partition);
  std::vector<int> owners(graph.n);
  int most_halo = 0;
  for (int p = 0; p < parts; p++) most_halo = std::max(most_halo, division[p].halo.begin[parts]);
  for (int p = 0; p < parts; p++) {
    const Part& part = division[p];
    expect(part.most_halo == most_halo, "vertices that a part lends at most");
    expect(part.number == p && part.parts == parts && part.divided == &graph, "what a part is");
    for (int v = 0; v < part.own; v++) {
      owners[part.numbers[v]]++;
      expect(division.find(p, part.numbers[v]) == v, "number of an own vertex");
    }
    check_rows(graph, part);
    check_copies(division, part, copies == violet::Copies::all);
    if (copies == violet::Copies::border_first) check_border(part);
  }
  for (const int owner : owners) expect(owner == 1, "owners of a vertex");
}

/// Parts meet and add up, and one of them fails in every third run: it is heard of, and the next run is as if it had not.
void check_failures(int size, int gpus) {
  violet::Team team(size, gpus);
  for (unsigned run = 0; run < 300; run++) {
    const bool fails = run % 3 == 0;
    bool thrown = false;
    try {
      team.run([&](int part) {
        for (unsigned round = 0; round < 5; round++) {
          expect(violet::total(part + round) == size * (size - 1) / 2.0 + round * size, "sum over parts");
          if (fails && round == run % 5 && part == static_cast<int>(run) % size) throw std::runtime_error("planted");
          violet::barrier();
        }
      });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    expect(thrown == fails, "failure of a part");
  }
}

}  // namespace

int main() {
  int divisions = 0;
  const auto divide = [&divisions](const Graph& graph, int parts, violet::Partition partition,
                                   violet::Copies copies = violet::Copies::border) {
    check(graph, parts, partition, copies);
    divisions++;
  };
  for (unsigned seed = 0; seed < 40; seed++) {
    const int n = 1 + static_cast<int>(seed) * 3;
    const int most_edges = static_cast<int>(seed % 7);
    const RandomGraph random(n, most_edges, seed);
    const RandomGraph undirected(n, most_edges, seed, true);
    for (const auto partition : {violet::equal_vertices, violet::equal_edges, violet::at_random, violet::biased}) {
      for (const int parts : {1, 2, 3, 8}) {
        divide(random.graph(seed % 2 != 0, seed % 3 != 0), parts, partition);
        divide(undirected.graph(seed % 2 != 0, seed % 3 != 0), parts, partition, violet::Copies::border_first);
        divide(random.graph(seed % 2 != 0, seed % 3 != 0), parts, partition, violet::Copies::all);
      }
    }
  }
  divide(RandomGraph(50'000, 20, 1).graph(true, true), 2, violet::at_random);  // several threads a part
  divide(RandomGraph(50'000, 10, 1, true).graph(true, true), 2, violet::equal_edges, violet::Copies::border_first);
  divide(RandomGraph(50'000, 10, 2, true).graph(true, true), 3, violet::biased);  // in several batches
  for (const int size : {1, 2, 5, 8}) {
    for (const int gpus : {1, size}) {
      check_failures(size, gpus);
    }
  }
  std::printf("%d divisions\n", divisions);
}
