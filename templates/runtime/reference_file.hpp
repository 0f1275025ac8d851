// Files that keep a reference.
#pragma once

#include <string>

#include "graph_file.hpp"
#include "reference.hpp"

namespace violet {

/// What a reference in a file is the reference of.
struct ReferenceKey {
  const AlgorithmInfo* algorithm;
  const GraphFile* graph;
  const Query* query;
};

void write_reference(const std::string& path, const ReferenceKey& key, const Reference& reference);
/// Fails if the file holds the reference of anything but `key`, and says how it differs.
Reference read_reference(const std::string& path, const ReferenceKey& key);

}  // namespace violet
