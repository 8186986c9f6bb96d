#ifndef YP_HOTSPOT_PROBES_PROBE_REGISTRY_H_
#define YP_HOTSPOT_PROBES_PROBE_REGISTRY_H_

#include <jni.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"
#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"
#include "hotspot/support/options.h"

namespace yp::hotspot {

// All probes, and which of them a recording gets. A new one is a line of kProbes.
class ProbeRegistry {
 public:
  // `entries_refused`: why no probe on compiled entries may be used, if so.
  ProbeRegistry(ProbeHost host, Status entries_refused)
      : host_(std::move(host)), entries_refused_(std::move(entries_refused)) {}

  struct Choice {
    Probe* probe = nullptr;  // It outlives the process's threads.
    // It is one on compiled entries, and put in. Others are put in when the recording is there:
    // their first calls come meanwhile.
    bool at_entries = false;
  };
  // The probe that the options ask for. An error of one line where they name one that is not for
  // this VM or machine; where the choice is left, the log says which could not be used.
  Result<Choice> Choose(JNIEnv* jni, const AgentOptions& options);

 private:
  static constexpr size_t kMaxProbes = 8;
  struct Row;
  static const Row kProbes[];

  Probe& Get(size_t row, JNIEnv* jni, const AgentOptions& options);
  // Whether the VM compiles, which probes on compiled entries need.
  Status CheckCompilesFor(const AgentOptions& options) const;

  const ProbeHost host_;
  const Status entries_refused_;
  std::array<Probe*, kMaxProbes> of_process_{};  // By row: those that are made once.
  std::vector<std::unique_ptr<Probe>> made_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_PROBE_REGISTRY_H_
