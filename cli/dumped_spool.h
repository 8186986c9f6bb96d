#ifndef YP_CLI_DUMPED_SPOOL_H_
#define YP_CLI_DUMPED_SPOOL_H_

#include <cstdint>

#include "base/status.h"
#include "cli/attach/agent_control.h"
#include "format/profile/merge.h"

namespace yp {

// The profile of a dump: of the parts before the spool that is written, and of a copy of that as it
// was when the agent replied, with the end that came with the reply. `last`: so many parts at most;
// 0: all.
Result<MergedProfile> MergeDumped(const AgentReply& reply, uint32_t last);

}  // namespace yp

#endif  // YP_CLI_DUMPED_SPOOL_H_
