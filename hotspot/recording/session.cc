#include "hotspot/recording/session.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/options/config_keys.h"
#include "hotspot/probes/entry/entry_probes.h"
#include "hotspot/recording/mode.h"
#include "recorder/log.h"
#include "recorder/triggers/timer_ticks.h"

namespace yp::hotspot {
namespace {

// Whose windows those of listeners are, which all threads call.
constexpr ThreadId kAllThreads{0xfffffffe};

Arming::Countdown CountdownOf(const AgentOptions& options) {
  return options.policy.kind == PolicyOptions::Kind::kCountdown ? Arming::Countdown::kGoesOn
                                                                : Arming::Countdown::kBegins;
}

// Of threads that are in both, those that have used some. Both ascend by thread.
CpuByThread UsedBetween(const CpuByThread& before, const CpuByThread& after) {
  CpuByThread used;
  auto earlier = before.begin();
  for (const auto& [id, cpu_ns] : after) {
    while (earlier != before.end() && earlier->first < id) ++earlier;
    if (earlier == before.end() || earlier->first != id) continue;
    if (cpu_ns > earlier->second) used.emplace_back(id, cpu_ns - earlier->second);
  }
  return used;
}

uint64_t SeedOf(const AgentOptions& options, int64_t now_ns) {
  const uint64_t seed = options.seed.value_or(0);
  return seed != 0 ? seed : static_cast<uint64_t>(now_ns);
}

}  // namespace

Session::Session(uint32_t id, const AgentOptions& options, Clock& clock, Probe& probe,
                 bool at_entries, ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
                 std::unique_ptr<spool::SpoolWriter> writer)
    : id_(id),
      options_(options),
      clock_(clock),
      start_ns_(clock.NowNs()),
      filter_(options),
      probe_(probe),
      at_entries_(at_entries),
      sampler_(probe, CountdownOf(options), clock, threads.sampled(), start_ns_),
      drain_(threads, registry, drops, std::move(writer)),
      pacer_(options, at_entries, SeedOf(options, start_ns_)),
      start_cpu_ns_(clock.ProcessCpuNs()),
      activity_(clock),
      profile_pace_(pacer_.has_budget() ? options.budget_of_ticks() : 0),
      drain_worker_("yp-drain", [this](Worker& worker) { RunDrain(worker); }) {
  if (options.mode == AgentOptions::Mode::kPatching) {
    listeners_ = std::make_unique<Listeners>(kMaxObservedEntries, options.policy.samples);
  }
  budget_percent_ = options.budget_percent;
  drain_.Discard();  // What threads of an earlier recording left.
}

Session::~Session() = default;

void Session::Observe(std::unique_ptr<Mode> mode) { mode_ = std::move(mode); }

Status Session::Start(const spool::Config& config, std::function<void()> on_end) {
  on_end_ = std::move(on_end);
  config_ = config;
  const int64_t duration_ns = options_.duration_ns.value_or(0);
  deadline_ns_ =
      duration_ns > 0 ? clock_.NowNs() + duration_ns : std::numeric_limits<int64_t>::max();
  // Calls that were counted while the probe was being put in came before the recording began; an
  // edge that was found then is not found again.
  if (options_.mode != AgentOptions::Mode::kEdges) drain_.Discard();
  if (contexts_ != nullptr) drain_.Append({contexts_->Take().contexts, {}});
  drain_.Append(std::exchange(earlier_code_, {}));
  if (Status written = drain_.WriteConfig(config); !written) return written;
  if (stacks_ != nullptr) {
    if (Status started = stacks_->Start(); !started) return started;
    const spool::Config facts{stacks_->Facts()};
    config_.entries.insert(config_.entries.end(), facts.entries.begin(), facts.entries.end());
    if (Status written = drain_.WriteConfig(facts); !written) return written;
  }
  sampler_.SetCallCosts(probe_.observed_call_ps(), probe_.slow_path_ps());
  if (pacer_.has_ticks()) {
    std::unique_ptr<TickSource> source = std::make_unique<Nanosleep>();
    if (options_.trigger == AgentOptions::Trigger::kIntervalTimer) {
      source = std::make_unique<TimerTicks>(options_.tick_ns);
    }
    trigger_ = std::make_unique<TickThread>(
        std::move(source), [this] { return pacer_.Next(clock_.NowNs(), ProgramCpuNs()); },
        [this] { BeginTick(); }, [this] { CountTick(); }, [this] { GoOnWithTick(); },
        [this] { EndTick(); });
    activity_.ListIfDue();
    start_activity_ns_ = activity_.CpuNs();
    if (Status started = trigger_->Start(); !started) return started;
  } else {
    BeginTick();
    CountTick();
  }
  // The last, since it may end the recording.
  return drain_worker_.Start();
}

bool Session::BeginEnd() {
  State active = State::kActive;
  return state_.compare_exchange_strong(active, State::kEnding, std::memory_order_acq_rel);
}

void Session::Disarm() {
  if (stacks_ != nullptr) stacks_->Stop();
  if (trigger_ != nullptr) trigger_->Stop();
  EndTick();
  if (call_counters_ != nullptr) call_counters_->Stop();
}

void Session::BeginTick() {
  {
    const std::lock_guard no_part_ends(part_mutex_);
    const std::lock_guard lock(open_mutex_);
    is_open_ = was_open_ = true;
  }
  ListThreads();
  probe_.Prepare();
  if (const double tick_ns = probe_.ExpectedTickNs(); tick_ns > 0) pacer_.ExpectTicksOf(tick_ns);
  tick_ = sampler_.BeginTick();
}

void Session::CountTick() {
  sampler_.CountFromNow();
  {
    const std::lock_guard lock(open_mutex_);
    counts_since_ns_ = clock_.NowNs();
  }
  OpenAccount(tick_, Now());
}

void Session::GoOnWithTick() {
  ListThreads();
  const Moment now = Now();
  CloseAccount(now);
  {
    const std::lock_guard lock(open_mutex_);
    ++ended_ticks_;
  }
  tick_ = sampler_.GoOnWithTick();
  OpenAccount(tick_, now);
}

// Not while a tick counts: what is counted while it takes its time lies before the tick's clocks.
void Session::ListThreads() {
  if (!accounts_for_ticks()) return;
  {
    const std::lock_guard lock(open_mutex_);
    for (const auto& [id, cpu_ns] : ended_threads_) activity_.OnEnded(id, cpu_ns);
    ended_threads_.clear();
  }
  activity_.ListIfDue();
}

Session::Moment Session::Now() {
  Moment now{.time_ns = clock_.NowNs() - start_ns_};
  if (!accounts_for_ticks()) return now;
  now.process_cpu_ns = ProgramCpuNs();
  now.program_cpu_ns = ActivityNs();
  now.followed_cpu_ns = activity_.FollowedCpuNs();
  return now;
}

void Session::OpenAccount(uint32_t tick, const Moment& begin) {
  if (!accounts_for_ticks()) return;
  open_share_ = pacer_.share();
  open_process_cpu_ns_ = begin.process_cpu_ns;
  open_tick_ =
      spool::Tick{.tick = tick, .begin_ns = begin.time_ns, .program_cpu_ns = begin.program_cpu_ns};
  open_followed_cpu_ns_ = begin.followed_cpu_ns;
}

void Session::CloseAccount(const Moment& end) {
  if (!open_tick_) return;
  open_tick_->open_ns = end.time_ns - open_tick_->begin_ns;
  open_tick_->period_ns =
      open_share_.PeriodNs(open_tick_->open_ns, end.process_cpu_ns - open_process_cpu_ns_);
  open_tick_->open_cpu_ns =
      end.program_cpu_ns - std::exchange(open_tick_->program_cpu_ns, end.program_cpu_ns);
  open_tick_->thread_cpu_ns = UsedBetween(open_followed_cpu_ns_, end.followed_cpu_ns);
  KeepThreadTimes();
  const std::lock_guard lock(open_mutex_);
  ticks_.push_back(*open_tick_);
  open_tick_.reset();
}

void Session::KeepThreadTimes() {
  const CpuByThread used = activity_.TakeFollowedCpuNs();
  const std::lock_guard lock(open_mutex_);
  thread_times_.cpu_ns.insert(thread_times_.cpu_ns.end(), used.begin(), used.end());
}

void Session::CollectLastTicks() {
  if (accounts_for_ticks()) {
    ListThreads();
    activity_.FollowedCpuNs();  // Reads the clocks.
    KeepThreadTimes();
  }
  CollectTicks();
}

void Session::CollectTicks() {
  std::vector<spool::Tick> ticks;
  spool::ThreadTimes times;
  {
    const std::lock_guard lock(open_mutex_);
    taken_ticks_ = ended_ticks_;
    ticks = std::exchange(ticks_, {});
    times = std::exchange(thread_times_, {});
  }
  drain_.Append(ticks);
  if (!times.cpu_ns.empty()) drain_.Append(times);
}

void Session::EndTick() {
  sampler_.CountNoMore();
  CloseAccount(Now());
  sampler_.EndTick();
  const std::lock_guard lock(open_mutex_);
  if (counts_since_ns_) open_ns_ += clock_.NowNs() - *counts_since_ns_;
  counts_since_ns_.reset();
  if (std::exchange(is_open_, false)) ++ended_ticks_;
  if (std::exchange(drain_is_idle_, false)) DrainSoon();
}

bool Session::HasNothingToDrain() {
  const bool only_in_ticks =
      pacer_.has_ticks() && stacks_ == nullptr && flight_recording_ == nullptr;
  const std::lock_guard lock(open_mutex_);
  drain_is_idle_ = only_in_ticks && !std::exchange(was_open_, is_open_) && !is_open_;
  return drain_is_idle_;
}

int64_t Session::TakeOpenNs() {
  if (flight_recording_ == nullptr) return 0;
  const std::lock_guard lock(open_mutex_);
  const int64_t now_ns = clock_.NowNs();
  if (counts_since_ns_) {
    open_ns_ += now_ns - *counts_since_ns_;
    counts_since_ns_ = now_ns;
  }
  return std::exchange(open_ns_, 0);
}

void Session::OnThreadStart() {
  if (stacks_ != nullptr && is_active()) stacks_->OnThreadStart();
}

void Session::OnThreadEnd() {
  if (stacks_ != nullptr) stacks_->OnThreadEnd();
}

void Session::CollectContexts() {
  if (stacks_ != nullptr) {
    const int64_t before_ns = clock_.ThreadCpuNs();
    drain_.Append(stacks_->Take());
    stacks_drain_ns_ += clock_.ThreadCpuNs() - before_ns;
  }
  if (contexts_ != nullptr) drain_.Append(contexts_->Take());
}

void Session::Mark(TestMarks::Kind kind, const std::string& name) {
  if (is_active() && mode_ != nullptr) {
    tests_.Mark(kind, name, clock_.NowNs() - start_ns_, *mode_);
  }
}

void Session::CollectTests() {
  if (mode_ != nullptr) drain_.Append(tests_.Take(*mode_));
}

void Session::CollectCompilerTimes() {
  if (!compiler_threads_) return;
  compiler_threads_->Read(clock_.NowNs() - start_ns_);
  drain_.Append(compiler_threads_->Take());
}

void Session::RunDrain(Worker& worker) {
  while (!drain_.failed()) {
    const int64_t left = deadline_ns_ - clock_.NowNs();
    if (left <= 0) break;
    const int64_t interval_ns = HasNothingToDrain() ? kIdleDrainIntervalNs : kDrainIntervalNs;
    if (!worker.SleepFor(std::min(interval_ns, left))) return;
    probe_.Maintain();
    ReadProfilesIfDue();
    CollectContexts();
    CollectTests();
    CollectCompilerTimes();
    CollectTicks();
    const int64_t open_ns = TakeOpenNs();
    if (const Status round = drain_.Round(clock_.NowNs() - start_ns_, open_ns); !round)
      Log(round.message());
    if (const CpuByThread ended = drain_.TakeEnded(); accounts_for_ticks()) {
      const std::lock_guard lock(open_mutex_);
      ended_threads_.insert(ended_threads_.end(), ended.begin(), ended.end());
    }
    drain_cpu_ns_ = profiles_begin_ns_ + clock_.ThreadCpuNs();
    pacer_.Spent(SpentSoFar());
    TellCostsIfDue();
    AnswerQuestion();
    GoOnInNextPartIfDue();
  }
  on_end_();
}

void Session::ReadProfilesIfDue() {
  if (profile_reader_ == nullptr) return;
  const int64_t now_ns = clock_.NowNs() - start_ns_ - part_begin_ns_;
  if (!profile_pace_.IsDue(now_ns, ProgramCpuNs() - part_begin_cpu_ns_, ReadingNs())) return;
  const int64_t before_ns = clock_.ThreadCpuNs();
  drain_.TakeProfiles(*profile_reader_);
  profile_pace_.WereRead(now_ns, clock_.ThreadCpuNs() - before_ns);
}

int64_t Session::ReadingNs() const {
  return ProfilePace::ReadingNs(probe_.compilations(), drain_.methods_to_profile());
}

OverheadBudget::Spent Session::SpentSoFar() const {
  const SpoolDrain::ObservationCost& cost = drain_.observation_cost();
  OverheadBudget::Spent spent;
  spent.program_cpu_ns = ProgramCpuNs();
  spent.cost_ns = drain_cpu_ns_ - stacks_drain_ns_ + cost.slow_path_ns + CountedCallsNs() +
                  (trigger_ != nullptr ? trigger_->CpuNs() : 0);
  spent.ticks = taken_ticks_;
  if (profile_reader_ != nullptr) {
    spent.owed_cpu_ns =
        static_cast<int64_t>(static_cast<double>(ReadingNs()) * (1 + ProfilePace::kWritingPart));
  }
  return spent;
}

int64_t Session::CountedCallsNs() const {
  return static_cast<int64_t>(drain_.observation_cost().calls) * probe_.observed_call_ps() / 1000 +
         probe_.counted_entries_ns() + describing_ns_.load(std::memory_order_relaxed);
}

spool::Config Session::Costs() {
  const SpoolDrain::ObservationCost& cost = drain_.observation_cost();
  const int64_t calls_ns = CountedCallsNs();
  const int64_t trigger_ns = trigger_ != nullptr ? trigger_->CpuNs() : 0;
  const int64_t program_ns = ProgramCpuNs();
  spool::Config config;
  const auto add = [&](const char* key, auto value) {
    config.entries.emplace_back(key, std::to_string(value));
  };
  add(config_key::kCostProgramCpuNs, program_ns);
  add(config_key::kCostObservedCalls, cost.calls);
  add(config_key::kCostObservedCallsNs, calls_ns);
  add(config_key::kCostSlowPathNs, cost.slow_path_ns);
  add(config_key::kCostTriggerCpuNs, trigger_ns);
  add(config_key::kCostDrainCpuNs, drain_cpu_ns_);
  if (stacks_ != nullptr) add(config_key::kCostStacksNs, stacks_->cost_ns());
  if (accounts_for_ticks()) add(config_key::kActivityCpuNs, ActivityNs());
  return config;
}

spool::Config Session::CountingCosts() const {
  return {{{config_key::kCountingProgramCpuNs, std::to_string(ProgramCpuNs())},
           {config_key::kCountingWalksNs, std::to_string(drain_.observation_cost().slow_path_ns)},
           {config_key::kCountingDrainCpuNs, std::to_string(drain_cpu_ns_)}}};
}

void Session::Tell(const spool::Config& config) {
  if (const Status told = drain_.WriteConfig(config); !told) Log(told.message());
}

void Session::TellUnexecuted() {
  if (mode_ == nullptr || options_.mode != AgentOptions::Mode::kEdges) return;
  drain_.Append(mode_->Unexecuted());
}

spool::Config Session::LastFacts(Ending ending) {
  spool::Config facts{probe_.Facts()};
  CollectEntryCounts();
  for (auto& entry : ReadProfilesAtEnd(ending).entries) facts.entries.push_back(std::move(entry));
  return facts;
}

void Session::CollectEntryCounts() { drain_.Append(probe_.TakeCountedEntries(), start_ns_); }

spool::Config Session::ReadProfilesAtEnd(Ending ending) {
  if (profile_reader_ == nullptr) return {};
  const int64_t before_ns = clock_.ThreadCpuNs();
  const double left_ns = pacer_.LeftAtEndNs(SpentSoFar()) / (1 + ProfilePace::kWritingPart);
  // Where ticks have used more than their part, edges that the VM has counted would be missing.
  const double may_take_ns = std::max(left_ns, static_cast<double>(ReadingNs()));
  std::optional<int64_t> telling_since_ns;
  const auto may_go_on = [&] {
    const int64_t now_ns = clock_.ThreadCpuNs();
    if (!telling_since_ns) telling_since_ns = now_ns;
    return static_cast<double>(now_ns - before_ns) < may_take_ns ||
           static_cast<double>(now_ns - *telling_since_ns) < ProfilePace::kLeastTellingNs;
  };
  const double least_interpreted_ns =
      ProgramCpuNs() <= ProfilePace::kShortNs ? ProfilePace::kLeastInterpretedNs : 0;
  std::optional<int64_t> interpreted_since_ns;
  ProfileReader::Interpreted interpreted{.may_go_on = [&] {
    const int64_t now_ns = clock_.ThreadCpuNs();
    if (!interpreted_since_ns) interpreted_since_ns = now_ns;
    return static_cast<double>(now_ns - before_ns) < may_take_ns ||
           static_cast<double>(now_ns - *interpreted_since_ns) < least_interpreted_ns;
  }};
  if (ending == Ending::kPart) {
    drain_.TakePartsProfiles(*profile_reader_, may_go_on, std::move(interpreted));
  } else {
    drain_.TakeLastProfiles(*profile_reader_, may_go_on, std::move(interpreted));
  }
  drain_cpu_ns_ += clock_.ThreadCpuNs() - before_ns;
  if (const Status& layout = profile_reader_->layout_status(); !layout) {
    return {
        {{config_key::kMethodProfiles, config_key::kNoneBecause + std::string(layout.message())}}};
  }
  if (!profile_reader_->tells_all()) return {};
  return {{{config_key::kVmCounts, "all"},
           {config_key::kVmCountsUntoldShare, std::to_string(profile_reader_->untold_share())},
           {config_key::kInterpretedUntoldShare,
            std::to_string(profile_reader_->untold_interpreted_share())}}};
}

void Session::Finish() {
  if (listeners_ != nullptr) {
    drain_.Append({kAllThreads, "all threads"});
    for (spool::Window& window : listeners_->Windows(start_ns_, clock_.NowNs(), kAllThreads)) {
      drain_.Append(std::move(window));
    }
  }
  CollectContexts();
  CollectTests();
  CollectCompilerTimes();
  CollectLastTicks();
  if (spool::Config facts = LastFacts(Ending::kRecording); !facts.entries.empty()) Tell(facts);
  TellUnexecuted();
  if (profile_reader_ != nullptr) profile_reader_->End();
  drain_.CollectAll();
  Tell(samples() ? Costs() : CountingCosts());
  end_ns_ = clock_.NowNs() - start_ns_;
  end_cpu_ns_ = ProgramCpuNs();
  if (const Status finish = drain_.Finish(end_ns_, drain_cpu_ns_, TakeOpenNs()); !finish) {
    Log(finish.message());
  }
}

void Session::StopFlightRecording(JNIEnv* jni) {
  if (flight_recording_ == nullptr) return;
  if (const Status stopped = flight_recording_->Stop(jni); !stopped) {
    Log("the recording of the compilers did not end in order: " + std::string(stopped.message()));
  }
}

void Session::EndDone() {
  const std::lock_guard lock(end_mutex_);
  state_.store(State::kEnded, std::memory_order_release);
  ended_.notify_all();
}

void Session::WaitUntilEnded(std::chrono::nanoseconds at_most) {
  std::unique_lock lock(end_mutex_);
  ended_.wait_for(lock, at_most, [this] { return has_ended(); });
}

}  // namespace yp::hotspot
