#include "part_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace violet {

namespace {

/// Thrown for the other parts where one has failed, which nobody would meet any more.
struct Deserted {};

}  // namespace

struct Team::Implementation {
  Implementation(int size, int gpus, double latency) : size(size), latency(latency), addresses(size), numbers(size) {
    for (std::vector<Totals>& of_all : values) of_all.resize(size);
    // With more threads than cores, who spins keeps the one that it waits for from running. And where parts share a GPU,
    // nothing is timed, so they leave their cores to other programs.
    sleeps = size > gpus || static_cast<unsigned>(size) > std::thread::hardware_concurrency();
    for (int part = 0; part < size; part++) {
      threads.emplace_back([this, part] { work(part); });
    }
  }

  ~Implementation() {
    task = nullptr;
    start();
    for (std::thread& thread : threads) thread.join();
  }

  void start() {
    working = size;
    turn.fetch_add(1);
    turn.notify_all();
  }

  void work(int part);
  void do_task(int part);

  /// The last to come opens the barrier for all, and so does a part that fails.
  void barrier() {
    const unsigned before = meetings.load(std::memory_order_acquire);
    if (failed) throw Deserted{};  // asked after that, so who failed later has yet to open
    if (there.fetch_add(1) + 1 == size) {
      there = 0;
      open();
    } else if (sleeps) {
      meetings.wait(before, std::memory_order_acquire);
    } else {
      spin_until_open(before);
    }
    if (failed) throw Deserted{};
  }

  void open() {
    meetings.fetch_add(1, std::memory_order_release);
    meetings.notify_all();
  }

  void spin_until_open(unsigned before) const {
    const auto closed = [&] { return meetings.load(std::memory_order_acquire) == before; };
    for (int spin = 0; spin < 20000 && closed(); spin++) {
    }
    while (closed()) sched_yield();
  }

  /// As the others would be heard of later.
  void wait_for_latency() {
    const double end = now() + latency;
    while (now() < end) {
      if (sleeps) sched_yield();
    }
  }

  const int size;
  const double latency;
  bool sleeps;
  std::atomic<int> there{0};
  std::atomic<unsigned> meetings{0};
  std::atomic<bool> failed{false};

  std::vector<const void*> addresses;
  std::vector<const int*> numbers;
  std::vector<Totals> values[2];

  std::atomic<unsigned> turn{0};
  std::atomic<int> working{0};
  void (*task)(void*, int) = nullptr;
  void* argument = nullptr;
  std::mutex guard;
  std::exception_ptr thrown;
  std::vector<std::thread> threads;
};

namespace {

/// What belongs to the part that a thread solves, but for `counting`.
thread_local Team::Implementation* my_team = nullptr;
thread_local int my_part = 0;
thread_local unsigned my_totals = 0;

}  // namespace

void Team::Implementation::work(int part) {
  my_team = this;
  my_part = part;
  for (unsigned seen = 0;;) {
    turn.wait(seen);
    seen = turn.load();
    if (task == nullptr) return;
    do_task(part);
    working.fetch_sub(1);
    working.notify_all();
  }
}

void Team::Implementation::do_task(int part) {
  try {
    task(argument, part);
  } catch (const Deserted&) {  // another part says why
  } catch (...) {
    const std::lock_guard lock(guard);
    if (!thrown) thrown = std::current_exception();
    failed = true;
    open();
  }
}

Team::Team(int size, int gpus, double latency) : implementation_(new Implementation(size, gpus, latency)) {}

Team::~Team() { delete implementation_; }

void Team::run(void (*task)(void*, int), void* argument) {
  Implementation& team = *implementation_;
  team.task = task;
  team.argument = argument;
  team.there = 0;
  team.failed = false;
  team.thrown = nullptr;
  team.start();
  for (int left = team.working; left > 0; left = team.working) team.working.wait(left);
  if (team.thrown) std::rethrow_exception(team.thrown);
}

namespace {

/// Calls `wait`, and counts what it is for.
template <typename Wait>
void barrier_by(Wait wait) {
  if (counting == nullptr) {
    wait();
    return;
  }
  const bool sent = counting->sending_since > 0;
  const double start = now();
  if (sent) counting->communicating += start - counting->sending_since;
  wait();
  counting->waiting += now() - start;
  if (sent) counting->receive(*counting);
  counting->sending_since = 0;
  counting->telling = false;
}

}  // namespace

void barrier() {
  barrier_by([] {
    my_team->barrier();
    if (my_team->latency > 0) my_team->wait_for_latency();
  });
}

void barrier_at_once() {
  barrier_by([] { my_team->barrier(); });
}

int my_number() { return my_part; }

Totals totals(double here, double another_here) {
  std::vector<Totals>& values = my_team->values[my_totals++ % 2];  // nobody is two totals ahead
  values[my_part] = {here, another_here};
  barrier();
  Totals of_all = {};
  for (const auto& [value, another] : values) {
    of_all.sum += value;
    of_all.largest = std::max(of_all.largest, another);
  }
  return of_all;
}

double total(double here) { return totals(here, 0).sum; }

bool any_part(bool here) { return total(here) > 0; }

void tell_all(const void* address, const int* numbers, const void** addresses, const int** their_numbers) {
  my_team->addresses[my_part] = address;
  my_team->numbers[my_part] = numbers;
  barrier_at_once();
  for (int part = 0; part < most_parts; part++) {
    addresses[part] = part < my_team->size ? my_team->addresses[part] : nullptr;
    their_numbers[part] = part < my_team->size ? my_team->numbers[part] : nullptr;
  }
  barrier_at_once();
}

}  // namespace violet
