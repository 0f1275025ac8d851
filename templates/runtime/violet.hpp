// What a generated program and the harness (command line, graph loading, verification, report) know of each other.
// Included by every program, so it stays free of heavy standard headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query.hpp"

namespace violet {

/// The most vertices or edges of a graph: programs may step past the last one without overflowing an int.
constexpr int max_count = 0x7fffffff - (1 << 22) + 1;
/// The largest weight: below the infinity of 32-bit programs, so that a distance and a weight can be added.
constexpr int max_weight = 0x7fffffff / 2 - 1;

/// The most threads of a program: what systems do when asked for many more, down to crashing, is theirs.
constexpr int most_threads = 4096;

/// A graph in compressed sparse row (CSR) form: rows are ascending and hold neither loops nor duplicates. Every edge of
/// an undirected graph is stored once in each direction. The arrays belong to the harness and outlive every solver.
struct Graph {
  int n;                   ///< vertices
  std::int64_t m;          ///< directed edges, at most max_count unless the program takes wide_row_offsets
  const int* row_offsets;  ///< [n + 1] first edge of each vertex
  const int* neighbours;   ///< [m] destination of each edge
  const int* weights;      ///< [m] weight of each edge, the same in both directions; null unless the algorithm has any
  const int* sources;      ///< [m] source of each edge, with `neighbours` the coordinate (COO) form; null unless needed
  /// The same of edges that come in: where every edge is stored in each direction, the very same arrays.
  const int* in_row_offsets = row_offsets;
  const int* in_neighbours = neighbours;
  const int* in_weights = weights;
  const int* in_edges = nullptr;   ///< [m] number that each of these edges has in `neighbours`; null: undirected
  const Graph* doubled = nullptr;  ///< the graph that programs of some kinds take instead, see Edges; else null
  /// [n + 1] in place of `row_offsets` and `in_row_offsets`, which are null then, for programs that take them; else null
  const std::int64_t* wide_row_offsets = nullptr;

  bool directed() const { return in_edges != nullptr; }
};

/// A positive number of a program's method that its user may set, as `--NAME X`, or a file that he may name. A program
/// defines its parameters as global variables, and they read as their value.
class Parameter {
 public:
  enum Kind { real, whole };
  Parameter(const char* name, double value, const char* meaning, Kind kind = real);
  Parameter(const char* name, const char* meaning);  ///< a file, which is about one graph
  operator double() const { return value; }
  /// Whether its user may set it so, and what he may.
  bool takes(double number) const {
    const bool is_finite = number - number == 0;
    return number > 0 && is_finite && (kind == real || (number <= 0x7fffffff && number == static_cast<int>(number)));
  }
  const char* range() const { return kind == real ? "a positive number" : "a positive whole number"; }

  const char* const name;
  double value;
  const char* const meaning;
  const Kind kind = real;
  const bool is_file = false;
  const char* file = nullptr;  ///< null: the user has named none
  Parameter* next = nullptr;   ///< all parameters of the program are a list

  static Parameter* first;
};

/// A word of scrubbed results: as part of a number of any type, it is negative and far from zero.
constexpr unsigned no_result = 0xfefefefe;

/// What one repetition reports.
struct Run {
  int rounds;      ///< passes over the graph or the worklist until convergence
  double seconds;  ///< from initialising the result arrays to convergence, graph and memory already in place
  double preprocessing_seconds = 0;  ///< of these, those until the program called `preprocessed`
};

/// What one part of a graph came to in a solve that was counted; arrays that programs on several GPUs are measured by.
struct PartAccount {
  int gpu;                   ///< that solves it
  std::int64_t edges;        ///< directed, of its vertices
  std::size_t memory_bytes;  ///< that it holds on its GPU
  long long items_sent;      ///< messages to other parts; -1: values are accessed where they are
  long long bytes_sent;      ///< of these messages; -1 as well
  double computing;          ///< seconds, all but the two below
  double communicating;      ///< seconds from the first message of a round until all are sent; -1: not known
  double waiting;            ///< seconds for other parts
};

/// ... and all of them.
struct PartAccounts {
  const PartAccount* of;
  int count;
};

/// A program bound to one graph, its memory allocated and the graph in place.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual Run solve(const Query& query) = 0;
  /// Fills working memory with a word, and the result with values that no result has: a solve finds nothing of the one
  /// before. What the solver was given or has made once stays: the graph, and objects such as buckets.
  virtual void scrub(unsigned word) = 0;
  /// Copies an array of the latest result, `result_size(index)` elements of its type, to `values`.
  virtual void copy_result(std::size_t index, void* values) const = 0;
  virtual std::size_t result_size(std::size_t index) const = 0;
  /// Threads of the CPU that solve; 0: as many as it was asked for, or none.
  virtual int threads() const { return 0; }
  /// Where that array is, in the memory of its device; null if it is in parts.
  virtual const void* result(std::size_t) const { return nullptr; }
  /// Bytes of graph and working memory the solver holds on its device.
  virtual std::size_t memory_bytes() const = 0;
  /// Solves as `solve` does, and counts meanwhile what each part of the graph does, which takes time.
  virtual Run solve_counted(const Query& query) { return solve(query); }
  /// Whether parts of the graph are solved side by side, so that there is something to count.
  virtual bool divided() const { return false; }
  /// What was counted last, if anything was.
  virtual PartAccounts accounts() const { return {}; }
};

/// What a program computes (algorithms.hpp).
enum class Algorithm : int;
enum class Model { cuda, openmp, cpp, multigpu };
/// Which graphs a program takes. The last two are made of directed ones, with a copy n + v of every vertex v.
enum class Edges {
  undirected,
  directed,
  both_ways,  ///< the graph and, between copies, its transpose
  sides,      ///< an edge from u to v joins u and n + v, in both directions
};
enum class Element { i32, i64, f32, f64, u8 };

/// Elements of an array of a result, of which an algorithm has several.
std::size_t result_size(Algorithm algorithm, std::size_t index, const Graph& graph);

/// The identity of a generated program and how to bind it to a graph.
struct Program {
  const char* name;
  Algorithm algorithm;
  Model model;
  const Element* elements;                                                   ///< of the arrays of a result
  Solver* (*prepare)(Algorithm algorithm, const Graph& graph, int threads);  ///< the caller deletes the solver
  const char* (*device)();    ///< what the program runs on, such as "NVIDIA H200"
  bool needs_sources = true;  ///< whether it reads `Graph::sources`
  int largest_exponent = 0;   ///< it counts paths up to two to the power of this; 0: without a limit
  std::size_t (*count_bytes)(const Graph& graph, int threads) = nullptr;  ///< a solver's memory_bytes, without one
  Edges edges = Edges::undirected;
  bool wide = false;  ///< takes Graph::wide_row_offsets, and so graphs of more edges than an int counts
};

/// Exit codes of every program.
enum ExitCode { verified = 0, wrong_result = 1, usage_error = 2, bad_graph = 3, no_resources = 4 };

/// Prints "PROGRAM: error: MESSAGE" to stderr and exits with `code`. An exception out of `prepare` or `solve` is reported
/// as `no_resources` too, but gives up only the graph at hand.
[[noreturn]] void fail(ExitCode code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Main function of every program: parses the command line, then loads, solves, verifies and reports each graph.
int run(int argc, char** argv, const Program& program);

}  // namespace violet
