// Delta-stepping: buckets of vertices by distance, on the CPU.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "violet.hpp"

namespace violet {

/// Vertices, as many as there is memory for.
class Pile {
 public:
  Pile() = default;
  Pile(const Pile&) = delete;
  Pile& operator=(const Pile&) = delete;
  ~Pile() { std::free(vertices_); }

  int size() const { return size_; }
  int operator[](int i) const { return vertices_[i]; }
  const int* begin() const { return vertices_; }
  const int* end() const { return vertices_ + size_; }
  void clear() { size_ = 0; }

  /// False if there is no memory for one more.
  [[nodiscard]] bool put(int v) {
    if (size_ == capacity_ && !grow(static_cast<long long>(size_) + 1)) {
      return false;
    }
    vertices_[size_++] = v;
    return true;
  }

  /// Makes it that long; the vertices are whatever is there. False if there is no memory for that.
  [[nodiscard]] bool resize(long long size) {
    if (size > capacity_ && !grow(size)) {
      return false;
    }
    size_ = static_cast<int>(size);
    return true;
  }

  /// Moves all vertices of another pile to a place in this one, and returns the place after them.
  int take(Pile& other, int place) {
    const int size = other.size_;
    if (size > 0) {
      __builtin_memcpy(vertices_ + place, other.vertices_, static_cast<std::size_t>(size) * sizeof(int));
    }
    other.clear();
    return place + size;
  }

  void swap(Pile& other) {
    std::swap(vertices_, other.vertices_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  /// Makes room for so many vertices and, as more will come, for as many again.
  bool grow(long long size) {
    constexpr long long most = 0x7fffffff;
    const long long capacity = 2 * size + 64 < most ? 2 * size + 64 : most;
    void* const vertices =
        size <= most ? std::realloc(vertices_, static_cast<std::size_t>(capacity) * sizeof(int)) : nullptr;
    if (vertices == nullptr) {
      return false;
    }
    vertices_ = static_cast<int*>(vertices);
    capacity_ = static_cast<int>(capacity);
    return true;
  }

  int* vertices_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

/// The vertices that one thread has reached. Of the buckets, numbered from zero, there are only `count` at a time: what
/// belongs to those beyond them is kept together until all of these have been emptied.
class alignas(128) Buckets {
 public:
  static constexpr long long count = 64;

  void put(long long bucket, int v) { keep(bucket < end_ ? piles_[bucket % count] : beyond_, v); }
  Pile& operator[](long long bucket) { return piles_[bucket % count]; }

  /// Keeps a vertex for the next pass, when no other thread is in the middle of an update that began in this one.
  void put_again(int v) { keep(again_, v); }
  Pile& again() { return again_; }

  const Pile& beyond() const { return beyond_; }

  /// Whether there was no memory for some vertex. It is dropped, as only the thread that began it all can give up.
  bool has_lost() const { return has_lost_; }

  /// Forgets all vertices.
  void clear() {
    for (Pile& pile : piles_) {
      pile.clear();
    }
    again_.clear();
    beyond_.clear();
    has_lost_ = false;
  }

  /// Takes the vertices of a bucket out of it; they stay where they are until the next call.
  const Pile& take(long long bucket) {
    taken_.clear();
    taken_.swap((*this)[bucket]);
    return taken_;
  }

  /// Makes the buckets from `first` on those that there are; all before them are done with.
  template <typename BucketOf>
  void begin(long long first, BucketOf bucket_of) {
    end_ = first + count;
    taken_.clear();
    taken_.swap(beyond_);
    for (const int v : taken_) {
      if (bucket_of(v) >= first) {  // else it was in an earlier bucket, too
        put(bucket_of(v), v);
      }
    }
  }

 private:
  void keep(Pile& pile, int v) {
    if (!pile.put(v)) {
      has_lost_ = true;
    }
  }

  bool has_lost_ = false;
  long long end_ = count;
  Pile piles_[count];
  Pile again_;
  Pile beyond_;
  Pile taken_;
};

/// The buckets of all threads.
class TeamBuckets {
 public:
  explicit TeamBuckets(int threads) : threads_(threads), of_thread_(new Buckets[threads]), places_(new int[threads]) {}
  TeamBuckets(const TeamBuckets&) = delete;
  TeamBuckets& operator=(const TeamBuckets&) = delete;
  ~TeamBuckets() {
    delete[] of_thread_;
    delete[] places_;
  }

  int threads() const { return threads_; }
  Buckets& of(int thread) const { return of_thread_[thread]; }
  long long current() const { return current_; }
  const Pile& worklist() const { return worklist_; }

  /// Puts a vertex into the first of all buckets, and empties them if the last search was given up.
  void begin(int source) {
    for (int thread = 0; thread < threads_; thread++) {
      of_thread_[thread].clear();
    }
    begin_at(0, [](int) { return 0; });
    of_thread_[0].put(0, source);
  }

  /// Goes on to the next bucket that has any vertices: the worklist is for these, from all threads, with those that are kept
  /// for the next pass. False if there is none. `bucket_of(v)` is where a vertex belongs by now.
  template <typename BucketOf>
  bool open_next(BucketOf bucket_of) {
    do {
      for (; current_ < end_; current_++) {
        long long size = 0;
        bool has_lost = false;
        for (int thread = 0; thread < threads_; thread++) {
          has_lost |= of_thread_[thread].has_lost();
          places_[thread] = static_cast<int>(size);  // if it is more, resize fails
          size += of_thread_[thread].again().size() + of_thread_[thread][current_].size();
        }
        if (has_lost || (size > 0 && !worklist_.resize(size))) {
          fail(no_resources, "out of memory for the vertices of a bucket");
        }
        if (size > 0) {
          if (!scattered()) {
            for (int thread = 0; thread < threads_; thread++) {
              take_from(thread);
            }
          }
          return true;
        }
      }
    } while (look_beyond(bucket_of));
    return false;
  }

  /// Whether the worklist is so long that it is still to be filled, by `take_from` for every thread at once: one thread copies
  /// fewer vertices sooner than others start.
  bool scattered() const { return worklist_.size() > 4096; }

  /// Moves the vertices of a thread to the worklist.
  void take_from(int thread) {
    const int place = worklist_.take(of_thread_[thread].again(), places_[thread]);
    worklist_.take(of_thread_[thread][current_], place);
  }

 private:
  template <typename BucketOf>
  void begin_at(long long first, BucketOf bucket_of) {
    current_ = first;
    end_ = first + Buckets::count;
    for (int thread = 0; thread < threads_; thread++) {
      of_thread_[thread].begin(first, bucket_of);
    }
  }

  /// Goes on at the nearest vertex beyond the buckets that there are; false if there is none.
  template <typename BucketOf>
  bool look_beyond(BucketOf bucket_of) {
    constexpr long long none = 0x7fffffffffffffff;
    long long nearest = none;
    for (int thread = 0; thread < threads_; thread++) {
      for (const int v : of_thread_[thread].beyond()) {
        const long long bucket = bucket_of(v);
        if (bucket >= end_ && bucket < nearest) {
          nearest = bucket;
        }
      }
    }
    begin_at(nearest != none ? nearest : end_, bucket_of);
    return nearest != none;
  }

  int threads_;
  Buckets* of_thread_;
  int* places_;  // where the vertices of each thread go on the worklist
  Pile worklist_;
  long long current_ = 0;
  long long end_ = Buckets::count;
};

}  // namespace violet
