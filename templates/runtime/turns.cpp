#include "turns.hpp"

#include <sched.h>

#include <cstddef>
#include <vector>

#include "fiber.hpp"

namespace violet {

namespace {

/// As a thread has. Only what is used of it takes memory.
constexpr std::size_t stack_size = std::size_t{8} << 20;

struct Seat {
  Fiber fiber;
  bool (*is_over)(const void*) = nullptr;  // null: it can go on
  const void* condition = nullptr;
  bool has_returned = false;
};

}  // namespace

struct Turns::Implementation {
  std::vector<Seat> seats;
  bool yields;
  void (*task)(void*, int) = nullptr;
  void* argument = nullptr;
  int number = -1;  // whose turn it is, or was last

  /// Where a task begins, on its own stack.
  static void begin();
};

namespace {

thread_local Turns::Implementation* running = nullptr;

}  // namespace

void Turns::Implementation::begin() {
  Implementation& turns = *running;
  const int number = turns.number;
  turns.task(turns.argument, number);
  turns.seats[number].has_returned = true;
  turns.seats[number].fiber.pause();
}

Turns::Turns(int size, bool yields)
    : implementation_(new Implementation{std::vector<Seat>(static_cast<std::size_t>(size)), yields}) {}

Turns::~Turns() = default;

void Turns::run(void (*task)(void*, int), void* argument, void (*switch_to)(int)) {
  Implementation& turns = *implementation_;
  turns.task = task;
  turns.argument = argument;
  turns.number = -1;
  running = &turns;
  const int size = static_cast<int>(turns.seats.size());
  for (Seat& seat : turns.seats) {
    seat.is_over = nullptr;
    seat.has_returned = false;
    seat.fiber.start(Implementation::begin, stack_size);
  }
  for (int left = size; left > 0;) {
    bool all_wait = true;
    for (int number = 0; number < size; number++) {
      Seat& seat = turns.seats[number];
      if (seat.has_returned || (seat.is_over != nullptr && !seat.is_over(seat.condition))) continue;
      all_wait = false;
      seat.is_over = nullptr;
      if (number != turns.number) switch_to(number);
      turns.number = number;
      seat.fiber.resume();
      if (seat.has_returned) left--;
    }
    if (all_wait && turns.yields) sched_yield();
  }
  switch_to(-1);
}

void Turns::wait_until(bool (*is_over)(const void*), const void* condition) {
  Seat& seat = implementation_->seats[implementation_->number];
  seat.is_over = is_over;
  seat.condition = condition;
  seat.fiber.pause();
}

}  // namespace violet
