#include "cli/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "format/profile/whole_calls.h"

namespace yp {
namespace {

std::string_view AfterLast(std::string_view text, char separator) {
  const size_t position = text.rfind(separator);
  return position == std::string_view::npos ? text : text.substr(position + 1);
}

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// Where the character of that number begins.
size_t ByteOf(std::string_view text, size_t character) {
  size_t byte = 0;
  for (size_t seen = 0; byte < text.size(); ++byte) {
    if (StartsCharacter(text[byte]) && seen++ == character) break;
  }
  return byte;
}

// "java.util.ArrayList" as "j.u.ArrayList".
std::string AbbreviatePackages(std::string_view class_name) {
  std::string result;
  for (size_t dot; (dot = class_name.find('.')) != std::string_view::npos;) {
    result += class_name.substr(0, std::min(ByteOf(class_name, 1), dot));
    result += '.';
    class_name.remove_prefix(dot + 1);
  }
  return result.append(class_name);
}

// At most so many characters: "…" stands for what is left out of the middle.
std::string CutMiddle(std::string_view text, size_t width) {
  const size_t all = DisplayWidth(text);
  if (all <= width) return std::string(text);
  if (width == 0) return "";
  const size_t front = width / 2;
  const size_t back = width - 1 - front;
  return std::string(text.substr(0, ByteOf(text, front))) + "…" +
         std::string(text.substr(ByteOf(text, all - back)));
}

}  // namespace

std::vector<std::string> NameForms(const MethodTable& methods, MethodId id) {
  if (id == kNoMethod) return {std::string(kRootName)};
  return NameForms(methods[id]);
}

std::vector<std::string> NameForms(const Method& method) {
  const std::string parameters = ReadableParameters(method.descriptor);
  const std::string simple = std::string(AfterLast(method.class_name, '.')) + "." + method.name;
  return {method.ReadableName(),
          AbbreviatePackages(method.class_name) + "." + method.name + parameters,
          simple + parameters, simple};
}

std::string ShortenName(std::string_view name, size_t width) {
  if (DisplayWidth(name) <= width) return std::string(name);
  const size_t indent = std::min(name.find_first_not_of(' '), name.size());
  const std::string_view bare = name.substr(indent);
  const size_t room = width - std::min(width, indent);
  const size_t dot = bare.rfind('.');
  if (dot == 0 || dot == std::string_view::npos) {
    return std::string(name.substr(0, indent)) + CutMiddle(bare, room);
  }
  // The method stays whole where that leaves some of the class.
  constexpr size_t kLeastOfClass = 7;
  const std::string_view type = bare.substr(0, dot);
  const size_t method_width = DisplayWidth(bare.substr(dot));
  const size_t least = std::min(kLeastOfClass, DisplayWidth(type));
  const size_t for_class = room > method_width + least ? room - method_width : least;
  const std::string short_class = CutMiddle(type, for_class);
  return std::string(name.substr(0, indent)) + short_class + "." +
         CutMiddle(bare.substr(dot + 1), room - std::min(room, DisplayWidth(short_class) + 1));
}

CallSites::CallSites(const MethodTable& methods) : methods_(methods) {}

void CallSites::Add(const Edge& edge) {
  if (edge.caller == kNoMethod || edge.bci == kNoBci) return;
  const int line = LineOf(methods_, edge);
  if (line == 0) return;
  const auto [known, is_new] = sites_.try_emplace({edge.caller, line}, edge.bci);
  if (!is_new && known->second != edge.bci) known->second = kSeveral;
}

std::vector<std::string> CallSites::Forms(const Edge& edge) const {
  std::string full = CallSite(methods_, edge);
  const int line = edge.caller == kNoMethod ? 0 : LineOf(methods_, edge);
  const auto known = sites_.find({edge.caller, line});
  if (edge.bci == kNoBci || line == 0 || known == sites_.end()) return {full};
  const std::string bci =
      known->second == kSeveral ? fmt::format(" bci {}", edge.bci) : std::string();
  return {full + bci, fmt::format(":{}{}", line, bci)};
}

CallSites CallSitesOf(const Profile& profile) {
  CallSites sites(profile.methods);
  for (const EdgeStats& edge : profile.edges) sites.Add(edge.edge);
  return sites;
}

std::string CallSite(const MethodTable& methods, const Edge& edge) {
  if (edge.caller == kNoMethod) return "-";
  if (edge.bci == kNoBci) return "native";
  const int line = LineOf(methods, edge);
  if (line == 0) return fmt::format("bci {}", edge.bci);
  const std::string& file = methods[edge.caller].source_file;
  return file.empty() ? fmt::format("line {}", line) : fmt::format("{}:{}", file, line);
}

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), StartsCharacter));
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

std::string FormatMilliseconds(double ns) {
  const double ms = ns / 1e6;
  if (ms <= 0) return "0 ms";
  if (ms < 0.01) return "<0.01 ms";
  if (ms < 9.95) return fmt::format("{:.{}f} ms", ms, ms < 0.995 ? 2 : 1);
  return WithSeparators(ms) + " ms";
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

bool MatchesGlob(std::string_view glob, const Method& method) {
  return MatchesGlob(glob, method.FullName()) ||
         MatchesGlob(glob, method.class_name + "." + method.name);
}

}  // namespace yp
