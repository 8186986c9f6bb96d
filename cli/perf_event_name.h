#ifndef YP_CLI_PERF_EVENT_NAME_H_
#define YP_CLI_PERF_EVENT_NAME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace yp {

// An event in the numbers of perf_event_open.
struct PerfEventCode {
  uint32_t type = 0;
  uint64_t config = 0, config1 = 0, config2 = 0;

  bool operator==(const PerfEventCode&) const = default;
  // The kernel's clocks, which count ns.
  bool IsClock() const;
};

struct NamedPerfEvent {
  std::string name;
  PerfEventCode code;

  bool operator==(const NamedPerfEvent&) const = default;
};

// By its name, as libpfm4 knows it: the kernel's ("cycles", "branch-misses", "cpu-clock"), and
// those of this processor ("INST_RETIRED", "r01c0"). Whether the machine counts it is another
// question.
Result<PerfEventCode> FindPerfEvent(const std::string& name);
// What this processor calls the retired calls, or the retired returns, of which there are as many;
// nothing when libpfm4 knows none.
std::optional<NamedPerfEvent> FindCallEvent();

}  // namespace yp

#endif  // YP_CLI_PERF_EVENT_NAME_H_
