#include "host.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, size) static_cast<void>(0)
#endif

namespace violet {

namespace {
constexpr std::size_t alignment = 128;  // two cache lines: the unit that CPUs prefetch
}

// The list of blocks lives in the blocks: each begins with a header as long as the alignment.
void* Memory::allocate_bytes(std::size_t bytes) {
  const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, alignment + padded);
  if (block == nullptr) {
    fail(no_resources, "out of memory: %zu bytes more than the %zu in use", bytes, bytes_);
  }
  char* const array = static_cast<char*>(block) + alignment;
  last_ = new (block) Block{last_, array, bytes, nullptr};
  bytes_ += bytes;
  // What is there for alignment only is nobody's: without AddressSanitizer, the next two lines are empty.
  ASAN_POISON_MEMORY_REGION(static_cast<char*>(block) + sizeof(Block), alignment - sizeof(Block));
  ASAN_POISON_MEMORY_REGION(array + bytes, padded - bytes);
  return array;
}

void Memory::destroy_last(void (*destroy)(void* last)) { last_->destroy = destroy; }

Memory::~Memory() {
  while (last_ != nullptr) {
    if (last_->destroy != nullptr) {
      last_->destroy(last_->array);
    }
    std::free(std::exchange(last_, last_->before));
  }
}

void overwrite_part(void* array, std::size_t bytes, unsigned word, int thread, int threads) {
  const std::size_t words = bytes / sizeof word;
  auto* const first = static_cast<unsigned*>(array);
  std::fill(first + words * thread / threads, first + words * (thread + 1) / threads, word);
  if (thread == 0) {
    std::memcpy(first + words, &word, bytes % sizeof word);
  }
}

void try_threads(int threads, std::size_t stack_bytes) {
  static thread_local int most_so_far = 1;  // OpenMP keeps those that it has started
  if (threads <= most_so_far) {
    return;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack_bytes > 0) {
    pthread_attr_setstacksize(&attributes, stack_bytes);
  }
  std::atomic<bool> over = false;
  const auto wait = [](void* flag) -> void* {
    static_cast<std::atomic<bool>*>(flag)->wait(false);
    return nullptr;
  };
  std::vector<pthread_t> started(threads - 1);
  std::size_t count = 0;
  while (count < started.size() && pthread_create(&started[count], &attributes, wait, &over) == 0) {
    count++;
  }
  over = true;
  over.notify_all();
  for (std::size_t i = 0; i < count; i++) {
    pthread_join(started[i], nullptr);
  }
  pthread_attr_destroy(&attributes);
  if (count < started.size()) {
    const char* const size = std::getenv("OMP_STACKSIZE");
    fail(no_resources, "cannot start %d threads%s%s: use fewer with --threads%s", threads,
         size != nullptr ? ", of OMP_STACKSIZE=" : "", size != nullptr ? size : "",
         size != nullptr ? ", or a smaller stack" : "");
  }
  most_so_far = threads;
}

std::size_t stack_bytes() {
  const char* const text = std::getenv("OMP_STACKSIZE");
  if (text == nullptr) {
    return 0;
  }
  char* unit = nullptr;
  const unsigned long long number = std::strtoull(text, &unit, 10);
  unit += std::strspn(unit, " ");
  constexpr char units[] = "bkmg";
  const char* const known = *unit == '\0' ? units + 1 : std::strchr(units, std::tolower(*unit));
  const int shift = known == nullptr ? 0 : 10 * static_cast<int>(known - units);
  return known == nullptr || number > (~0ull >> shift) ? 0 : number << shift;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

const char* device_name() {
  static const std::string name = [] {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
      if (line.starts_with("model name")) {
        return line.substr(line.find(':') + 2);
      }
    }
    return std::string("CPU");
  }();
  return name.c_str();
}

}  // namespace violet
