#include "threads.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace violet {
inline namespace cpp {

namespace {

// What a thread that makes teams was bound to before the first of those that it has.
struct Maker {
  int teams = 0;
  cpu_set_t cpus_before;
};

std::atomic<long> threads_so_far{0};
thread_local const long this_thread = ++threads_so_far;  // unlike those of the system, never that of another one
thread_local Maker this_maker;

Workers* the_team = nullptr;
std::mutex the_mutex;

alignas(128) std::atomic<int> chunks_given{0};

}  // namespace

// A number that threads wait for. Unlike std::atomic's wait, theirs does not yield before they sleep: on a busy machine, a
// thread that yields is without a CPU for a time slice of everybody else.
class Watched {
 public:
  unsigned read() const { return value_.load(std::memory_order_acquire); }
  void set(unsigned value) { value_.store(value, std::memory_order_relaxed); }
  unsigned add(unsigned difference) { return value_.fetch_add(difference) + difference; }

  /// Wakes those who sleep until the number changes, which it has.
  void wake() {
    if (asleep_.load() > 0) {
      syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    }
  }

  /// Waits until the number is no longer `old`: a short spin, as rounds may be shorter than a system call, then asleep.
  void await_change(unsigned old, int spins) {
    for (; spins > 0; spins--) {
      if (read() != old) {
        return;
      }
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    asleep_.fetch_add(1);  // in one order with what changes the number: who changes it sees this, or we its change
    while (value_.load() == old) {
      syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
    }
    asleep_.fetch_sub(1);
  }

 private:
  std::atomic<unsigned> value_{0};
  std::atomic<int> asleep_{0};
};

namespace {

// The CPUs of each thread, as VIOLET_PLACES gives them: "0,4;1,5" lets thread 0 run on CPUs 0 and 4, thread 1 on the
// others, thread 2 again on those of thread 0. Without it, threads run anywhere.
std::vector<cpu_set_t> read_places() {
  std::vector<cpu_set_t> places;
  const char* const list = std::getenv("VIOLET_PLACES");
  if (list == nullptr) {
    return places;
  }
  const char* const end = list + std::strlen(list);
  bool new_place = true;
  for (const char* next = list;; next++) {
    int cpu;
    const auto [stop, error] = std::from_chars(next, end, cpu);
    if (error != std::errc() || cpu < 0 || cpu >= CPU_SETSIZE || (*stop != ',' && *stop != ';' && *stop != '\0')) {
      fail(usage_error, "VIOLET_PLACES is no list of CPUs such as 0,4;1,5: '%s'", list);
    }
    if (new_place) {
      places.emplace_back();
      CPU_ZERO(&places.back());
    }
    CPU_SET(cpu, &places.back());
    if (stop == end) {
      return places;
    }
    new_place = *stop == ';';
    next = stop;
  }
}

}  // namespace

struct Workers::Implementation {
  using Task = void (*)(const void*, int, int);

  explicit Implementation(int size) : size(size), places(read_places()) {
    // With more threads than cores, a spinning thread would keep the one it waits for from running.
    spins = static_cast<unsigned>(size) <= std::thread::hardware_concurrency() ? 1000 : 0;
    if (!places.empty() && this_maker.teams++ == 0) {
      pthread_getaffinity_np(pthread_self(), sizeof this_maker.cpus_before, &this_maker.cpus_before);
    }
    pin(0);
    threads.reserve(static_cast<std::size_t>(size - 1));
    try {
      for (int thread = 1; thread < size; thread++) {
        threads.emplace_back([this, thread] { work(thread); });
      }
    } catch (...) {
      end();
      throw;
    }
  }

  ~Implementation() { end(); }

  // Ends the threads that there are.
  void end() {
    task = nullptr;
    start();
    for (std::thread& thread : threads) {
      thread.join();
    }
    if (!places.empty() && maker == this_thread && --this_maker.teams == 0) {
      pthread_setaffinity_np(pthread_self(), sizeof this_maker.cpus_before, &this_maker.cpus_before);
    }
  }

  // Binds the calling thread to its place; where that is no longer allowed, it goes on anywhere.
  void pin(int thread) {
    if (!places.empty()) {
      const cpu_set_t& place = places[static_cast<std::size_t>(thread) % places.size()];
      pthread_setaffinity_np(pthread_self(), sizeof place, &place);
    }
  }

  void start() {
    busy.set(static_cast<unsigned>(size - 1));
    generation.add(1);
    generation.wake();
  }

  void work(int thread) {
    pin(thread);
    for (unsigned seen = 0;; seen++) {
      generation.await_change(seen, spins);
      if (task == nullptr) {
        return;
      }
      task(argument, thread, size);
      if (busy.add(-1U) == 0) {
        busy.wake();
      }
    }
  }

  void finish() {
    for (unsigned left = busy.read(); left != 0; left = busy.read()) {
      busy.await_change(left, spins);
    }
  }

  const int size;
  const std::vector<cpu_set_t> places;
  const long maker = this_thread;
  int spins;
  Task task = nullptr;
  const void* argument = nullptr;
  alignas(128) Watched generation;  // tasks started so far
  alignas(128) Watched busy;        // workers not done with the current one
  std::vector<std::thread> threads;
};

Workers::Workers(int threads) {
  try {
    implementation_ = new Implementation(threads);
  } catch (const std::system_error&) {
    fail(no_resources, "cannot start %d threads: use fewer with --threads", threads);
  }
  use();
}

Workers::~Workers() {
  if (the_team == this) {
    the_team = nullptr;
  }
  delete implementation_;
}

Workers& Workers::team() { return *the_team; }

void Workers::use() { the_team = this; }

int Workers::size() const { return implementation_->size; }

void Workers::run(void (*task)(const void*, int, int), const void* argument) {
  implementation_->task = task;
  implementation_->argument = argument;
  chunks_given.store(0, std::memory_order_relaxed);  // before the others start, after they have ended the last one
  implementation_->start();
  task(argument, 0, implementation_->size);
  implementation_->finish();
}

bool next_chunk(Chunk& chunk, int items, int size) {
  // Chunks are counted, not items, so that the threads that come too late cannot make the counter overflow.
  const long long begin = static_cast<long long>(chunks_given.fetch_add(1, std::memory_order_relaxed)) * size;
  if (begin >= items) {
    return false;
  }
  chunk.begin = static_cast<int>(begin);
  chunk.end = items - chunk.begin < size ? items : chunk.begin + size;
  return true;
}

int chunk_size(int items) { return violet::chunk_size(items, Workers::team().size()); }

void lock() { the_mutex.lock(); }
void unlock() { the_mutex.unlock(); }

}  // namespace cpp
}  // namespace violet
