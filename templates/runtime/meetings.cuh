// How parts on several GPUs wait for each other between launches, and what is counted as communication.
#pragma once

#include "cuda.cuh"
#include "part_threads.hpp"

namespace violet {
inline namespace gpu {

inline Parameter latency("latency", 0,
                         "microseconds that every meeting of the parts takes longer, to see what that costs");

/// Tells where the kernels and copies of a round begin that are for other parts: until parts meet, what is counted is
/// communication.
inline void begin_sending() {
  if (counting != nullptr && counting->sending_since == 0) {
    wait_for_gpu();
    counting->sending_since = now();
  }
}

/// ... where parts tell others which of their vertices are reached.
inline void begin_telling() {
  begin_sending();
  if (counting != nullptr) {
    counting->telling = true;
  }
}

/// What all launches before left in the GPU's memory is there for everybody: waits for all parts to have come here.
inline void barrier_when_done() {
  wait_for_gpu();
  barrier();
}

/// Nanoseconds on a clock of the GPU.
__device__ inline unsigned long long gpu_nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// Keeps the calling thread, and what comes after it, for so many nanoseconds.
__device__ inline void linger(unsigned nanoseconds) {
  for (const unsigned long long start = gpu_nanoseconds(); gpu_nanoseconds() - start < nanoseconds;) {
  }
}

/// ... of a launch.
__global__ void hold_up(unsigned nanoseconds) { linger(nanoseconds); }

/// What --latency says, in nanoseconds. Fails if they are more than a second.
inline unsigned latency_in_nanoseconds() {
  constexpr double most = 1e6;
  if (latency > most) {
    fail(usage_error, "--latency %.9g: a meeting can take up to %.0f microseconds longer", latency.value, most);
  }
  return static_cast<unsigned>(latency * 1000);
}

/// An event that no time is taken of, once it is made on the GPU in use.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (event_ != nullptr) {
      cudaEventDestroy(event_);
    }
  }

  cudaEvent_t make() {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "create an event");
    return event_;
  }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// What is launched from now on follows all that every part has launched before; the host waits for no GPU.
inline void barrier_in_order() {
  static thread_local Event own;
  static thread_local Addresses<std::remove_pointer_t<cudaEvent_t>> events;
  const int here = my_number();
  if (events.of[here] == nullptr) {
    events = of_all(own.make());
  }
  check(cudaEventRecord(events.of[here], stream), "record an event");
  if (counting != nullptr) {
    wait_for_gpu();  // or the time would be counted as that of the next launches
    barrier();
  } else {
    barrier_at_once();
  }
  for (int part = 0; part < most_parts; part++) {
    if (events.of[part] != nullptr && part != here) {
      check(cudaStreamWaitEvent(stream, events.of[part]), "wait for another GPU");
    }
  }
  if (latency > 0 && counting == nullptr) {
    hold_up<<<1, 1, 0, stream>>>(latency_in_nanoseconds());
  }
}

}  // namespace gpu
}  // namespace violet
