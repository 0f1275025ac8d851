// What independent sets need whose threads keep lists of the vertices that wait, and begin with a vertex early.
#pragma once

namespace violet {

/// An undecided vertex, and the first edge of the step in which it waits.
struct alignas(8) Waiting {
  int vertex;
  int edge;
};

// Loads if a condition holds; else, `value` stays. These are loads into the register of the value. With a branch in C++,
// the compiler loads into another register and copies it at the end of the branch, where it waits for memory: then the
// load is not under way while the thread goes on.

/// A relaxed load of device scope, as atomic_load.
__device__ inline void atomic_load_if(bool condition, const int* variable, int& value) {
  const int loads = condition;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p ld.relaxed.gpu.global.s32 %0, [%2]; }"
               : "+r"(value)
               : "r"(loads), "l"(variable));
}

__device__ inline void atomic_load_if(bool condition, const unsigned char* variable, unsigned char& value) {
  const int loads = condition;
  unsigned wide = value;  // no register is as narrow as a byte
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p ld.relaxed.gpu.global.u8 %0, [%2]; }"
               : "+r"(wide)
               : "r"(loads), "l"(variable));
  value = static_cast<unsigned char>(wide);
}

/// A load from an array that nobody writes, as __ldg.
__device__ inline void load_if(bool condition, const int* variable, int& value) {
  const int loads = condition;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p ld.global.nc.s32 %0, [%2]; }"
               : "+r"(value)
               : "r"(loads), "l"(variable));
}

}  // namespace violet
