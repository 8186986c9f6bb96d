#ifndef YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_
#define YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rewriter.h"
#include "hotspot/agent/class_filter.h"
#include "hotspot/agent/drops.h"
#include "hotspot/graph/method_registry.h"

namespace yp::hotspot {

// Rewrites class files so that their methods call the probe.
//
// Sampling modes: each method with code, trivial ones excepted if so asked, begins with check(id).
// Exact mode: each begins with enter(id), and site(number) stands before each call. Classes of the
// program that are not to be counted begin with site(0) instead, so that a call that goes through
// them is not taken for one of the site's own.
class Instrumenter {
 public:
  Instrumenter(const ClassFilter& filter, bool exact, bool skip_trivial, MethodRegistry& registry,
               Drops& drops)
      : filter_(filter),
        exact_(exact),
        skip_trivial_(skip_trivial),
        registry_(registry),
        drops_(drops) {}

  // The rewritten class; nothing when it is to stay as it is. `of_jdk`: defined by the boot or the
  // platform class loader.
  std::optional<std::vector<uint8_t>> Rewrite(std::span<const uint8_t> bytes, bool of_jdk);
  // Whether Rewrite would leave a class of that name alone, without looking at its bytes.
  bool Ignores(std::string_view internal_name, bool of_jdk) const;

 private:
  std::optional<std::vector<uint8_t>> RewriteToPassOver(const classfile::ClassFile& file);
  // Remembers how a method was rewritten; takes the map out of `outcome`.
  void AddVersion(const classfile::ClassFile& file, MethodId id, classfile::MethodOutcome& outcome);

  const ClassFilter& filter_;
  const bool exact_;
  const bool skip_trivial_;
  MethodRegistry& registry_;
  Drops& drops_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_INSTRUMENTER_H_
