// Frontiers that go to all parts.
#pragma once

#include "parts.hpp"

namespace violet {

/// An inbox with room for as many messages from each part as a part has vertices, copies among them.
inline Bounds room_for_all(const Part& graph) {
  const std::int64_t room = static_cast<std::int64_t>(graph.n) * graph.parts;
  if (room > std::numeric_limits<int>::max()) {
    fail(no_resources, "an inbox would hold more messages than an int counts: take fewer parts");
  }
  return equal_shares(room, graph.parts);
}

}  // namespace violet
