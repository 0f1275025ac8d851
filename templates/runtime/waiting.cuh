// What the threads of an independent set keep lists of, if each goes on with other vertices while one waits.
#pragma once

namespace violet {

/// An undecided vertex, and the first of the edges among which a neighbour keeps it waiting. One access to memory has both.
struct alignas(8) Waiting {
  int vertex;
  int edge;
};

}  // namespace violet
