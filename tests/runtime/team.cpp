// Makes a team of OpenMP threads; prints how many it says that it has, and how many run in a parallel region.

#include <cstdio>
#include <cstdlib>

#include "fail.hpp"
#include "openmp.hpp"

int main(int, char** argv) {
  const violet::Workers team(std::atoi(argv[1]));
  int ran = 0;
#pragma omp parallel
  violet::atomic_add(&ran, 1);
  std::printf("%d %d\n", team.size(), ran);
}
