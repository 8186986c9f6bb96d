#include "format/compile_log/log_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "core/graph/class_name.h"

namespace yp::compile_log {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};

constexpr std::array<std::pair<std::string_view, char>, 9> kPrimitives = {{{"boolean", 'Z'},
                                                                           {"byte", 'B'},
                                                                           {"char", 'C'},
                                                                           {"short", 'S'},
                                                                           {"int", 'I'},
                                                                           {"long", 'J'},
                                                                           {"float", 'F'},
                                                                           {"double", 'D'},
                                                                           {"void", 'V'}}};

// The UTF-16 unit of a \uXXXX that the text begins with.
std::optional<uint32_t> UnitAt(std::string_view text) {
  uint32_t unit = 0;
  if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
  const char* const end = text.data() + 6;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, unit, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return unit;
}

// Appends what a \uXXXX, or two for one character, stand for; how much text that was, or 0.
size_t AppendQuoted(std::string_view text, std::string* out) {
  const std::optional<uint32_t> unit = UnitAt(text);
  if (!unit) return 0;
  if (!IsHighSurrogate(*unit) && !IsLowSurrogate(*unit)) {
    AppendUtf8(*out, *unit);
    return 6;
  }
  const std::optional<uint32_t> low = UnitAt(text.substr(6));
  if (!IsHighSurrogate(*unit) || !low || !IsLowSurrogate(*low)) return 0;
  AppendUtf8(*out, CodePointOf(*unit, *low));
  return 12;
}

}  // namespace

std::string Decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = std::min(text.find_first_of("&\\"), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    size_t taken = 0;
    if (text[0] == '\\') {
      taken = AppendQuoted(text, &out);
    } else {
      for (const auto& [entity, character] : kEntities) {
        if (text.starts_with(entity)) {
          out.push_back(character);
          taken = entity.size();
          break;
        }
      }
    }
    if (taken == 0) {
      out.push_back(text[0]);
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::optional<int64_t> NanosOfStamp(std::string_view seconds) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  // A point, or what the locale has in its place: a comma, or U+066B.
  constexpr std::string_view kDigits = "0123456789";
  const size_t point = std::min(seconds.find_first_not_of(kDigits), seconds.size());
  const size_t fraction = std::min(seconds.find_first_of(kDigits, point), seconds.size());
  const std::string_view sign = seconds.substr(point, fraction - point);
  if (!sign.empty() && sign != "." && sign != "," && sign != "\xd9\xab") return std::nullopt;
  const std::optional<int64_t> whole = Integer(seconds.substr(0, point));
  if (!whole || *whole < 0 || *whole >= std::numeric_limits<int64_t>::max() / kNanosPerSecond) {
    return std::nullopt;
  }
  int64_t nanos = *whole * kNanosPerSecond;
  int64_t unit = kNanosPerSecond;
  for (const char digit : seconds.substr(fraction)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    unit /= 10;
    nanos += (digit - '0') * unit;
  }
  return nanos;
}

std::optional<int64_t> Integer(std::string_view text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string DescriptorOf(std::string_view external_name) {
  for (const auto& [primitive, letter] : kPrimitives) {
    if (external_name == primitive) return std::string(1, letter);
  }
  std::string descriptor(external_name);
  std::replace(descriptor.begin(), descriptor.end(), '.', '/');
  return external_name.starts_with("[") ? descriptor : "L" + descriptor + ";";
}

std::optional<std::string> FullNameOf(std::string_view method, const ClassNames& classes) {
  // A name may have spaces itself, as tests' in Kotlin.
  const size_t descriptor = method.rfind(" (");
  const size_t name = classes.LengthIn(method.substr(0, std::min(descriptor, method.size())));
  if (name == 0 || name == std::string_view::npos || descriptor == std::string_view::npos ||
      descriptor <= name + 1) {
    return std::nullopt;
  }
  std::string full_name = ReportedClassName(method.substr(0, name));
  full_name += '.';
  full_name += method.substr(name + 1, descriptor - name - 1);
  full_name += method.substr(descriptor + 1);
  return full_name;
}

}  // namespace yp::compile_log
