// Loading of .egr graph files, the binary CSR format of the ECL collection. Little endian:
//
//   int32 n, int32 m, int32 row_offsets[n + 1], int32 neighbours[m], and optionally int32 weights[m]
//
// Files of other versions begin with a magic number and that of their version. Those of version 2 have 64-bit offsets, for
// more edges than an int can count, and are for programs that take such graphs:
//
//   char magic[4], uint32 version, int64 n, int64 m, int64 row_offsets[n + 1], int32 neighbours[m], weights[m] or none
//
// Those of version 3 are directed:
//
//   char magic[4], uint32 version, int64 n, int64 m, uint32 flags (1: with weights), uint32 0,
//   int32 row_offsets[n + 1], neighbours[m], weights[m] or none, in_row_offsets[n + 1], in_neighbours[m], in_edges[m]
//
// An edge between u and v of a file without weights weighs 1 + mix(min(u, v) << 32 | max(u, v)) % 64, where
//
//   mix(x):  x ^= x >> 33;  x *= 0xff51afd7ed558ccd;  x ^= x >> 33;  x *= 0xc4ceb9fe1a85ec53;  x ^= x >> 33
//
// in unsigned 64-bit arithmetic: the same everywhere, and the same in both directions.
//
// Weights may also be numbers of single precision, for programs that take real ones. They are told from whole ones as
// find_float does (weights.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "doubled.hpp"
#include "files.hpp"
#include "support.hpp"
#include "violet.hpp"
#include "weights.hpp"

namespace violet {

/// The first vertex that has an edge, or 0 where none has.
int default_source(const Graph& graph);

/// `count` different vertices, spread over all: `first`, and others that have an edge. Fewer if there are no more.
std::vector<int> spread_sources(const Graph& graph, int first, int count);

/// A graph in memory: the mapped file, and the arrays that were asked for and are not in it.
class GraphFile {
 public:
  struct Parts {
    bool weights;
    bool sources;
    bool undirected = true;                        ///< whether such a graph will do,
    bool directed = false;                         ///< and such a one
    Edges edges = Edges::undirected;               ///< whether, and how, to double it
    bool wide = false;                             ///< whether to give it wide_row_offsets
    MadeWeights made_weights = MadeWeights::hash;  ///< where the file has none, and they are wanted
    bool real_weights = false;                     ///< whether to give it such as real_weights.hpp describes
    bool negative_weights = false;                 ///< ... which may be less than 0
  };

  /// Maps `path` and checks all that `Graph` promises of the arrays it holds; weights nobody asked for stay unread.
  GraphFile(const std::string& path, Parts parts);

  const Graph& graph() const { return graph_; }
  /// Whether the weights that were wanted are not from the file.
  bool has_made_weights() const { return made_; }
  /// Tells files apart, and weights that were made for them.
  std::uint64_t fingerprint() const;

 private:
  MappedFile file_;
  std::unique_ptr<std::int64_t[]> wide_row_offsets_;
  std::unique_ptr<int[]> weights_;
  std::unique_ptr<int[]> in_weights_;
  std::unique_ptr<int[]> sources_;
  std::unique_ptr<DoubledGraph> doubled_;
  bool made_ = false;
  MadeWeights made_weights_;
  Graph graph_{};
};

}  // namespace violet
