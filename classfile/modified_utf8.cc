#include "classfile/modified_utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

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

// NUL is the only ASCII character that is written otherwise.
bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) > 0; });
}

}  // namespace

bool IsModifiedUtf8(std::string_view text) {
  if (IsAscii(text)) return true;
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
  if (IsAscii(modified)) return std::string(modified);
  std::string out;
  out.reserve(modified.size());
  while (!modified.empty()) {
    const Unit unit = FirstUnit(modified);
    modified.remove_prefix(unit.size == 0 ? 1 : unit.size);
    if (unit.size == 0 || IsLowSurrogate(unit.value)) {
      AppendUtf8(out, kReplacementCharacter);
      continue;
    }
    if (!IsHighSurrogate(unit.value)) {
      AppendUtf8(out, unit.value);
      continue;
    }
    const Unit low = modified.empty() ? Unit() : FirstUnit(modified);
    if (low.size == 0 || !IsLowSurrogate(low.value)) {
      AppendUtf8(out, kReplacementCharacter);
      continue;
    }
    modified.remove_prefix(low.size);
    AppendUtf8(out, CodePointOf(unit.value, low.value));
  }
  return out;
}

}  // namespace yp::classfile
