#include "classfile/modified_utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace yp::classfile {
namespace {

struct Unit {
  uint32_t value = 0;
  // Bytes that it takes; 0 when they are malformed.
  size_t size = 0;
};

// The UTF-16 code unit at the start of `text`, which is not empty.
Unit FirstUnit(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto continues = [&](size_t i) { return i < text.size() && (byte(i) & 0xc0) == 0x80; };
  if (byte(0) != 0 && byte(0) < 0x80) {
    return {byte(0), 1};
  }
  if ((byte(0) & 0xe0) == 0xc0 && continues(1)) {
    const uint32_t value = (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
    // Only U+0000 is longer than it needs to be.
    return {value, value == 0 || value >= 0x80 ? size_t{2} : 0};
  }
  if ((byte(0) & 0xf0) == 0xe0 && continues(1) && continues(2)) {
    const uint32_t value = (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
    return {value, value >= 0x800 ? size_t{3} : 0};
  }
  return {};
}

void AppendUtf8(std::string& out, uint32_t c) {
  const auto add = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xc0 | c >> 6);
    add(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    add(0xe0 | c >> 12);
    add(0x80 | (c >> 6 & 0x3f));
    add(0x80 | (c & 0x3f));
  } else {
    add(0xf0 | c >> 18);
    add(0x80 | (c >> 12 & 0x3f));
    add(0x80 | (c >> 6 & 0x3f));
    add(0x80 | (c & 0x3f));
  }
}

constexpr bool IsHighSurrogate(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool IsLowSurrogate(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }
constexpr uint32_t kReplacement = 0xfffd;

}  // namespace

bool IsModifiedUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t size = FirstUnit(text).size;
    if (size == 0) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

std::string ToUtf8(std::string_view modified) {
  // ASCII, of which NUL is the only one that is written otherwise, is the same in both.
  if (std::ranges::all_of(modified, [](char c) { return static_cast<signed char>(c) > 0; })) {
    return std::string(modified);
  }
  std::string out;
  out.reserve(modified.size());
  while (!modified.empty()) {
    const Unit unit = FirstUnit(modified);
    modified.remove_prefix(unit.size == 0 ? 1 : unit.size);
    if (unit.size == 0 || IsLowSurrogate(unit.value)) {
      AppendUtf8(out, kReplacement);
      continue;
    }
    if (!IsHighSurrogate(unit.value)) {
      AppendUtf8(out, unit.value);
      continue;
    }
    const Unit low = modified.empty() ? Unit() : FirstUnit(modified);
    if (low.size == 0 || !IsLowSurrogate(low.value)) {
      AppendUtf8(out, kReplacement);
      continue;
    }
    modified.remove_prefix(low.size);
    AppendUtf8(out, 0x10000 + ((unit.value - 0xd800) << 10) + (low.value - 0xdc00));
  }
  return out;
}

}  // namespace yp::classfile
