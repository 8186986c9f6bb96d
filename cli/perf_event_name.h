#ifndef YP_CLI_PERF_EVENT_NAME_H_
#define YP_CLI_PERF_EVENT_NAME_H_

#include <optional>
#include <string>

#include "base/status.h"
#include "core/options/perf_event_code.h"

namespace yp {

// By its name, as libpfm4 knows it: the kernel's ("cycles", "branch-misses", "cpu-clock"), and
// those of this processor ("INST_RETIRED", "r01c0"). Whether the machine counts it is another
// question.
Result<PerfEventCode> FindPerfEvent(const std::string& name);
// What this processor calls the retired calls, or the retired returns, of which there are as many;
// nothing when libpfm4 knows none.
std::optional<NamedPerfEvent> FindCallEvent();

}  // namespace yp

#endif  // YP_CLI_PERF_EVENT_NAME_H_
