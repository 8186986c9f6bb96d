#include "hotspot/support/class_filter.h"

#include <algorithm>

namespace yp::hotspot {
namespace {

constexpr std::string_view kGenerated[] = {"jdk/internal/reflect/", "jdk/proxy", "com/sun/proxy/"};

// Object's constructor is a marker to the compilers and the collector's finaliser registration;
// Unsafe is what the probe is made of; the method handles' machinery is compiled by rules of its
// own.
constexpr std::string_view kNever[] = {"java/lang/Object",   "java/lang/Yieldpoint",
                                       "jdk/internal/misc/", "java/lang/invoke/",
                                       "jdk/internal/vm/",   "sun/misc/Unsafe"};

// What tells the agent which test runs (hotspot/junit).
constexpr std::string_view kOwn = "yieldpoint/";

// A lambda's proxy is a hidden class beside the class that made it: glue that stack walks look
// through.
bool IsLambdaProxy(std::string_view name) {
  return name.find("$$Lambda") != std::string_view::npos;
}

// A proxy of an interface that is not public lies in the interface's package, as "app/$Proxy3".
bool IsDynamicProxy(std::string_view name) {
  constexpr std::string_view kPrefix = "$Proxy";
  std::string_view simple = name.substr(name.rfind('/') + 1);
  if (!simple.starts_with(kPrefix) || simple == kPrefix) return false;
  simple.remove_prefix(kPrefix.size());
  return std::all_of(simple.begin(), simple.end(), [](char c) { return '0' <= c && c <= '9'; });
}

bool StartsWithAny(std::string_view name, const auto& prefixes) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool IsInPackages(std::string_view internal_name, const PackageSet& packages) {
  const size_t slash = internal_name.rfind('/');
  return slash != std::string_view::npos &&
         packages.contains(std::string(internal_name.substr(0, slash)));
}

bool MatchesGlob(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool IsGlue(std::string_view internal_name) {
  return StartsWithAny(internal_name, kGenerated) || IsDynamicProxy(internal_name);
}

ClassFilter::Verdict ClassFilter::Classify(std::string_view internal_name, bool of_jdk) const {
  if (StartsWithAny(internal_name, kNever)) return Verdict::kNever;
  if (IsLambdaProxy(internal_name)) return Verdict::kNever;
  if (of_jdk && scope_ == RecordingOptions::Scope::kApplication) return Verdict::kPlatform;
  if (internal_name.starts_with(kOwn)) return Verdict::kPassOver;
  if (IsGlue(internal_name)) {
    return of_jdk ? Verdict::kPlatform : Verdict::kPassOver;
  }
  std::string dotted(internal_name);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  const auto matches = [&](const std::string& glob) { return MatchesGlob(glob, dotted); };
  const bool included = include_.empty() || std::any_of(include_.begin(), include_.end(), matches);
  const bool excluded = std::any_of(exclude_.begin(), exclude_.end(), matches);
  return included && !excluded ? Verdict::kObserve : Verdict::kPassOver;
}

}  // namespace yp::hotspot
