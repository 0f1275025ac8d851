// Which vertices are the best by some merit, for programs of every model.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace violet {

/// What the best vertices pass: those with more merit than `least`, and of those with as much, the ones before `ties`.
template <typename T>
struct Bar {
  T least;
  int ties;
};

/// Returns the bar that `wanted` of n vertices pass, or all with a positive merit if there are fewer.
///
/// Positive numbers are in the order of their bits, so halving a range of bits ends after at most as many steps as there
/// are bits; mostly earlier, as soon as the right number of vertices pass. Equal merits are told apart by a range of vertices.
///
/// @param count  how many vertices pass a bar
template <typename T, typename Count>
Bar<T> find_bar(int n, int wanted, Count count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Bits low = 1;                                                         // of the smallest positive number
  Bits high = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());  // nobody has that
  while (high - low > 1) {
    const Bits middle = low + (high - low) / 2;
    const Bar<T> bar = {std::bit_cast<T>(middle), n};
    const int passing = count(bar);
    if (passing == wanted) return bar;
    (passing > wanted ? low : high) = middle;
  }
  const T least = std::bit_cast<T>(low);
  int few = 0;
  int many = n;
  while (few < many) {
    const int middle = few + (many - few) / 2;
    if (count(Bar<T>{least, middle}) < wanted) {
      few = middle + 1;
    } else {
      many = middle;
    }
  }
  return {least, few};
}

}  // namespace violet
