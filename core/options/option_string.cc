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

// What may follow "%" in a pattern.
bool IsPlaceholder(char c) { return c == 'p' || c == 't'; }

// Of a pattern, "%" itself is "%%", and its placeholders stay.
Result<std::string> PercentDecode(std::string_view text, bool is_pattern) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (is_pattern && i + 1 < text.size() && IsPlaceholder(text[i + 1])) {
      (decoded += '%') += text[++i];
      continue;
    }
    const std::optional<int> high = i + 2 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
    const std::optional<int> low = i + 2 < text.size() ? HexDigit(text[i + 2]) : std::nullopt;
    if (!high || !low) {
      return Status::Error(std::string("'%' without two hexadecimal digits") +
                           (is_pattern ? ", p or t" : ""));
    }
    decoded += static_cast<char>(*high * 16 + *low);
    if (is_pattern && decoded.back() == '%') decoded += '%';
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

namespace {

std::string EncodePattern(std::string_view pattern) {
  std::string encoded;
  while (!pattern.empty()) {
    const bool is_pair = pattern[0] == '%' && pattern.size() > 1;
    if (is_pair && IsPlaceholder(pattern[1])) {
      encoded += pattern.substr(0, 2);
    } else {
      encoded += EncodeAgentValue(pattern.substr(0, 1));
    }
    pattern.remove_prefix(is_pair && (IsPlaceholder(pattern[1]) || pattern[1] == '%') ? 2 : 1);
  }
  return encoded;
}

}  // namespace

std::string WriteOptionString(const RecordingOptions& options) {
  std::string text;
  for (const RecordingOption* option : OptionsOfString()) {
    if (option->is_told != nullptr && !option->is_told(options)) continue;
    for (const std::string& value : TextsOf(*option, options)) {
      if (!text.empty()) text += ',';
      text += std::string(option->key) + "=" +
              (option->is_pattern ? EncodePattern(value) : EncodeAgentValue(value));
    }
  }
  return text;
}

std::string ValueInOptionString(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (item.size() <= key.size() || !item.starts_with(key) || item[key.size()] != '=') continue;
    const Result<std::string> value = PercentDecode(item.substr(key.size() + 1), false);
    return value ? *value : "";
  }
  return "";
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
    const RecordingOption* option = FindOption(key);
    if (option == nullptr) return Status::Error(key + " is no option of the agent");
    const Result<std::string> value = PercentDecode(item.substr(equals + 1), option->is_pattern);
    if (!value) return Status::Error(key + ": " + std::string(value.message()));
    if (const Status set = SetFromText(*option, *value, &options); !set) {
      return Status::Error(key + " " + std::string(set.message()));
    }
  }
  return options;
}

}  // namespace yp
