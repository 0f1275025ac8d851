// What threads keep lists of, if each goes on with other vertices while one waits.
#pragma once

namespace violet {

/// An undecided vertex, and the first of the edges among which a neighbour keeps it waiting. One access to memory has both.
struct alignas(8) Waiting {
  int vertex;
  int edge;
};

/// A vertex without a colour: its first edge to a neighbour that keeps it waiting, that neighbour, and of the first 32 colours
/// those that neighbours before that have. One access to memory has all.
struct alignas(16) WaitingForColour {
  int vertex;
  int edge;
  int blocker;
  unsigned taken;
};

}  // namespace violet
