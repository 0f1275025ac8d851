// cuda::atomic_ref of libcu++, as far as programs call it. All orders are relaxed, as those of other functions are.
#pragma once

#include "cuda_runtime.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block };
enum memory_order { memory_order_relaxed, memory_order_seq_cst };

template <typename T, thread_scope scope = thread_scope_system>
class atomic_ref {
 public:
  explicit atomic_ref(T& variable) : variable_(&variable) {}

  T load(memory_order = memory_order_seq_cst) const { return emulator::load(variable_); }
  void store(T value, memory_order = memory_order_seq_cst) const { emulator::store(variable_, value, seen_by); }
  T exchange(T value, memory_order = memory_order_seq_cst) const {
    return update(value, [](T, T other) { return other; });
  }
  EMULATOR_ATOMIC bool compare_exchange_strong(T& expected, T value, memory_order = memory_order_seq_cst) const {
    emulator::access(variable_, sizeof(T), emulator::Access::update, seen_by);
    const T old = *variable_;
    const bool is_expected = old == expected;
    if (is_expected) {
      *variable_ = value;
    }
    expected = old;
    return is_expected;
  }
  T fetch_add(T value, memory_order = memory_order_seq_cst) const {
    return update(value, [](T old, T other) { return static_cast<T>(old + other); });
  }
  T fetch_min(T value, memory_order = memory_order_seq_cst) const {
    return update(value, [](T old, T other) { return other < old ? other : old; });
  }
  T fetch_max(T value, memory_order = memory_order_seq_cst) const {
    return update(value, [](T old, T other) { return old < other ? other : old; });
  }
  T fetch_or(T value, memory_order = memory_order_seq_cst) const {
    return update(value, [](T old, T other) { return static_cast<T>(old | other); });
  }

 private:
  static constexpr auto seen_by = scope == thread_scope_system ? emulator::Scope::all : emulator::Scope::device;

  template <typename Function>
  T update(T value, Function function) const {
    return emulator::update<T>(variable_, value, function, seen_by);
  }

  T* variable_;
};

}  // namespace cuda
