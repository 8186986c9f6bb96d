#include "cli/perf_event_name.h"

#include <fmt/core.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

namespace yp {

Result<PerfEventCode> FindPerfEvent(const std::string& name) {
  if (const int ready = pfm_initialize(); ready != PFM_SUCCESS) {
    return Status::Error(
        fmt::format("{}: libpfm4 knows no events here: {}", name, pfm_strerror(ready)));
  }
  perf_event_attr attributes{};
  pfm_perf_encode_arg_t encoded{};
  encoded.attr = &attributes;
  encoded.size = sizeof(encoded);
  const int found =
      pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &encoded);
  if (found != PFM_SUCCESS) {
    return Status::Error(
        fmt::format("{}: {}; such are cycles, instructions, branch-misses, cache-misses, "
                    "cpu-clock, page-faults, context-switches, and those of libpfm4's showevtinfo",
                    name, pfm_strerror(found)));
  }
  return PerfEventCode{attributes.type, attributes.config, attributes.config1, attributes.config2};
}

std::optional<NamedPerfEvent> FindCallEvent() {
  // Of Intel's processors, of AMD's, and of Arm's.
  for (const char* name :
       {"BR_INST_RETIRED:NEAR_CALL", "RETIRED_NEAR_RETURNS", "BR_RETURN_RETIRED"}) {
    if (const Result<PerfEventCode> code = FindPerfEvent(name)) return NamedPerfEvent{name, *code};
  }
  return std::nullopt;
}

}  // namespace yp
