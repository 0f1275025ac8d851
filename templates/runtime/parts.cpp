#include "parts.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "files.hpp"
#include "ranges.hpp"
#include "support.hpp"
#include "turns.hpp"

namespace violet {

// ---- Partitions ----------------------------------------------------------------------------------------------------

void equal_vertices(const Graph& graph, int parts, unsigned char* owners) {
  for (int v = 0; v < graph.n; v++) {
    owners[v] = static_cast<unsigned char>(static_cast<std::int64_t>(v) * parts / graph.n);
  }
}

void equal_edges(const Graph& graph, int parts, unsigned char* owners) {
  for (int v = 0; v < graph.n; v++) {
    const std::int64_t middle = (first_edge(graph, v) + first_edge(graph, v + 1)) / 2;
    owners[v] =
        static_cast<unsigned char>(graph.m > 0 ? std::min<std::int64_t>(middle * parts / graph.m, parts - 1) : 0);
  }
}

namespace {

/// A random number for each vertex (splitmix64).
std::uint64_t random_number(int v) {
  std::uint64_t x = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

void at_random(const Graph& graph, int parts, unsigned char* owners) {
  for (int v = 0; v < graph.n; v++) {
    owners[v] = static_cast<unsigned char>(random_number(v) % static_cast<unsigned>(parts));
  }
}

void biased(const Graph& graph, int parts, unsigned char* owners) {
  std::int64_t sizes[most_parts] = {};
  for (int v = 0; v < graph.n; v++) {
    const std::uint64_t random = random_number(v);
    const int drawn = static_cast<int>(random % static_cast<unsigned>(parts));
    int owner = drawn;
    if (random >> 63 != 0) {
      int there[most_parts] = {};  // neighbours that have an owner
      for (const int u : neighbours(graph, v)) {
        if (u < v) there[owners[u]]++;
      }
      int most = 0;
      for (int i = 0; i < parts; i++) {  // from a random part on, which decides ties
        const int part = (drawn + i) % parts;
        // No part draws all to itself: those that have more than their share get vertices at random only.
        if (there[part] > most && sizes[part] * parts <= v) {
          most = there[part];
          owner = part;
        }
      }
    }
    owners[v] = static_cast<unsigned char>(owner);
    sizes[owner]++;
  }
}

void read_owners(const char* path, const Graph& graph, int parts, unsigned char* owners) {
  const auto refuse = [path](const std::string& message) {
    throw Failure{bad_graph, text("--partition %s %s", path, message.c_str())};
  };
  const std::unique_ptr<MappedFile> file = [&] {
    try {
      return std::make_unique<MappedFile>(path, bad_graph);
    } catch (const Failure& failure) {
      throw Failure{failure.code, text("--partition %s %s", path, failure.message.c_str())};
    }
  }();
  const char* const begin = reinterpret_cast<const char*>(file->bytes());
  const char* const end = begin + file->size();
  int line = 0;
  for (const char* at = begin; at != end; line++) {
    const char* const stop = std::find(at, end, '\n');
    const std::string_view word(at, static_cast<std::size_t>(stop - at));
    int owner = -1;
    const auto [rest, error] = std::from_chars(at, stop, owner);
    if (error != std::errc() || rest != stop || owner < 0 || owner >= parts) {
      refuse(text("line %d: '%.*s' is not a part from 0 to %d; --parts says how many there are", line + 1,
                  static_cast<int>(std::min<std::size_t>(word.size(), 20)), word.data(), parts - 1));
    }
    if (line < graph.n) owners[line] = static_cast<unsigned char>(owner);
    at = stop == end ? end : stop + 1;
  }
  if (line != graph.n) refuse(text("has %d lines, but the graph has %d vertices", line, graph.n));
}

// ---- Division ------------------------------------------------------------------------------------------------------

namespace {

/// The arrays of one part.
struct Arrays {
  std::vector<int> numbers;
  std::vector<int> row_offsets;  ///< or
  std::vector<std::int64_t> wide_row_offsets;
  // An element for each edge; all cores write them first, so nobody clears them before.
  std::unique_ptr<int[]> neighbours;
  std::unique_ptr<int[]> weights;
  std::unique_ptr<int[]> sources;
  std::vector<int> lent_vertices;
  std::vector<int> numbers_there;
};

/// Calls work(part) for every part, each in a thread of its own.
template <typename Work>
void for_each_part(int parts, Work work) {
  std::vector<std::thread> threads;
  for (int part = 1; part < parts; part++) threads.emplace_back(work, part);
  work(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

struct Division::Implementation {
  std::vector<unsigned char> owners;
  std::vector<int> number_there;  ///< [n] the number of each vertex in the part that owns it
  bool lists_copies;              ///< whether a part has copies of some vertices only, so that lists tell which
  std::vector<Part> parts;
  std::vector<Arrays> arrays;

  Implementation(const Graph& graph, int count, Copies copies, Partition partition, const char* file)
      : owners(graph.n), number_there(graph.n), lists_copies(copies != Copies::all), parts(count), arrays(count) {
    if (partition == nullptr) {
      if (file != nullptr) throw Failure{usage_error, "--partition is about vertices; this program shares out edges"};
    } else if (file != nullptr) {
      read_owners(file, graph, count, owners.data());
    } else {
      partition(graph, count, owners.data());
    }
    if (copies == Copies::border_first) {
      const std::vector<char> on_border = find_border(graph);
      number_own(graph, [&](int v) { return on_border[v] != 0; });
      for (int part = 0; part < count; part++) parts[part].border = static_cast<int>(arrays[part].numbers.size());
      number_own(graph, [&](int v) { return on_border[v] == 0; });
    } else {
      number_own(graph, [](int) { return true; });
    }
    if (copies == Copies::whole) {
      for (int part = 0; part < count; part++) take_whole(graph, part);
      return;
    }
    for_each_part(count, [&](int part) { copy_rows(graph, part); });
    for (int part = 0; part < count; part++) count_lent(part);
    for_each_part(count, [&](int part) { lend(part); });
    int most_lent = 0;
    for (const Part& part : parts) most_lent = std::max(most_lent, part.lent.begin[count]);
    for (Part& part : parts) part.most_lent = most_lent;
  }

  /// Numbers the vertices that fulfil a condition, after those that have a number, each in the part that owns it.
  template <typename Condition>
  void number_own(const Graph& graph, Condition condition) {
    for (int v = 0; v < graph.n; v++) {
      if (!condition(v)) continue;
      std::vector<int>& numbers = arrays[owners[v]].numbers;
      number_there[v] = static_cast<int>(numbers.size());
      numbers.push_back(v);
    }
  }

  /// [n] which vertices are neighbours of one that another part owns.
  std::vector<char> find_border(const Graph& graph) const {
    std::vector<char> found(graph.n);
    for_vertex_ranges(graph, [&](VertexRange range) {
      for (int v = range.first; v < range.last; v++) {
        const auto row = neighbours(graph, v);
        found[v] = std::any_of(row.begin(), row.end(), [&](int u) { return owners[u] != owners[v]; });
      }
    });
    return found;
  }

  /// Says what a part owns.
  Part& describe(const Graph& graph, int number) {
    const std::vector<int>& own = arrays[number].numbers;
    Part& part = parts[number];
    part.divided = &graph;
    part.number = number;
    part.parts = static_cast<int>(parts.size());
    part.own = static_cast<int>(own.size());
    part.own_edges = 0;
    for (const int v : own) part.own_edges += degree(graph, v);
    return part;
  }

  /// Gives a part all of the graph.
  void take_whole(const Graph& graph, int number) {
    Part& part = describe(graph, number);
    static_cast<Graph&>(part) = graph;
    part.numbers = arrays[number].numbers.data();
  }

  /// Gives a part the rows of its vertices, and copies of their neighbours.
  void copy_rows(const Graph& graph, int number) {
    Arrays& to = arrays[number];
    Part& part = describe(graph, number);
    std::vector<std::int64_t> row_offsets(part.own + 1);
    for (int v = 0; v < part.own; v++) row_offsets[v + 1] = row_offsets[v] + degree(graph, to.numbers[v]);
    Graph rows = {};  // those of its own vertices
    rows.n = part.own;
    rows.m = part.own_edges;
    rows.wide_row_offsets = row_offsets.data();
    const std::vector<int> number_here = number_vertices(graph, rows, part, to);
    part.n = static_cast<int>(to.numbers.size());
    if (lists_copies) {
      for (int copy = part.own; copy < part.n; copy++) to.numbers_there.push_back(number_there[to.numbers[copy]]);
    }

    to.neighbours = std::make_unique_for_overwrite<int[]>(part.own_edges);
    if (graph.weights != nullptr) to.weights = std::make_unique_for_overwrite<int[]>(part.own_edges);
    if (graph.sources != nullptr) to.sources = std::make_unique_for_overwrite<int[]>(part.own_edges);
    for_vertex_ranges(rows, [&](VertexRange range) {
      for (int v = range.first; v < range.last; v++) {
        const std::int64_t there = first_edge(graph, to.numbers[v]);
        const std::int64_t here = row_offsets[v];
        const std::int64_t edges = row_offsets[v + 1] - here;
        for (std::int64_t i = 0; i < edges; i++) to.neighbours[here + i] = number_here[graph.neighbours[there + i]];
        if (to.weights) std::copy_n(graph.weights + there, edges, &to.weights[here]);
        if (to.sources) std::fill_n(&to.sources[here], edges, v);
      }
    });
    row_offsets.resize(part.n + 1, part.own_edges);

    part.m = part.own_edges;
    if (graph.wide_row_offsets != nullptr) {
      to.wide_row_offsets = std::move(row_offsets);
      part.wide_row_offsets = to.wide_row_offsets.data();
    } else {
      to.row_offsets.assign(row_offsets.begin(), row_offsets.end());
      part.row_offsets = part.in_row_offsets = to.row_offsets.data();
    }
    part.neighbours = part.in_neighbours = to.neighbours.get();
    part.weights = to.weights.get();
    part.sources = to.sources.get();
    part.numbers = to.numbers.data();
    part.numbers_there = lists_copies ? to.numbers_there.data() : nullptr;
  }

  /// Marks the neighbours of the vertices that a part owns.
  static void mark_neighbours(const Graph& graph, const Graph& rows, const std::vector<int>& numbers,
                              std::vector<char>& marks) {
    for_vertex_ranges(rows, [&](VertexRange range) {
      for (int v = range.first; v < range.last; v++) {
        for (const int u : neighbours(graph, numbers[v])) {
          const std::atomic_ref<char> mark(marks[u]);
          // Most are marked: a look leaves their cache lines with all cores.
          if (mark.load(std::memory_order_relaxed) == 0) mark.store(1, std::memory_order_relaxed);
        }
      }
    });
  }

  /// Numbers the copies that a part needs, by owner; returns the number in it of each vertex that it has.
  std::vector<int> number_vertices(const Graph& graph, const Graph& rows, Part& part, Arrays& to) const {
    std::vector<char> needed(graph.n, !lists_copies);
    if (lists_copies) mark_neighbours(graph, rows, to.numbers, needed);
    std::vector<int> number_here(graph.n);
    std::vector<std::vector<int>> of_owner(parts.size());
    for (int v = 0; v < graph.n; v++) {
      if (owners[v] == part.number) {
        number_here[v] = number_there[v];
      } else if (needed[v]) {
        of_owner[owners[v]].push_back(v);
      }
    }
    for (int owner = 0; owner <= most_parts; owner++) {
      part.copies.begin[owner] = static_cast<int>(to.numbers.size());
      if (owner >= part.parts) continue;
      for (const int v : of_owner[owner]) {
        number_here[v] = static_cast<int>(to.numbers.size());
        to.numbers.push_back(v);
      }
    }
    return number_here;
  }

  /// Says how many vertices of a part each other one has copies of.
  void count_lent(int number) {
    Part& part = parts[number];
    constexpr std::int64_t most = std::numeric_limits<int>::max() / 2;  // as there may be two inboxes
    std::int64_t all = 0;
    for (int other = 0; other < most_parts; other++) {
      if (other < part.parts) all += parts[other].copies.begin[number + 1] - parts[other].copies.begin[number];
      if (all > most) {
        throw Failure{no_resources, text("part %d owns %d vertices, of which other parts have more than %lld copies",
                                         number, part.own, static_cast<long long>(most))};
      }
      part.lent.begin[other + 1] = static_cast<int>(all);
    }
  }

  /// Lists them, if these are not all.
  void lend(int number) {
    if (!lists_copies) return;
    Part& part = parts[number];
    std::vector<int>& lent = arrays[number].lent_vertices;
    for (int other = 0; other < part.parts; other++) {
      const Bounds& copies = parts[other].copies;
      for (int copy = copies.begin[number]; copy < copies.begin[number + 1]; copy++) {
        lent.push_back(number_there[parts[other].numbers[copy]]);
      }
    }
    part.lent_vertices = lent.data();
  }
};

Division::Division(const Graph& graph, int parts, Copies copies, Partition partition, const char* file)
    : implementation_(new Implementation(graph, parts, copies, partition, file)) {}

Division::~Division() { delete implementation_; }

const Part& Division::operator[](int part) const { return implementation_->parts[part]; }

int Division::find(int part, int vertex) const {
  return implementation_->owners[vertex] == part ? implementation_->number_there[vertex] : -1;
}

// ---- Team ----------------------------------------------------------------------------------------------------------

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

  void prepare(void (*next_task)(void*, int), void* next_argument) {
    task = next_task;
    argument = next_argument;
    there = 0;
    failed = false;
    thrown = nullptr;
  }

  void work(int part);
  void do_task(int part);

  /// The last to come opens the barrier for all, and so does a part that fails.
  void meet() {
    const unsigned before = meetings.load(std::memory_order_acquire);
    if (failed) throw Deserted{};  // asked after that, so who failed later has yet to open
    if (there.fetch_add(1) + 1 == size) {
      there = 0;
      open();
    } else if (in_turns) {
      turns->wait_until([&] { return meetings.load(std::memory_order_relaxed) != before; });
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
    if (in_turns) {
      turns->wait_until([end] { return now() >= end; });
      return;
    }
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

  std::unique_ptr<Turns> turns;  // made where they are first needed
  bool in_turns = false;
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
  team.prepare(task, argument);
  team.start();
  for (int left = team.working; left > 0; left = team.working) team.working.wait(left);
  if (team.thrown) std::rethrow_exception(team.thrown);
}

namespace {

/// What belongs to a part while the thread that solves it is with another one.
struct Kept {
  unsigned totals = 0;
  Count* counting = nullptr;
};

thread_local Kept kept[most_parts];
thread_local void (*switch_more_to)(int) = nullptr;

/// Has the calling thread go on with another part of its team.
void switch_to(int part) {
  kept[my_part] = {my_totals, counting};
  my_part = std::max(part, 0);
  my_totals = kept[my_part].totals;
  counting = kept[my_part].counting;
  switch_more_to(part);
}

}  // namespace

void Team::run_in_turns(void (*task)(void*, int), void* argument, void (*switch_on_to)(int)) {
  Implementation& team = *implementation_;
  if (team.turns == nullptr) team.turns = std::make_unique<Turns>(team.size, team.sleeps);
  team.prepare(task, argument);
  team.in_turns = true;
  my_team = &team;
  my_part = 0;
  my_totals = 0;
  std::fill_n(kept, most_parts, Kept{});
  switch_more_to = switch_on_to;
  const auto solve = [](void* of, int part) { static_cast<Implementation*>(of)->do_task(part); };
  team.turns->run(solve, &team, switch_to);
  team.in_turns = false;
  counting = nullptr;
  if (team.thrown) std::rethrow_exception(team.thrown);
}

void refuse_memory(int gpus, const std::size_t* needed, const std::size_t* available, int enough) {
  std::string message = "the graph does not fit:";
  for (int gpu = 0; gpu < gpus; gpu++) {
    message += text("%s GPU %d needs %zu bytes and has %zu", gpu > 0 ? "," : "", gpu, needed[gpu], available[gpu]);
  }
  if (enough > 0) message += text("; %d such GPUs would do", enough);
  if (enough == 0) message += text("; %d such GPUs would not do", most_parts);
  throw Failure{no_resources, message};
}

namespace {

/// Calls `wait`, and counts what it is for.
template <typename Wait>
void meet_by(Wait wait) {
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

void meet() {
  meet_by([] {
    my_team->meet();
    if (my_team->latency > 0) my_team->wait_for_latency();
  });
}

void meet_at_once() {
  meet_by([] { my_team->meet(); });
}

int my_number() { return my_part; }

void let_others_go_on(bool (*until)(const void*), const void* condition) {
  my_team->turns->wait_until(until, condition);
}

Totals totals(double here, double another_here) {
  std::vector<Totals>& values = my_team->values[my_totals++ % 2];  // nobody is two totals ahead
  values[my_part] = {here, another_here};
  meet();
  Totals of_all = {};
  for (const auto& [value, another] : values) {
    of_all.sum += value;
    of_all.largest = std::max(of_all.largest, another);
  }
  return of_all;
}

double total(double here) { return totals(here, 0).sum; }

bool anywhere(bool here) { return total(here) > 0; }

void tell_all(const void* address, const int* numbers, const void** addresses, const int** their_numbers) {
  my_team->addresses[my_part] = address;
  my_team->numbers[my_part] = numbers;
  meet_at_once();
  for (int part = 0; part < most_parts; part++) {
    addresses[part] = part < my_team->size ? my_team->addresses[part] : nullptr;
    their_numbers[part] = part < my_team->size ? my_team->numbers[part] : nullptr;
  }
  meet_at_once();
}

}  // namespace violet
