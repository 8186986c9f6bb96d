#ifndef YP_COMPILER_AOS_ADAPTIVE_HOST_H_
#define YP_COMPILER_AOS_ADAPTIVE_HOST_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "compiler/aos/method_signals.h"
#include "core/adaptive/adaptive_system.h"
#include "core/graph/dcg.h"
#include "format/spool/records.h"
#include "recorder/worker.h"

namespace yp::compiler {

// Where core/adaptive runs inside the program's process. Samples come from yieldpoints, or signals,
// and from the drain; a thread of its own organizes them and has the controller decide; a thread of
// the bridge's waits for what is to be compiled again; the drain takes what has happened for the
// spool.
//
// - Thread-safe. OnMethodSample is called by compiled code, which the VM cannot stop meanwhile: it
//   takes a mutex under which nobody waits for anything, and drops the sample, counted, when there
//   are too many.
// - Methods are those of the recording's call graph.
class AdaptiveHost {
 public:
  // `levels` are valid. Times are told since start_ns. `signals`: what samples methods, and lives
  // longer; null: yieldpoints do.
  AdaptiveHost(const AdaptivePolicy& policy, const Levels& levels, Clock& clock, int64_t start_ns,
               MethodSignals* signals = nullptr);
  ~AdaptiveHost();

  Status Start();
  // No recompilation is given out afterwards, and who waits for one returns.
  void Stop();

  // Listeners. The method ran when a tick came; kNoMethod: none of the program's.
  void OnMethodSample(MethodId method);
  // A yieldpoint of the method in whose code that address lies.
  void OnMethodSampleAt(const uint8_t* pc);
  void OnCallSamples(std::span<const CallSample> samples);

  // What the bridge is to compile.
  struct Recompilation {
    MethodId method{};
    int32_t level = 0;
    bool for_inlining = false;  // Calls became inlinable by the calls as they are now.
  };
  // Waits until there is one; nothing: the recording has ended. The caller says how it ended, by
  // OnCompiled or OnRefused.
  std::optional<Recompilation> AwaitRecompilation();

  // A compilation has ended, whoever asked for it. Failures are told to the spool as well.
  struct Compiled {
    spool::OwnCompilation event;     // Its times are the clock's; level_name is added.
    const uint8_t* code = nullptr;   // event.code_bytes from there on.
    std::vector<Edge> inlined = {};  // Calls that are in it.
  };
  void OnCompiled(Compiled compiled);

  // The calls that the listeners have seen, in samples, decayed until now.
  DynamicCallGraph CallsNow();

  // What happened since the last time, for the spool: compilations by their ends; decisions that do
  // not say what the method's last one said, and those by which it is compiled.
  struct Events {
    std::vector<spool::OwnCompilation> compilations;
    std::vector<spool::ControllerDecision> decisions;
  };
  Events TakeEvents();

  uint64_t dropped_samples() const {
    return dropped_.load(std::memory_order_relaxed) + (signals_ ? signals_->dropped() : 0);
  }
  // Samples of methods that came; proposals to the controller; recompilations that it gave out: the
  // columns S, P and C of Buytaert et al. 2007, Table 3. Signals that found a thread in no method's
  // code, nor called from there, are samples of none: they are outside.
  struct Totals {
    uint64_t samples = 0, proposals = 0, recompilations = 0, outside = 0;
  };
  Totals totals() const;

 private:
  struct Sizes final : MethodSizes {
    std::unordered_map<MethodId, int32_t> bytes;
    std::optional<int32_t> BytesOf(MethodId method) const override;
  };
  // Code that a method has, or had: addresses are used again, then the newer one counts.
  struct Code {
    const uint8_t* end = nullptr;
    MethodId method{};
  };

  double NowMs() const;
  // With samples_mutex_. kNoMethod: that is no method's code.
  MethodId MethodAt(const uint8_t* pc) const;
  // Those that signals took; how many were outside.
  uint64_t TakeSignals(std::vector<MethodSample>* samples);
  void Run(Worker& worker);
  void Organize();
  void Tell(const Decision& decision);

  Clock& clock_;
  const int64_t start_ns_;
  const size_t enough_samples_;
  const int64_t organize_interval_ns_;
  MethodSignals* const signals_;

  // Of what compiled code calls; held for a few instructions.
  std::mutex samples_mutex_;
  std::vector<MethodSample> method_samples_;
  std::map<const uint8_t*, Code> code_;  // By the first address.
  std::atomic<uint64_t> dropped_{0};

  // Of all below.
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  bool has_ended_ = false;
  std::vector<CallSample> call_samples_;
  Sizes sizes_;
  AdaptiveSystem system_;
  Events events_;
  std::unordered_map<MethodId, std::pair<DecisionReason, int32_t>> last_said_;
  Totals totals_;

  Worker worker_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_ADAPTIVE_HOST_H_
