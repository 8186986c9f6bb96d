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

constexpr std::string_view kProxyPackage = "jdk.proxy";

// Of a name without the digits at its end, whether it is that of a dynamic proxy.
bool IsProxy(std::string_view name) {
  constexpr std::string_view kProxy = "$Proxy";
  if (!name.ends_with(kProxy)) return false;
  name.remove_suffix(kProxy.size());
  return name.empty() || name.ends_with('.');
}

// What libraries that make classes put in front of a random or running part of their names.
constexpr std::string_view kMakers[] = {"$ByteBuddy$", "$HibernateProxy$", "$MockitoMock$",
                                        "$auxiliary$"};

bool IsLetterOrDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Takes out what stands behind such a mark, up to the next part of the name.
void LeaveOutRandomParts(std::string& name) {
  for (const std::string_view maker : kMakers) {
    for (size_t at = name.find(maker); at != std::string::npos; at = name.find(maker, at)) {
      at += maker.size() - 1;  // A dollar may begin the next mark.
      size_t end = at + 1;
      while (end < name.size() && IsLetterOrDigit(name[end])) ++end;
      if (end == name.size() || name[end] == '$') name.erase(at, end - at);
    }
  }
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
  const size_t before_number = reported.find_last_not_of("0123456789") + 1;
  if (reported.starts_with("jdk.internal.reflect.Generated") ||
      IsProxy(std::string_view(reported).substr(0, before_number))) {
    reported.resize(before_number);
  }
  // A package of proxies for each class loader: "jdk.proxy2".
  if (reported.starts_with(kProxyPackage)) {
    const size_t dot = reported.find_first_not_of("0123456789", kProxyPackage.size());
    if (dot != std::string::npos && reported[dot] == '.') {
      reported.erase(kProxyPackage.size(), dot - kProxyPackage.size());
    }
  }
  LeaveOutRandomParts(reported);
  return reported;
}

}  // namespace yp
