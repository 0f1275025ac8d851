// Whether atomic_min returns what was there, leaves what is smaller, and writes even where nothing gets smaller: a page
// that must not be written tells.

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

int main() {
  auto* const value = static_cast<int*>(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *value = 5;
  const int first = violet::atomic_min(value, 3);
  const int second = violet::atomic_min(value, 7);
  std::printf("%d %d %d\n", first, second, *value);
  std::fflush(stdout);
  mprotect(value, 1, PROT_READ);
  std::signal(SIGSEGV, [](int) { _exit(0); });
  violet::atomic_min(value, 7);
  return 1;
}
