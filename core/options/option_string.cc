#include "core/options/option_string.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/options/option_table.h"

namespace yp {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

Result<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::optional<int> high = i + 2 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
    const std::optional<int> low = i + 2 < text.size() ? HexDigit(text[i + 2]) : std::nullopt;
    if (!high || !low) return Status::Error("'%' without two hexadecimal digits");
    decoded += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return decoded;
}

// Those with a key, in the string's order.
std::vector<const RecordingOption*> OptionsOfString() {
  std::vector<const RecordingOption*> options;
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (!option.key.empty()) options.push_back(&option);
  }
  std::ranges::stable_sort(options, {}, &RecordingOption::rank);
  return options;
}

}  // namespace

std::string EncodeAgentValue(std::string_view value) {
  constexpr std::string_view kSpecial = "%,=;\"'\\";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f || kSpecial.find(c) != std::string_view::npos) {
      ((encoded += '%') += kHex[byte / 16]) += kHex[byte % 16];
    } else {
      encoded += c;
    }
  }
  return encoded;
}

std::string WriteOptionString(const RecordingOptions& options) {
  std::string text;
  for (const RecordingOption* option : OptionsOfString()) {
    if (option->is_told != nullptr && !option->is_told(options)) continue;
    for (const std::string& value : TextsOf(*option, options)) {
      if (!text.empty()) text += ',';
      text += std::string(option->key) + "=" + EncodeAgentValue(value);
    }
  }
  return text;
}

Result<RecordingOptions> ParseOptionString(std::string_view text) {
  RecordingOptions options;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string key(item.substr(0, equals));
    if (equals == std::string_view::npos) return Status::Error(key + " has no value");
    const Result<std::string> value = PercentDecode(item.substr(equals + 1));
    if (!value) return Status::Error(key + ": " + std::string(value.message()));
    const RecordingOption* option = FindOption(key);
    if (option == nullptr) return Status::Error(key + " is no option of the agent");
    if (const Status set = SetFromText(*option, *value, &options); !set) {
      return Status::Error(key + " " + std::string(set.message()));
    }
  }
  return options;
}

}  // namespace yp
