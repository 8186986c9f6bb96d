#ifndef YP_COMPILER_AOS_RECORDING_H_
#define YP_COMPILER_AOS_RECORDING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "compiler/aos/adaptive_host.h"
#include "compiler/aos/call_graph.h"
#include "compiler/aos/method_signals.h"
#include "compiler/runtime/yieldpoints.h"
#include "core/options/recording_options.h"
#include "format/spool/records.h"
#include "format/spool/spool_writer.h"
#include "recorder/arming.h"
#include "recorder/edge_counters.h"
#include "recorder/pacer.h"
#include "recorder/sampled_threads.h"
#include "recorder/sampler.h"
#include "recorder/spool_drain.h"
#include "recorder/triggers/signal_triggers.h"
#include "recorder/triggers/tick_thread.h"
#include "recorder/worker.h"

namespace yp::compiler {

// Where a thread's words for yieldpoints are, in bytes from its JNIEnv on, and where the VM keeps
// from where it left Java.
struct ThreadWords {
  ptrdiff_t state = 0;
  ptrdiff_t record = 0;
  MethodSignals::Anchor anchor = {};
};

// What is recorded of compiled code's calls, from the VM's start to its end: all calls that
// yieldpoints see, or samples of them, in windows at ticks or all the time; or, in mode edges,
// which are made at all, as it is told. One in a process.
//
// A call is seen by the prologue of its callee. Its caller is known by the return address, where
// that lies in code with yieldpoints; interpreted, native and the VM's own callers are none.
//
// A thread is observed from its start on, as its JNIEnv is known then. Its words in the VM's memory
// are written by itself and, as long as it is present, by the trigger: a tick's beginning sets the
// state to kAll, its end to kNone. The thread goes on from kAll to kCalls when it begins its window
// and to kNone when that is complete, each by comparing and exchanging, so that a tick's end in
// between holds.
class Recording final : public Arming {
 public:
  // Writes to options.spool; an error when it cannot be made.
  static Result<std::unique_ptr<Recording>> Open(const RecordingOptions& options, Clock& clock);

  // `jvm`: what the profile says of the JVM. Nothing is recorded before.
  Status Start(const spool::Config& jvm);
  // No yieldpoint is taken afterwards, and the spool is complete; `facts` are its last.
  void End(const spool::Config& facts = {});

  // From the thread itself. It is not observed when it has no environment, or after its end. After
  // the recording's end the VM tells of no thread's, and nothing is written to its memory.
  void OnThreadStart(void* jni_environment, const std::string& name);
  void OnThreadEnd();
  // Before there is code with yieldpoints, once.
  void UseWords(const ThreadWords& words);

  // What a call costs more that is counted down, and one that comes to the recording, in ps; 0: it
  // is not known. Before the same.
  void SetCallCosts(int64_t counted_call_ps, int64_t taken_call_ps);

  // Of mode edges: the call site has called the method. From compiled code as well.
  void OnEdge(uint32_t site, MethodId callee) { graph_.AddEdge(site, callee); }

  CallGraph& graph() { return graph_; }
  // Null where methods are not compiled again by samples.
  AdaptiveHost* adaptive() { return adaptive_.get(); }
  const RecordingOptions& options() const { return options_; }
  // What code with yieldpoints calls; see YieldpointTargets.
  static YieldpointTargets Targets();

  // Arming. For the trigger, and the end.
  void Arm(uint32_t tick, Countdown countdown) override;
  void Disarm() override;
  // Each thread's state is its own: one that has completed its window has left the tick.
  void AllDone() override {}

 private:
  struct Thread;

  Recording(const RecordingOptions& options, Clock& clock,
            std::unique_ptr<spool::SpoolWriter> writer);

  static void OnCall(YieldpointRecord* record, uint32_t callee, const uint8_t* return_address);
  static void OnTick(YieldpointRecord* record);
  void Count(Thread& thread, EdgeId edge);
  void Sample(Thread& thread, MethodId callee, uint32_t site);
  // What a sample took that was timed, with the clock's part.
  int64_t TimedNs(Thread& thread, int64_t elapsed_ns);
  void Send(Thread& thread, const Sampler::Verdict& verdict);
  void SendEnd(Thread& thread, const std::optional<WindowSummary>& ended);
  EdgeId EdgeOf(Thread& thread, MethodId callee, uint32_t site);

  // Whether there are no ticks: every call is counted, or counted down.
  bool is_continuous() const { return !pacer_.has_ticks(); }
  // Their methods are told with the graph's next updates.
  AdaptiveHost::Events TakeEvents();
  Status StartSignals();
  // Whether it is for yieldpoints to sample methods.
  bool SamplesMethods() const { return adaptive_ != nullptr && signals_.empty(); }
  // What windows sampled, before they are told.
  void GiveCalls(const std::vector<spool::EdgeDefinition>& new_edges);
  bool Prepare(Thread& thread);
  void GiveWords(Thread& thread);
  void SetStates(YieldpointState state);

  spool::Config CallCosts() const;
  void RunDrain(Worker& worker);
  void CollectCounts(Thread& thread);
  void Round();
  spool::Config Costs();

  const RecordingOptions options_;
  Clock& clock_;
  const int64_t start_ns_;
  const int64_t start_cpu_ns_;
  const uint64_t seed_;
  const int64_t reading_ns_;  // What one look at the clock takes.
  const bool counts_;         // All calls, or edges: nothing is sampled.
  const Countdown countdown_;
  CallGraph graph_;
  SignalTriggers signals_;  // None: yieldpoints sample methods.
  const std::unique_ptr<AdaptiveHost> adaptive_;
  std::vector<Edge> edges_by_id_;  // The drain's, for its call samples.
  SampledThreads threads_;
  Sampler sampler_;
  Pacer pacer_;
  SpoolDrain drain_;
  spool::Counts new_counts_;
  std::atomic<uint64_t> dropped_full_{0};       // The ring had no room.
  std::atomic<uint64_t> dropped_no_memory_{0};  // An edge could not be counted.
  std::atomic<uint64_t> dropped_threads_{0};    // That could not be observed.
  std::atomic<int64_t> taken_call_ps_{0};
  std::atomic<bool> has_call_costs_to_tell_{false};
  int64_t drain_cpu_ns_ = 0;  // The drain's thread's until it has been stopped.
  std::optional<TickThread> trigger_;
  Worker drain_worker_;
  // Of a thread's words: who gives them, and who takes them away.
  std::mutex words_mutex_;
  std::optional<ThreadWords> words_;
  std::atomic<bool> has_ended_{false};
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_RECORDING_H_
