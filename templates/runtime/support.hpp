// Small things that every part of the runtime uses: failures, text, rows of a graph, a hash and a stopwatch.
#pragma once

#include <bit>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "violet.hpp"

namespace violet {

/// Why a graph or a command line was given up. Whoever catches it knows the graph's name and puts it in front.
struct Failure {
  ExitCode code;
  std::string message;
};

/// `printf` into a string.
[[gnu::format(printf, 1, 2)]] inline std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  std::string result(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments)), '\0');
  std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  return result;
}

/// Shows control characters, which command a terminal, by their numbers: names of files and what is in them may have some.
inline std::string plain(std::string_view string) {
  std::string result;
  for (std::size_t i = 0; i < string.size(); i++) {
    const auto byte = static_cast<unsigned char>(string[i]);
    const auto next = static_cast<unsigned char>(i + 1 < string.size() ? string[i + 1] : 0);
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009f
      result += text("\\x%02x", next);
      i++;
    } else {
      result += byte < 0x20 || byte == 0x7f ? text("\\x%02x", byte) : std::string(1, string[i]);
    }
  }
  return result;
}

/// The number of the first edge of a vertex. Its last one comes before the first one of the next vertex.
inline std::int64_t first_edge(const Graph& graph, int v) {
  return graph.wide_row_offsets != nullptr ? graph.wide_row_offsets[v] : graph.row_offsets[v];
}

inline std::span<const int> neighbours(const Graph& graph, int v) {
  return {graph.neighbours + first_edge(graph, v), graph.neighbours + first_edge(graph, v + 1)};
}

inline int degree(const Graph& graph, int v) {
  return static_cast<int>(first_edge(graph, v + 1) - first_edge(graph, v));
}

/// The same of edges that come in.
inline std::int64_t first_in_edge(const Graph& graph, int v) {
  return graph.wide_row_offsets != nullptr ? graph.wide_row_offsets[v] : graph.in_row_offsets[v];
}

inline std::span<const int> in_neighbours(const Graph& graph, int v) {
  return {graph.in_neighbours + first_in_edge(graph, v), graph.in_neighbours + first_in_edge(graph, v + 1)};
}

inline int in_degree(const Graph& graph, int v) {
  return static_cast<int>(first_in_edge(graph, v + 1) - first_in_edge(graph, v));
}

/// Spreads every bit of `x` over the whole word (the finaliser of MurmurHash3); a bijection.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  x ^= x >> 33;
  return x;
}

/// A 64-bit fingerprint of some bytes: it tells apart files and results, and is no defence against malice.
/// Four independent lanes keep it at the speed of memory.
inline std::uint64_t fingerprint(const void* data, std::size_t size) {
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
  constexpr std::size_t lane_count = 4;
  const auto step = [](std::uint64_t lane, std::uint64_t word) { return std::rotl((lane ^ word) * multiplier, 29); };
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto* const end = bytes + size;
  std::uint64_t lanes[lane_count] = {1, 2, 3, 4};
  std::uint64_t words[lane_count];
  for (; static_cast<std::size_t>(end - bytes) >= sizeof words; bytes += sizeof words) {
    std::memcpy(words, bytes, sizeof words);
    for (std::size_t i = 0; i < lane_count; i++) lanes[i] = step(lanes[i], words[i]);
  }
  std::uint64_t hash = mix(size);
  for (; bytes != end; bytes++) hash = step(hash, *bytes);
  for (const std::uint64_t lane : lanes) hash = mix(hash ^ lane);
  return hash;
}

/// Adds the time from its construction to its destruction to `total`, in seconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { total_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& total_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace violet
