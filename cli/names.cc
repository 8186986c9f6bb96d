#include "cli/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "format/profile/whole_calls.h"

namespace yp {
namespace {

std::string_view PrimitiveName(char c) {
  switch (c) {
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'D':
      return "double";
    case 'F':
      return "float";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'S':
      return "short";
    case 'Z':
      return "boolean";
    default:
      return "";
  }
}

std::string_view AfterLast(std::string_view text, char separator) {
  const size_t position = text.rfind(separator);
  return position == std::string_view::npos ? text : text.substr(position + 1);
}

// "java.util.ArrayList" as "j.u.ArrayList".
std::string AbbreviatePackages(std::string_view class_name) {
  std::string result;
  for (size_t dot; (dot = class_name.find('.')) != std::string_view::npos;) {
    // A whole character: the bytes 10xxxxxx of UTF-8 continue one.
    size_t first = 1;
    while (first < dot && (static_cast<unsigned char>(class_name[first]) & 0xc0) == 0x80) ++first;
    result += class_name.substr(0, std::min(first, dot));
    result += '.';
    class_name.remove_prefix(dot + 1);
  }
  return result.append(class_name);
}

}  // namespace

std::string ReadableParameters(std::string_view descriptor) {
  const std::string malformed(descriptor);
  if (descriptor.empty() || descriptor.front() != '(') return malformed;
  descriptor.remove_prefix(1);
  std::string result = "(";
  while (!descriptor.empty() && descriptor.front() != ')') {
    if (result.size() > 1) result += ", ";
    size_t dimensions = 0;
    while (dimensions < descriptor.size() && descriptor[dimensions] == '[') ++dimensions;
    descriptor.remove_prefix(dimensions);
    if (descriptor.empty()) return malformed;
    if (descriptor.front() == 'L') {
      const size_t end = descriptor.find(';');
      if (end == std::string_view::npos) return malformed;
      result += AfterLast(descriptor.substr(1, end - 1), '/');
      descriptor.remove_prefix(end + 1);
    } else {
      const std::string_view name = PrimitiveName(descriptor.front());
      if (name.empty()) return malformed;
      result += name;
      descriptor.remove_prefix(1);
    }
    for (; dimensions > 0; --dimensions) result += "[]";
  }
  if (descriptor.empty()) return malformed;
  return result + ")";
}

std::vector<std::string> NameForms(const MethodTable& methods, MethodId id) {
  if (id == kNoMethod) return {std::string(kRootName)};
  const Method& method = methods[id];
  const std::string parameters = ReadableParameters(method.descriptor);
  const std::string abbreviated = AbbreviatePackages(method.class_name) + "." + method.name;
  return {method.class_name + "." + method.name + parameters, abbreviated + parameters, abbreviated,
          std::string(AfterLast(method.class_name, '.')) + "." + method.name};
}

std::string CallSite(const MethodTable& methods, const Edge& edge) {
  if (edge.caller == kNoMethod) return "-";
  if (edge.bci == kNoBci) return "native";
  const int line = LineOf(methods, edge);
  if (line == 0) return fmt::format("bci {}", edge.bci);
  const std::string& file = methods[edge.caller].source_file;
  return file.empty() ? fmt::format("line {}", line) : fmt::format("{}:{}", file, line);
}

std::string WithSeparators(double number) {
  std::string digits = fmt::format("{:.0f}", std::abs(number));
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return number < 0 ? "-" + digits : digits;
}

std::string FormatCalls(double calls) {
  return IsBelowOneCall(calls) ? "<1" : WithSeparators(WholeCalls(calls));
}

std::string FormatBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) value /= 1000, ++unit;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string FormatShare(double part, double whole) {
  if (whole <= 0) return "-";
  const double percent = 100 * part / whole;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  return fmt::format("{:.1f} %", percent);
}

bool MatchesGlob(std::string_view glob, std::string_view text) {
  size_t g = 0;
  size_t t = 0;
  // Where to take up again when a match fails: the last star takes one character more.
  size_t star = std::string_view::npos;
  size_t star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g, ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace yp
