#ifndef YP_HOTSPOT_PROBES_BARRIER_BARRIER_PROBE_H_
#define YP_HOTSPOT_PROBES_BARRIER_BARRIER_PROBE_H_

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/status.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/probes/probe.h"
#include "hotspot/probes/probe_host.h"
#include "hotspot/vmstructs/code_cache.h"

namespace yp::hotspot {

class VmEvents;

// Calls become observable by the entry barrier that the VM's compiled methods have anyway: Arnold
// and Grove's overloaded check, and Jikes RVM's yieldpoints, on stock HotSpot.
//
// Every compiled method compares a word of its thread with a guard, and calls a stub when they
// differ. Armed, a byte in that word makes them differ, and the stub's first instruction is a jump
// to a hook that counts (see BarrierHookConfig). Guarantees:
//
//  - Install changes eight bytes of one stub; Remove changes them back unless another has written
//    there since. No method's code is touched.
//  - Not armed, the program runs what it would run without the probe.
//  - What is not known exactly is refused, at Install, or left to the VM, in the hook. Where that
//    is more than the odd call, the probe disarms for good.
//  - A collector that stores the word in a phase of its own disarms the thread until the next Arm.
//
// An entry by on-stack replacement is seen as a call as well.
class BarrierProbe final : public Probe {
 public:
  struct Options {
    int jdk = 0;  // Java's feature version.
    // Whether the collector changes compiled code while threads run (ZGC, Shenandoah). True is
    // always right, and costs an observed call some more.
    bool collector_patches_code = true;
    // Takes the calls. It outlives the process's threads.
    EntryHandler* handler = nullptr;
    // Sets all threads' EntryCountdown to 0, as a tick begins.
    std::function<void()> begin_counting;
  };
  // Undecodable entries before the probe gives up, if they are that part of the samples as well.
  static constexpr uint64_t kMaxUndecodable = 1000;
  static constexpr uint64_t kMaxUndecodablePercent = 1;
  // Of a call that is counted down: a 2.6 GHz x86-64, a kernel of calls (2026-11).
  static constexpr int64_t kObservedCallPs = 3000;
  static constexpr bool IsTooMuch(uint64_t undecodable, uint64_t samples) {
    return undecodable > kMaxUndecodable && undecodable > samples * kMaxUndecodablePercent / 100;
  }

  BarrierProbe(const CodeCache& code_cache, Options options);
  ~BarrierProbe() override = default;

  void Configure(const AgentOptions& options) override { Force(options.force); }

  // From the next Install on: also in a JDK with which it was never tried.
  void Force(bool force) { force_ = force; }
  const char* name() const override { return "barrier"; }
  Status Install(JNIEnv* jni) override;
  void Arm(uint32_t tick, Countdown countdown) override;
  void Disarm() override;
  void Remove(JNIEnv* jni) override;
  int64_t observed_call_ps() const override { return kObservedCallPs; }
  void Maintain() override;

 private:
  Status Check(JNIEnv* jni);
  Status Hook();
  bool MakesNotEntrant();

  const CodeCache& code_cache_;
  const Options options_;
  VmEvents* vm_ = nullptr;
  std::span<const uint8_t> stub_;
  uint8_t displacement_ = 0;
  uint64_t stub_word_ = 0, hooked_word_ = 0;  // The stub's first bytes; 0 unless it is hooked.
  bool force_ = false;
  std::atomic<bool> is_installed_{false}, has_given_up_{false};
  std::atomic<bool> is_open_{false};  // A tick is.
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_BARRIER_BARRIER_PROBE_H_
