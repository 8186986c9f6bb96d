#ifndef YP_HOTSPOT_RECORDING_SESSION_H_
#define YP_HOTSPOT_RECORDING_SESSION_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "format/spool/records.h"
#include "hotspot/jit/compiler_threads.h"
#include "hotspot/jit/flight_recording.h"
#include "hotspot/probes/bytecode/counted_contexts.h"
#include "hotspot/probes/patch/listeners.h"
#include "hotspot/probes/probe.h"
#include "hotspot/profiles/profile_pace.h"
#include "hotspot/recording/drain.h"
#include "hotspot/recording/questions.h"
#include "hotspot/recording/stack_recording.h"
#include "hotspot/recording/test_marks.h"
#include "hotspot/support/class_filter.h"
#include "hotspot/support/options.h"
#include "hotspot/threads/program_activity.h"
#include "hotspot/threads/thread_record.h"
#include "recorder/pacer.h"
#include "recorder/part_files.h"
#include "recorder/sampler.h"
#include "recorder/triggers/call_counters.h"
#include "recorder/triggers/tick_thread.h"
#include "recorder/worker.h"

namespace yp::hotspot {

class Mode;

// One recording: from the agent's start, or an attach, to its stop or the VM's death. It is never
// deleted, as a thread may be in the slow path with it for any length of time.
//
// Life: active, ending, ended. A stop, the VM's death and the recording's own end may come at the
// same time: whoever calls BeginEnd first ends it, the others wait.
class Session {
 public:
  static constexpr int64_t kDrainIntervalNs = 100'000'000;  // At most, between two rounds.
  // The same while no tick is open and all was drained: nothing is recorded then. The next tick's
  // end wakes the drain.
  static constexpr int64_t kIdleDrainIntervalNs = 1'000'000'000;

  // The probe outlives the process's threads. `at_entries`: it is one on compiled entries, with
  // which the options' budget is kept.
  Session(uint32_t id, const AgentOptions& options, Clock& clock, Probe& probe, bool at_entries,
          ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
          std::unique_ptr<spool::SpoolWriter> writer);
  ~Session();

  // What becomes of its calls. After what follows and before the probe is in.
  void Observe(std::unique_ptr<Mode> mode);
  // Null before that.
  Mode* mode() const { return mode_.get(); }
  // What the VM counts is read now and then, and at the end. `cost_ns`: CPU time that it took to
  // begin with it. Before Start.
  void ReadProfilesWith(ProfileReader* reader, int64_t cost_ns) {
    profile_reader_ = reader;
    profiles_begin_ns_ = drain_cpu_ns_ = cost_ns;
  }
  // Calls are counted by context. Before Start.
  void CountContextsWith(std::unique_ptr<CountedContexts> contexts) {
    contexts_ = std::move(contexts);
  }
  // What the compilers do is recorded. `earlier`: the code that there was when it began. Before
  // Start.
  void RecordCompilersWith(std::unique_ptr<FlightRecording> recording, CompilerThreads threads,
                           std::vector<spool::EarlierCode> earlier) {
    flight_recording_ = std::move(recording);
    compiler_threads_ = std::move(threads);
    earlier_code_ = std::move(earlier);
  }
  // Stacks are taken as well. Before Start.
  void TakeStacksWith(std::unique_ptr<StackRecording> stacks) { stacks_ = std::move(stacks); }
  // The processor counts the calls between windows. Before Start.
  void CountCallsWith(std::unique_ptr<CallCounters> counters) {
    call_counters_ = std::move(counters);
  }
  // The VM's events of the calling thread.
  void OnThreadStart();
  void OnThreadEnd();
  // The probe is in: starts the trigger and the drain. `on_end` is called on the drain's
  // thread when the recording ends by itself: the options' duration, which begins here, is over, or
  // the spool cannot be written any more.
  Status Start(const spool::Config& config, std::function<void()> on_end);
  // The spool that the drain has, and where the recording goes on when it is full or old; nothing:
  // it is the only one. Before Start.
  void WriteTo(const std::string& spool, std::optional<PartFiles> parts);
  // Waits for the drain's thread, which answers between two rounds; a recording that has ended is
  // told of by the calling thread. From one thread at a time.
  RecordingAnswer Ask(const RecordingQuestion& question);
  // A test begins or ends. Nothing happens when the recording has ended. Any thread.
  void Mark(TestMarks::Kind kind, const std::string& name);
  // From active to ending: no call is sampled any more. True for the one caller who is to end it,
  // by what follows.
  bool BeginEnd();
  // No more ticks, from now on.
  void Disarm();
  // From any thread but the drain's own: that one ends. Also when it has ended already, so that
  // nothing of it is left.
  void StopDrainThread() { drain_worker_.Stop(); }
  // The last round; closes the spool.
  void Finish();
  // From ending to ended. Without Finish before it when the recording has never started.
  void EndDone();

  bool has_ended() const { return state_.load(std::memory_order_acquire) == State::kEnded; }
  // Waits for one who is ending it, no longer than the duration.
  void WaitUntilEnded(std::chrono::nanoseconds at_most);

  // From a sampled thread: the drain's next round is due now.
  void DrainSoon() { drain_worker_.Wake(); }

  // Whether calls are recorded.
  bool is_active() const { return state_.load(std::memory_order_relaxed) == State::kActive; }

  uint32_t id() const { return id_; }
  const AgentOptions& options() const { return options_; }
  int64_t start_ns() const { return start_ns_; }
  bool is_exact() const { return options_.mode == AgentOptions::Mode::kExact; }
  // Of a compilation whose entries are counted. From any thread.
  void DescribingTook(int64_t ns) { describing_ns_.fetch_add(ns, std::memory_order_relaxed); }
  bool samples() const { return !options_.SeesEveryCall(); }
  // Whether the probe is one on compiled entries.
  bool at_entries() const { return at_entries_; }
  // Whether every call at the probe is counted, not only those in ticks.
  bool is_continuous() const { return !pacer_.has_ticks(); }
  // Whether ticks come as often as a budget allows.
  bool has_budget() const { return pacer_.has_budget(); }
  // Null unless the mode is patching.
  Listeners* listeners() { return listeners_.get(); }
  // What takes the stack of a call that the thread has sampled; null where none is asked for.
  StackRecording* StacksOfNextSample(ThreadRecord& thread) const {
    if (!options_.SamplesContexts() ||
        ++thread.own.samples_since_stack < options_.stack_every.value_or(1)) {
      return nullptr;
    }
    thread.own.samples_since_stack = 0;
    return stacks_.get();
  }
  // On a thread of the VM's; does nothing where what the compilers do is not recorded.
  void StopFlightRecording(JNIEnv* jni);
  // Null where the processor counts no calls.
  CallCounters* call_counters() const { return call_counters_.get(); }
  // Null unless calls are counted by context.
  CountedContexts* counted_contexts() const { return contexts_.get(); }
  const ClassFilter& filter() const { return filter_; }
  Probe& probe() { return probe_; }
  const Probe& probe() const { return probe_; }
  Sampler& sampler() { return sampler_; }

 private:
  enum class State { kActive, kEnding, kEnded };

  void BeginTick();
  // From now on what is called in the tick counts.
  void CountTick();
  // The tick stays open: what was of it is told.
  void GoOnWithTick();
  void EndTick();
  // Whether how much is called in ticks tells how much is called between them. Windows have times
  // of their own.
  bool accounts_for_ticks() const {
    return pacer_.has_ticks() && options_.policy.kind == PolicyOptions::Kind::kCountdown;
  }
  // When, since the start, and the CPU time of the program's threads until then. From the trigger's
  // thread, or when that has ended.
  struct Moment {
    int64_t time_ns = 0;
    int64_t process_cpu_ns = 0;
    int64_t program_cpu_ns = 0;  // Of its own threads.
    CpuByThread followed_cpu_ns = {};
  };
  Moment Now();
  // Looks which threads the program has, and which have ended.
  void ListThreads();
  // Of a tick, or of a part of one that goes on.
  void OpenAccount(uint32_t tick, const Moment& begin);
  void CloseAccount(const Moment& end);
  int64_t ActivityNs() { return activity_.CpuNs() - start_activity_ns_; }
  // Tells the drain what the threads of the program have used.
  void KeepThreadTimes();
  // Ticks that have ended, and what threads have used until then, for the drain to tell.
  void CollectTicks();
  // The same, with what threads have used until now. While no tick can begin or end.
  void CollectLastTicks();
  // For how long calls were sampled since the last time; 0 unless compilers are recorded.
  int64_t TakeOpenNs();
  void RunDrain(Worker& worker);
  // Lets no tick begin, as long as the lock is held; without a lock while one is open, unless that
  // has lasted too long.
  std::unique_lock<std::mutex> LockOutTicks();
  // Those of the drain's thread, in session_parts.cc.
  void GoOnInNextPartIfDue();
  bool NextPart();
  void PruneParts();
  void AnswerQuestion();
  RecordingAnswer AnswerTo(const RecordingQuestion& question);
  spool::Config Facts() const;
  Status ChangeBudget(double percent);
  // As at the recording's end: what else the spool has to tell of it, and of what the VM counted.
  enum class Ending { kRecording, kPart };
  spool::Config ReadProfilesAtEnd(Ending ending);
  spool::Config LastFacts(Ending ending);
  void CollectEntryCounts();
  // What counting calls has taken, in ticks and between them, and telling whose.
  int64_t CountedCallsNs() const;
  void TellUnexecuted();
  void TellCostsIfDue();
  // Whether nothing is recorded but in ticks, and no part of one has been open since the last call.
  bool HasNothingToDrain();
  void ReadProfilesIfDue();
  void CollectContexts();
  void CollectTests();
  void CollectCompilerTimes();
  // The process's CPU time since the start.
  int64_t ProgramCpuNs() const { return clock_.ProcessCpuNs() - start_cpu_ns_; }
  // What reading the VM's counts is expected to take.
  int64_t ReadingNs() const;
  // For ticks, of their part of the budget.
  OverheadBudget::Spent SpentSoFar() const;
  // For stacks, which have the other part.
  int64_t StacksCostNs() const {
    return stacks_ == nullptr ? 0 : stacks_->cost_ns() + stacks_drain_ns_;
  }
  // What the recording has cost, and on what.
  spool::Config Costs();

  // The same where all calls are counted. What counted calls cost is for the reader to say, who has
  // their number: it was told what each takes.
  spool::Config CountingCosts() const;
  void Tell(const spool::Config& config);

  const uint32_t id_;
  const AgentOptions options_;
  Clock& clock_;
  const int64_t start_ns_;
  const ClassFilter filter_;
  Probe& probe_;
  const bool at_entries_;
  Sampler sampler_;
  std::unique_ptr<Listeners> listeners_;
  std::unique_ptr<CallCounters> call_counters_;
  Drain drain_;
  Pacer pacer_;
  const int64_t start_cpu_ns_;  // Of the process.
  std::atomic<State> state_{State::kActive};
  std::atomic<int64_t> describing_ns_{0};
  std::unique_ptr<TickThread> trigger_;
  ProgramActivity activity_;
  int64_t start_activity_ns_ = 0;
  uint32_t tick_ = 0;                     // The trigger's: the latest.
  std::optional<spool::Tick> open_tick_;  // The trigger's; program_cpu_ns is that at its beginning.
  CpuByThread open_followed_cpu_ns_;      // The trigger's: when it began.
  Pacer::Share open_share_;               // What the open tick stands for.
  int64_t open_process_cpu_ns_ = 0;       // When it began.
  std::mutex open_mutex_;
  std::vector<spool::Tick> ticks_;   // That have ended and were not told.
  spool::ThreadTimes thread_times_;  // Not told yet.
  CpuByThread ended_threads_;        // Of which the activity does not know yet.
  uint64_t ended_ticks_ = 0;         // Parts of those that went on are each one.
  uint64_t taken_ticks_ = 0;  // The drain's: that had ended when CollectTicks was last called.
  bool was_open_ = false;     // Since HasNothingToDrain was last called.
  bool drain_is_idle_ = false;
  bool is_open_ = false;                    // A tick is under way.
  std::optional<int64_t> counts_since_ns_;  // Its calls count; TakeOpenNs has told what was before.
  int64_t open_ns_ = 0;                     // Since TakeOpenNs.
  std::function<void()> on_end_;
  int64_t deadline_ns_ = 0;
  int64_t drain_cpu_ns_ = 0;
  int64_t stacks_drain_ns_ = 0;  // Of drain_cpu_ns_, what stacks took; of the drain's thread.
  ProfileReader* profile_reader_ = nullptr;  // Where inlined calls are to be inferred.
  int64_t profiles_begin_ns_ = 0;
  ProfilePace profile_pace_;
  std::vector<spool::EarlierCode> earlier_code_;
  std::unique_ptr<FlightRecording> flight_recording_;
  std::optional<CompilerThreads> compiler_threads_;  // With a flight recording.
  std::unique_ptr<StackRecording> stacks_;           // Null unless stacks are taken.
  std::unique_ptr<CountedContexts> contexts_;
  std::unique_ptr<Mode> mode_;
  TestMarks tests_;
  // Parts. The drain's, but for the mutex: held while a tick begins, and while a part ends.
  std::mutex part_mutex_;
  std::string spool_;
  std::optional<PartFiles> parts_;
  std::vector<std::string> own_parts_;  // Of this recording, that were there when last looked.
  spool::Config config_;                // That every part begins with.
  uint32_t part_ = 1;
  int64_t costs_due_ns_ = 0;                                   // Since the start.
  int64_t part_due_ns_ = std::numeric_limits<int64_t>::max();  // Of the clock.
  int64_t part_begin_ns_ = 0, part_begin_cpu_ns_ = 0;  // As Spent: since the recording's start.
  uint64_t prune_at_bytes_ = 0;
  int rounds_waited_ = 0;  // For a moment without a tick.
  double budget_percent_ = 0;
  Questions questions_;
  int64_t start_time_ns_ = 0;            // Since 1970.
  int64_t end_ns_ = 0, end_cpu_ns_ = 0;  // Since the start, when it has ended.
  Worker drain_worker_;
  std::mutex end_mutex_;
  std::condition_variable ended_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_SESSION_H_
