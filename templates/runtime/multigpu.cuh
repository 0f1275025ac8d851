// CUDA programs on several GPUs. The graph is divided into parts, and a thread of the host solves each of them on a GPU as
// if it were alone, but for the messages between parts and for the question whether all are done.
#pragma once

#include <algorithm>

#include "cuda.cuh"
#include "parts.hpp"

namespace violet {
inline namespace gpu {

inline Parameter gpus("gpus", 0, "GPUs to use; 0 stands for all that there are", Parameter::whole);
inline Parameter parts("parts", 0,
                       "parts of the graph, several on a GPU if there are more of them; 0 stands for one each",
                       Parameter::whole);
inline Parameter latency("latency", 0,
                         "microseconds that every meeting of the parts takes longer, to see what that costs");
inline Parameter owners_file("partition", "part of each vertex, one a line, in place of the program's own partition");

/// A value for a vertex of another part, by its place among those that this part has copies of.
template <typename T>
struct Message {
  int index;
  T value;
};

/// Words that so many values smaller than one may have part in, wherever they begin.
template <typename T>
__host__ __device__ constexpr int words_for(int count) {
  return count / static_cast<int>(sizeof(unsigned) / sizeof(T)) + 2;
}

/// Writes value(i) to to[i], for those of `count` values that are in a word, the w-th of these. It takes one store, or one for
/// each value at either end, where others have the rest of the word.
template <typename T, typename Value>
__device__ void write_word(T* to, int count, int w, Value value) {
  constexpr int bits = 8 * sizeof(T);
  constexpr int in_word = sizeof(unsigned) / sizeof(T);
  const int first = w * in_word - static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % sizeof(unsigned) / sizeof(T));
  if (first >= 0 && first + in_word <= count) {
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < in_word; k++) {
      word |= static_cast<unsigned>(value(first + k)) << (k * bits);
    }
    *reinterpret_cast<unsigned*>(to + first) = word;
  } else {
    for (int i = max(first, 0); i < min(first + in_word, count); i++) {
      to[i] = value(i);
    }
  }
}

/// A part's share of items that have numbers: as many that follow each other for each part.
struct Stretch {
  int first;
  int size;

  static Stretch of(std::int64_t items, const Part& part) {
    const auto begin = equal_shares(items, part.parts).begin;
    return {begin[part.number], begin[part.number + 1] - begin[part.number]};
  }
  /// The i-th of them.
  __device__ int operator[](int i) const { return first + i; }
};

/// A part's share of items that have numbers: in every turn, each part gets a chunk of those that come next, at random. So
/// shares are equal even if some stretches take longer, and what a block visits still follows each other.
struct Chunks {
  static constexpr int length = block_size;
  int part;
  int parts;
  int size;

  static Chunks of(std::int64_t items, const Part& part) {
    Chunks chunks = {part.number, part.parts, 0};
    const int each_turn = part.parts * length;
    const int turns = static_cast<int>(items / each_turn);
    const int left = static_cast<int>(items % each_turn) - chunks.place(turns) * length;
    chunks.size = turns * length + std::clamp(left, 0, length);
    return chunks;
  }
  /// The i-th of them.
  __device__ int operator[](int i) const {
    const int turn = i / length;
    return (turn * parts + place(turn)) * length + i % length;
  }

 private:
  /// Which of the chunks of a turn is this part's.
  VIOLET_HOST_DEVICE int place(unsigned turn) const {
    return static_cast<int>((part + (turn * 0x9e3779b1u >> 16)) % parts);
  }
};

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
inline void meet_when_done() {
  wait_for_gpu();
  meet();
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
inline void meet_in_order() {
  static thread_local Event own;
  static thread_local Addresses<std::remove_pointer_t<cudaEvent_t>> events;
  const int here = my_number();
  if (events.of[here] == nullptr) {
    events = of_all(own.make());
  }
  check(cudaEventRecord(events.of[here], stream), "record an event");
  if (counting != nullptr) {
    wait_for_gpu();  // or the time would be counted as that of the next launches
    meet();
  } else {
    meet_at_once();
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

/// Where a kernel that runs all rounds meets those of other parts; in the memory of its GPU. Numbers last for 2^27 rounds, half
/// an hour of them.
struct Gate {
  unsigned flags[4][most_parts];  ///< each part's meeting, and what it says; four in a row have places of their own
  unsigned long long numbers[2][most_parts][2];  ///< what parts add up; rounds take turns
  unsigned long long sums[2];                    ///< of these
  alignas(128) unsigned conclusion;              ///< what the block that came last tells the others
  unsigned asked;                  ///< twice the nanoseconds that a meeting is to take longer; 1 more: to be counted
  const int* inbox_sizes;          ///< of the two inboxes; null where messages are as many each time
  unsigned exchanges;              ///< rounds in which parts have sent each other messages ...
  unsigned tellings;               ///< ... or which of their vertices are reached
  long long received[most_parts];  ///< messages of the sizes above, by the part that sent them
  unsigned long long waiting;      ///< nanoseconds from the own flag of a meeting to those of all
};

/// The gates of all parts, and the number of this one.
struct Gates : Addresses<Gate> {
  int part;
  int parts;
};

/// Threads that share work: the group of the calling one, its number in that, and how many there are. Groups share out the
/// parts, so that a block that is alone waits for memory once for all parts and not for one after the other.
struct Threads {
  int group;
  int groups;
  int first;
  int stride;

  __device__ static Threads of_block(int parts) {
    static_assert(block_size / most_parts >= warp_size);  // a group has whole warps
    int groups = 1;
    while (groups < parts) {
      groups *= 2;
    }
    const int each = static_cast<int>(blockDim.x) / groups;
    const int number = static_cast<int>(threadIdx.x);
    return {number / each, groups, number % each, each};
  }
  __device__ static Threads of_grid() {
    return {0, 1, static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x), static_cast<int>(gridDim.x * blockDim.x)};
  }
};

// Relaxed operations of system scope, which volatile accesses are (PTX ISA, memory consistency model).

template <typename T>
__device__ T atomic_load_system(const T* variable) {
  return *static_cast<const volatile T*>(variable);
}

template <typename T>
__device__ void atomic_store_system(T* variable, std::type_identity_t<T> value) {
  *static_cast<volatile T*>(variable) = value;
}

// What releases to blocks of this GPU, and what acquires from other GPUs (see acquire_when).

__device__ inline void atomic_store_release(unsigned* variable, unsigned value) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(variable), "r"(value) : "memory");
}

__device__ inline unsigned atomic_load_acquire_system(const unsigned* variable) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(variable) : "memory");
  return value;
}

/// Counts this block in where all blocks of the grid meet; returns whether it is the last one. That one sees what all wrote
/// before, and has to tell a conclusion, which the others wait for.
__device__ inline bool comes_last(unsigned* arrivals) {
  bool last = false;
  __syncthreads();
  if (threadIdx.x == 0) {
    last = is_last(arrive(arrivals));
  }
  return __syncthreads_or(last) != 0;
}

/// Tells a conclusion; what all threads of this block wrote before, or saw of others, is seen by who knows it. Conclusions
/// only get larger.
__device__ inline void conclude(Gate& gate, unsigned conclusion) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomic_store_release(&gate.conclusion, conclusion);
  }
}

/// Waits for a conclusion that is no smaller, and returns it.
__device__ inline unsigned wait_for_conclusion(const Gate& gate, unsigned smallest) {
  __shared__ unsigned conclusion;
  if (threadIdx.x == 0) {
    conclusion = acquire_when(&gate.conclusion, [&](unsigned told) { return told >= smallest; });
  }
  __syncthreads();
  return conclusion;  // before the next one is waited for, all threads of the block meet
}

/// Meets the kernels of other parts; one block of each grid does, to which all others have come. What any of them wrote
/// before, wherever, is seen by this block after, and by who knows its conclusion. Returns which of two bits any part says.
/// Each round may have two meetings, and has the same as the one before: 2 * round and the one after. No flag is overwritten
/// before it was read: a part that writes its flag of the next round but one has met the others in between, and they had
/// read it by then.
__device__ inline unsigned meet_others(const Gates& gates, unsigned meeting, unsigned says) {
  static_assert(most_parts <= block_size);
  Gate& own = *gates.of[gates.part];
  const unsigned asked = own.asked;
  const unsigned long long start = asked % 2 != 0 ? gpu_nanoseconds() : 0;
  __syncthreads();
  if (const int p = threadIdx.x; p < gates.parts) {  // a thread for each part, so that flags are under way at a time
    atomic_store_release_system(&gates.of[p]->flags[meeting % 4][gates.part], 4 * meeting + says);
    unsigned flag = atomic_load_acquire_system(&own.flags[meeting % 4][p]);
    while (flag / 4 != meeting) {
      flag = atomic_load_acquire_system(&own.flags[meeting % 4][p]);
    }
    says = flag % 4;
    if (asked > 1) linger(asked / 2);
  } else {
    says = 0;
  }
  __syncwarp();  // where nobody needs the result, nvcc 13.0 has a warp vote that is still apart: an illegal instruction
  says = (__syncthreads_or(says & 1) != 0 ? 1 : 0) + (__syncthreads_or(says & 2) != 0 ? 2 : 0);
  if (threadIdx.x == 0 && asked % 2 != 0) {
    own.waiting += gpu_nanoseconds() - start;
  }
  return says;
}

/// What is in a conclusion besides the meeting and what parts say there, in the order in which a meeting has them.
enum : unsigned { all_send = 4, all_receive = 8, all_go_on = 12 };

/// Sends the messages of a round, meets other parts, and receives theirs. Before any block sends, all have to have computed;
/// before parts meet, to have sent; before the next round, to have received. That takes a single barrier where messages are
/// few: the block that comes last sends, meets and receives, and the others wait for its conclusion alone. Where they are
/// many, all blocks share the work, and come to another barrier after it. Returns what parts say, see meet_others.
template <auto sends_few, auto send, auto gets_few, auto receive, typename State>
__device__ unsigned exchange(const State& s, const Gates& gates, unsigned* arrivals, unsigned says) {
  Gate& gate = *gates.of[gates.part];
  const unsigned meeting = 2u * s.round;
  unsigned conclusion = 16 * meeting;
  bool alone = comes_last(arrivals);
  if (!alone) {
    conclusion = wait_for_conclusion(gate, 16 * meeting + all_send);
  } else if (!sends_few(s)) {
    conclusion = 16 * meeting + all_send;
    conclude(gate, conclusion);
    alone = false;
  }
  if (alone || conclusion < 16 * meeting + all_receive) {
    send(s, alone ? Threads::of_block(gates.parts) : Threads::of_grid());
    if (!alone) {
      alone = comes_last(arrivals);
      if (!alone) conclusion = wait_for_conclusion(gate, 16 * meeting + all_receive);
    }
  }
  if (alone) {
    says = meet_others(gates, meeting, says);
    if (threadIdx.x == 0 && gate.asked % 2 != 0) {
      gate.exchanges++;
      for (int p = 0; gate.inbox_sizes != nullptr && p < gates.parts; p++) {
        gate.received[p] += gate.inbox_sizes[s.round % 2 * gates.parts + p];
      }
    }
    alone = gets_few(s);
    conclusion = 16 * meeting + (alone ? all_go_on : all_receive) + says;
    if (!alone) conclude(gate, conclusion);
  }
  if (alone || conclusion < 16 * meeting + all_go_on) {
    receive(s, alone ? Threads::of_block(gates.parts) : Threads::of_grid());
    if (alone) {
      conclude(gate, conclusion);
    } else {
      wait_for_grid(arrivals);
    }
  }
  return conclusion % 4;
}

/// Waits for all blocks of this grid and of those of the other parts, once all have told each other what they have reached.
__device__ inline void meet_in_kernel(const Gates& gates, unsigned* arrivals, int round) {
  Gate& gate = *gates.of[gates.part];
  const unsigned meeting = 2u * round;
  if (comes_last(arrivals)) {
    meet_others(gates, meeting, 0);
    if (threadIdx.x == 0 && gate.asked % 2 != 0) {
      gate.tellings++;
    }
    conclude(gate, 16 * meeting + all_go_on);
  } else {
    wait_for_conclusion(gate, 16 * meeting + all_go_on);
  }
}

/// Makes up to two numbers of this part, which all its threads know, the sums over all parts: the second meeting of a round.
/// What is added up here was counted by all, and what is found there was added up by one block: so all parts have the same
/// sums, and none waits for what another one makes of them.
template <typename... Numbers>
__device__ void add_up_over_parts(const Gates& gates, unsigned* arrivals, int round, Numbers&... numbers) {
  static_assert(sizeof...(numbers) <= 2);
  Gate& gate = *gates.of[gates.part];
  const unsigned meeting = 2u * round + 1;
  if (comes_last(arrivals)) {
    if (const int p = threadIdx.x; p < gates.parts) {
      unsigned long long* place = gates.of[p]->numbers[round % 2][gates.part];
      ((*place++ = numbers), ...);
    }
    meet_others(gates, meeting, 0);
    if (threadIdx.x < sizeof...(numbers)) {
      unsigned long long sum = 0;
      for (int p = 0; p < gates.parts; p++) {
        sum += gate.numbers[round % 2][p][threadIdx.x];
      }
      gate.sums[threadIdx.x] = sum;
    }
    conclude(gate, 16 * meeting + all_go_on);
  } else {
    wait_for_conclusion(gate, 16 * meeting + all_go_on);
  }
  const unsigned long long* sum = gate.sums;
  ((numbers = *sum++), ...);
}

/// The messages that come to a part where they are as many every time, by the part that sends them: a value for each lent
/// vertex or for each copy, or words with a bit for each lent vertex.
template <typename State>
Bounds messages_each_time(const State& s, const Part& part) {
  if constexpr (!requires { s.inbox; }) {
    return part.copies;
  } else {
    return std::is_same_v<decltype(s.inbox), unsigned*> ? in_words(part.lent) : part.lent;
  }
}

/// Runs a kernel that meets those of other parts. All have to be on the GPUs at the same time: parts that share a GPU share
/// the blocks that it holds. Returns the state that the kernel leaves at `after`.
template <auto kernel, typename State>
State run_side_by_side(State state, const State* after) {
  const int sharing = (static_cast<int>(parts) - 1) / static_cast<int>(gpus) + 1;
  const int held = held_blocks<kernel>();  // this loads the kernel, too, which must not be left to its launch
  wait_for_gpu();  // when all have met here, no part has yet to clear what another one's kernel writes to
  if (anywhere(held < sharing)) {
    if (my_number() == 0) {
      fail(no_resources, "%d parts on a GPU have to run at the same time, but it holds %d blocks: use fewer --parts",
           sharing, held);
    }
    meet();  // until the program ends
  }
  const unsigned asked = 2 * latency_in_nanoseconds() + (counting != nullptr ? 1 : 0);
  if (asked > 0) {
    upload(&state.gate->asked, &asked, 1);
  }
  if (counting != nullptr) {
    if constexpr (requires { state.inbox_sizes; }) {
      const int* const sizes = state.inbox_sizes;
      upload(&state.gate->inbox_sizes, &sizes, 1);
    }
  }
  launch_cooperatively<kernel>(state, odd_number(held / sharing));
  wait_for_gpu();
  state = *after;
  if (counting != nullptr) {
    const auto gate = fetch_array(state.gate, 1);
    if constexpr (requires { state.inbox_sizes; }) {
      std::copy_n(gate[0].received, most_parts, counting->received);
    } else {
      const auto begin = messages_each_time(state, *counting->part).begin;
      for (int p = 0; p < static_cast<int>(parts); p++) {
        counting->received[p] = static_cast<long long>(gate[0].exchanges) * (begin[p + 1] - begin[p]);
      }
    }
    const Bounds words = in_words(counting->part->copies);
    for (int p = 0; p < static_cast<int>(parts); p++) {
      counting->told[p] = static_cast<long long>(gate[0].tellings) * (words.begin[p + 1] - words.begin[p]);
    }
    counting->waiting += gate[0].waiting * 1e-9;
    counting->communicating = -1;  // a kernel that runs all rounds sends while it computes
  }
  return state;
}

/// Makes a number in the memory of each part the sum of all; exact up to 2^53.
template <typename T>
void sum_up(T* number) {
  const T sum = static_cast<T>(total(static_cast<double>(fetch(number))));
  upload(number, &sum, 1);
}

/// What messages are rounded to parts of, where parts have to agree on it since they add up messages of all of them.
struct Scale {
  float told;  ///< no number was larger that the messages tell which are added up in an iteration
  float next;  ///< ... and those which are made in it

  void start(double first) { told = next = static_cast<float>(first); }
};

/// Ends an iteration: returns the change of all ranks, and has the scale follow the largest number that is to be told. One
/// kernel brings both to the host, and parts meet once.
template <typename State>
double total_and_scale(State& s) {
  const auto [change_here, largest_here] = fetch(s.change, s.largest + s.round + 1);
  const Totals of_all = totals(change_here, largest_here);
  s.scale.told = s.scale.next;
  s.scale.next = static_cast<float>(of_all.largest);
  return of_all.sum;
}

/// Sets the values of an array to zero.
template <typename T>
void clear(T* array, int count) {
  check(cudaMemsetAsync(array, 0, count * sizeof(T), stream), "clear GPU memory");
}

/// Copies an array, wherever the two are, once all launches before are done; the host does not wait.
template <typename T>
void take(T* to, const T* from, int count) {
  if (count > 0) {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream), "send a message");
  }
}

/// Copies an array to where another part finds it, as `take` does.
template <typename T>
void carry(T* to, const T* from, int count) {
  begin_sending();
  take(to, from, count);
}

/// Lets the GPU in use reach the memory of the others directly, where the machine can: copies take a short way then, too.
inline void open_peers() {
  const int here = current_device();
  for (int device = 0; device < static_cast<int>(gpus); device++) {
    int can = 0;
    if (device != here && cudaDeviceCanAccessPeer(&can, here, device) == cudaSuccess && can != 0) {
      cudaDeviceEnablePeerAccess(device, 0);
      cudaGetLastError();  // that it was enabled already
    }
  }
}

/// Where other parts have something, for a kernel that reaches for it there.
template <typename T>
Addresses<T> in_reach(const Addresses<T>& addresses) {
  const int here = current_device();
  for (int device = 0; device < static_cast<int>(gpus); device++) {
    int can = 1;
    if (device != here) {
      check(cudaDeviceCanAccessPeer(&can, here, device), "ask a GPU about its peers");
    }
    if (can == 0) {
      fail(no_resources, "GPU %d cannot reach the memory of GPU %d; the style staged does without", here, device);
    }
  }
  return addresses;
}

/// The gates of all parts, for the kernel of one.
inline Gates gates_in_reach(Gate* own, const Part& part) { return {in_reach(of_all(own)), part.number, part.parts}; }

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

/// Sets the numbers of GPUs and of parts, where they were left open.
inline void choose_places() {
  int there = 0;
  check(cudaGetDeviceCount(&there), "find a GPU");
  if (static_cast<int>(gpus) > there) {
    fail(no_resources, "--gpus %d, but there are %d; with --gpus %d --parts %d, parts share GPUs",
         static_cast<int>(gpus), there, there, static_cast<int>(gpus));
  }
  if (gpus < 1) gpus.value = std::min(there, parts < 1 ? most_parts : static_cast<int>(parts));
  if (parts < 1) parts.value = gpus;
  if (parts > most_parts || parts < gpus) {
    fail(usage_error, "--parts %d: there can be as many as GPUs, here %d, up to %d", static_cast<int>(parts),
         static_cast<int>(gpus), most_parts);
  }
  if (parts > gpus) {  // nothing is timed
    gives_way = true;
    for (int gpu = 0; gpu < static_cast<int>(gpus); gpu++) {
      check(cudaSetDevice(gpu), "use a GPU");
      check(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "set up a GPU");
    }
  }
}

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

/// The GPU that solves a part.
inline int gpu_of(int part) { return part % static_cast<int>(gpus); }

/// The streams of parts. In the default stream, a copy to another GPU would begin when both had done all that they were given
/// before, and what they are given next would wait for it.
inline cudaStream_t streams[most_parts];

/// The stream of a part, whose GPU is in use.
inline cudaStream_t stream_of(int part) {
  if (streams[part] == nullptr) {
    check(cudaStreamCreateWithFlags(&streams[part], cudaStreamNonBlocking), "create a stream");
  }
  return streams[part];
}

/// What comes after that begins with another stream.
inline void end_stream_of(int part) {
  if (streams[part] != nullptr) {
    cudaStreamDestroy(std::exchange(streams[part], nullptr));
  }
}

/// Has the calling thread use that GPU.
inline void use_gpu_of(int part) { check(cudaSetDevice(gpu_of(part)), "use a GPU"); }

/// ... and the stream.
inline void work_for(int part) {
  use_gpu_of(part);
  stream = stream_of(part);
}

/// Binds a program to a graph as StateSolver does, in parts.
template <Copies copies, Partition partition, auto prepare_part, auto solve_part, auto... results>
class PartsSolver final : public Solver {
 public:
  PartsSolver(Algorithm algorithm, const Graph& graph)
      : count_((choose_places(), parts)),
        division_(graph, count_, copies, partition, owners_file.file),
        team_(count_, gpus, latency_in_nanoseconds() * 1e-9) {
    for (std::size_t i = 0; i < sizeof...(results); i++) {
      sizes_[i] = violet::result_size(algorithm, i, graph);
    }
    check_memory(graph);
    others_read = static_cast<int>(gpus) > 1;
    team_.run([&](int part) {
      work_for(part);
      open_peers();
      bound_[part].memory = new Memory;
      bound_[part].state = prepare_part(division_[part], *bound_[part].memory);
    });
  }
  ~PartsSolver() override {
    for (int part = 0; part < count_; part++) {
      delete bound_[part].memory;
      end_stream_of(part);
    }
  }

  Run solve(const Query& query) override { return solve_parts(query, nullptr); }

  Run solve_counted(const Query& query) override {
    Count counts[most_parts];
    for (int part = 0; part < count_; part++) {
      counts[part].receive = count_received<State>;
      counts[part].part = &division_[part];
      counts[part].state = &bound_[part].state;
    }
    const Run run = solve_parts(query, counts);
    for (int part = 0; part < count_; part++) {
      PartAccount& account = accounts_[part];
      const Count& count = counts[part];
      account.gpu = gpu_of(part);
      account.edges = edges_of(division_[part]);
      account.memory_bytes = bound_[part].memory->bytes();
      account.items_sent = 0;
      account.communicating = count.communicating;
      account.waiting = count.waiting;
      account.computing = std::max(count.seconds - count.waiting - std::max(count.communicating, 0.0), 0.0);
      if constexpr (requires(State s) { s.inboxes; }) {
        long long words = 0;
        for (int other = 0; other < count_; other++) {
          account.items_sent += counts[other].received[part];
          words += counts[other].told[part];
        }
        account.bytes_sent = account.items_sent * static_cast<long long>(sizeof(*std::declval<State>().inboxes.of[0])) +
                             words * static_cast<long long>(sizeof(unsigned));
        account.items_sent += words;
      } else {  // kernels reach for values while they compute
        account.items_sent = account.bytes_sent = -1;
        account.communicating = -1;
      }
    }
    counted_ = count_;
    return run;
  }

  bool divided() const override { return true; }
  PartAccounts accounts() const override { return {accounts_, counted_}; }

  void scrub(unsigned word) override {
    team_.run([&](int part) {
      work_for(part);
      bound_[part].memory->for_each_working([word](void* array, std::size_t bytes) { overwrite(array, bytes, word); });
      std::size_t i = 0;
      ((overwrite(bound_[part].state.*results, held(part, i++) * sizeof(*(bound_[part].state.*results)), no_result)),
       ...);
    });
  }

  void copy_result(std::size_t index, void* values) const override {
    std::size_t i = 0;
    ((i++ == index ? collect(results, sizes_[index], values) : void()), ...);
  }

  std::size_t result_size(std::size_t index) const override { return sizes_[index]; }

  std::size_t memory_bytes() const override {
    std::size_t bytes = 0;
    for (int part = 0; part < count_; part++) {
      bytes += bound_[part].memory->bytes();
    }
    return bytes;
  }

  using State = decltype(prepare_part(std::declval<const Part&>(), std::declval<Memory&>()));
  static constexpr Element elements[] = {element_of<std::remove_reference_t<decltype(*(State{}.*results))>>()...};
  static constexpr bool needs_sources() {
    return requires(State s) { s.sources; };
  }
  /// See Program.
  static constexpr bool wide() {
    if constexpr (requires(State s) { s.row_offsets; }) {
      return std::is_same_v<decltype(State::row_offsets), const std::int64_t*>;
    }
    return false;
  }

 private:
  struct Bound {
    Memory* memory = nullptr;
    State state = {};
  };

  /// Counts the bytes that each part of a division will hold.
  static void count_bytes(const Division& division, Team& team, std::size_t* bytes) {
    team.run([&](int part) {
      use_gpu_of(part);
      CountedMemory memory;
      prepare_part(division[part], memory);
      bytes[part] = memory.bytes();
    });
  }

  /// Refuses a graph that does not fit into the memory of the GPUs.
  void check_memory(const Graph& graph) {
    const int used = std::min(static_cast<int>(gpus), count_);
    std::size_t of_part[most_parts];
    std::size_t needed[most_parts];
    std::size_t available[most_parts];
    count_bytes(division_, team_, of_part);
    add_up(of_part, used, needed);
    bool fits = true;
    for (int gpu = 0; gpu < used; gpu++) {
      std::size_t all = 0;
      use_gpu_of(gpu);
      check(cudaMemGetInfo(&available[gpu], &all), "ask a GPU for its memory");
      fits = fits && needed[gpu] <= available[gpu];
    }
    if (!fits) {
      const std::size_t least = *std::min_element(available, available + used);
      const int enough =
          owners_file.file != nullptr ? enough_for(of_part, used, least) : enough_gpus(graph, used, least);
      refuse_memory(used, needed, available, enough);
    }
  }

  /// Adds up what each of so many GPUs has to hold, as parts are dealt out in turn.
  void add_up(const std::size_t* of_part, int count, std::size_t* needed) const {
    std::fill_n(needed, count, 0);
    for (int part = 0; part < count_; part++) {
      needed[part % count] += of_part[part];
    }
  }

  /// How many GPUs, more than so many, have to have so many bytes each for the parts that a file says; -1: more than parts.
  int enough_for(const std::size_t* of_part, int more_than, std::size_t available) const {
    for (int count = more_than + 1; count <= count_; count++) {
      std::size_t needed[most_parts];
      add_up(of_part, count, needed);
      if (*std::max_element(needed, needed + count) <= available) {
        return count;
      }
    }
    return -1;
  }

  /// How many GPUs, more than so many, have to have so many bytes each for a part on each; 0: more than can be.
  static int enough_gpus(const Graph& graph, int more_than, std::size_t available) {
    for (int count = more_than + 1; count <= most_parts; count++) {
      const Division division(graph, count, copies, partition);
      Team team(count, count);
      std::size_t needed[most_parts];
      count_bytes(division, team, needed);
      if (*std::max_element(needed, needed + count) <= available) {
        return count;
      }
    }
    return 0;
  }

  /// Solves all parts. The time is from when the first of them begins until all are known to be done.
  ///
  /// @param counts  of each part, or null
  Run solve_parts(const Query& query, Count* counts) {
    Run run = {};
    double begin[most_parts];
    double end[most_parts];
    team_.run([&](int part) {
      work_for(part);
      Count* const count = counts != nullptr ? &counts[part] : nullptr;
      const Run of_part = solve_here(part, query, count, begin[part], end[part]);
      if (part == 0) {
        run = of_part;
      }
    });
    run.seconds = *std::min_element(end, end + count_) - *std::min_element(begin, begin + count_);
    return run;
  }

  /// Solves a part.
  Run solve_here(int part, const Query& query, Count* count, double& begin, double& end) {
    Run run = {};
    Query here = query;
    here.source = division_.find(part, query.source);
    cudaEvent_t first;
    check(cudaEventCreate(&first), "create an event");
    meet_when_done();
    begin = now();
    check(cudaEventRecord(first, stream), "record an event");
    counting = count;
    run.rounds = solve_part(bound_[part].state, here);
    meet_when_done();
    counting = nullptr;
    end = now();
    run.preprocessing_seconds = preprocessing_since(first);
    check(cudaEventDestroy(first), "destroy an event");
    if (count != nullptr) {
      count->seconds = end - begin;
    }
    return run;
  }

  /// Directed edges that a part visits.
  static std::int64_t edges_of(const Part& part) {
    if constexpr (partition == nullptr) {
      return decltype(State::own)::of(part.m, part).size;
    } else {
      return part.own_edges;
    }
  }

  /// Elements of a result that a part holds.
  std::size_t held(int part, std::size_t index) const {
    return copies == Copies::whole ? sizes_[index] : static_cast<std::size_t>(division_[part].n);
  }

  /// Copies results of the parts' own vertices to their places in the whole; or all of them, which every part has.
  template <typename T>
  void collect(T* State::* result, std::size_t size, void* values) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);  // see put_in_place
    HostArray<T> own[most_parts];
    team_.run([&](int part) {
      work_for(part);
      const T* const array = bound_[part].state.*result;
      if (copies != Copies::whole) {
        own[part] = fetch_array(array, division_[part].own);
      } else if (part == 0) {
        copy_values(values, array, size * sizeof(T));
      }
    });
    for (int part = 0; copies != Copies::whole && part < count_; part++) {
      division_.put_in_place(part, own[part].get(), sizeof(T), values);
    }
  }

  std::size_t sizes_[sizeof...(results)];
  int count_;
  Division division_;
  mutable Team team_;  ///< which parts' threads work is not what a solver is
  Bound bound_[most_parts];
  PartAccount accounts_[most_parts] = {};
  int counted_ = 0;
};

/// Main function of a program for several GPUs, bound to graphs by a PartsSolver.
template <typename Bound>
int run_bound(const char* name, Algorithm algorithm, int argc, char** argv) {
  Program program = {
      name,
      algorithm,
      Model::multigpu,
      Bound::elements,
      [](Algorithm bound, const Graph& graph, int) -> Solver* { return new Bound(bound, graph); },
      device_name,
      Bound::needs_sources(),
  };
  program.wide = Bound::wide();
  return run(argc, argv, program);
}

/// As `run`, with the partition; a part has copies of the neighbours of its vertices.
template <Partition partition, auto prepare, auto solve, auto... results>
int run_in_parts(const char* name, Algorithm algorithm, int argc, char** argv) {
  return run_bound<PartsSolver<Copies::border, partition, prepare, solve, results...>>(name, algorithm, argc, argv);
}

/// ... and the vertices that others have copies of have the first numbers.
template <Partition partition, auto prepare, auto solve, auto... results>
int run_border_first(const char* name, Algorithm algorithm, int argc, char** argv) {
  return run_bound<PartsSolver<Copies::border_first, partition, prepare, solve, results...>>(
      name, algorithm, argc, argv);
}

/// As run_in_parts, but a part has copies of all vertices that it does not own.
template <Partition partition, auto prepare, auto solve, auto... results>
int run_with_all_copies(const char* name, Algorithm algorithm, int argc, char** argv) {
  return run_bound<PartsSolver<Copies::all, partition, prepare, solve, results...>>(name, algorithm, argc, argv);
}

/// As run_in_parts, but every part has the whole graph.
template <Partition partition, auto prepare, auto solve, auto... results>
int run_everywhere(const char* name, Algorithm algorithm, int argc, char** argv) {
  return run_bound<PartsSolver<Copies::whole, partition, prepare, solve, results...>>(name, algorithm, argc, argv);
}

/// ... and it is edges that are shared out, by what the State says about its own ones.
template <auto prepare, auto solve, auto... results>
int run_by_edges(const char* name, Algorithm algorithm, int argc, char** argv) {
  return run_bound<PartsSolver<Copies::whole, nullptr, prepare, solve, results...>>(name, algorithm, argc, argv);
}

}  // namespace gpu
}  // namespace violet
