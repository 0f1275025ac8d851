// Programs on several GPUs: a graph in parts, a thread of the host for each part, and what parts tell each other.
#pragma once

#include <cstddef>

#include "host_device.hpp"
#include "violet.hpp"

namespace violet {

constexpr int most_parts = 8;

/// A few values. A kernel that changes its State keeps it in registers, which have no index: it selects among all values.
template <typename T, int count>
struct Few {
  T values[count];

  T& operator[](int i) { return values[i]; }
  VIOLET_HOST_DEVICE T operator[](int i) const {
#ifdef __CUDA_ARCH__
    if (__isGridConstant(values)) return values[i];
    T value = values[0];
#pragma unroll
    for (int j = 1; j < count; j++) {
      if (j == i) value = values[j];
    }
    return value;
#else
    return values[i];
#endif
  }
};

/// Where that of each part begins in something that holds it part by part; that of the next part follows.
struct Bounds {
  Few<int, most_parts + 1> begin;
};

/// As many items that follow each other for each part.
inline Bounds equal_shares(std::int64_t items, int parts) {
  Bounds shares = {};
  for (int part = 0; part < most_parts; part++) {
    shares.begin[part + 1] = static_cast<int>(items * (part < parts ? part + 1 : parts) / parts);
  }
  return shares;
}

/// Where the words of each part begin if all that it holds has a bit.
inline Bounds in_words(const Bounds& bounds) {
  constexpr int bits = 32;
  Bounds words = {};
  for (int part = 0; part < most_parts; part++) {
    const int size = bounds.begin[part + 1] - bounds.begin[part];
    words.begin[part + 1] = words.begin[part] + (size + bits - 1) / bits;
  }
  return words;
}

/// Which vertices a part has that others own.
enum class Copies {
  border,        ///< neighbours of its own
  border_first,  ///< ... and of its own vertices, those that others have copies of have the first numbers
  all,           ///< all of them
  whole,         ///< all that there are, with their rows
};

/// A part of a graph. With Copies::whole it is the graph, and vertices keep their numbers; `numbers` are those that the
/// part owns, and what is about copies and halo vertices is empty.
///
/// Else it has vertices of its own, numbered from 0, with all their edges; then a copy of each neighbour that
/// another part owns, without edges; with Copies::all, of each vertex. The copies of one owner are together, in the order
/// of its numbers; if they are of all its vertices, a place tells the number, and nothing lists them.
struct Part : Graph {
  const Graph* divided;      ///< the whole graph
  int number;                ///< of this part
  int parts;                 ///< in all
  int own;                   ///< vertices of its own, of the `n` that it has
  int border;                ///< with Copies::border_first, those of them that others have copies of; else 0
  std::int64_t own_edges;    ///< directed edges of these
  const int* numbers;        ///< [n] what the whole graph calls them
  Bounds copies;             ///< the vertices that are copies, by owner
  Bounds halo;               ///< the elements of halo_vertices, by the part that has the copies
  const int* halo_vertices;  ///< [halo] own vertices of which others have copies, in the order of these copies; or null
  int most_halo;             ///< how many that are, of the part that has most
  const int* numbers_there;  ///< [n - own] what the owner of each copy calls it; or null
};

/// Decides who owns each vertex: writes numbers of parts to `owners` [n]. None decides where edges are shared out: part 0
/// owns all vertices then.
using Partition = void (*)(const Graph& graph, int parts, unsigned char* owners);

void equal_vertices(const Graph& graph, int parts, unsigned char* owners);  ///< as many in each, in their order
void equal_edges(const Graph& graph, int parts, unsigned char* owners);     ///< in their order, too
void at_random(const Graph& graph, int parts, unsigned char* owners);
void biased(const Graph& graph, int parts, unsigned char* owners);  ///< at random, or to where most neighbours are

/// Takes the owners from a file with the number of a part in each line, as METIS writes it. Throws what does not fit.
void read_owners(const char* path, const Graph& graph, int parts, unsigned char* owners);

/// A graph that was divided. It refers to arrays of the whole one.
class Division {
 public:
  /// @param file  that says who owns each vertex in place of `partition`, or null
  Division(const Graph& graph, int parts, Copies copies, Partition partition, const char* file = nullptr);
  Division(const Division&) = delete;
  Division& operator=(const Division&) = delete;
  ~Division();

  const Part& operator[](int part) const;
  /// The number that its owner gives a vertex of the whole graph, or -1 if `part` is not the owner.
  int find(int part, int vertex) const;
  /// Copies values of a part's own vertices, of 4 or 8 bytes, to their places among those of the whole graph.
  void put_in_place(int part, const void* own, std::size_t value_size, void* values) const;

 private:
  struct Implementation;
  Implementation* implementation_;
};

/// A thread of the host for each part. They sleep while there is no work; waiting for each other, only where parts share
/// GPUs or cores.
class Team {
 public:
  struct Implementation;

  /// @param size     parts
  /// @param gpus     that they have
  /// @param latency  seconds that each meeting takes longer
  explicit Team(int size, int gpus, double latency = 0);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  /// Calls function(part) on every thread; returns when all are done. Throws what one of them has thrown.
  template <typename Function>
  void run(Function function) {
    run(call<Function>, &function);
  }

 private:
  template <typename Function>
  static void call(void* function, int part) {
    (*static_cast<Function*>(function))(part);
  }

  void run(void (*task)(void* argument, int part), void* argument);

  Implementation* implementation_;
};

/// Says that a graph does not fit, by an exception, with the bytes that each GPU needs and those that it has.
///
/// @param enough  how many such GPUs would do; 0: more than there can be parts; -1: nothing is said of that
[[noreturn]] void refuse_memory(int gpus, const std::size_t* needed, const std::size_t* available, int enough);

// ---- Called for every part of a team, in the same order --------------------------------------------------------------

/// Waits until all have come here, and then for the latency of the team.
void barrier();

/// ... without that, where something else waits for it.
void barrier_at_once();

/// The number of the part that the calling thread solves.
int my_number();

/// Whether something is the case in any part.
bool any_part(bool here);

/// The sum over all parts; the same in each of them.
double total(double here);

/// ... and the largest of another number, which is not negative.
struct Totals {
  double sum;
  double largest;
};
Totals totals(double here, double another_here);

/// Tells the others an address and a number, and gets theirs: `addresses` and `numbers` have an element for each part.
void tell_all(const void* address, const int* numbers, const void** addresses, const int** their_numbers);

// ---- What is counted of a part in a solve apart from those that are timed --------------------------------------------

/// Times of one part, and what has come from the others.
struct Count {
  const Part* part;
  const void* state;         ///< of its program
  double seconds = 0;        ///< in all
  double communicating = 0;  ///< of these
  double waiting = 0;
  long long received[most_parts] = {};  ///< messages, by the part that sent them
  void (*receive)(Count& count);        ///< adds what has come in a round
  double sending_since = 0;             ///< seconds; 0: not sending
  bool telling = false;                 ///< whether that is which vertices are reached, rather than messages
  long long told[most_parts] = {};      ///< words of that that have come, by the part that sent them
};

/// What is counted in of the part that the calling thread solves, or null.
inline thread_local Count* counting = nullptr;

/// Seconds on a monotonic clock.
double now();

/// An address in the memory of each part.
template <typename T>
struct Addresses {
  Few<T*, most_parts> of;
};

/// Where each part has what is at `mine` in this one.
template <typename T>
Addresses<T> of_all(T* mine) {
  const void* addresses[most_parts];
  const int* unused[most_parts];
  tell_all(mine, nullptr, addresses, unused);
  Addresses<T> all = {};
  for (int part = 0; part < most_parts && addresses[part] != nullptr; part++) {
    all.of[part] = static_cast<T*>(const_cast<void*>(addresses[part]));
  }
  return all;
}

/// Where this part's share begins in an array of each part that is kept by parts, as `bounds` tells of the own one.
template <typename T>
Addresses<T> share_of_all(T* mine, const Bounds& bounds, int number) {
  const void* addresses[most_parts];
  const int* begins[most_parts];
  tell_all(mine, bounds.begin.values, addresses, begins);
  Addresses<T> all = {};
  for (int part = 0; part < most_parts && addresses[part] != nullptr; part++) {
    all.of[part] = static_cast<T*>(const_cast<void*>(addresses[part])) + begins[part][number];
  }
  barrier();  // the bounds are on the stack of those that own them
  return all;
}

}  // namespace violet
