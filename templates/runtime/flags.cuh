// Kernels that run all rounds and meet those of other parts by flags in each other's memory.
#pragma once

#include <algorithm>

#include "gpus.cuh"
#include "messages.cuh"

namespace violet {
inline namespace gpu {

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

/// The gates of all parts, for the kernel of one.
inline Gates gates_in_reach(Gate* own, const Part& part) { return {in_reach(of_all(own)), part.number, part.parts}; }

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
__device__ inline void barrier_in_kernel(const Gates& gates, unsigned* arrivals, int round) {
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

/// Runs a kernel that meets those of other parts. All have to be on the GPUs at the same time: parts that share a GPU share
/// the blocks that it holds. Returns the state that the kernel leaves at `after`.
template <auto kernel, typename State>
State run_side_by_side(State state, const State* after) {
  const int sharing = (static_cast<int>(parts) - 1) / static_cast<int>(gpus) + 1;
  const int held = held_blocks<kernel>();  // this loads the kernel, too, which must not be left to its launch
  wait_for_gpu();  // when all have met here, no part has yet to clear what another one's kernel writes to
  if (any_part(held < sharing)) {
    if (my_number() == 0) {
      fail(no_resources, "%d parts on a GPU have to run at the same time, but it holds %d blocks: use fewer --parts",
           sharing, held);
    }
    barrier();  // until the program ends
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

}  // namespace gpu
}  // namespace violet
