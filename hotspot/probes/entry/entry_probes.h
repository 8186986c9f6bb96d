#ifndef YP_HOTSPOT_PROBES_ENTRY_ENTRY_PROBES_H_
#define YP_HOTSPOT_PROBES_ENTRY_ENTRY_PROBES_H_

#include <jni.h>

#include <cstddef>
#include <memory>

#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"
#include "hotspot/support/options.h"

namespace yp::hotspot {

// The probes on compiled entries: patch/ and barrier/, or, on a processor for which there is no
// machine code of ours, some that refuse (none.cc).
std::unique_ptr<Probe> MakePatchProbe(const ProbeHost& host, JNIEnv* jni,
                                      const AgentOptions& options);
std::unique_ptr<Probe> MakeBarrierProbe(const ProbeHost& host, JNIEnv* jni,
                                        const AgentOptions& options);

// Compilations in a process's life whose entries can be observed.
inline constexpr size_t kMaxObservedEntries = size_t{1} << 17;

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_ENTRY_ENTRY_PROBES_H_
