#ifndef YP_HOTSPOT_SUPPORT_CLASS_FILTER_H_
#define YP_HOTSPOT_SUPPORT_CLASS_FILTER_H_

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/options/recording_options.h"

namespace yp::hotspot {

using PackageSet = std::unordered_set<std::string>;  // "java/sql"

// Whether a class is in one of the packages, by its internal name: "java/sql/Driver".
bool IsInPackages(std::string_view internal_name, const PackageSet& packages);

// Whether `text` matches `pattern`, in which '*' stands for any run of characters and '?' for one.
// Takes time proportional to the product of the lengths at worst.
bool MatchesGlob(std::string_view pattern, std::string_view text);

// Whether a class was made at run time under a name that differs from run to run: proxies,
// reflection's accessors, serialisation's constructors. They glue the JDK to the program and belong
// to neither.
bool IsGlue(std::string_view internal_name);

// Which classes are observed.
class ClassFilter {
 public:
  enum class Verdict {
    kObserve,   // Its methods get the probe.
    kPassOver,  // The program's, but not asked for.
    kPlatform,  // The JDK's, and only the application's were asked for.
    kNever,     // The probe itself stands on it, or the VM knows its bytecode by heart.
  };

  explicit ClassFilter(const RecordingOptions& options)
      : scope_(options.scope), include_(options.include), exclude_(options.exclude) {}

  // `internal_name` as in class files: "java/util/Map$Entry". `of_jdk`: defined by the boot or the
  // platform class loader.
  Verdict Classify(std::string_view internal_name, bool of_jdk) const;
  // Whether the JDK's classes are observed at all.
  bool observes_jdk() const { return scope_ == RecordingOptions::Scope::kAll; }
  // Whether every class of the JDK that can have the probe has it.
  bool observes_whole_jdk() const {
    return scope_ == RecordingOptions::Scope::kAll && include_.empty() && exclude_.empty();
  }

 private:
  RecordingOptions::Scope scope_;
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_CLASS_FILTER_H_
