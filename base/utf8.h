#ifndef YP_BASE_UTF8_H_
#define YP_BASE_UTF8_H_

#include <cstdint>
#include <string>

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

}  // namespace yp

#endif  // YP_BASE_UTF8_H_
