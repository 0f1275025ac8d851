// Searches from several sources at a time: what the harness knows of them.
#pragma once

#include "query.hpp"

namespace violet {

/// How many sources the program takes at a time. One that takes several says so before it runs, and its results have a row of
/// values for each of them.
inline int sources_at_once = 1;

/// How many rows of values a result has.
inline int rows_of(const Query& query) { return sources_at_once > 1 ? query.sources : 1; }

}  // namespace violet
