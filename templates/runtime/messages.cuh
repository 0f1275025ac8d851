// What parts on several GPUs tell each other: messages, and values in place, where their owners have them.
#pragma once

#include "meetings.cuh"

namespace violet {
inline namespace gpu {

/// A value for a vertex of another part, by its place among those that this part has copies of.
template <typename T>
struct Message {
  int index;
  T value;
};

/// A place for each thread that calls this, among those of the warp with the same key: for all of these, one thread adds
/// their count to a counter, by `add(count)`, which returns what it was.
template <typename Add>
__device__ int place_together(int key, Add add) {
  const unsigned lane = threadIdx.x % warp_size;
  const unsigned together = __match_any_sync(__activemask(), key);
  const int first = __ffs(static_cast<int>(together)) - 1;
  int place = 0;
  if (static_cast<int>(lane) == first) {
    place = add(__popc(together));
  }
  return __shfl_sync(together, place, first) + __popc(together & ((1u << lane) - 1));
}

/// A template, so that only programs have it whose messages are copied.
template <typename>
inline Parameter longer("longer", 1, "how often each message is copied, as if it were as many times as long",
                        Parameter::whole);

/// Copies an array, wherever the two are, once all launches before are done; the host does not wait.
template <typename T>
void take(T* to, const T* from, int count) {
  for (int i = 0; i < longer<std::void_t<T>> && count > 0; i++) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream), "send a message");
  }
}

/// Copies an array to where another part finds it, as `take` does.
template <typename T>
void send_to(T* to, const T* from, int count) {
  begin_sending();
  take(to, from, count);
}

// Relaxed operations of system scope, which volatile accesses are (PTX ISA, memory consistency model).

template <typename T>
__device__ T atomic_load_system(const T* variable) {
  return *static_cast<const volatile T*>(variable);
}

template <typename T>
__device__ void atomic_store_system(T* variable, std::type_identity_t<T> value) {
  *static_cast<volatile T*>(variable) = value;
}

/// [n - own] where the owner of each copy has its value, in what begins at `values` in the memory of each part.
template <typename T>
HostArray<T*> places_at_owners(const Part& part, const Addresses<T>& values) {
  HostArray<T*> places(part.n - part.own);
  for (int owner = 0; owner < part.parts; owner++) {
    for (int copy = part.copies.begin[owner]; copy < part.copies.begin[owner + 1]; copy++) {
      places[copy - part.own] = values.of[owner] + part.numbers_there[copy - part.own];
    }
  }
  return places;
}

/// Makes a number in the memory of each part the sum of all; exact up to 2^53.
template <typename T>
void sum_up(T* number) {
  const T sum = static_cast<T>(total(static_cast<double>(fetch(number))));
  upload(number, &sum, 1);
}

/// The messages that come to a part where they are as many every time, by the part that sends them: a value for each halo
/// vertex or for each copy, or words with a bit for each halo vertex.
template <typename State>
Bounds messages_each_time(const State& s, const Part& part) {
  if constexpr (!requires { s.inbox; }) {
    return part.copies;
  } else {
    return std::is_same_v<decltype(s.inbox), unsigned*> ? in_words(part.halo) : part.halo;
  }
}

/// Adds the messages that have come to a part, or the words that tell which of its copies are reached.
template <typename State>
void count_received(Count& count) {
  const State& s = *static_cast<const State*>(count.state);
  const Part& part = *count.part;
  if (count.telling) {
    const Bounds words = in_words(part.copies);
    for (int p = 0; p < part.parts; p++) count.told[p] += words.begin[p + 1] - words.begin[p];
  } else if constexpr (requires { s.inbox_sizes; }) {
    const auto sizes = fetch_array(s.inbox_sizes, part.parts);
    for (int p = 0; p < part.parts; p++) count.received[p] += sizes[p];
  } else {
    const Bounds bounds = messages_each_time(s, part);
    for (int p = 0; p < part.parts; p++) count.received[p] += bounds.begin[p + 1] - bounds.begin[p];
  }
}

}  // namespace gpu
}  // namespace violet
