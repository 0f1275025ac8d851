// Several tasks that one thread does in turns: who waits for something lets the others go on until it has come.
#pragma once

#include <memory>

namespace violet {

class Turns {
 public:
  struct Implementation;

  /// @param size    tasks
  /// @param yields  whether the thread leaves its core to others while all tasks wait
  Turns(int size, bool yields);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns();

  /// Calls task(argument, number) for each number, in turns; returns when all have returned. They must not throw.
  ///
  /// @param switch_to  called where another task goes on than the one before, with its number; with -1 at the end
  void run(void (*task)(void* argument, int number), void* argument, void (*switch_to)(int number));

  /// Called by the task whose turn it is: ends that, until is_over(condition). The thread asks for that between turns, so
  /// the answer must not depend on whose turn it is.
  void wait_until(bool (*is_over)(const void* condition), const void* condition);

  template <typename Condition>
  void wait_until(const Condition& is_over) {
    wait_until([](const void* condition) { return (*static_cast<const Condition*>(condition))(); }, &is_over);
  }

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace violet
