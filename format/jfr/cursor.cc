#include "format/jfr/cursor.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/utf8.h"

namespace yp::jfr {
namespace {

// How a string is stored; jdk.jfr.internal.parser of the JDK.
enum StringEncoding : uint8_t {
  kNull = 0,
  kEmpty = 1,
  kPoolKey = 2,
  kUtf8 = 3,
  kCharArray = 4,
  kLatin1 = 5,
};

// Appends UTF-16 code units one by one as UTF-8. A surrogate without its partner becomes U+FFFD.
class Utf16Joiner {
 public:
  explicit Utf16Joiner(std::string* out) : out_(out) {}
  void Add(uint32_t unit) {
    if (high_ != 0 && IsLowSurrogate(unit)) {
      AppendUtf8(*out_, CodePointOf(high_, unit));
      high_ = 0;
      return;
    }
    Finish();
    if (IsHighSurrogate(unit)) {
      high_ = unit;
    } else {
      AppendUtf8(*out_, IsLowSurrogate(unit) ? kReplacementCharacter : unit);
    }
  }
  void Finish() {
    if (high_ != 0) AppendUtf8(*out_, kReplacementCharacter);
    high_ = 0;
  }

 private:
  std::string* out_;
  uint32_t high_ = 0;
};

// UTF-8 of what is UTF-8 or, as HotSpot stores names, modified UTF-8 (JVMS 4.4.7). Malformed bytes
// become U+FFFD each.
std::string FromEitherUtf8(std::string_view stored) {
  if (std::ranges::all_of(stored, [](char c) { return static_cast<signed char>(c) >= 0; })) {
    return std::string(stored);
  }
  std::string out;
  out.reserve(stored.size());
  Utf16Joiner units(&out);
  const auto byte = [stored](size_t i) {
    return i < stored.size() ? static_cast<uint8_t>(stored[i]) : uint32_t{0};
  };
  for (size_t i = 0; i < stored.size();) {
    const uint32_t first = byte(i);
    const size_t size = first < 0x80             ? 1
                        : (first & 0xe0) == 0xc0 ? 2
                        : (first & 0xf0) == 0xe0 ? 3
                        : (first & 0xf8) == 0xf0 ? 4
                                                 : 0;
    uint32_t c = size <= 1 ? first : first & (0x7fu >> size);
    bool is_whole = size > 0;
    for (size_t k = 1; k < size; ++k) {
      is_whole = is_whole && (byte(i + k) & 0xc0) == 0x80;
      c = c << 6 | (byte(i + k) & 0x3f);
    }
    i += is_whole ? size : 1;
    if (!is_whole || c > 0x10ffff) {
      units.Add(kReplacementCharacter);
    } else if (c >= 0x10000) {
      units.Finish();
      AppendUtf8(out, c);
    } else {
      units.Add(c);
    }
  }
  units.Finish();
  return out;
}

}  // namespace

void Cursor::Fail(const char* problem) {
  if (ok()) problem_ = problem;
}

void Cursor::Skip(size_t n_bytes) {
  if (!ok()) return;
  if (n_bytes > left()) {
    Fail("a value that goes beyond its place");
  } else {
    position_ += n_bytes;
  }
}

uint8_t Cursor::Byte() {
  if (!ok() || left() == 0) {
    Fail("a value that goes beyond its place");
    return 0;
  }
  return bytes_[position_++];
}

int64_t Cursor::Varint() {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    const uint64_t byte = Byte();
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return static_cast<int64_t>(value);
  }
  value |= uint64_t{Byte()} << 56;
  return ok() ? static_cast<int64_t>(value) : 0;
}

void Cursor::SkipVarint() {
  for (int i = 0; i < 8; ++i) {
    if (Byte() < 0x80) return;
  }
  Byte();
}

uint64_t Cursor::BigEndian(int n_bytes) {
  uint64_t value = 0;
  for (int i = 0; i < n_bytes; ++i) value = value << 8 | Byte();
  return ok() ? value : 0;
}

size_t Cursor::Count() {
  const int64_t count = Varint();
  if (count < 0 || static_cast<uint64_t>(count) > left()) {
    Fail("a number of elements that the bytes left cannot hold");
    return 0;
  }
  return static_cast<size_t>(count);
}

StoredString Cursor::String() {
  switch (Byte()) {
    case kNull:
      return {};
    case kEmpty:
      return {.text = "", .pool_key = {}};
    case kPoolKey:
      return {.text = {}, .pool_key = Varint()};
    case kUtf8: {
      const size_t size = Count();
      const size_t begin = position_;
      Skip(size);
      return {.text = FromEitherUtf8({reinterpret_cast<const char*>(bytes_.data()) + begin, size}),
              .pool_key = {}};
    }
    case kCharArray:
      return {.text = Utf16(Count()), .pool_key = {}};
    case kLatin1: {
      const size_t size = Count();
      std::string text;
      text.reserve(size);
      for (size_t i = 0; i < size; ++i) AppendUtf8(text, Byte());
      return {.text = std::move(text), .pool_key = {}};
    }
    default:
      Fail("a string of an unknown encoding");
      return {};
  }
}

std::string Cursor::Utf16(size_t units) {
  std::string text;
  text.reserve(units);
  Utf16Joiner joiner(&text);
  for (size_t i = 0; i < units && ok(); ++i) joiner.Add(static_cast<uint16_t>(Varint()));
  joiner.Finish();
  return text;
}

void Cursor::SkipString() {
  switch (Byte()) {
    case kNull:
    case kEmpty:
      return;
    case kPoolKey:
      return SkipVarint();
    case kUtf8:
    case kLatin1:
      return Skip(Count());
    case kCharArray:
      for (size_t left_units = Count(); left_units > 0 && ok(); --left_units) SkipVarint();
      return;
    default:
      Fail("a string of an unknown encoding");
  }
}

}  // namespace yp::jfr
