// CUDA programs on several GPUs. The graph is divided into parts, and a thread of the host solves each of them on a GPU as
// if it were alone, but for the messages between parts and for the question whether all are done.
#pragma once

#include <algorithm>

#include "gpus.cuh"
#include "meetings.cuh"
#include "messages.cuh"

namespace violet {
inline namespace gpu {

inline Parameter owners_file("partition", "part of each vertex, one a line, in place of the program's own partition");

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
  /// As StateSolver's.
  static constexpr int largest_exponent() {
    if constexpr (requires(State s) { s.paths; }) {
      return std::numeric_limits<std::remove_pointer_t<decltype(State::paths)>>::max_exponent - 2;
    }
    return 0;
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
    barrier_when_done();
    begin = now();
    check(cudaEventRecord(first, stream), "record an event");
    counting = count;
    run.rounds = solve_part(bound_[part].state, here);
    barrier_when_done();
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
      Bound::largest_exponent(),
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
