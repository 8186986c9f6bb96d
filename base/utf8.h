#ifndef YP_BASE_UTF8_H_
#define YP_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace yp {

// What stands for a character that is malformed.
inline constexpr uint32_t kReplacementCharacter = 0xfffd;

// UTF-16's code units for characters beyond U+FFFF come in pairs, the high one first.
constexpr bool IsHighSurrogate(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool IsLowSurrogate(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }
// Of a high and a low one.
constexpr uint32_t CodePointOf(uint32_t high, uint32_t low) {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

// `code_point`: at most U+10FFFF.
inline void AppendUtf8(std::string& out, uint32_t code_point) {
  const auto add = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xc0 | code_point >> 6);
    add(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    add(0xe0 | code_point >> 12);
    add(0x80 | (code_point >> 6 & 0x3f));
    add(0x80 | (code_point & 0x3f));
  } else {
    add(0xf0 | code_point >> 18);
    add(0x80 | (code_point >> 12 & 0x3f));
    add(0x80 | (code_point >> 6 & 0x3f));
    add(0x80 | (code_point & 0x3f));
  }
}

// The well-formed sequence (Unicode 15, table 3-7) at the beginning of the text, in bytes; 0 for
// none.
inline size_t WellFormedSequence(std::string_view text) {
  const auto byte = [&text](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto in = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  const auto continued = [&](size_t i) { return in(byte(i), 0x80, 0xbf); };
  if (text.empty()) return 0;
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (in(first, 0xc2, 0xdf)) return continued(1) ? 2 : 0;
  if (in(first, 0xe0, 0xef)) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;  // Surrogates are not characters.
    return in(byte(1), low, high) && continued(2) ? 3 : 0;
  }
  if (in(first, 0xf0, 0xf4)) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return in(byte(1), low, high) && continued(2) && continued(3) ? 4 : 0;
  }
  return 0;
}

// Of one well-formed sequence.
inline uint32_t CodePointIn(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence.front());
  if (first < 0x80) return first;
  uint32_t code_point = first & (0x7fu >> sequence.size());
  for (const char c : sequence.substr(1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  }
  return code_point;
}

// The text with every byte that is not part of a well-formed sequence replaced by U+FFFD.
inline std::string ToValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t size = WellFormedSequence(text);
    valid += size > 0 ? text.substr(0, size) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(size > 0 ? size : 1);
  }
  return valid;
}

// Whether a terminal acts on the character, or shows others elsewhere because of it: the controls
// (C0, DEL, C1), line and paragraph separators, and those that turn the direction of writing.
constexpr bool IsControl(uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) ||
         (code_point >= 0x2028 && code_point <= 0x202e) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

// The text for a terminal: with U+FFFD in the place of each control and each malformed byte. The
// JVM allows controls in names.
inline std::string ForTerminal(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t size = WellFormedSequence(text);
    const bool is_shown = size > 0 && !IsControl(CodePointIn(text.substr(0, size)));
    shown += is_shown ? text.substr(0, size) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(size > 0 ? size : 1);
  }
  return shown;
}

}  // namespace yp

#endif  // YP_BASE_UTF8_H_
