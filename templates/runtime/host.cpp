#include "host.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

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
