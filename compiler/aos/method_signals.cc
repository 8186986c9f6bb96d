#include "compiler/aos/method_signals.h"

namespace yp::compiler {

MethodSignals& MethodSignals::OfProcess() {
  static MethodSignals* const signals = [] {
    auto* made = new MethodSignals();
    receiver_.store(made, std::memory_order_release);  // Partner: OnSignal's acquire.
    return made;
  }();
  return *signals;
}

void MethodSignals::UseAnchor(const Anchor& anchor) {
  last_java_sp_.store(anchor.last_java_sp, std::memory_order_relaxed);
  last_java_pc_.store(anchor.last_java_pc, std::memory_order_relaxed);
  has_anchor_.store(true, std::memory_order_release);
}

void MethodSignals::Begin() {
  Take([](const Place&) {});                          // Of an earlier recording.
  is_active_.store(true, std::memory_order_release);  // Partner: OnSignal's acquire.
}

void MethodSignals::End() { is_active_.store(false, std::memory_order_release); }

}  // namespace yp::compiler
