// The emulated GPUs, see cuda_runtime.h. Grids that threads of the host have launched run side by side: their threads take
// turns, all in the thread of the host that came first, while the others wait. So a seed repeats a run unless several
// threads of the host launch.

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
#include <iterator>
#include <memory>
#include <mutex>
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
namespace {

// ---- Threads -------------------------------------------------------------------------------------------------------

struct Block;

struct Thread {
  Fiber fiber;
  Block* block = nullptr;
  int index = 0;
  bool ended = false;
};

/// Threads that meet: those of a block, of a warp, or of a cluster.
struct Group {
  int size = 0;
  int ended = 0;
  unsigned meetings = 0;
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
  const std::function<void()>& kernel;
  int device;
  int blocks;
  int threads;  // of a block
  unsigned number;
  Group cluster = {};  // all threads of a launch that is one, else none
  int started = 0;     // blocks
  int ended = 0;
  std::vector<Thread*> ready = {};
  bool is_awaited = false;  // by a thread of the host, which runs no grids itself
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

long setting(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atol(text) : otherwise;
}

const long slice = setting("EMULATOR_SLICE", 100000);  // memory accesses until another thread has its turn, on average
std::uint64_t random_state = setting("EMULATOR_SEED", 1) * 0x9e3779b97f4a7c15 + 1;

thread_local Thread* current = nullptr;  // the thread that runs; none while the host does
std::recursive_mutex gpus;               // threads of the host have them in turns
std::atomic<int> hosts = 0;              // ... so many wait for that
std::condition_variable_any grid_ended;

const int device_count = static_cast<int>(setting("EMULATOR_DEVICES", 1));
constexpr int most_devices = 8;
thread_local int used_device = 0;
bool has_access[most_devices][most_devices];  // of kernels on one GPU to the memory of another

long left = 0;             // accesses until its turn is over
std::vector<Grid*> grids;  // that have not ended, in the order of their launches
bool is_running = false;   // whether a thread of the host runs them

constexpr unsigned host_number = 1;  // in place of a grid's, for what the host does
unsigned last_number = host_number;

/// Lets a thread of the host do something between the turns of threads.
class HostsTurn {
 public:
  HostsTurn() {
    hosts++;
    gpus.lock();
    hosts--;
  }
  HostsTurn(const HostsTurn&) = delete;
  HostsTurn& operator=(const HostsTurn&) = delete;
  ~HostsTurn() { gpus.unlock(); }
};

/// The grid with that number, if it has not ended.
const Grid* find_grid(unsigned number) {
  for (const Grid* grid : grids) {
    if (grid->number == number) return grid;
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

void pause_current() { current->fiber.pause(); }

void run_thread() {
  current->block->grid->kernel();
  current->ended = true;
  pause_current();
}

/// What the GPU holds at a time.
std::array<Block, resident_blocks>& places(int device) {
  static std::unique_ptr<std::array<Block, resident_blocks>> blocks[most_devices];
  if (blocks[device] == nullptr) {
    blocks[device] = std::make_unique<std::array<Block, resident_blocks>>();
  }
  return *blocks[device];
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
    thread.fiber.start(run_thread);
    grid.ready.push_back(&thread);
  }
}

/// Starts as many blocks as there is room for, first those of the grid that was launched first.
void start_blocks(int device) {
  for (Block& place : places(device)) {
    if (place.grid != nullptr) continue;
    const auto next = std::find_if(grids.begin(), grids.end(), [&](const Grid* grid) {
      return grid->device == device && grid->started < grid->blocks;
    });
    if (next == grids.end()) return;
    start_block(place, **next);
  }
}

/// Called when all threads of a block have ended.
void end_block(Block& block) {
  Grid& grid = *block.grid;
  block.grid = nullptr;
  if (++grid.ended == grid.blocks) {
    std::erase(grids, &grid);
    if (grid.is_awaited) {
      hosts++;
      grid_ended.notify_all();
    }
  }
  start_blocks(grid.device);
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
  const auto found = std::find_if(grids.begin(), grids.end(), [](const Grid* grid) { return grid->number == chosen; });
  if (--turns > 0 && found != grids.end()) {
    return **found;
  }
  std::vector<Grid*> running;
  std::copy_if(grids.begin(), grids.end(), std::back_inserter(running),
               [](const Grid* grid) { return grid->started > grid->ended; });
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
  std::swap(ready[random_number() % ready.size()], ready.back());
  Thread& thread = *ready.back();
  ready.pop_back();
  Block& block = *thread.block;
  current = &thread;
  threadIdx.x = thread.index;
  blockIdx.x = block.index;
  blockDim.x = block.grid->threads;
  gridDim.x = block.grid->blocks;
  left = 1 + random_number() % (2 * slice);
  thread.fiber.resume();
  if (thread.ended) {
    leave(block.all);
    leave(block.warps[thread.index / warp_size]);
    leave(block.grid->cluster);
    if (--block.running == 0) {
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
std::size_t memory_used = red_zone;                                             // never given out again
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
  for_words(block, size,
            [&](Word& word) { word = {space, device, space == Space::visible ? host_number : 0, 0, {}, 0}; });
  if (space == Space::shared) {
    for_words(block, size, [&](Word& word) { usages[&word - words] = {}; });
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
  return {current, meetings, block.warps[current->index / warp_size].meetings};
}

/// Whether an access that is over may be in the midst of this one on a GPU: nobody has waited for it.
bool is_beside(const Moment& then, const Moment& here) {
  return then.thread != nullptr && then.thread != here.thread && then.thread->block == here.thread->block &&
         then.block == here.block && !(is_same_warp(*then.thread, *here.thread) && then.warp != here.warp);
}

/// Threads of a block have to meet between a write to shared memory and what others do there, unless both are atomic.
void check_usage(Usage& usage, Access kind) {
  const Moment here = now();
  for (const Moment* write : {&usage.write, &usage.update}) {
    if (is_beside(*write, here) && (kind != Access::update || write != &usage.update)) {
      stop("%s in shared memory what thread %d has written since they met", kind == Access::read ? "reads" : "writes",
           write->thread->index);
    }
  }
  if (kind != Access::read) {
    const bool same_block = usage.read.thread != nullptr && usage.read.block == here.block;
    if (is_beside(usage.read, here) || (same_block && usage.read_by_other_warps) ||
        (same_block && usage.read_by_others && usage.read.warp == here.warp)) {
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
  if (word.space == Space::shared && (is_plain || kind == Access::update) && current != nullptr && size >= word_size) {
    check_usage(usages[&word - words], kind);
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
    make_uninitialised(variable.memory, size, Space::shared);
  }
  variable.in_use = true;
  return variable.memory;
}

}  // namespace

void run(const char* name, int blocks, int threads, const std::function<void()>& function, bool is_cluster) {
  if (blocks <= 0 || threads <= 0 || threads > most_threads || (is_cluster && blocks > resident_blocks)) {
    stop("cannot launch %s with %d blocks of %d threads", name, blocks, threads);
  }
  const HostsTurn turn;
  Grid grid = {name, function, used_device, blocks, threads, ++last_number};
  grid.cluster.start(is_cluster ? blocks * threads : 0);
  grids.push_back(&grid);
  start_blocks(grid.device);
  if (device_count > 1 && !is_running && random_number() % 2 == 0) {  // so that short kernels may overlap others, too
    gpus.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    gpus.lock();
    if (grid.ended == grid.blocks) return;
  }
  if (is_running) {
    grid.is_awaited = true;
    grid_ended.wait(gpus, [&] { return grid.ended == grid.blocks; });
    hosts--;
    return;
  }
  is_running = true;
  while (!grids.empty()) {
    take_turn();
    if (hosts > 0) {
      gpus.unlock();
      while (hosts > 0) std::this_thread::yield();
      gpus.lock();
    }
  }
  is_running = false;
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

void poll(const void* address, std::size_t size) {
  left -= slice / 10;
  access(address, size, Access::read);
}

void copy(const void* address, std::size_t size, Access kind) {
  const HostsTurn turn;
  if (is_emulated(address)) {
    check(address, size, kind, Scope::all);
  }
}

int number_shared_variable() { return shared_variables++; }

void* shared_variable(int number, std::size_t size) { return shared_variable(*current->block, number, size); }

void* in_block(const void* address, int index) {
  Grid& grid = *current->block->grid;
  auto& blocks = places(grid.device);
  const auto other = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block& block) { return block.grid == &grid && block.index == index; });
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
  void __tsan_volatile_read##size(void* address) { emulator::poll(address, size); }                              \
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
