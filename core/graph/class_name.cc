#include "core/graph/class_name.h"

#include <algorithm>

namespace yp {
namespace {

constexpr size_t kFewestAddressDigits = 8;

// Where a hidden class's address begins, with the character before it; npos when there is none.
size_t FindAddress(std::string_view name) {
  for (size_t at = name.find("0x"); at != std::string_view::npos; at = name.find("0x", at + 1)) {
    if (at == 0 || std::string_view("+/.").find(name[at - 1]) == std::string_view::npos) continue;
    const std::string_view digits = name.substr(at + 2);
    const size_t n = std::min(digits.find_first_not_of("0123456789abcdef"), digits.size());
    if (n >= kFewestAddressDigits && (n == digits.size() || digits[n] == '/')) return at - 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::string ReportedClassName(std::string_view name) {
  std::string reported(name.substr(0, FindAddress(name)));
  // Before JDK 15 there was a hash alone: "LambdaForm$DMH/1234567".
  const size_t last = reported.find_last_not_of("0123456789");
  if (last != std::string::npos && last > 0 && last + 1 < reported.size() &&
      reported[last] == '/') {
    reported.resize(last);
  }
  // JDK 17's lambdas are numbered: "Main$$Lambda$14".
  const size_t lambda = reported.find("$$Lambda$");
  if (lambda != std::string::npos) reported.resize(lambda + std::string_view("$$Lambda").size());
  std::ranges::replace(reported, '/', '.');
  if (reported.starts_with("jdk.internal.reflect.Generated")) {
    reported.resize(reported.find_last_not_of("0123456789") + 1);
  }
  return reported;
}

}  // namespace yp
