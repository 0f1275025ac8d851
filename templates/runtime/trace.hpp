// What a program that is written for `violet trace` records: a line for each round of the last solve, as CSV.
#pragma once

#include <chrono>
#include <cstdio>

#include "violet.hpp"

#ifndef __CUDACC__
#include <atomic>
#endif

namespace violet {

#ifdef __CUDACC__

using EdgeSum = unsigned long long;

inline EdgeSum* make_edge_sum(Memory& memory) { return memory.allocate<EdgeSum>(1); }
inline void start(EdgeSum* sum) { clear(sum); }
inline long long number(const EdgeSum* sum) { return static_cast<long long>(fetch(sum)); }
inline void finish_launches() { wait_for_gpu("finish a round"); }

__device__ inline void count_edges(EdgeSum* sum, long long edges) {
  if (edges > 0) {
    ::atomicAdd(sum, static_cast<EdgeSum>(edges));
  }
}

#define VIOLET_IN_KERNEL __device__

#else

/// A sum over threads, each of which adds to a number of its own.
struct EdgeSum {
  struct alignas(128) Own {
    long long edges;
    Own* next;
  };
  std::atomic<Own*> first{nullptr};  // they stay when their threads end

  Own* add_thread() {
    Own* const own = new Own{0, first.load()};
    while (!first.compare_exchange_weak(own->next, own)) {
    }
    return own;
  }
};

template <typename Memory>
EdgeSum* make_edge_sum(Memory&) {
  static EdgeSum sum;
  return &sum;
}
inline void start(EdgeSum* sum) {
  for (EdgeSum::Own* own = sum->first; own != nullptr; own = own->next) {
    own->edges = 0;
  }
}
inline long long number(const EdgeSum* sum) {
  long long edges = 0;
  for (const EdgeSum::Own* own = sum->first; own != nullptr; own = own->next) {
    edges += own->edges;
  }
  return edges;
}
inline void finish_launches() {}

inline void count_edges(EdgeSum* sum, long long edges) {
  thread_local EdgeSum::Own* own = nullptr;
  if (own == nullptr) {
    own = sum->add_thread();
  }
  own->edges += edges;
}

#define VIOLET_IN_KERNEL

#endif

/// Counts edges in a variable of the thread, and adds them up when it ends.
struct EdgeCount {
  VIOLET_IN_KERNEL explicit EdgeCount(EdgeSum* sum) : sum(sum) {}
  VIOLET_IN_KERNEL ~EdgeCount() { count_edges(sum, edges); }

  EdgeSum* sum;
  int edges = 0;
};

/// The file, which holds the rounds of one solve: the next one begins it anew.
class Trace {
 public:
  Trace() = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() { close(); }

  /// @param filters  whether the worklist of a round may come about in several ways
  void begin_solve(bool filters = false) {
    if (option_.file == nullptr) return;
    close();
    file_ = std::fopen(option_.file, "w");
    if (file_ == nullptr) fail(no_resources, "cannot write %s", option_.file);
    std::fprintf(file_, "round,direction,frontier,edges,seconds%s\n", filters ? ",filter" : "");
    filters_ = filters;
    round_ = 0;
  }

  void begin_round(long long frontier, const char* direction, EdgeSum* looked_at) {
    frontier_ = frontier;
    direction_ = direction;
    filter_ = "";
    turned_ = false;
    start(looked_at);
    finish_launches();
    began_ = std::chrono::steady_clock::now();
  }

  /// A round that goes the other way than others of its flow leaves no worklist.
  void turn(const char* direction) {
    direction_ = direction;
    turned_ = true;
  }
  void filter(const char* way) { filter_ = turned_ ? "" : way; }

  void end_round(const EdgeSum* looked_at, bool needed = true) {
    finish_launches();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
    if (!needed || file_ == nullptr) return;
    round_++;
    std::fprintf(file_, "%d,%s,%lld,%lld,%.9f%s%s\n", round_, direction_, frontier_, number(looked_at), seconds.count(),
                 filters_ ? "," : "", filter_);
  }

 private:
  void close() {
    if (file_ != nullptr) std::fclose(file_);
    file_ = nullptr;
  }

  Parameter option_{"trace", "rounds of the last solve, as CSV"};
  std::FILE* file_ = nullptr;
  int round_ = 0;
  long long frontier_ = 0;
  const char* direction_ = "";
  bool turned_ = false;
  bool filters_ = false;
  const char* filter_ = "";
  std::chrono::steady_clock::time_point began_;
};

inline Trace trace;  // made before `main`, so that its option is known

}  // namespace violet
