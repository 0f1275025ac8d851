// Fibers: functions with a stack of their own that take turns within one thread of the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace emulator {

#ifdef __x86_64__

/// Stores the stack pointer, and goes on where `to` was left. It is no call, so that a processor that predicts returns by the
/// latest calls is right about the fiber it goes on with, if that paused in the same place.
inline void switch_stack(void** from, void* to) {
  asm volatile(R"(
    leaq -128(%%rsp), %%rsp   # what functions may use below the stack pointer
    pushq %%rbp
    pushq %%rbx
    leaq 1f(%%rip), %%rax
    pushq %%rax
    movq %%rsp, (%0)
    movq %1, %%rsp
    popq %%rax
    jmpq *%%rax
  1:
    popq %%rbx
    popq %%rbp
    leaq 128(%%rsp), %%rsp)"
               : "+D"(from), "+S"(to)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0",
                 "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
                 ,
                 "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                 "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
  );
}

class Fiber {
 public:
  /// Prepares to begin with a function, which must not return, on a stack of the size of the first call.
  void start(void (*function)(), std::size_t stack_size) {
    if (stack_ == nullptr) {
      stack_ = std::make_unique_for_overwrite<char[]>(stack_size);
    }
    const auto end = (reinterpret_cast<std::uintptr_t>(stack_.get()) + stack_size) & ~std::uintptr_t{15};
    auto** top = reinterpret_cast<void**>(end);
    *--top = nullptr;  // where the function would return to; keeps the stack aligned as after a call
    *--top = reinterpret_cast<void*>(function);
    inside_ = top;
  }

  /// Goes on with the fiber until it pauses.
  void resume() { switch_stack(&outside_, inside_); }

  /// Called by the fiber itself: goes on where it was resumed.
  void pause() { switch_stack(&inside_, outside_); }

 private:
  std::unique_ptr<char[]> stack_;
  void* inside_ = nullptr;
  void* outside_ = nullptr;
};

#else  // portable, but every switch takes two system calls

class Fiber {
 public:
  void start(void (*function)(), std::size_t stack_size) {
    if (stack_ == nullptr) {
      stack_ = std::make_unique_for_overwrite<char[]>(stack_size);
    }
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = stack_size;
    inside_.uc_link = nullptr;
    makecontext(&inside_, function, 0);
  }

  void resume() { swapcontext(&outside_, &inside_); }
  void pause() { swapcontext(&inside_, &outside_); }

 private:
  std::unique_ptr<char[]> stack_;
  ucontext_t inside_;
  ucontext_t outside_;
};

#endif

}  // namespace emulator
