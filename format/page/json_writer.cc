#include "format/page/json_writer.h"

#include <fmt/compile.h>
#include <fmt/core.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/utf8.h"

namespace yp {

void JsonWriter::Value(std::string_view text) {
  Separate();
  out_ += '"';
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    size_t size = 1;
    if (byte == '"' || byte == '\\') {
      out_ += '\\';
      out_ += text.front();
    } else if (byte < 0x20 || byte == 0x7f || byte == '<') {
      fmt::format_to(std::back_inserter(out_), FMT_COMPILE("\\u{:04x}"), byte);
    } else if (byte < 0x80) {
      out_ += text.front();
    } else if (size = WellFormedSequence(text); size > 0) {
      out_ += text.substr(0, size);
    } else {
      size = 1;
      AppendUtf8(out_, kReplacementCharacter);
    }
    text.remove_prefix(size);
  }
  out_ += '"';
}

void JsonWriter::Value(bool value) { Raw(value ? "true" : "false"); }

void JsonWriter::Value(double estimate) {
  if (!std::isfinite(estimate)) return Value(nullptr);
  // Whole numbers of six digits are many, and faster this way.
  constexpr double kSixDigits = 1e6;
  if (estimate == std::floor(estimate) && std::abs(estimate) < kSixDigits) {
    return Signed(static_cast<int64_t>(estimate));
  }
  Separate();
  fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{:.6g}"), estimate);
}

void JsonWriter::Value(ExactNumber number) {
  if (!std::isfinite(number.value)) return Value(nullptr);
  constexpr double kExact = 0x1p53;
  if (number.value == std::floor(number.value) && std::abs(number.value) <= kExact) {
    return Signed(static_cast<int64_t>(number.value));
  }
  Separate();
  fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{:.17g}"), number.value);
}

void JsonWriter::Signed(int64_t value) {
  const fmt::format_int text(value);
  Raw({text.data(), text.size()});
}

void JsonWriter::Unsigned(uint64_t value) {
  const fmt::format_int text(value);
  Raw({text.data(), text.size()});
}

}  // namespace yp
