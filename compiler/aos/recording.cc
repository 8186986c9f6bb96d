#include "compiler/aos/recording.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include "compiler/aos/own_levels.h"
#include "core/options/config_keys.h"
#include "core/options/option_description.h"
#include "recorder/guarded.h"
#include "recorder/log.h"
#include "recorder/part_files.h"
#include "recorder/triggers/timer_ticks.h"
#include "recorder/window_sender.h"

namespace yp::compiler {
namespace {

constexpr int64_t kDrainIntervalNs = 100'000'000;
// Of a thread's samples, one in so many is timed: to look at the clock twice takes longer than the
// sample itself (94 and 50 ns; 2026-11, 2-core x86-64 virtual machine with other work on it). The
// others are taken to be as long as the last ones that were timed.
constexpr uint32_t kTimedSample = 17;     // In step with no number of samples in a window.
constexpr int64_t kMaxSampleNs = 20'000;  // What is longer was spent waiting for a processor.
// Those that take longer come by edges, or memory, that the thread has not seen before: they are
// what they are, and tell nothing of others.
constexpr int64_t kMaxUsualSampleNs = 500;

uint64_t SeedOf(const RecordingOptions& options, int64_t now_ns) {
  const uint64_t seed = options.seed.value_or(0);
  return seed != 0 ? seed : static_cast<uint64_t>(now_ns);
}

Levels LevelsOf(const RecordingOptions& options) {
  const bool is_own = options.levels == RecordingOptions::Levels::kOwn;
  return is_own ? OwnLevels(options.inlining, options.optimizes) : LevelsWithBaseAgain();
}

std::unique_ptr<AdaptiveHost> MakeAdaptive(const RecordingOptions& options, Clock& clock,
                                           int64_t start_ns) {
  if (!options.adaptive || !options.HasTicks()) return nullptr;
  const bool by_signals = options.stacks != RecordingOptions::Stacks::kNone;
  AdaptivePolicy policy;
  policy.sample_ms =
      static_cast<double>(by_signals ? options.stack_interval_ns : options.tick_ns) / 1e6;
  return std::make_unique<AdaptiveHost>(policy, LevelsOf(options), clock, start_ns,
                                        by_signals ? &MethodSignals::OfProcess() : nullptr);
}

}  // namespace

// A thread of the program, or the carrier of virtual ones.
struct Recording::Thread final : SampledThread {
  Thread(Recording& of, ThreadId thread_id, uint64_t seed)
      : SampledThread(thread_id, seed), recording(of) {
    record.owner = static_cast<SampledThread*>(this);
    common.calls_left = &record.calls_left;
    own.tick = &tick;
  }

  Recording& recording;
  YieldpointRecord record;
  std::atomic<uint32_t> tick{0};
  void* jni_environment = nullptr;
  // In the VM's memory; null before the VM's layout is known.
  std::atomic<YieldpointState>* state = nullptr;
  std::atomic<YieldpointRecord*>* record_word = nullptr;
  EdgeCache edges;
  std::unique_ptr<EdgeCounters> counts;  // Made at the first call, under common.mutex.
  std::vector<uint64_t> told;            // The drain's: of `counts`, by edge.

  uint32_t samples = 0;
  int64_t sample_ns = 0;  // What one takes, of those that were timed.

  static Thread& Of(const YieldpointRecord& record) {
    return *static_cast<Thread*>(static_cast<SampledThread*>(record.owner));
  }
  bool GoFrom(YieldpointState from, YieldpointState to) {
    return state->compare_exchange_strong(from, to, std::memory_order_relaxed);
  }
};

namespace {

// This thread's, as long as it is observed.
thread_local Recording* observed_by = nullptr;
thread_local void* observed_record = nullptr;

// A native thread may end without a word to the VM.
struct LeavesAtExit {
  ~LeavesAtExit() {
    if (observed_by != nullptr) observed_by->OnThreadEnd();
  }
};
thread_local LeavesAtExit leaves_at_exit;

}  // namespace

Result<std::unique_ptr<Recording>> Recording::Open(const RecordingOptions& options, Clock& clock) {
  if (Status valid = Validate(options.policy); !valid) return valid;
  const std::string path = ExpandPattern(options.spool, getpid(), std::time(nullptr));
  Result<std::unique_ptr<spool::SpoolWriter>> writer =
      spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kTruncate);
  if (!writer) return writer.status();
  return std::unique_ptr<Recording>(new Recording(options, clock, std::move(writer).value()));
}

Recording::Recording(const RecordingOptions& options, Clock& clock,
                     std::unique_ptr<spool::SpoolWriter> writer)
    : options_(options),
      clock_(clock),
      start_ns_(clock.NowNs()),
      start_cpu_ns_(clock.ProcessCpuNs()),
      seed_(SeedOf(options, start_ns_)),
      reading_ns_(Sampler::ReadingNs(clock)),
      counts_(options.SeesEveryCall()),
      countdown_(options.policy.kind == PolicyOptions::Kind::kCountdown ? Countdown::kGoesOn
                                                                        : Countdown::kBegins),
      signals_(SignalTriggers::For(options)),
      adaptive_(MakeAdaptive(options_, clock, start_ns_)),
      sampler_(*this, countdown_, clock, threads_, start_ns_),
      pacer_(options, false, seed_),
      drain_(std::move(writer)),
      drain_worker_("yp-drain", [this](Worker& worker) { RunDrain(worker); }) {}

Status Recording::Start(const spool::Config& jvm) {
  spool::Config config{DescribeOptions(options_, {})};
  const auto add = [&](const char* key, std::string value) {
    config.entries.emplace_back(key, std::move(value));
  };
  const bool finds_edges = options_.mode == RecordingOptions::Mode::kEdges;
  add(config_key::kProbe, finds_edges ? "code targets" : "yieldpoint");
  add(config_key::kWalk, finds_edges ? "none" : "return addresses");
  if (!counts_) {
    add(config_key::kMechanism, "polling");
    add(config_key::kContinuous, is_continuous() ? "yes" : "no");
  }
  config.entries.insert(config.entries.end(), jvm.entries.begin(), jvm.entries.end());
  drain_.Tell(config);
  if (Status written = drain_.Flush(); !written) return written;
  if (is_continuous()) {
    sampler_.BeginTick();
    sampler_.CountFromNow();
  } else {
    std::unique_ptr<TickSource> source = std::make_unique<Nanosleep>();
    if (options_.trigger == RecordingOptions::Trigger::kIntervalTimer) {
      source = std::make_unique<TimerTicks>(options_.tick_ns);
    }
    trigger_.emplace(
        std::move(source),
        [this] { return pacer_.Next(clock_.NowNs(), clock_.ProcessCpuNs() - start_cpu_ns_); },
        [this] { sampler_.BeginTick(); }, [this] { sampler_.CountFromNow(); },
        [this] { sampler_.GoOnWithTick(); }, [this] { sampler_.EndTick(); });
    if (Status started = trigger_->Start(); !started) return started;
  }
  if (adaptive_) {
    if (Status started = adaptive_->Start(); !started) return started;
    if (Status started = StartSignals(); !started) return started;
  }
  return drain_worker_.Start();
}

Status Recording::StartSignals() {
  spool::Config config{
      {{config_key::kAdaptiveMechanism, SamplesMethods() ? "polling" : "immediate"}}};
  if (!signals_.empty()) {
    MethodSignals::OfProcess().Begin();
    if (Status started = signals_.Start(&MethodSignals::OnSignal); !started) return started;
    config.entries.emplace_back(config_key::kAdaptiveTrigger, signals_.source());
  }
  drain_.Tell(config);
  return drain_.Flush();
}

void Recording::End(const spool::Config& facts) {
  if (has_ended_.exchange(true)) return;
  if (trigger_) trigger_->Stop();
  {
    // Who is leaving has left: from now on a thread may be gone from the VM before it says so.
    const std::lock_guard no_thread_leaves(words_mutex_);
  }
  Disarm();
  if (!signals_.empty()) {
    signals_.Stop();
    MethodSignals::OfProcess().End();
  }
  if (adaptive_) adaptive_->Stop();
  drain_worker_.Stop();
  threads_.ForEach([&](SampledThread& sampled) {
    auto& thread = static_cast<Thread&>(sampled);
    CollectCounts(thread);
    drain_.CollectLast(thread, clock_.NowNs() - start_ns_);
  });
  Round();
  drain_.Tell(Costs());
  if (!facts.entries.empty()) drain_.Tell(facts);
  drain_.Tell(spool::End{clock_.NowNs() - start_ns_, drain_cpu_ns_});
  if (const Status closed = drain_.Close(); !closed) Log(closed.message());
}

void Recording::OnThreadStart(void* jni_environment, const std::string& name) {
  if (jni_environment == nullptr || observed_by != nullptr || has_ended_) return;
  const ThreadId id = threads_.NewId();
  auto thread = std::make_unique<Thread>(*this, id, SampledThreads::SeedFor(id, seed_));
  thread->name = name;
  thread->kernel_id = static_cast<int32_t>(syscall(SYS_gettid));  // glibc 2.30 has gettid.
  thread->jni_environment = jni_environment;
  if (!Prepare(*thread)) {
    dropped_threads_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  (void)&leaves_at_exit;
  observed_by = this;
  observed_record = thread.get();
  MethodSignals::OnThreadStart(jni_environment);
  signals_.OnThreadStart();
  const std::lock_guard lock(words_mutex_);
  GiveWords(*thread);  // Before the trigger knows of it.
  threads_.Add(std::move(thread));
}

bool Recording::Prepare(Thread& thread) {
  if (counts_) return true;
  Result<std::unique_ptr<SamplingPolicy>> policy = MakePolicy(options_.policy, thread.own.random);
  if (!policy) return false;
  thread.own.policy = std::move(policy).value();
  const std::lock_guard lock(thread.common.mutex);
  thread.common.ring = std::make_unique<SampleRing>();
  return true;
}

// With words_mutex_.
void Recording::GiveWords(Thread& thread) {
  if (!words_) return;
  auto* const base = static_cast<uint8_t*>(thread.jni_environment);
  static_assert(sizeof(*thread.state) == 8 && sizeof(*thread.record_word) == 8);
  thread.state = reinterpret_cast<std::atomic<YieldpointState>*>(base + words_->state);
  thread.record_word = reinterpret_cast<std::atomic<YieldpointRecord*>*>(base + words_->record);
  thread.record_word->store(&thread.record, std::memory_order_relaxed);
  // Release: compiled code loads the state, then the record, which x86 does in that order.
  if (is_continuous() && !has_ended_) {
    thread.state->store(YieldpointState::kCalls, std::memory_order_release);
  }
}

void Recording::OnThreadEnd() {
  if (observed_by != this) return;
  auto& thread = *static_cast<Thread*>(observed_record);
  observed_by = nullptr;
  signals_.OnThreadEnd();
  MethodSignals::OnThreadEnd();
  const std::lock_guard lock(words_mutex_);
  std::atomic<YieldpointState>* const state = thread.state;
  std::atomic<YieldpointRecord*>* const record = thread.record_word;
  // From now on neither the trigger nor the end writes to the words; and the drain may delete it.
  threads_.Leave(thread);
  if (state == nullptr || has_ended_) return;
  state->store(YieldpointState::kNone, std::memory_order_relaxed);
  record->store(nullptr, std::memory_order_relaxed);
}

void Recording::UseWords(const ThreadWords& words) {
  const std::lock_guard lock(words_mutex_);
  if (!signals_.empty()) MethodSignals::OfProcess().UseAnchor(words.anchor);
  words_ = words;
  threads_.ForEachPresent([&](SampledThread& thread) { GiveWords(static_cast<Thread&>(thread)); });
}

void Recording::SetCallCosts(int64_t counted_call_ps, int64_t taken_call_ps) {
  sampler_.SetCallCosts(counted_call_ps, 0);
  taken_call_ps_.store(taken_call_ps, std::memory_order_relaxed);
  // Partner: Round's acquire.
  has_call_costs_to_tell_.store(!counts_, std::memory_order_release);
}

spool::Config Recording::CallCosts() const {
  const int64_t taken_ps = taken_call_ps_.load(std::memory_order_relaxed);
  return {{{config_key::kArmedCallPs, std::to_string(sampler_.armed_call_ps())},
           {config_key::kSlowPathPs, std::to_string(taken_ps)}}};
}

void Recording::SetStates(YieldpointState state) {
  threads_.ForEachPresent([&](SampledThread& sampled) {
    auto& thread = static_cast<Thread&>(sampled);
    if (thread.state != nullptr) thread.state->store(state, std::memory_order_release);
  });
}

void Recording::Arm(uint32_t, Countdown) {
  SetStates(is_continuous() ? YieldpointState::kCalls : YieldpointState::kAll);
}
void Recording::Disarm() { SetStates(YieldpointState::kNone); }

YieldpointTargets Recording::Targets() {
  return {reinterpret_cast<uintptr_t>(&OnCall), reinterpret_cast<uintptr_t>(&OnTick)};
}

// Async-signal-safe it need not be, but nothing here waits for the VM: locks are those of the call
// graph and of the drain's sleep, whose holders do not either.
void Recording::OnCall(YieldpointRecord* record, uint32_t callee, const uint8_t* return_address) {
  if (record == nullptr) return;
  Guarded([&] {
    Thread& thread = Thread::Of(*record);
    Recording& recording = thread.recording;
    const MethodId method{callee};
    const uint32_t site = CallMarkedAt(return_address);
    if (recording.counts_) {
      recording.Count(thread, recording.EdgeOf(thread, method, site));
    } else {
      recording.Sample(thread, method, site);
    }
  });
}

void Recording::OnTick(YieldpointRecord* record) {
  if (record == nullptr) return;
  const auto* const pc = static_cast<const uint8_t*>(__builtin_return_address(0));
  Guarded([&] {
    Thread& thread = Thread::Of(*record);
    if (thread.recording.counts_) return;
    const bool is_first = thread.GoFrom(YieldpointState::kAll, YieldpointState::kCalls);
    if (is_first && thread.recording.SamplesMethods()) {
      thread.recording.adaptive_->OnMethodSampleAt(pc);
    }
    thread.recording.Send(thread, thread.recording.sampler_.OnOtherPlace(thread));
  });
}

void Recording::Count(Thread& thread, EdgeId edge) {
  if (thread.counts == nullptr) {
    auto counts = std::make_unique<EdgeCounters>();
    const std::lock_guard lock(thread.common.mutex);
    thread.counts = std::move(counts);
  }
  if (!thread.counts->Increment(edge)) dropped_no_memory_.fetch_add(1, std::memory_order_relaxed);
}

void Recording::Sample(Thread& thread, MethodId callee, uint32_t site) {
  const bool is_first = thread.GoFrom(YieldpointState::kAll, YieldpointState::kCalls);
  if (is_first && SamplesMethods()) {
    adaptive_->OnMethodSample(
        SampledMethod(yp::Yieldpoint::kPrologue, callee, graph_.CallerAt(site)));
  }
  const Sampler::Verdict verdict = sampler_.OnCall(thread);
  Send(thread, verdict);
  if (!verdict.sample) return;
  const bool is_timed = thread.samples++ % kTimedSample == 0;
  const int64_t begin_ns = is_timed ? clock_.NowNs() : 0;
  if (!WindowSender(thread).Sample(EdgeOf(thread, callee, site))) {
    dropped_full_.fetch_add(1, std::memory_order_relaxed);
  }
  int64_t own_ns = thread.sample_ns;
  if (is_timed) own_ns = TimedNs(thread, clock_.NowNs() - begin_ns);
  SendEnd(thread, sampler_.AfterSampleOf(thread, own_ns));
  if (!thread.own.window_open) thread.GoFrom(YieldpointState::kCalls, YieldpointState::kNone);
  if (thread.common.ring->HasBecomeHalfFull()) drain_worker_.Wake();
}

int64_t Recording::TimedNs(Thread& thread, int64_t elapsed_ns) {
  const int64_t taken_ns = taken_call_ps_.load(std::memory_order_relaxed) / 1000;
  const int64_t all_ns = std::min(elapsed_ns, kMaxSampleNs) + reading_ns_ + taken_ns;
  // One look at the clock lies in what has elapsed.
  const int64_t sample_ns = std::max<int64_t>(0, all_ns - 2 * reading_ns_);
  if (sample_ns <= kMaxUsualSampleNs) {
    thread.sample_ns = thread.sample_ns == 0 ? sample_ns : (7 * thread.sample_ns + sample_ns) / 8;
  }
  return all_ns;
}

void Recording::Send(Thread& thread, const Sampler::Verdict& verdict) {
  SendEnd(thread, verdict.ended);
  WindowSender(thread).Begin(verdict.begun);
}

void Recording::SendEnd(Thread& thread, const std::optional<WindowSummary>& ended) {
  if (!WindowSender(thread).End(ended)) dropped_full_.fetch_add(1, std::memory_order_relaxed);
}

EdgeId Recording::EdgeOf(Thread& thread, MethodId callee, uint32_t site) {
  return thread.edges.Get(site, callee, [this](uint32_t from, MethodId called) {
    return graph_.AddEdge(from, called);
  });
}

void Recording::RunDrain(Worker& worker) {
  while (!drain_.failed() && worker.SleepFor(kDrainIntervalNs)) {
    const int64_t now_ns = clock_.NowNs() - start_ns_;
    threads_.ForEach([&](SampledThread& sampled) {
      auto& thread = static_cast<Thread&>(sampled);
      CollectCounts(thread);
      drain_.Collect(thread, now_ns);
    });
    Round();
    drain_cpu_ns_ = clock_.ThreadCpuNs();
  }
}

void Recording::CollectCounts(Thread& thread) {
  const EdgeCounters* counts = nullptr;
  {
    const std::lock_guard lock(thread.common.mutex);
    counts = thread.counts.get();
  }
  if (counts == nullptr) return;
  counts->ForEach([&](EdgeId edge, uint64_t total) {
    if (thread.told.size() <= ToIndex(edge)) thread.told.resize(ToIndex(edge) + 1, 0);
    const uint64_t calls = total - std::exchange(thread.told[ToIndex(edge)], total);
    if (calls != 0) new_counts_.calls.emplace_back(edge, calls);
  });
}

// What was gathered was so before the updates are taken: an edge is made before it is counted.
void Recording::Round() {
  // Partner: SetCallCosts' release.
  if (has_call_costs_to_tell_.exchange(false, std::memory_order_acquire)) drain_.Tell(CallCosts());
  AdaptiveHost::Events events;
  if (adaptive_) events = TakeEvents();
  const CallGraph::Updates updates = graph_.TakeUpdates();
  drain_.TellThreads();
  drain_.TellAll(updates.methods);
  drain_.TellAll(updates.edges);
  drain_.TellAll(events.compilations);
  drain_.TellAll(events.decisions);
  if (adaptive_) GiveCalls(updates.edges);
  drain_.TellWindows();
  // An edge that is found counts as one call.
  if (options_.mode == RecordingOptions::Mode::kEdges) {
    for (const spool::EdgeDefinition& edge : updates.edges)
      new_counts_.calls.emplace_back(edge.id, 1);
  }
  if (!new_counts_.calls.empty()) drain_.Tell(std::exchange(new_counts_, {}));
  spool::Drops drops;
  for (const auto& [reason, total] :
       {std::pair("ring_full", &dropped_full_), std::pair("no_memory", &dropped_no_memory_),
        std::pair("thread_not_observed", &dropped_threads_)}) {
    const uint64_t lost = total->load(std::memory_order_relaxed);
    if (lost != 0) drops.totals.emplace_back(reason, lost);
  }
  if (adaptive_ && adaptive_->dropped_samples() != 0) {
    drops.totals.emplace_back("method_samples_full", adaptive_->dropped_samples());
  }
  if (!drops.totals.empty()) drain_.Tell(drops);
  if (const Status flushed = drain_.Flush(); !flushed) Log(flushed.message());
}

AdaptiveHost::Events Recording::TakeEvents() {
  AdaptiveHost::Events events = adaptive_->TakeEvents();
  for (const spool::OwnCompilation& each : events.compilations) graph_.Name(each.method);
  for (const spool::ControllerDecision& each : events.decisions) {
    graph_.Name(each.method);
    for (const Edge& call : each.new_calls) graph_.Name(call.callee);
  }
  return events;
}

void Recording::GiveCalls(const std::vector<spool::EdgeDefinition>& new_edges) {
  for (const spool::EdgeDefinition& each : new_edges) {
    if (edges_by_id_.size() <= ToIndex(each.id)) edges_by_id_.resize(ToIndex(each.id) + 1);
    edges_by_id_[ToIndex(each.id)] = each.edge;
  }
  std::vector<CallSample> samples;
  for (const spool::Window& window : drain_.windows()) {
    for (const auto& [edge, count] : window.samples) {
      if (ToIndex(edge) >= edges_by_id_.size()) continue;
      samples.push_back({edges_by_id_[ToIndex(edge)], static_cast<double>(count)});
    }
  }
  if (!samples.empty()) adaptive_->OnCallSamples(samples);
}

spool::Config Recording::Costs() {
  const SpoolDrain::ObservationCost& cost = drain_.observation_cost();
  spool::Config config;
  const auto add = [&](const char* key, auto value) {
    config.entries.emplace_back(key, std::to_string(value));
  };
  if (adaptive_) {
    const AdaptiveHost::Totals totals = adaptive_->totals();
    add(config_key::kAdaptiveSamples, totals.samples);
    add(config_key::kAdaptiveProposals, totals.proposals);
    add(config_key::kAdaptiveRecompilations, totals.recompilations);
    if (!signals_.empty()) add(config_key::kAdaptiveOutside, totals.outside);
  }
  const int64_t program_ns = clock_.ProcessCpuNs() - start_cpu_ns_;
  if (counts_) {
    add(config_key::kCountingProgramCpuNs, program_ns);
    add(config_key::kCountingDrainCpuNs, drain_cpu_ns_);
    return config;
  }
  add(config_key::kCostProgramCpuNs, program_ns);
  add(config_key::kCostObservedCalls, cost.calls);
  add(config_key::kCostObservedCallsNs,
      static_cast<int64_t>(cost.calls) * sampler_.armed_call_ps() / 1000);
  add(config_key::kCostSlowPathNs, cost.slow_path_ns);
  add(config_key::kCostTriggerCpuNs, trigger_ ? trigger_->CpuNs() : 0);
  add(config_key::kCostDrainCpuNs, drain_cpu_ns_);
  return config;
}

}  // namespace yp::compiler
