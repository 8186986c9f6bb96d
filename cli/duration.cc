#include "cli/duration.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>

namespace yp {
namespace {

struct Unit {
  std::string_view name;
  int64_t ns;
};
constexpr std::array<Unit, 7> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"d", 86'400'000'000'000}}};
constexpr double kMaxNs = 10 * 365.25 * 24 * 3600e9;

}  // namespace

Result<int64_t> ParseDurationNs(std::string_view text, std::optional<int64_t> bare_unit_ns) {
  const Status not_understood = Status::Error(
      fmt::format("\"{}\" is no time: write a number and its unit, such as 10ms or 1.5s", text));
  double number = 0;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (parsed.ec != std::errc()) return not_understood;
  std::string_view rest = text.substr(static_cast<size_t>(parsed.ptr - text.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);

  std::optional<int64_t> unit_ns;
  if (rest.empty()) unit_ns = bare_unit_ns;
  for (const Unit& unit : kUnits) {
    if (rest == unit.name) unit_ns = unit.ns;
  }
  if (!unit_ns) return not_understood;
  const double ns = number * static_cast<double>(*unit_ns);
  if (!(ns >= 1 && ns <= kMaxNs)) {
    return Status::Error(fmt::format("\"{}\" is out of range: give a time above zero", text));
  }
  return std::llround(ns);
}

std::string FormatDuration(int64_t ns) {
  const double s = static_cast<double>(ns) / 1e9;
  if (s < 1e-3) return fmt::format("{:.0f} us", s * 1e6);
  if (s < 0.9995) return fmt::format("{:.0f} ms", s * 1e3);
  if (s < 59.95) return fmt::format("{:.1f} s", s);
  const int64_t seconds = std::llround(s);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace yp
