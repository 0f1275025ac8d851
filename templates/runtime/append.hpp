// Items that a thread of the CPU gathers before it appends them to a worklist.
#pragma once

namespace violet {

constexpr unsigned gathered_capacity = 1024;

struct Gathered {
  unsigned size;
  int items[gathered_capacity];
};

/// What this thread has gathered.
constinit inline thread_local Gathered gathered = {};

}  // namespace violet
