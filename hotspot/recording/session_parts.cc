// What the drain's thread does between two of its rounds: it lets the recording go on in another
// spool, and answers what is asked of the recording.

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "core/options/config_keys.h"
#include "core/options/option_string.h"
#include "core/options/reply_keys.h"
#include "hotspot/recording/session.h"
#include "recorder/log.h"

namespace yp::hotspot {
namespace {

// So many rounds at most one waits for a moment in which no tick is open: ticks last some
// milliseconds, unless they go on all the time.
constexpr int kMaxRoundsWaited = 50;
// Until another spool is tried where one could not be made.
constexpr int64_t kRetryNs = 60'000'000'000;
// How often it is told what the recording has cost so far, in case the process is killed.
constexpr int64_t kCostsNs = 60'000'000'000;
// A part is full when it has so much of what all may have.
constexpr uint64_t kPartsInMaxBytes = 2;
// How much a part grows before it is looked whether the oldest are to go.
constexpr uint64_t kPruneParts = 64;

}  // namespace

void Session::WriteTo(const std::string& spool, std::optional<PartFiles> parts) {
  spool_ = spool;
  parts_ = std::move(parts);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  start_time_ns_ = int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  if (!parts_) return;
  part_due_ns_ = start_ns_ + options_.loop_ns.value_or(0);
  PruneParts();
}

std::unique_lock<std::mutex> Session::LockOutTicks() {
  std::unique_lock no_tick_begins(part_mutex_);
  const std::lock_guard lock(open_mutex_);
  if (!pacer_.has_ticks() || !is_open_ || ++rounds_waited_ > kMaxRoundsWaited) {
    rounds_waited_ = 0;
    return no_tick_begins;
  }
  return {};
}

void Session::TellCostsIfDue() {
  const int64_t now_ns = clock_.NowNs() - start_ns_;
  if (now_ns < costs_due_ns_) return;
  if (costs_due_ns_ > 0) {
    CollectEntryCounts();
    Tell(samples() ? Costs() : CountingCosts());
  }
  costs_due_ns_ = now_ns + kCostsNs;
}

void Session::GoOnInNextPartIfDue() {
  if (!parts_ || drain_.failed()) return;
  if (drain_.spool_bytes() >= prune_at_bytes_) PruneParts();
  const bool is_full =
      options_.max_bytes && drain_.spool_bytes() >= *options_.max_bytes / kPartsInMaxBytes;
  if (!is_full && clock_.NowNs() < part_due_ns_) return;
  const std::unique_lock<std::mutex> no_tick = LockOutTicks();
  if (!no_tick.owns_lock()) return;
  // What comes late, of a process that was stopped, shifts what follows.
  part_due_ns_ = clock_.NowNs() + (NextPart() ? options_.loop_ns.value_or(0) : kRetryNs);
}

bool Session::NextPart() {
  const std::string path = parts_->NewPath(std::time(nullptr));
  Result<std::unique_ptr<spool::SpoolWriter>> next =
      spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
  if (!next) {
    Log(std::string(next.message()) + "; the recording goes on in " + spool_);
    return false;
  }
  CollectContexts();
  CollectTests();
  CollectLastTicks();
  drain_.CollectAll();
  Tell(LastFacts(Ending::kPart));
  TellUnexecuted();
  const spool::Config costs = samples() ? Costs() : CountingCosts();
  Tell(costs);
  drain_cpu_ns_ = profiles_begin_ns_ + clock_.ThreadCpuNs();
  spool::Part part;
  part.number = ++part_;
  part.begin_ns = clock_.NowNs() - start_ns_;
  part.program_cpu_ns = accounts_for_ticks() ? ActivityNs() : 0;
  part.agent_cpu_ns = drain_cpu_ns_;
  part.costs = costs.entries;
  if (const Status told = drain_.NextPart(std::move(next).value(), config_, part, TakeOpenNs());
      !told) {
    Log(told.message());
  }
  if (stacks_ != nullptr) stacks_->Retell();
  tests_.Retell();
  part_begin_ns_ = part.begin_ns;
  part_begin_cpu_ns_ = ProgramCpuNs();
  profile_pace_ = ProfilePace(pacer_.has_budget() ? budget_percent_ / 100 : 0);
  spool_ = path;
  PruneParts();
  return true;
}

void Session::PruneParts() {
  if (own_parts_.empty() || own_parts_.back() != spool_) own_parts_.push_back(spool_);
  const PartFiles::Limits limits{.keep = options_.keep, .max_bytes = options_.max_bytes};
  const std::vector<PartFiles::File> left = parts_->Prune(limits, spool_);
  std::erase_if(own_parts_, [&](const std::string& part) {
    return std::ranges::find(left, part, &PartFiles::File::path) == left.end();
  });
  prune_at_bytes_ = options_.max_bytes ? drain_.spool_bytes() + *options_.max_bytes / kPruneParts
                                       : std::numeric_limits<uint64_t>::max();
}

RecordingAnswer Session::Ask(const RecordingQuestion& question) {
  std::optional<RecordingAnswer> answer = questions_.Ask(
      question, [this] { DrainSoon(); }, [this] { return has_ended(); });
  if (answer) return *std::move(answer);
  if (!has_ended()) {
    return {.status = Status::Error("the agent is busy and has not answered; try again"),
            .facts = {},
            .rest = {}};
  }
  if (question.command != AgentOptions::Command::kStatus) {
    return {.status = Status::Error("the recording has ended"), .facts = {}, .rest = {}};
  }
  return {.status = Status::Ok(), .facts = Facts(), .rest = {}};
}

void Session::AnswerQuestion() {
  const std::optional<RecordingQuestion> question = questions_.Pending();
  if (!question) return;
  std::unique_lock<std::mutex> no_tick;
  if (question->command == AgentOptions::Command::kDump) {
    no_tick = LockOutTicks();
    if (!no_tick.owns_lock()) return;
  }
  questions_.Answer(AnswerTo(*question));
}

RecordingAnswer Session::AnswerTo(const RecordingQuestion& question) {
  RecordingAnswer answer;
  if (question.command == AgentOptions::Command::kBudget) {
    answer.status = ChangeBudget(question.budget_percent);
  } else if (question.command == AgentOptions::Command::kDump) {
    CollectContexts();
    CollectTests();
    CollectTicks();
    drain_.CollectAll();
    spool::Config last = LastFacts(Ending::kRecording);
    for (auto& cost : (samples() ? Costs() : CountingCosts()).entries) {
      last.entries.push_back(std::move(cost));
    }
    TellUnexecuted();
    const int64_t now_ns = clock_.NowNs() - start_ns_;
    answer.status = drain_.Round(now_ns, TakeOpenNs());
    answer.rest.emplace_back(std::move(last));
    answer.rest.emplace_back(spool::End{now_ns, drain_cpu_ns_});
  }
  if (answer.status.ok()) answer.facts = Facts();
  return answer;
}

Status Session::ChangeBudget(double percent) {
  if (!has_budget()) {
    return Status::Error("this recording keeps no budget: it has --budget 0, or a mode without");
  }
  if (percent <= 0) {
    return Status::Error(
        "a recording that keeps a budget needs one above 0; stop it, and start "
        "one with --budget 0");
  }
  budget_percent_ = percent;
  RecordingOptions changed = options_;
  changed.budget_percent = percent;
  pacer_.ChangeBudget(changed.budget_of_ticks());
  profile_pace_ = ProfilePace(changed.budget_of_ticks());
  for (auto& entry : config_.entries) {
    if (entry.first != config_key::kBudgetPpm) continue;
    entry.second = std::to_string(static_cast<int64_t>(percent * 1e4 + 0.5));
    return drain_.WriteConfig({{entry}});
  }
  return Status::Ok();
}

spool::Config Session::Facts() const {
  spool::Config facts;
  const auto add = [&](std::string key, std::string value) {
    facts.entries.emplace_back(std::move(key), std::move(value));
  };
  RecordingOptions options = options_;
  options.budget_percent = budget_percent_;
  const OverheadBudget::Spent spent = SpentSoFar();
  add(reply_key::kState, has_ended() ? "stopped" : "recording");
  add(reply_key::kOptions, WriteOptionString(options));
  add(reply_key::kProbe, probe_.name());
  add(reply_key::kStartTimeNs, std::to_string(start_time_ns_));
  const int64_t duration_ns = has_ended() ? end_ns_ : clock_.NowNs() - start_ns_;
  add(reply_key::kDurationNs, std::to_string(duration_ns));
  add(samples() ? reply_key::kSamples : reply_key::kCountedCalls,
      std::to_string(samples() ? drain_.samples() : drain_.counted_calls()));
  add(reply_key::kCostNs, std::to_string(spent.cost_ns + StacksCostNs()));
  add(reply_key::kProgramCpuNs, std::to_string(has_ended() ? end_cpu_ns_ : spent.program_cpu_ns));
  if (has_budget()) add(reply_key::kBudgetPercent, std::to_string(budget_percent_));
  add(reply_key::kSpool, spool_);
  add(reply_key::kSpoolBytes, std::to_string(drain_.spool_bytes()));
  if (parts_) {
    add(reply_key::kPart, std::to_string(part_));
    uint64_t bytes = 0;
    for (const PartFiles::File& file : parts_->Find()) {
      if (std::ranges::find(own_parts_, file.path) == own_parts_.end()) continue;
      bytes += file.bytes;
      add(reply_key::kPartFile, file.path);
    }
    add(reply_key::kPartsBytes, std::to_string(bytes));
  }
  for (const auto& [reason, lost] : drain_.lost()) {
    add(reply_key::kLost + reason, std::to_string(lost));
  }
  return facts;
}

}  // namespace yp::hotspot
