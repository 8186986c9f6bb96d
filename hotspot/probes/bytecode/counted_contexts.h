#ifndef YP_HOTSPOT_PROBES_BYTECODE_COUNTED_CONTEXTS_H_
#define YP_HOTSPOT_PROBES_BYTECODE_COUNTED_CONTEXTS_H_

#include <cstdint>
#include <vector>

#include "format/spool/records.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/bytecode/context_counts.h"

namespace yp::hotspot {

// What one recording tells of the calls that are counted by context. One thread at a time.
class CountedContexts {
 public:
  // Forgets what was counted before.
  CountedContexts(ContextCounts& counts, MethodRegistry& registry)
      : counts_(counts), registry_(registry) {
    counts_.Clear();
  }

  struct Updates {
    std::vector<spool::ContextDefinition> contexts;  // Parents first.
    spool::ContextCounts counts;
  };
  // Since the last time. Looks at every context.
  Updates Take();

  ContextCounts& counts() { return counts_; }

 private:
  ContextCounts& counts_;
  MethodRegistry& registry_;
  std::vector<int64_t> told_ = std::vector<int64_t>(ContextCounts::kFirst);  // Calls, by node.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BYTECODE_COUNTED_CONTEXTS_H_
