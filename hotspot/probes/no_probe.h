#ifndef YP_HOTSPOT_PROBES_NO_PROBE_H_
#define YP_HOTSPOT_PROBES_NO_PROBE_H_

#include <memory>

#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"

namespace yp::hotspot {

// No call is observed: for recordings of what signals find alone.
class NoProbe final : public Probe {
 public:
  static std::unique_ptr<Probe> Make(const ProbeHost&, JNIEnv*, const AgentOptions&) {
    return std::make_unique<NoProbe>();
  }
  const char* name() const override { return "none"; }
  Status Install(JNIEnv*) override { return Status::Ok(); }
  void Remove(JNIEnv*) override {}
  int64_t observed_call_ps() const override { return 0; }
  void Arm(uint32_t, Countdown) override {}
  void Disarm() override {}
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_NO_PROBE_H_
