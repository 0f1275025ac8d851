// Fibers: functions with a stack of their own that take turns within one thread of the operating system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace violet {

#ifdef __x86_64__

/// Pushes the registers that a function has to preserve, stores the stack pointer, and goes on where `to` was left.
extern "C" void violet_switch_stack(void** from, void* to);

asm(R"(
  .text
  .weak violet_switch_stack
violet_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");

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
    for (int saved_register = 0; saved_register < 6; saved_register++) {
      *--top = nullptr;
    }
    inside_ = top;
  }

  /// Goes on with the fiber until it pauses.
  void resume() { violet_switch_stack(&outside_, inside_); }

  /// Called by the fiber itself: goes on where it was resumed.
  void pause() { violet_switch_stack(&inside_, outside_); }

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

}  // namespace violet
