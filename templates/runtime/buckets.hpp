// Delta-stepping: buckets of vertices by distance, on the CPU.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "violet.hpp"

namespace violet {

/// A vertex that is to be relaxed, and the distance that it had when this was found out. It tells later, at no further
/// look, whether the vertex has got nearer since; then it was put into a bucket again, and counts there.
template <typename T>
struct Reached {
  int vertex;
  T distance;
};

/// Reached vertices, as many as there is memory for.
template <typename T>
class Pile {
 public:
  Pile() = default;
  Pile(const Pile&) = delete;
  Pile& operator=(const Pile&) = delete;
  ~Pile() { std::free(items_); }

  int size() const { return size_; }
  const Reached<T>& operator[](int i) const { return items_[i]; }
  const Reached<T>* begin() const { return items_; }
  const Reached<T>* end() const { return items_ + size_; }
  void clear() { size_ = 0; }

  void put(Reached<T> item) {
    if (size_ == capacity_) {
      grow(static_cast<long long>(size_) + 1);
    }
    items_[size_++] = item;
  }

  /// Makes it that long; the items are whatever is there.
  void resize(long long size) {
    if (size > capacity_) {
      grow(size);
    }
    size_ = static_cast<int>(size);
  }

  /// Moves all items of another pile to a place in this one, and returns the place after them.
  int take(Pile& other, int place) {
    const int size = other.size_;
    if (size > 0) {
      __builtin_memcpy(items_ + place, other.items_, static_cast<std::size_t>(size) * sizeof(Reached<T>));
    }
    other.clear();
    return place + size;
  }

  void swap(Pile& other) {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  /// Makes room for so many items and, as more will come, for as many again.
  void grow(long long size) {
    constexpr long long most = 0x7fffffff;
    const long long capacity = 2 * size + 64 < most ? 2 * size + 64 : most;
    void* const items =
        size <= most ? std::realloc(items_, static_cast<std::size_t>(capacity) * sizeof(Reached<T>)) : nullptr;
    if (items == nullptr) {
      fail(no_resources, "out of memory for the vertices of a bucket");
    }
    items_ = static_cast<Reached<T>*>(items);
    capacity_ = static_cast<int>(capacity);
  }

  Reached<T>* items_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

/// The vertices that one thread has reached. Of the buckets, numbered from zero, there are only `count` at a time: what
/// belongs to those beyond them is kept together until all of these have been emptied.
template <typename T>
class alignas(128) Buckets {
 public:
  static constexpr long long count = 64;

  void put(long long bucket, Reached<T> item) { (bucket < end_ ? piles_[bucket % count] : beyond_).put(item); }
  Pile<T>& operator[](long long bucket) { return piles_[bucket % count]; }

  /// Keeps a vertex for the next pass, when no other thread is in the middle of an update that began in this one.
  void put_again(Reached<T> item) { again_.put(item); }
  Pile<T>& again() { return again_; }

  const Pile<T>& beyond() const { return beyond_; }

  /// Takes the vertices of a bucket out of it; they stay where they are until the next call.
  const Pile<T>& take(long long bucket) {
    taken_.clear();
    taken_.swap((*this)[bucket]);
    return taken_;
  }

  /// Makes the buckets from `first` on those that there are; all before them are done with.
  void begin(long long first, T width) {
    end_ = first + count;
    taken_.clear();
    taken_.swap(beyond_);
    for (const Reached<T>& item : taken_) {
      put(item.distance / width, item);
    }
  }

 private:
  long long end_ = count;
  Pile<T> piles_[count];
  Pile<T> again_;
  Pile<T> beyond_;
  Pile<T> taken_;
};

/// The buckets of all threads, each for as many distances as its width.
template <typename T>
class TeamBuckets {
 public:
  TeamBuckets(int threads, T width)
      : threads_(threads), width_(width), of_thread_(new Buckets<T>[threads]), places_(new int[threads]) {}
  TeamBuckets(const TeamBuckets&) = delete;
  TeamBuckets& operator=(const TeamBuckets&) = delete;
  ~TeamBuckets() {
    delete[] of_thread_;
    delete[] places_;
  }

  int threads() const { return threads_; }
  Buckets<T>& of(int thread) const { return of_thread_[thread]; }
  long long current() const { return current_; }
  const Pile<T>& worklist() const { return worklist_; }

  /// Puts a vertex into the first of all buckets, which are empty.
  void begin(int source) {
    begin_at(0);
    of_thread_[0].put(0, {source, 0});
  }

  /// Goes on to the next bucket that has any vertices, which the worklist is for, from all threads, with those that are
  /// kept for the next pass. False if there is none.
  bool open_next() {
    do {
      for (; current_ < end_; current_++) {
        long long size = 0;
        for (int thread = 0; thread < threads_; thread++) {
          places_[thread] = static_cast<int>(size);
          size += of_thread_[thread].again().size() + of_thread_[thread][current_].size();
        }
        if (size > 0) {
          worklist_.resize(size);
          if (!scattered()) {
            for (int thread = 0; thread < threads_; thread++) {
              take_from(thread);
            }
          }
          return true;
        }
      }
    } while (look_beyond());
    return false;
  }

  /// Whether the worklist is so long that it is still to be filled, by `take_from` for every thread at once: one copies
  /// fewer vertices sooner than others start.
  bool scattered() const { return worklist_.size() > 4096; }

  /// Moves the vertices of a thread to the worklist.
  void take_from(int thread) {
    const int place = worklist_.take(of_thread_[thread].again(), places_[thread]);
    worklist_.take(of_thread_[thread][current_], place);
  }

 private:
  void begin_at(long long first) {
    current_ = first;
    end_ = first + Buckets<T>::count;
    for (int thread = 0; thread < threads_; thread++) {
      of_thread_[thread].begin(first, width_);
    }
  }

  /// Goes on at the nearest vertex beyond the buckets that there are; false if there is none.
  bool look_beyond() {
    constexpr long long none = 0x7fffffffffffffff;
    long long nearest = none;
    for (int thread = 0; thread < threads_; thread++) {
      for (const Reached<T>& item : of_thread_[thread].beyond()) {
        const long long bucket = item.distance / width_;
        nearest = bucket < nearest ? bucket : nearest;
      }
    }
    begin_at(nearest != none ? nearest : end_);
    return nearest != none;
  }

  int threads_;
  T width_;
  Buckets<T>* of_thread_;
  int* places_;  // where the vertices of each thread go on the worklist
  Pile<T> worklist_;
  long long current_ = 0;
  long long end_ = Buckets<T>::count;
};

}  // namespace violet
