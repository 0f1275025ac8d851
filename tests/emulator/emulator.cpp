// The emulated GPUs, see cuda_runtime.h. Grids of different streams run side by side: their threads take turns, in one of the
// threads of the host that wait for something, until this has come. So a seed repeats a run unless several threads of the host
// launch.

#include "emulator.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuda_runtime.h"
#include "fiber.hpp"

dim3 threadIdx;
dim3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace emulator {

static long setting(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atol(text) : otherwise;
}

const int multiprocessors = static_cast<int>(setting("EMULATOR_MULTIPROCESSORS", 3));
const int resident_blocks = multiprocessors * blocks_each;

namespace {

// ---- Threads -------------------------------------------------------------------------------------------------------

struct Block;

// A line of the cache more than a power of two, with what malloc adds: of a thousand stacks, only those lines are used that
// are next to the end, and they shall not share a few sets of the cache.
constexpr std::size_t stack_size = 64 * 1024 + 48;

struct Thread {
  Fiber* fiber = nullptr;  // none before its first turn
  Block* block = nullptr;
  int index = 0;
  bool ended = false;
};

/// Threads that meet: those of a block, of a warp, or of a cluster.
struct Group {
  int size = 0;
  int ended = 0;
  unsigned meetings = 0;
  unsigned barriers = 0;  // of a warp: meetings that order accesses to memory, as votes and shuffles do not
  Operation operation = Operation::barrier;
  std::vector<Thread*> waiting;
  std::array<Meeting, 2> latest;  // this one and the one before

  void start(int threads) {
    size = threads;
    ended = 0;
    waiting.clear();
  }
};

struct SharedVariable {
  void* memory = nullptr;
  bool in_use = false;
};

struct Grid {
  const char* name;
  std::function<void()> kernel;
  Stream* stream;
  int device;
  int blocks;
  int threads;  // of a block
  unsigned number;
  Group cluster = {};  // all threads of a launch that is one, else none
  int started = 0;     // blocks
  int ended = 0;
  std::vector<Thread*> ready = {};
};

struct Block {
  Grid* grid = nullptr;  // none if this place on the GPU is free
  int index = 0;
  int running = 0;
  Group all;
  std::array<Group, most_threads / warp_size> warps;
  std::array<Thread, most_threads> threads;
  std::vector<SharedVariable> shared;
};

const long slice = setting("EMULATOR_SLICE", 100000);  // memory accesses until another thread has its turn, on average
std::uint64_t random_state = setting("EMULATOR_SEED", 1) * 0x9e3779b97f4a7c15 + 1;

thread_local Thread* current = nullptr;  // the thread that runs; none while the host does
std::recursive_mutex gpus;               // threads of the host have them in turns
std::atomic<int> hosts = 0;              // ... so many wait for that

const int device_count = static_cast<int>(setting("EMULATOR_DEVICES", 1));
constexpr int most_devices = 8;
thread_local int used_device = 0;
bool has_access[most_devices][most_devices];  // of kernels on one GPU to the memory of another

long left = 0;                             // accesses until its turn is over
std::vector<std::unique_ptr<Grid>> grids;  // that have not ended, in the order in which they began
std::size_t tasks_left = 0;                // that streams have not begun
bool is_running = false;                   // whether a thread of the host runs grids

constexpr unsigned host_number = 1;  // in place of a grid's, for what the host does
unsigned last_number = host_number;

/// Writes a line to the file EMULATOR_TRACE, if it is named.
void trace(const char* line) {
  static std::FILE* const file = [] {
    const char* const path = std::getenv("EMULATOR_TRACE");
    return path != nullptr ? std::fopen(path, "w") : nullptr;
  }();
  if (file != nullptr) std::fprintf(file, "%s\n", line);
}

/// Called by a thread of the host that has waited for its turn.
void had_turn() {
  hosts--;
  hosts.notify_all();
}

/// Lets a thread of the host do something between the turns of threads.
class HostsTurn {
 public:
  HostsTurn() {
    hosts++;
    gpus.lock();
    had_turn();
  }
  HostsTurn(const HostsTurn&) = delete;
  HostsTurn& operator=(const HostsTurn&) = delete;
  ~HostsTurn() { gpus.unlock(); }
};

/// The grid with that number, if it has not ended.
Grid* find_grid(unsigned number) {
  for (const auto& grid : grids) {
    if (grid->number == number) return grid.get();
  }
  return nullptr;
}

/// xorshift64*
std::uint64_t random_number() {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (random_state * 0x2545f4914f6cdd1d) >> 32;
}

/// From 0 on, below so many; a division would take as long as a turn.
std::uint64_t random_below(std::uint64_t count) { return random_number() * count >> 32; }

[[noreturn]] [[gnu::format(printf, 1, 2)]] void stop(const char* message, ...) {
  std::fprintf(stderr, "emulator: ");
  if (current != nullptr) {
    const Block& block = *current->block;
    std::fprintf(stderr, "kernel %s, block %d, thread %d ", block.grid->name, block.index, current->index);
  }
  va_list values;
  va_start(values, message);
  std::vfprintf(stderr, message, values);
  va_end(values);
  std::fputc('\n', stderr);
  std::_Exit(EXIT_FAILURE);
}

/// The host may have another thread of its own go on with this one: whoever calls this asks anew who runs.
[[gnu::noinline]] void pause_current() { current->fiber->pause(); }

[[gnu::noinline]] void end_current() {
  current->ended = true;
  pause_current();
}

[[gnu::noinline]] void call_kernel() { current->block->grid->kernel(); }

/// Threads run one after the other, until one waits.
void run_threads() {
  while (true) {
    call_kernel();
    end_current();
  }
}

std::vector<Fiber*> idle_fibers;  // the last one is most likely in the cache

Fiber* take_fiber() {
  if (idle_fibers.empty()) {
    auto* fiber = new Fiber;  // for good
    fiber->start(run_threads, stack_size);
    return fiber;
  }
  Fiber* fiber = idle_fibers.back();
  idle_fibers.pop_back();
  return fiber;
}

/// What the GPU holds at a time.
std::span<Block> places(int device) {
  static std::unique_ptr<Block[]> blocks[most_devices];
  if (blocks[device] == nullptr) {
    blocks[device] = std::make_unique<Block[]>(resident_blocks);
  }
  return {blocks[device].get(), static_cast<std::size_t>(resident_blocks)};
}

void start_block(Block& block, Grid& grid) {
  const int threads = grid.threads;
  block.grid = &grid;
  block.index = grid.started++;
  block.running = threads;
  block.all.start(threads);
  for (SharedVariable& variable : block.shared) {
    variable.in_use = false;
  }
  for (int first = 0; first < threads; first += warp_size) {
    block.warps[first / warp_size].start(std::min(threads - first, warp_size));
  }
  for (int t = 0; t < threads; t++) {
    Thread& thread = block.threads[t];
    thread.block = &block;
    thread.index = t;
    thread.ended = false;
    grid.ready.push_back(&thread);
  }
}

/// Starts as many blocks as there is room for, first those of the grid that was launched first.
void start_blocks(int device) {
  for (Block& place : places(device)) {
    if (place.grid != nullptr) continue;
    const auto next = std::find_if(grids.begin(), grids.end(), [&](const auto& grid) {
      return grid->device == device && grid->started < grid->blocks;
    });
    if (next == grids.end()) return;
    start_block(place, **next);
  }
}

void end_grid(Grid& grid);

/// Called when all threads of a block have ended.
void end_block(Block& block) {
  Grid& grid = *block.grid;
  const int device = grid.device;
  block.grid = nullptr;
  if (++grid.ended == grid.blocks) {
    end_grid(grid);
  }
  start_blocks(device);
}

void leave(Group& group) {
  group.ended++;
  if (!group.waiting.empty()) {
    stop("ends while %zu others wait for it", group.waiting.size());
  }
}

const Meeting& meet(Group& group, int member, Operation operation, std::uint64_t value) {
  if (group.ended > 0) {
    stop("waits for %d threads that have ended", group.ended);
  }
  if (!group.waiting.empty() && group.operation != operation) {
    stop("meets others in another operation than theirs");
  }
  group.operation = operation;
  Meeting& meeting = group.latest[group.meetings % 2];  // a thread is never two meetings ahead
  meeting.bits = group.waiting.empty() ? value : meeting.bits | value;
  meeting.values[member] = value;
  if (static_cast<int>(group.waiting.size()) + 1 == group.size) {
    std::vector<Thread*>& ready = current->block->grid->ready;
    ready.insert(ready.end(), group.waiting.begin(), group.waiting.end());
    group.waiting.clear();
    group.meetings++;
    group.barriers += operation == Operation::warp_barrier ? 1 : 0;
  } else {
    group.waiting.push_back(current);
    pause_current();
  }
  return meeting;
}

/// Called by a thread when others shall run.
[[gnu::noinline]] void end_turn() {
  current->block->grid->ready.push_back(current);
  pause_current();
}

/// The grid of the next turn. None keeps pace with another: one has many turns before others have any, or few.
Grid& choose_grid() {
  constexpr int most_turns = 15;  // the logarithm
  static unsigned chosen = 0;
  static long turns = 0;
  if (grids.size() == 1) {
    return *grids.front();
  }
  Grid* const before = find_grid(chosen);
  if (--turns > 0 && before != nullptr) {
    return *before;
  }
  std::vector<Grid*> running;
  for (const auto& grid : grids) {
    if (grid->started > grid->ended) running.push_back(grid.get());
  }
  Grid& next = *running[random_number() % running.size()];
  chosen = next.number;
  turns = 1L << random_number() % most_turns;
  return next;
}

/// Gives one of the threads that can run its turn.
void take_turn() {
  Grid& grid = choose_grid();
  std::vector<Thread*>& ready = grid.ready;
  if (ready.empty()) {
    stop("kernel %s, no thread can go on: some wait where others never come", grid.name);
  }
  std::swap(ready[random_below(ready.size())], ready.back());
  Thread& thread = *ready.back();
  ready.pop_back();
  Block& block = *thread.block;
  current = &thread;
  threadIdx.x = thread.index;
  blockIdx.x = block.index;
  blockDim.x = block.grid->threads;
  gridDim.x = block.grid->blocks;
  left = 1 + random_below(2 * slice);
  if (thread.fiber == nullptr) thread.fiber = take_fiber();
  thread.fiber->resume();
  if (thread.ended) {
    idle_fibers.push_back(std::exchange(thread.fiber, nullptr));
    leave(block.all);
    leave(block.warps[thread.index / warp_size]);
    leave(block.grid->cluster);
    if (--block.running == 0) {
      current = nullptr;  // what ends with a grid, such as its parameters, is no thread's
      end_block(block);
    }
  }
  current = nullptr;
}

// ---- Memory --------------------------------------------------------------------------------------------------------

/// What is known of four bytes.
struct Word {
  Space space;
  unsigned char device;
  unsigned written_in;      // the grid, 0 if nothing was written
  unsigned cached_in;       // the grid that read it through the read-only cache
  unsigned accessed_in[2];  // the last grid on the same GPU that accessed it, and the last one on another
  unsigned updated_in;      // the last grid that updated it by an atomic operation of device scope
};

/// A plain access to shared memory, and when it was: how often the block and the warp had met by then.
struct Moment {
  const Thread* thread;  // none if there was no access
  unsigned block;
  unsigned warp;
};

/// The latest accesses to four bytes of shared memory; atomic operations are none but `update`.
struct Usage {
  Moment update;
  Moment write;
  Moment read;
  bool read_by_others;  // than the thread of `read`, since the block met
  bool read_by_other_warps;
  Moment load;  // atomic
};

constexpr std::size_t word_size = 4;
constexpr std::size_t memory_size = std::size_t{1} << 30;
constexpr std::size_t red_zone = 256;  // bytes between two arrays that belong to none
constexpr int garbage = 0xa7;

template <typename T>
T* reserve(std::size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    stop("cannot reserve %zu bytes", size);
  }
  return static_cast<T*>(pages);
}

char* const memory = reserve<char>(memory_size);
Word* const words = reserve<Word>(memory_size / word_size * sizeof(Word));      // of memory
Usage* const usages = reserve<Usage>(memory_size / word_size * sizeof(Usage));  // of shared memory
char* const accessed = reserve<char>(memory_size / red_zone);  // whether so many bytes of shared memory were
std::size_t memory_used = red_zone;                            // never given out again
std::unordered_map<void*, std::size_t> sizes;
int shared_variables = 0;

bool is_emulated(const void* address) { return address >= memory && address < memory + memory_size; }

/// Calls a function with every word of a part of the memory.
template <typename Function>
void for_words(const void* address, std::size_t size, Function function) {
  const std::size_t begin = static_cast<const char*>(address) - memory;
  for (std::size_t word = begin / word_size; word * word_size < begin + size; word++) {
    function(words[word]);
  }
}

void make_uninitialised(void* block, std::size_t size, Space space) {
  std::memset(block, garbage, size);
  const auto device = static_cast<unsigned char>(used_device);
  for_words(
      block, size, [&](Word& word) { word = {space, device, space == Space::visible ? host_number : 0, 0, {}, 0}; });
  if (space == Space::shared) {
    for_words(block, size, [&](Word& word) { usages[&word - words] = {}; });
  }
}

/// Has shared memory as it was when it was allocated. A block may have far more of it than it uses.
void make_uninitialised_again(void* block, std::size_t size) {
  char* const begin = static_cast<char*>(block);
  for (std::size_t done = 0; done < size; done += red_zone) {
    char& was_accessed = accessed[(begin + done - memory) / red_zone];
    if (was_accessed == 0) continue;
    was_accessed = 0;
    make_uninitialised(begin + done, std::min(red_zone, size - done), Space::shared);
  }
}

/// Threads on different GPUs have to access the same memory in ways that all of them see: what is atomic for the threads of
/// one GPU alone is not for a kernel that runs on another one meanwhile.
void check_scope(Word& word, Scope scope) {
  const Grid& grid = *current->block->grid;
  const auto runs_elsewhere = [&](unsigned number) {
    const Grid* other = number != 0 && number != grid.number ? find_grid(number) : nullptr;
    return other != nullptr && other->device != grid.device;
  };
  if (runs_elsewhere(word.updated_in)) {
    stop("accesses what a kernel on another GPU updates by an atomic operation of device scope");
  }
  if (scope == Scope::device && (runs_elsewhere(word.accessed_in[0]) || runs_elsewhere(word.accessed_in[1]))) {
    stop("updates by an atomic operation of device scope what a kernel on another GPU accesses, too");
  }
  word.accessed_in[grid.device != word.device] = grid.number;
  if (scope == Scope::device) {
    word.updated_in = grid.number;
  }
}

bool is_same_warp(const Thread& a, const Thread& b) {
  return a.block == b.block && a.index / warp_size == b.index / warp_size;
}

Moment now() {
  const Block& block = *current->block;
  const unsigned meetings = block.all.meetings + block.grid->cluster.meetings;  // a cluster's are its blocks', too
  return {current, meetings, block.warps[current->index / warp_size].barriers};
}

/// Whether an access that is over may be in the midst of this one on a GPU: nobody has waited for it.
bool is_beside(const Moment& then, const Moment& here) {
  return then.thread != nullptr && then.thread != here.thread && then.thread->block == here.thread->block &&
         then.block == here.block && !(is_same_warp(*then.thread, *here.thread) && then.warp != here.warp);
}

/// Threads of a block have to meet between a write to shared memory and what others do there, unless both are atomic.
void check_usage(Usage& usage, Access kind) {
  const Moment here = now();
  const bool is_atomic = kind == Access::load || kind == Access::update;
  for (const Moment* write : {&usage.write, &usage.update}) {
    if (is_beside(*write, here) && (!is_atomic || write != &usage.update)) {
      stop("%s in shared memory what thread %d has written since they met",
           kind == Access::read || kind == Access::load ? "reads" : "writes", write->thread->index);
    }
  }
  if (kind == Access::load) {
    usage.load = here;
    return;
  }
  if (kind != Access::read) {
    const Thread* const reader = usage.read.thread;  // of another block of the cluster, its meetings are others
    const bool unmet = reader != nullptr && reader->block == current->block && usage.read.block == here.block;
    if (is_beside(usage.read, here) || (!is_atomic && is_beside(usage.load, here)) ||
        (unmet && (usage.read_by_other_warps || (usage.read_by_others && usage.read.warp == here.warp)))) {
      stop("writes in shared memory what others have read since they met");
    }
    (kind == Access::update ? usage.update : usage.write) = here;
    return;
  }
  const Thread* const before = usage.read.thread;
  const bool again = before != nullptr && before->block == current->block && usage.read.block == here.block;
  const bool in_warp = again && is_same_warp(*before, *current);
  usage.read_by_other_warps = again && (usage.read_by_other_warps || !in_warp);
  usage.read_by_others = in_warp && usage.read.warp == here.warp && (usage.read_by_others || before != current);
  usage.read = here;
}

void check_word(Word& word, std::size_t size, Access kind, Scope scope) {
  const bool reads = kind != Access::write;
  const bool writes = kind == Access::write || kind == Access::update;
  if (word.space == Space::none) {
    stop("%s %zu bytes that belong to no array", writes ? "writes" : "reads", size);
  }
  if (current != nullptr && word.space == Space::device && device_count > 1) {
    const int here = current->block->grid->device;
    if (word.device != here && !has_access[here][word.device]) {
      stop("on GPU %d reaches for the memory of GPU %d without access to it", here, word.device);
    }
    check_scope(word, scope);
  }
  if (reads && word.written_in == 0 && size <= 8) {  // a vector may take more than what is used of it
    stop("reads %zu bytes that nobody has written", size);
  }
  const unsigned number = current != nullptr ? current->block->grid->number : host_number;
  if (kind == Access::constant) {
    if (find_grid(word.written_in) != nullptr) {
      stop("reads through the read-only cache what a kernel has written that still runs");
    }
    word.cached_in = number;
  }
  if (writes) {
    if (word.cached_in != 0 && find_grid(word.cached_in) != nullptr) {
      stop("writes what a kernel has read through the read-only cache that still runs");
    }
    word.written_in = number;
  }
  const bool is_plain = kind == Access::read || (kind == Access::write && scope == Scope::all);
  if (word.space == Space::shared) {
    const std::size_t number = &word - words;
    accessed[number * word_size / red_zone] = 1;
    if ((is_plain || kind == Access::load || kind == Access::update) && current != nullptr && size >= word_size) {
      check_usage(usages[number], kind);
    }
  }
}

[[gnu::noinline]] void check(const void* address, std::size_t size, Access kind, Scope scope) {
  for_words(address, size, [&](Word& word) { check_word(word, size, kind, scope); });
}

[[gnu::noinline]] void check_host(const void* address) {
  if (is_on_device(address)) {
    stop("the host accesses memory of the GPU");
  }
}

/// What a block has for a variable in shared memory.
void* shared_variable(Block& block, int number, std::size_t size) {
  std::vector<SharedVariable>& variables = block.shared;
  if (static_cast<int>(variables.size()) <= number) {
    variables.resize(shared_variables);
  }
  SharedVariable& variable = variables[number];
  if (variable.memory == nullptr) {
    variable.memory = allocate(size, Space::shared);
  } else if (!variable.in_use) {
    make_uninitialised_again(variable.memory, size);
  }
  variable.in_use = true;
  return variable.memory;
}

}  // namespace

// ---- Streams -------------------------------------------------------------------------------------------------------

/// What a stream does: it runs a grid if this has blocks, or else calls a function.
struct Task {
  std::function<void()> function;
  const Event* awaited = nullptr;  // it waits until this has come to that record
  unsigned record = 0;
  const char* name = "";
  int blocks = 0;
  int threads = 0;
  bool is_cluster = false;
};

struct Loop {
  std::vector<Task> launches;
  bool more_at_first = false;
  bool more = false;
};

struct Stream {
  int device;
  std::deque<Task> tasks = {};
  Loop* recorded = nullptr;  // gets what is given to the stream
  bool is_busy = false;      // a grid of it runs
  bool is_destroyed = false;

  bool is_idle() const { return tasks.empty() && !is_busy; }
  bool is_ready() const {
    if (tasks.empty() || is_busy) return false;
    const Task& next = tasks.front();
    return next.awaited == nullptr || next.awaited->reached >= next.record;
  }
};

namespace {

std::vector<std::unique_ptr<Stream>> streams;
Stream* default_streams[most_devices];
unsigned tasks_done = 0;

/// A thread of the host that waits while another one runs the grids.
struct Waiting {
  const std::function<bool()>& done;
  bool is_over = false;
};

std::vector<Waiting*> waiting;
std::condition_variable_any waiting_changed;

void end_task() {
  tasks_done++;
  for (Waiting* host : waiting) {
    if (!host->is_over && host->done()) {
      host->is_over = true;
      hosts++;  // it gets its turn now
      waiting_changed.notify_all();
    }
  }
}

void end_grid(Grid& grid) {
  grid.stream->is_busy = false;
  std::erase_if(grids, [&](const auto& each) { return each.get() == &grid; });
  end_task();
}

void begin_task(Stream& stream) {
  Task task = std::move(stream.tasks.front());
  stream.tasks.pop_front();
  tasks_left--;
  if (task.blocks == 0) {
    task.function();
    end_task();
    return;
  }
  stream.is_busy = true;
  grids.push_back(std::make_unique<Grid>(
      Grid{task.name, std::move(task.function), &stream, stream.device, task.blocks, task.threads, ++last_number}));
  grids.back()->cluster.start(task.is_cluster ? task.blocks * task.threads : 0);
  start_blocks(stream.device);
}

/// The stream whose next task is to begin, if one can; as with grids, none keeps pace with another.
Stream* choose_stream() {
  constexpr int most_tasks = 6;  // the logarithm
  static Stream* chosen = nullptr;
  static int tasks = 0;
  std::vector<Stream*> ready;
  for (const auto& stream : streams) {
    if (stream->is_ready()) ready.push_back(stream.get());
  }
  if (ready.size() > 1 && (--tasks <= 0 || !chosen->is_ready())) {
    chosen = ready[random_number() % ready.size()];
    tasks = 1 << random_number() % most_tasks;
  }
  return ready.size() > 1 ? chosen : ready.empty() ? nullptr : ready.front();
}

/// Has streams go on until something is done.
void run_until(const std::function<bool()>& done) {
  constexpr int turns_a_task = 64;  // on average, until another stream goes on beside a grid
  is_running = true;
  while (!done()) {
    // Nothing is done until a task is, or another thread of the host does something; asking after each turn takes long.
    for (const unsigned before = tasks_done; tasks_done == before;) {
      const bool begins = grids.empty() || (tasks_left > 0 && random_number() % turns_a_task == 0);
      if (Stream* const stream = begins ? choose_stream() : nullptr; stream != nullptr) {
        begin_task(*stream);
      } else if (grids.empty()) {
        stop("the host waits for what no stream comes to");
      } else {
        take_turn();
      }
      if (hosts > 0) {
        gpus.unlock();
        for (int left = hosts; left > 0; left = hosts) hosts.wait(left);
        gpus.lock();
        break;
      }
    }
  }
  is_running = false;
  waiting_changed.notify_all();
}

/// Called by a thread of the host, in its turn.
void wait_until(const std::function<bool()>& done) {
  while (!done()) {
    if (!is_running) {
      run_until(done);
      continue;
    }
    Waiting host = {done};
    waiting.push_back(&host);
    waiting_changed.wait(gpus, [&] { return host.is_over || !is_running; });
    std::erase(waiting, &host);
    if (host.is_over) {
      had_turn();
    }
  }
}

void give(Stream* stream, Task task) {
  {
    const HostsTurn turn;
    if (stream->is_destroyed) stop("gives a stream something that was destroyed before");
    if (stream->recorded != nullptr) {
      if (task.blocks == 0) stop("records something else than launches");
      stream->recorded->launches.push_back(std::move(task));
      return;
    }
    stream->tasks.push_back(std::move(task));
    tasks_left++;
  }
  if (device_count == 1) {
    synchronize(stream);
  }
}

bool is_patient() {
  const HostsTurn turn;
  return device_count > 1 && !is_running && random_number() % 2 == 0;
}

/// Called by a thread of the host, in its turn: streams go on by one of the tasks that they have.
void go_on() {
  if (tasks_left > 0 || !grids.empty()) {
    wait_until([before = tasks_done] { return tasks_done != before; });
  }
}

Stream* new_stream() {
  streams.push_back(std::make_unique<Stream>(Stream{used_device}));
  return streams.back().get();
}

unsigned next_record(Event& event) {
  const HostsTurn turn;
  if (event.is_destroyed) stop("records an event that was destroyed before");
  return ++event.recorded;
}

}  // namespace

Stream* make_stream() {
  const HostsTurn turn;
  trace("make stream");
  return new_stream();
}

/// What it was given goes on.
void destroy(Stream* stream) {
  const HostsTurn turn;
  trace("destroy stream");
  if (std::exchange(stream->is_destroyed, true)) stop("destroys a stream twice");
}

Stream* default_stream() {
  const HostsTurn turn;
  Stream*& stream = default_streams[used_device];
  return stream != nullptr ? stream : stream = new_stream();
}

Event* make_event() {
  trace("make event");
  return new Event{used_device};
}

void destroy(Event& event) {
  const HostsTurn turn;
  trace("destroy event");
  if (std::exchange(event.is_destroyed, true)) stop("destroys an event twice");
}

void run(Stream* stream, const char* name, int blocks, int threads, Call call, bool is_cluster) {
  if (blocks <= 0 || threads <= 0 || threads > most_threads || (is_cluster && blocks > resident_blocks)) {
    stop("cannot launch %s with %d blocks of %d threads", name, blocks, threads);
  }
  if (stream->device != used_device) {
    stop("launches %s in a stream of GPU %d while GPU %d is in use", name, stream->device, used_device);
  }
  const auto* const bytes = static_cast<const std::byte*>(call.bytes);
  auto kernel = [function = call.function, copy = std::vector<std::byte>(bytes, bytes + call.size)] {
    function(copy.data());
  };
  give(stream, {std::move(kernel), nullptr, 0, name, blocks, threads, is_cluster});
}

Loop* make_loop() { return new Loop; }
void destroy(Loop* loop) { delete loop; }
void set_more(Loop* loop, bool more) { loop->more = more; }
void set_more_at_first(Loop* loop, bool more) { loop->more_at_first = more; }

void begin_recording(Stream* stream, Loop* loop) { stream->recorded = loop; }
void end_recording(Stream* stream) { stream->recorded = nullptr; }

void run(Stream* stream, Loop& loop) {
  loop.more = loop.more_at_first;
  while (loop.more) {
    for (const Task& launch : loop.launches) give(stream, launch);
    synchronize(stream);
  }
}

void record(Stream* stream, Event& event) {
  if (stream->device != event.device) {
    stop("records an event of GPU %d in a stream of GPU %d", event.device, stream->device);
  }
  give(stream, {[&event, number = next_record(event)] {
         event.reached = number;
         event.time = std::chrono::steady_clock::now();
       }});
}

void wait_for(Stream* stream, const Event& event) {
  if (event.is_destroyed) stop("waits for an event that was destroyed before");
  give(stream, {[] {}, &event, event.recorded});
}

void synchronize(Stream* stream) {
  if (is_patient()) {  // so that others may launch something, too
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  const HostsTurn turn;
  wait_until([=] { return stream->is_idle(); });
}

void synchronize(const Event& event) {
  const HostsTurn turn;
  wait_until([&] { return event.reached == event.recorded; });
}

void synchronize() {
  const HostsTurn turn;
  wait_until([] { return tasks_left == 0 && grids.empty(); });
}

bool is_over(Stream* stream) {
  const HostsTurn turn;
  if (!stream->is_idle()) go_on();
  return stream->is_idle();
}

bool is_over(const Event& event) {
  const HostsTurn turn;
  if (event.reached != event.recorded) go_on();
  return event.reached == event.recorded;
}

const Meeting& meet_block(Operation operation, std::uint64_t value) {
  return meet(current->block->all, current->index, operation, value);
}

const Meeting& meet_warp(Operation operation, std::uint64_t value) {
  return meet(current->block->warps[current->index / warp_size], current->index % warp_size, operation, value);
}

void meet_cluster() {
  Group& cluster = current->block->grid->cluster;
  if (cluster.size == 0) {
    stop("waits for a cluster, and is in none");
  }
  meet(cluster, 0, Operation::cluster_barrier, 0);
}

int devices() { return device_count; }
int device() { return used_device; }
void use_device(int device) { used_device = device; }

bool enable_access(int peer) { return !std::exchange(has_access[used_device][peer], true); }

void* allocate(std::size_t size, Space space) {
  const HostsTurn turn;
  const std::size_t room = (size + red_zone - 1) / red_zone * red_zone + red_zone;
  if (room > memory_size - memory_used) {
    return nullptr;
  }
  void* block = memory + memory_used;
  memory_used += room;
  sizes[block] = size;
  make_uninitialised(block, size, space);
  return block;
}

bool is_on_device(const void* address) {
  return is_emulated(address) &&
         words[(static_cast<const char*>(address) - memory) / word_size].space != Space::visible;
}

void free(void* block) {
  if (block != nullptr) {
    synchronize();
    const HostsTurn turn;
    for_words(block, sizes.at(block), [](Word& word) { word.space = Space::none; });
    sizes.erase(block);
  }
}

void access(const void* address, std::size_t size, Access kind, Scope scope) {
  if (current == nullptr) [[unlikely]] {
    check_host(address);
    return;
  }
  if (--left <= 0) [[unlikely]] {
    end_turn();
  }
  if (is_emulated(address)) {  // else it is a parameter, or on the thread's own stack
    check(address, size, kind, scope);
  }
}

void poll(const void* address, std::size_t size, Access kind) {
  if (current == nullptr && is_emulated(address) && !is_patient()) {  // or it finds what was there before
    const HostsTurn turn;
    go_on();
  }
  left -= slice / 10;
  access(address, size, kind);
}

void require_global(const void* address) {
  if (!is_emulated(address)) {
    return;
  }
  for_words(address, 1, [](const Word& word) {
    if (word.space == Space::shared) {
      stop("reaches for shared memory by an instruction for global memory");
    }
  });
}

void require_warps(int threads) {
  if (threads < warp_size) {
    stop("divides its blocks into groups of %d threads: they are too small for so many parts, see translate_all",
         threads);
  }
}

void copy(Stream* stream, void* to, const void* from, std::size_t size) {
  if (size == 0) return;
  give(stream, {[=] {
         for (const auto& [address, kind] :
              {std::pair{from, Access::read}, std::pair<const void*, Access>{to, Access::write}}) {
           if (is_emulated(address)) check(address, size, kind, Scope::all);
         }
         std::memcpy(to, from, size);
       }});
  if (!is_emulated(to) || !is_emulated(from)) {
    synchronize(stream);
  }
}

void fill(Stream* stream, void* memory, int byte, std::size_t size) {
  if (size == 0) return;
  give(stream, {[=] {
         if (is_emulated(memory)) check(memory, size, Access::write, Scope::all);
         std::memset(memory, byte, size);
       }});
}

int number_shared_variable() { return shared_variables++; }

void* shared_variable(int number, std::size_t size) { return shared_variable(*current->block, number, size); }

void* in_block(const void* address, int index) {
  Grid& grid = *current->block->grid;
  const auto blocks = places(grid.device);
  const auto other = std::find_if(
      blocks.begin(), blocks.end(), [&](const Block& block) { return block.grid == &grid && block.index == index; });
  if (grid.cluster.size == 0 || other == blocks.end()) {
    stop("reaches for block %d, which does not run in its cluster", index);
  }
  const std::vector<SharedVariable>& own = current->block->shared;
  for (std::size_t number = 0; number < own.size(); number++) {
    const auto found = sizes.find(own[number].memory);
    const std::ptrdiff_t offset = static_cast<const char*>(address) - static_cast<const char*>(own[number].memory);
    if (found != sizes.end() && offset >= 0 && static_cast<std::size_t>(offset) < found->second) {
      return static_cast<char*>(shared_variable(*other, static_cast<int>(number), found->second)) + offset;
    }
  }
  stop("reaches for something in another block that is not in shared memory");
}

}  // namespace emulator

// ---- What the compiler calls before every access to memory ----------------------------------------------------------

// With -fsanitize=thread, programs call these functions of ThreadSanitizer's runtime, in whose place they are linked.

#define EMULATOR_ACCESS(size)                                                                                    \
  void __tsan_read##size(void* address) { emulator::access(address, size, emulator::Access::read); }             \
  void __tsan_write##size(void* address) { emulator::access(address, size, emulator::Access::write); }           \
  void __tsan_unaligned_read##size(void* address) { emulator::access(address, size, emulator::Access::read); }   \
  void __tsan_unaligned_write##size(void* address) { emulator::access(address, size, emulator::Access::write); } \
  void __tsan_volatile_read##size(void* address) { emulator::poll(address, size, emulator::Access::read); }      \
  void __tsan_volatile_write##size(void* address) { emulator::access(address, size, emulator::Access::write); }

extern "C" {

EMULATOR_ACCESS(1)
EMULATOR_ACCESS(2)
EMULATOR_ACCESS(4)
EMULATOR_ACCESS(8)
EMULATOR_ACCESS(16)

void __tsan_read_range(void* address, std::size_t size) { emulator::access(address, size, emulator::Access::read); }
void __tsan_write_range(void* address, std::size_t size) { emulator::access(address, size, emulator::Access::write); }
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

}  // extern "C"
