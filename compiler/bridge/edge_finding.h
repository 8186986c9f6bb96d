#ifndef YP_COMPILER_BRIDGE_EDGE_FINDING_H_
#define YP_COMPILER_BRIDGE_EDGE_FINDING_H_

#include <cstdint>

#include "base/status.h"
#include "compiler/aos/recording.h"
#include "compiler/ctb/code_targets.h"
#include "compiler/install/vm_layout.h"
#include "format/spool/records.h"

namespace yp::compiler {

// Has the recording told of the edges that code targets find, from the code on that is compiled
// then. Once in a process. `object`: the Klass of java.lang.Object.
Result<CodeTargets*> FindEdges(const VmLayout& vm, Recording& recording, uint64_t object);

// What the profile says of the code targets in the end; nothing where there are none.
spool::Config TargetFacts();

// At a safepoint, behind a collection.
void OnCollection();

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_EDGE_FINDING_H_
