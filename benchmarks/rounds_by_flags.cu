// What a round costs that meets by flags (docs/results/several-gpus.md), step by step: microseconds of rounds in which nothing is
// computed, with one, two, four and eight of the GPUs that there are. Prints CSV.
//
//   python -m generator generate multigpu
//   nvcc -std=c++20 -O3 -arch=native -Igenerated/runtime benchmarks/rounds_by_flags.cu generated/runtime/*.cpp -o rounds
//   ./rounds
#include <cstdio>
#include <deque>
#include <vector>

#include "flags.cuh"

namespace {

using namespace violet;

constexpr int room = 4096;         // messages that fit into an inbox from each part
constexpr int vertices = 1 << 24;  // of each part, so that what messages are about is not in the L2 cache
constexpr int blocks_each = 4;     // on a multiprocessor: as many as most programs with flags have
constexpr int rounds_at_a_time = 2000;

struct State {
  int round;
  int part;
  int parts;
  int few;
  int messages;  // to each part, in each round
  int rounds;    // of a launch
  int* values;
  int* stamp;
  int* vertices_lent;
  int* outbox;
  int* sizes;
  Message<int>* inbox;
  int* inbox_sizes;
  Addresses<Message<int>> inboxes;
  Addresses<int> their_sizes;
  unsigned* arrivals;
  Gates gates;
  unsigned long long* nanoseconds;
};

// What programs with lists do, without a worklist.

__device__ void send(const State& s, Threads threads) {
  for (int p = threads.group; p < s.parts; p += threads.groups) {
    const int size = s.sizes[p];
    for (int i = threads.first; i < size; i += threads.stride) {
      const int v = s.outbox[p * room + i];
      s.inboxes.of[p][(s.round % 2 * s.parts + s.part) * room + i] = {v, s.values[v]};
    }
    if (threads.first == 0) {
      s.their_sizes.of[p][s.round % 2 * s.parts + s.part] = size;
    }
  }
}

__device__ void receive(const State& s, Threads threads) {
  for (int p = threads.group; p < s.parts; p += threads.groups) {
    const int size = s.inbox_sizes[s.round % 2 * s.parts + p];
    for (int i = threads.first; i < size; i += threads.stride) {
      const Message<int> message = s.inbox[(s.round % 2 * s.parts + p) * room + i];
      const int v = __ldg(&s.vertices_lent[message.index]);
      if (message.value < atomicMin(&s.values[v], message.value)) {
        atomicExch(&s.stamp[v], s.round);
      }
    }
    if (threads.first == 0) {
      s.sizes[p] = s.messages;
    }
  }
}

__device__ bool are_few(const State& s, const int* sizes) {
  int count = 0;
  for (int p = 0; p < s.parts; p++) {
    count += sizes[p];
  }
  return count < s.few;
}
__device__ bool sends_few(const State& s) { return are_few(s, s.sizes); }
__device__ bool gets_few(const State& s) { return are_few(s, s.inbox_sizes + s.round % 2 * s.parts); }

enum Step {
  grid_barrier,  // all blocks of a grid wait for each other
  conclusion,    // ... and the one that comes last tells them something
  meeting,       // ... after it has met the other parts
  exchanging     // ... and has sent and received messages
};

template <Step step>
__global__ void run_rounds(const __grid_constant__ State before) {
  State s = before;
  const unsigned long long start = gpu_nanoseconds();
  for (int left = s.rounds; left > 0; left--, s.round++) {
    const State& here = s;
    Gate& gate = *here.gates.of[s.part];
    const unsigned told = 32u * s.round + all_go_on;
    if constexpr (step == grid_barrier) {
      wait_for_grid(s.arrivals);
    } else if constexpr (step == exchanging) {
      exchange<sends_few, send, gets_few, receive>(s, s.gates, s.arrivals, 1);
    } else if (comes_last(s.arrivals)) {
      if constexpr (step == meeting) {
        meet_others(s.gates, 2u * s.round, 1);
      }
      conclude(gate, told);
    } else {
      wait_for_conclusion(gate, told);
    }
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    *s.nanoseconds = gpu_nanoseconds() - start;
  }
}

template <typename T>
T* allocate(Memory& memory, int count) {
  T* const array = memory.allocate<T>(count);
  clear(array, count);
  return array;
}

int* allocate_vertices(Memory& memory, int count) {
  std::vector<int> numbers(count);
  unsigned draw = 1;
  for (int& v : numbers) {
    draw = draw * 1664525 + 1013904223;
    v = static_cast<int>(draw >> 8);
  }
  int* const array = memory.allocate<int>(count);
  upload(array, numbers.data(), count);
  return array;
}

std::vector<State> prepare(int gpus, std::deque<Memory>& memories) {
  violet::gpus.value = gpus;  // which have to reach each other's memory
  std::vector<State> states(gpus);
  for (int part = 0; part < gpus; part++) {
    check(cudaSetDevice(part), "use a GPU");
    open_peers();
    Memory& memory = memories.emplace_back(part);
    State& s = states[part];
    s.round = 1;
    s.part = part;
    s.parts = gpus;
    s.few = 512;
    s.values = allocate<int>(memory, vertices);
    s.stamp = allocate<int>(memory, vertices);
    s.vertices_lent = allocate_vertices(memory, vertices);
    s.outbox = allocate_vertices(memory, gpus * room);
    s.sizes = allocate<int>(memory, gpus);
    s.inbox = allocate<Message<int>>(memory, 2 * gpus * room);
    s.inbox_sizes = allocate<int>(memory, 2 * gpus);
    s.arrivals = allocate<unsigned>(memory, 1);
    s.gates.of[part] = allocate<Gate>(memory, 1);
    s.gates.part = part;
    s.gates.parts = gpus;
    s.nanoseconds = allocate<unsigned long long>(memory, 1);
  }
  for (State& s : states) {
    for (int part = 0; part < gpus; part++) {
      s.gates.of[part] = states[part].gates.of[part];
      s.inboxes.of[part] = states[part].inbox;
      s.their_sizes.of[part] = states[part].inbox_sizes;
    }
  }
  return states;
}

/// Microseconds of a round on the GPU where it took longest.
template <Step step>
double time(std::vector<State>& states, int messages = 0) {
  double longest = 0;
  for (const int count : {10, rounds_at_a_time}) {  // in the first ones, there are other messages or none yet
    for (State& s : states) {
      check(cudaSetDevice(s.part), "use a GPU");
      s.messages = messages;
      s.rounds = count;
      launch_cooperatively<run_rounds<step>>(s, blocks_each * multiprocessors());
    }
    longest = 0;
    for (State& s : states) {
      check(cudaSetDevice(s.part), "use a GPU");
      longest = std::max(longest, fetch_array(s.nanoseconds, 1)[0] * 1e-3 / count);
      s.round += count;
    }
  }
  return longest;
}

}  // namespace

int main() {
  int there = 0;
  check(cudaGetDeviceCount(&there), "find a GPU");
  std::printf("gpus,turn,barrier_us,conclusion_us,meeting_us,no_message_us,16_messages_us,128_messages_us\n");
  for (int gpus = 1; gpus <= std::min(there, most_parts); gpus *= 2) {
    std::deque<Memory> memories;
    std::vector<State> states = prepare(gpus, memories);
    for (int turn = 1; turn <= 5; turn++) {
      std::printf("%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", gpus, turn, time<grid_barrier>(states),
                  time<conclusion>(states), time<meeting>(states), time<exchanging>(states),
                  time<exchanging>(states, 16 / gpus), time<exchanging>(states, 128 / gpus));
    }
  }
}
