// A graph in parts, one for each of several GPUs.
#pragma once

#include <cstddef>

#include "host_device.hpp"
#include "partitions.hpp"
#include "violet.hpp"

namespace violet {

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

/// Says that a graph does not fit, by an exception, with the bytes that each GPU needs and those that it has.
///
/// @param enough  how many such GPUs would do; 0: more than there can be parts; -1: nothing is said of that
[[noreturn]] void refuse_memory(int gpus, const std::size_t* needed, const std::size_t* available, int enough);

}  // namespace violet
