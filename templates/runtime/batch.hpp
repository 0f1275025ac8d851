// Searches from several sources at a time.
#pragma once

namespace violet {

constexpr int most_searches = 8;  // at a time

/// A start vertex for each search.
using Sources = int[most_searches];

/// How many searches are done at a time: fewer in graphs so large that all vertices of all searches would be more than a loop
/// with 32-bit indices may count.
constexpr int searches_at_once(int vertices) {
  constexpr int most_items = 1 << 30;
  int searches = most_searches;
  while (searches > 1 && vertices > most_items / searches) searches--;
  return searches;
}

}  // namespace violet
