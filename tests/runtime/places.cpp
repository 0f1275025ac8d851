// Prints which CPUs the threads of a team may run on, a line each, and then those of the main thread after the team.

#include <sched.h>

#include <cstdio>
#include <cstdlib>

#include "threads.hpp"

namespace {

void print_cpus() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &allowed)) std::printf("%d ", cpu);
  }
  std::printf("\n");
}

void print_in_turn(const void*, int thread, int) {
  static int turn = 0;
  while (violet::atomic_load(&turn) != thread) {
  }
  print_cpus();
  violet::atomic_store(&turn, thread + 1);
}

}  // namespace

int main(int, char** argv) {
  {
    violet::Workers team(std::atoi(argv[1]));
    team.run(print_in_turn, nullptr);
  }
  print_cpus();
}
