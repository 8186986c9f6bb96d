#include "hotspot/probes/entry/entry_probes.h"

namespace yp::hotspot {
namespace {

class RefusingProbe final : public Probe {
 public:
  const char* name() const override { return "none"; }
  Status Install(JNIEnv*) override {
    return Status::Error(
        "probes on compiled entries are for x86-64 alone, and this is another processor: take "
        "--probe "
        "bytecode");
  }
  void Remove(JNIEnv*) override {}
  int64_t observed_call_ps() const override { return 0; }
  void Arm(uint32_t, Countdown) override {}
  void Disarm() override {}
};

}  // namespace

std::unique_ptr<Probe> MakePatchProbe(const ProbeHost&, JNIEnv*, const AgentOptions&) {
  return std::make_unique<RefusingProbe>();
}

std::unique_ptr<Probe> MakeBarrierProbe(const ProbeHost&, JNIEnv*, const AgentOptions&) {
  return std::make_unique<RefusingProbe>();
}

}  // namespace yp::hotspot
