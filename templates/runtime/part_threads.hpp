// A thread of the host for each part of a graph, and what parts tell each other.
#pragma once

#include <cstddef>

#include "parts.hpp"

namespace violet {

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
