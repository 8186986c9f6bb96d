#include "cli/aos/jdk_release.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace yp {
namespace {

// The value of NAME="VALUE" on a line of its own; empty when there is none.
std::string_view ValueOf(std::string_view text, std::string_view name) {
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    std::string_view rest = text.substr(line, end - line);
    line = end + 1;
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    if (!rest.starts_with("=\"")) continue;
    rest.remove_prefix(2);
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

bool HasWord(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

}  // namespace

std::optional<JdkRelease> ParseRelease(std::string_view text) {
  JdkRelease release;
  release.version = ValueOf(text, "JAVA_VERSION");
  std::string_view number = release.version;
  if (number.starts_with("1.")) number.remove_prefix(2);  // up to 8
  if (std::from_chars(number.begin(), number.end(), release.feature).ec != std::errc()) {
    return std::nullopt;
  }
  release.architecture = ValueOf(text, "OS_ARCH");
  release.has_jvmci = HasWord(ValueOf(text, "MODULES"), "jdk.internal.vm.ci");
  // Builds that do not say, Debian's among them, are HotSpot's.
  const std::string_view variant = ValueOf(text, "JVM_VARIANT");
  release.is_hotspot = variant.empty() || variant == "Hotspot";
  return release;
}

}  // namespace yp
