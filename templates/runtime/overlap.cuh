// Rounds that send while they compute: the border of a part and its messages go to a second stream, the interior to the usual
// one. A round calls these functions in their order; what it launches in between goes to `stream`.
#pragma once

#include "meetings.cuh"

namespace violet {
inline namespace gpu {

/// Items ever appended to each half of a worklist, modulo 2^32.
struct Appended {
  unsigned on_border;
  unsigned inside;
};

/// The halves of a worklist: vertices on the border of a part, and those of its interior.
struct Halves {
  int on_border;  ///< items of the round
  int inside;
  Appended base;  ///< items appended when it began

  /// Makes what has been appended by now the items of the next round; returns how many these are.
  int count_appended(const Appended* now) {
    const auto [border_end, interior_end] = fetch(&now->on_border, &now->inside);
    on_border = static_cast<int>(border_end - base.on_border);
    inside = static_cast<int>(interior_end - base.inside);
    base = {border_end, interior_end};
    return on_border + inside;
  }
};

/// What a thread of the host needs for that.
struct Overlap {
  cudaStream_t other = nullptr;  ///< the second stream; while it is in use, the usual one
  Event begun;                   ///< what comes before the round is done,
  Event visited;                 ///< ... the border is,
  Event sent;                    ///< ... and its messages are there

  Overlap() {
    int lowest = 0;
    int highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "ask a GPU for the priorities of streams");
    // Blocks that send go before those of the interior, for which nobody waits.
    check(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, highest), "create a stream");
    for (Event* event : {&begun, &visited, &sent}) {
      event->make();
    }
  }
  Overlap(const Overlap&) = delete;
  Overlap& operator=(const Overlap&) = delete;
  ~Overlap() { cudaStreamDestroy(other); }
};

inline Overlap& overlap() {
  static thread_local Overlap made;
  return made;
}

/// The next launches are of the border; they follow all launches before.
inline void begin_border() {
  check(cudaEventRecord(overlap().begun, stream), "record an event");
  std::swap(stream, overlap().other);
  check(cudaStreamWaitEvent(stream, overlap().begun), "wait for a stream");
}

/// The next launches send it.
inline void end_border() { check(cudaEventRecord(overlap().visited, stream), "record an event"); }

/// The next launches are of the interior. They wait for the border: a kernel that fills the GPU would else be there before
/// those that send, and keep them waiting.
inline void begin_interior() {
  std::swap(stream, overlap().other);
  check(cudaStreamWaitEvent(stream, overlap().visited), "wait for a stream");
}

/// What comes next follows both. What is counted as communication is what the interior has not hidden.
inline void end_interior() {
  if (counting != nullptr) {
    wait_for_gpu();
    counting->sending_since = now();
  }
  check(cudaEventRecord(overlap().sent, overlap().other), "record an event");
  check(cudaStreamWaitEvent(stream, overlap().sent), "wait for a stream");
}

}  // namespace gpu
}  // namespace violet
