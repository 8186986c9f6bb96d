#ifndef YP_CORE_OPTIONS_PERF_EVENT_CODE_H_
#define YP_CORE_OPTIONS_PERF_EVENT_CODE_H_

#include <cstdint>
#include <string>

namespace yp {

// An event in the numbers of perf_event_open.
struct PerfEventCode {
  uint32_t type = 0;
  uint64_t config = 0, config1 = 0, config2 = 0;

  bool operator==(const PerfEventCode&) const = default;
  // The kernel's clocks, which count ns: PERF_COUNT_SW_CPU_CLOCK and PERF_COUNT_SW_TASK_CLOCK of
  // PERF_TYPE_SOFTWARE.
  bool IsClock() const { return type == 1 && config <= 1; }
};

struct NamedPerfEvent {
  std::string name;
  PerfEventCode code;

  bool operator==(const NamedPerfEvent&) const = default;
};

}  // namespace yp

#endif  // YP_CORE_OPTIONS_PERF_EVENT_CODE_H_
