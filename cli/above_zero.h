#ifndef YP_CLI_ABOVE_ZERO_H_
#define YP_CLI_ABOVE_ZERO_H_

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace yp {

// For options that take a whole number from 1 on, with an error that says so.
inline CLI::Validator AboveZero() {
  const auto check = [](const std::string& text) -> std::string {
    const char* const end = text.data() + text.size();
    int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number > 0) return "";
    return "\"" + text + "\" is no whole number above zero";
  };
  return CLI::Validator(check, "");
}

}  // namespace yp

#endif  // YP_CLI_ABOVE_ZERO_H_
