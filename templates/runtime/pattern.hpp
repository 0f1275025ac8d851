// Patterns that matching looks for: connected graphs of two to five vertices, which may have labels.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace violet {

constexpr int most_labels = 7;

/// A connected graph of a few vertices.
struct Pattern {
  static constexpr int most = 5;

  int size = 0;
  unsigned joined[most] = {};  ///< bit u of joined[v] is set if u and v are neighbours
  int labels[most] = {};       ///< of each vertex, from 1 to most_labels; 0 where any will do
};

/// What a text says of a pattern: the pattern as one number, or why it is none.
struct ReadPattern {
  int code = 0;
  const char* fault = nullptr;
};

/// One bit for each two vertices, and then three for the label of each vertex.
constexpr int code_of(const Pattern& pattern) {
  int code = 0;
  for (int v = 0; v < Pattern::most; v++) {
    for (int u = 0; u < v; u++) code |= static_cast<int>(pattern.joined[v] >> u & 1) << (v * (v - 1) / 2 + u);
    code |= pattern.labels[v] << (10 + 3 * v);
  }
  return code;
}

constexpr Pattern pattern_of(int code) {
  Pattern pattern;
  for (int v = 0; v < Pattern::most; v++) {
    for (int u = 0; u < v; u++) {
      if ((code >> (v * (v - 1) / 2 + u) & 1) == 0) continue;
      pattern.joined[v] |= 1U << u;
      pattern.joined[u] |= 1U << v;
      pattern.size = v + 1;
    }
    pattern.labels[v] = code >> (10 + 3 * v) & 7;
  }
  return pattern;
}

/// Reads edges such as "0-1,1-2,2-0". A letter after a vertex, as in "0a-1b", is its label; once is enough.
constexpr ReadPattern read_pattern(std::string_view text) {
  Pattern pattern;
  std::size_t next = 0;
  const auto peek = [&] { return next < text.size() ? text[next] : '\0'; };
  const char* fault = nullptr;
  const auto vertex = [&] {
    const int v = peek() - '0';
    if (v < 0 || v > 9) {
      fault = "is not a list of edges such as 0-1,1-2,2-0";
      return 0;
    }
    next++;
    if (v >= Pattern::most || (peek() >= '0' && peek() <= '9')) {
      fault = "has more than five vertices, which are 0 to 4";
      return 0;
    }
    const int label = peek() - 'a' + 1;
    if (label >= 1 && label <= most_labels) {
      next++;
      if (pattern.labels[v] != 0 && pattern.labels[v] != label) fault = "has a vertex with two labels";
      pattern.labels[v] = label;
    } else if (label > most_labels && label <= 26) {
      fault = "has a label beyond g";
    }
    return v;
  };
  do {
    const int u = vertex();
    if (fault == nullptr && peek() != '-') fault = "is not a list of edges such as 0-1,1-2,2-0";
    if (fault != nullptr) return {0, fault};
    next++;
    const int v = vertex();
    if (fault == nullptr && next < text.size() && peek() != ',')
      fault = "has something behind an edge that is no comma";
    if (fault == nullptr && u == v) fault = "has an edge from a vertex to itself";
    if (fault != nullptr) return {0, fault};
    pattern.joined[u] |= 1U << v;
    pattern.joined[v] |= 1U << u;
  } while (next++ < text.size());
  unsigned there = 0, reached = 1;
  for (int v = 0; v < Pattern::most; v++) there |= pattern.joined[v];
  for (int pass = 0; pass < Pattern::most; pass++) {
    for (int v = 0; v < Pattern::most; v++) reached |= (reached >> v & 1) != 0 ? pattern.joined[v] : 0;
  }
  if ((there & (there + 1)) != 0) return {0, "leaves out a vertex: they are numbered from 0 without gaps"};
  if (reached != there) return {0, "is not connected"};
  return {code_of(pattern), nullptr};
}

/// Why a pattern is in no graph whose vertices have labels from 1 to `labels`, or nothing. `option` says how many.
inline std::string label_fault(const Pattern& pattern, int labels, const char* option) {
  const int largest = *std::max_element(pattern.labels, pattern.labels + Pattern::most);
  if (largest <= labels) return {};
  const auto letter = [](int label) { return std::string(1, static_cast<char>('a' + label - 1)); };
  return "has label " + letter(largest) + ", but with " + option + " " + std::to_string(labels) +
         " no vertex has one beyond " + letter(labels);
}

/// A pattern as text; the same text for the same pattern.
inline std::string to_text(const Pattern& pattern) {
  std::string text;
  unsigned named = 0;  // vertices whose label is there
  const auto name = [&](int v) {
    text += static_cast<char>('0' + v);
    if (pattern.labels[v] != 0 && (named >> v & 1) == 0) text += static_cast<char>('a' + pattern.labels[v] - 1);
    named |= 1U << v;
  };
  for (int v = 1; v < pattern.size; v++) {
    for (int u = 0; u < v; u++) {
      if ((pattern.joined[v] >> u & 1) == 0) continue;
      if (!text.empty()) text += ',';
      name(u);
      text += '-';
      name(v);
    }
  }
  return text;
}

}  // namespace violet
