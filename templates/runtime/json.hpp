// One JSON object, written member by member.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support.hpp"

namespace violet {

class JsonObject {
 public:
  template <typename T>
  JsonObject& add(std::string_view name, const T& value) {
    if (!members_.empty()) members_ += ", ";
    append(name);
    members_ += ": ";
    append(value);
    return *this;
  }

  std::string to_string() const { return "{" + members_ + "}"; }

 private:
  template <std::same_as<bool> T>
  void append(T value) {
    members_ += value ? "true" : "false";
  }

  template <typename T>
    requires(std::integral<T> || std::floating_point<T>) && (!std::same_as<T, bool>)
  void append(T value) {
    if constexpr (std::floating_point<T>) {
      if (!std::isfinite(value)) return append(std::optional<T>());
    }
    char buffer[64];  // the shortest text that reads back as the same value
    members_.append(buffer, std::to_chars(buffer, std::end(buffer), value).ptr);
  }

  template <typename T>
  void append(const std::optional<T>& value) {
    if (value) {
      append(*value);
    } else {
      members_ += "null";
    }
  }

  template <typename T>
  void append(const std::vector<T>& values) {
    members_ += '[';
    for (std::size_t i = 0; i < values.size(); i++) {
      if (i > 0) members_ += ", ";
      append(values[i]);
    }
    members_ += ']';
  }

  void append(const JsonObject& object) { members_ += object.to_string(); }

  /// A byte that is no UTF-8, which a file name may hold, becomes \udcXX, from which Python restores the name.
  void append(std::string_view string) {
    members_ += '"';
    while (!string.empty()) {
      const std::size_t length = utf8_length(string);
      const auto byte = static_cast<unsigned char>(string[0]);
      if (length == 0) {
        members_ += text("\\udc%02x", byte);
      } else if (byte < 0x20 || byte == 0x7f) {
        members_ += text("\\u%04x", byte);
      } else if (byte == 0xc2 && static_cast<unsigned char>(string[1]) < 0xa0) {  // U+0080 to U+009f command terminals
        members_ += text("\\u%04x", static_cast<unsigned char>(string[1]));
      } else {
        if (byte == '"' || byte == '\\') members_ += '\\';
        members_ += string.substr(0, length);
      }
      string.remove_prefix(length == 0 ? 1 : length);
    }
    members_ += '"';
  }

  /// Bytes of the character that `string` starts with; 0 if it is not UTF-8.
  static std::size_t utf8_length(std::string_view string) {
    const auto byte = [string](std::size_t i) { return static_cast<unsigned char>(i < string.size() ? string[i] : 0); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; i++) {
      if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    const bool beyond = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
  }

  std::string members_;
};

}  // namespace violet
