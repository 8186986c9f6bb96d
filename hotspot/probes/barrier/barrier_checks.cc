#include "hotspot/probes/barrier/barrier_checks.h"

#include "hotspot/arch/arch.h"

namespace yp::hotspot {
const char* StubName(int jdk) {
  return jdk < 20 ? "nmethod_entry_barrier" : "method_entry_barrier";
}

void BarrierSurvey::Add(uintptr_t address, std::span<const uint8_t> code) {
  const std::optional<EntryBarrier> barrier = FindEntryBarrier(address, code);
  const bool is_known = barrier && barrier->stub == stub_ && barrier->displacement != 0 &&
                        (barrier->guard & ~kNotEntrantGuard) >> 24 == 0;
  if (!is_known) {
    ++unknown_;
    return;
  }
  differ_ |= known_ != 0 && barrier->displacement != displacement_;
  displacement_ = barrier->displacement;
  ++known_;
}

Result<uint8_t> BarrierSurvey::Displacement() const {
  if (is_empty()) {
    return Status::Error("the JVM has compiled nothing in which to look for entry barriers");
  }
  if (differ_ || unknown_ > 1 + known_ / 100 || known_ == 0) {
    return Status::Error("the JVM's compiled code has entry barriers of an unknown kind (" +
                         std::to_string(unknown_) + " of " + std::to_string(known_ + unknown_) +
                         " methods" + (differ_ ? ", and not all the same" : "") + ")");
  }
  return displacement_;
}

}  // namespace yp::hotspot
