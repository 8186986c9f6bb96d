#include "cli/advise/advisor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace yp {
namespace {

using State = CandidateAdvice::State;
using Purpose = RunRequest::Purpose;

constexpr int64_t kSecondNs = 1'000'000'000;
// A candidate that takes so many times as long as the defaults need not end.
constexpr int64_t kSlowest = 10;
// What making an archive takes besides two runs, one of them slower: writing it.
constexpr int64_t kWritingNs = 3 * kSecondNs;
// Runs may take longer than the first ones did.
constexpr double kReserve = 1.2;
// As good as the best, when it needs no file: a part of its ratio.
constexpr double kWorthAFile = 1.01;

double Seconds(int64_t ns) { return static_cast<double>(ns) / 1e9; }

RunCost MedianOf(const std::vector<RunCost>& costs) {
  if (costs.empty()) return {};
  const auto median = [&costs](int64_t RunCost::*member) {
    std::vector<int64_t> values;
    for (const RunCost& cost : costs) values.push_back(cost.*member);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  return {median(&RunCost::wall_ns), median(&RunCost::cpu_ns), median(&RunCost::peak_bytes)};
}

std::string Ended(const RunOutcome& outcome) {
  return fmt::format("ended with exit code {}{}{}", outcome.exit_code,
                     outcome.last_line.empty() ? "" : ": ", outcome.last_line);
}

const char* Worse(Metric metric) {
  switch (metric) {
    case Metric::kWall:
      return "slower than";
    case Metric::kCpu:
      return "takes more CPU time than";
    case Metric::kMemory:
      return "takes more memory than";
  }
  return "";
}

}  // namespace

double RunCost::Of(Metric metric) const {
  const int64_t value = metric == Metric::kWall  ? wall_ns
                        : metric == Metric::kCpu ? cpu_ns
                                                 : peak_bytes;
  return static_cast<double>(std::max<int64_t>(value, 1));
}

const RatioInterval& CandidateAdvice::Ratio(Metric metric) const {
  return metric == Metric::kWall ? wall : metric == Metric::kCpu ? cpu : memory;
}

Advisor::Advisor(std::vector<Entry> entries, AdvisorOptions options, RunProgram run,
                 std::function<int64_t()> now_ns, TellStep tell)
    : options_(std::move(options)),
      run_(std::move(run)),
      now_ns_(std::move(now_ns)),
      tell_(std::move(tell)),
      start_ns_(now_ns_()),
      different_outputs_(entries.size()) {
  for (Entry& entry : entries) {
    CandidateAdvice advice;
    const ArchiveKind* const archive = entry.candidate.archive;
    advice.options =
        RunOptions(entry.candidate, archive == nullptr ? "" : options_.path_of(*archive));
    advice.candidate = std::move(entry.candidate);
    advice.reason = std::move(entry.reason_against);
    entries_.push_back(std::move(advice));
  }
}

Result<std::optional<Advice>> Advisor::Run() {
  if (Status s = RunReference(); !s) return s;
  if (Status s = RunAgainWhereTimeIsShort(); !s) return s;
  if (!interrupted_) LeaveOutWhatDoesNotFit();
  if (Status s = MakeArchives(); !s) return s;
  if (Status s = RunTrial(); !s) return s;
  if (interrupted_) return std::optional<Advice>();
  return std::optional(Conclude());
}

Result<RunOutcome> Advisor::RunOnce(const std::string& step, RunRequest request) {
  tell_(step, LeftNs());
  request.limit_ns =
      std::max<int64_t>(1, request.limit_ns == 0 ? LeftNs() : std::min(request.limit_ns, LeftNs()));
  Result<RunOutcome> outcome = run_(request);
  if (!outcome) return outcome;
  interrupted_ |= outcome->interrupted;
  if (request.options.empty()) {
    longest_s_ = std::max(longest_s_, Seconds(outcome->cost.wall_ns));
  }
  return outcome;
}

Status Advisor::RunReference() {
  Result<RunOutcome> outcome = RunOnce("first run, by the defaults", {Purpose::kReference, {}, 0});
  if (!outcome) return outcome.status();
  if (outcome->over_limit) {
    return Status::Error(
        fmt::format("the command did not end within the budget of {:.0f} s: advise compares whole "
                    "runs; give the command an end, or a longer --budget",
                    Seconds(options_.budget_ns)));
  }
  reference_ = *std::move(outcome);
  return Status::Ok();
}

// The first run may have been slow, as nothing was in the file cache.
Status Advisor::RunAgainWhereTimeIsShort() {
  if (interrupted_ || InTrial().empty() || NeededNs() <= LeftNs()) return Status::Ok();
  const Result<RunOutcome> outcome = RunOnce("second run, by the defaults", {});
  if (!outcome) return outcome.status();
  if (interrupted_ || outcome->over_limit) return Status::Ok();
  if (outcome->cost.wall_ns < reference_.cost.wall_ns) reference_.cost = outcome->cost;
  return CheckDefaults(*outcome);
}

void Advisor::LeaveOutWhatDoesNotFit() {
  // The last one is tried even if time is short: the runs may be faster than the first one was.
  const auto available = [this] { return InTrial().size() > 1 ? LeftNs() : 2 * LeftNs(); };
  while (!InTrial().empty() && NeededNs() > available()) {
    no_time_ = true;
    Exclude(InTrial().back(), State::kNotTried, "the budget has no time for it");
  }
}

Status Advisor::MakeArchives() {
  std::set<const ArchiveKind*> made;
  for (const size_t entry : InTrial()) {
    const ArchiveKind* const archive = entries_[entry].candidate.archive;
    if (interrupted_ || archive == nullptr || !made.insert(archive).second) continue;
    if (Status s = MakeArchive(*archive); !s) return s;
  }
  return Status::Ok();
}

Status Advisor::MakeArchive(const ArchiveKind& archive) {
  const std::string path = options_.path_of(archive);
  const auto fail = [&](const std::string& reason) {
    for (const size_t entry : InTrial()) {
      if (entries_[entry].candidate.archive == &archive) Exclude(entry, State::kFailed, reason);
    }
  };
  const std::pair<RunRequest, const char*> steps[] = {
      {{Purpose::kTraining, TrainingOptions(archive, path),
        2 * kSlowest * (reference_.cost.wall_ns + kSecondNs)},
       "the run that makes the"},
      {{Purpose::kProof, ProofOptions(archive, path),
        kSlowest * (reference_.cost.wall_ns + kSecondNs)},
       "a run that must use the"}};
  for (const auto& [request, what] : steps) {
    const Result<RunOutcome> outcome = RunOnce(fmt::format("{} {}", what, archive.name), request);
    if (!outcome) return outcome.status();
    if (interrupted_) break;
    if (outcome->over_limit) {
      fail(fmt::format("{} {} took too long", what, archive.name));
    } else if (outcome->exit_code != reference_.exit_code) {
      fail(fmt::format("{} {} {}", what, archive.name, Ended(*outcome)));
    } else {
      continue;
    }
    break;
  }
  return Status::Ok();
}

Status Advisor::RunTrial() {
  tried_ = InTrial();
  while (!interrupted_) {
    if (InTrial().empty()) {
      ended_ = tried_.empty() ? "no candidate could be tried" : "no candidate is left";
      break;
    }
    const std::optional<size_t> next = NextLook(rounds_.size());
    if (!next) {
      ended_ = "the most rounds were made";
      break;
    }
    const int64_t available = rounds_.empty() ? 2 * LeftNs() : LeftNs();
    if (RoundsNs(*next - rounds_.size()) > available) {
      ended_ = "the budget was used up";
      break;
    }
    while (rounds_.size() < *next && !InTrial().empty()) {
      const Result<bool> complete = RunRound();
      if (!complete) return complete.status();
      if (*complete) continue;
      ended_ = "the budget was used up";
      return Status::Ok();
    }
    if (LookWithin(rounds_.size()) == rounds_.size() && Look()) {
      ended_ = "more rounds would change nothing";
      break;
    }
  }
  return Status::Ok();
}

Result<bool> Advisor::RunRound() {
  constexpr size_t kDefaults = static_cast<size_t>(-2), kControl = static_cast<size_t>(-1);
  std::vector<size_t> runs = {kDefaults, kControl};
  const std::vector<size_t> candidates = InTrial();
  runs.insert(runs.end(), candidates.begin(), candidates.end());
  Round round;
  for (const size_t at : OrderOfTrialRound(runs.size(), rounds_.size())) {
    const size_t entry = runs[at];
    const bool is_candidate = entry < entries_.size();
    RunRequest request;
    if (is_candidate) {
      request.options = entries_[entry].options;
      request.limit_ns = kSlowest * (reference_.cost.wall_ns + kSecondNs);
    }
    const std::string name = is_candidate ? entries_[entry].candidate.name : "the defaults";
    const Result<RunOutcome> outcome =
        RunOnce(fmt::format("round {}, {} ({} of {} candidates left)", rounds_.size() + 1, name,
                            InTrial().size(), tried_.size()),
                request);
    if (!outcome) return outcome.status();
    if (interrupted_ || (outcome->over_limit && LeftNs() <= 0)) return false;
    if (is_candidate) {
      round.candidates[entry] = outcome->cost;
      CheckCandidate(entry, *outcome);
    } else {
      (entry == kDefaults ? round.defaults : round.control) = outcome->cost;
      if (Status s = CheckDefaults(*outcome); !s) return s;
    }
  }
  rounds_.push_back(std::move(round));
  return true;
}

Status Advisor::CheckDefaults(const RunOutcome& outcome) {
  if (outcome.exit_code != reference_.exit_code) {
    return Status::Error(
        fmt::format("the command ended with exit code {} in its first run and with {} in another, "
                    "both by the defaults: runs that differ so cannot be compared",
                    reference_.exit_code, outcome.exit_code));
  }
  defaults_differ_ |= !outcome.same_output;
  return Status::Ok();
}

void Advisor::CheckCandidate(size_t entry, const RunOutcome& outcome) {
  if (outcome.over_limit) {
    Exclude(entry, State::kFailed, fmt::format("took more than {} times as long", kSlowest));
  } else if (outcome.exit_code != reference_.exit_code) {
    Exclude(entry, State::kFailed, Ended(outcome));
  } else if (!outcome.same_output) {
    ++different_outputs_[entry];
  }
}

void Advisor::ExcludeOtherOutputs() {
  if (defaults_differ_) return;
  for (const size_t entry : InTrial()) {
    if (different_outputs_[entry] == 0) continue;
    Exclude(entry, State::kFailed, "printed something else than the defaults");
  }
}

bool Advisor::Look() {
  ExcludeOtherOutputs();
  if (InTrial().empty()) return false;
  const TrialLook look = LookAt(TrialRounds(options_.metric, rounds_.size()));
  for (size_t i = 0; i < tried_.size(); ++i) {
    const CandidateStanding& standing = look.candidates[i];
    if (!IsAlive(tried_[i]) || standing.standing == Standing::kInTrial) continue;
    const std::string better = standing.standing == Standing::kWorseThanDefaults
                                   ? "the defaults"
                                   : entries_[tried_[*standing.better]].candidate.name;
    Exclude(tried_[i], State::kDropped, fmt::format("{} {}", Worse(options_.metric), better));
  }
  return look.is_decided;
}

Advice Advisor::Conclude() {
  Advice advice;
  advice.ended = ended_;
  advice.output_compared = !defaults_differ_;
  advice.rounds = LookWithin(rounds_.size());
  std::vector<RunCost> defaults;
  for (const Round& round : rounds_) {
    defaults.insert(defaults.end(), {round.defaults, round.control});
  }
  if (defaults.empty()) defaults.push_back(reference_.cost);
  advice.defaults = MedianOf(defaults);
  for (size_t entry = 0; entry < entries_.size(); ++entry) {
    std::vector<RunCost> costs;
    for (const Round& round : rounds_) {
      const auto own = round.candidates.find(entry);
      if (own != round.candidates.end()) costs.push_back(own->second);
    }
    entries_[entry].runs = costs.size();
    entries_[entry].median = MedianOf(costs);
  }
  for (const size_t entry : InTrial()) entries_[entry].state = State::kMeasured;
  advice.candidates = entries_;
  if (advice.rounds > 0) Measure(advice.rounds, &advice);
  Warn(&advice);
  return advice;
}

void Advisor::Measure(size_t rounds, Advice* advice) const {
  for (const Metric metric : {Metric::kWall, Metric::kCpu, Metric::kMemory}) {
    const TrialLook look = LookAt(TrialRounds(metric, rounds));
    for (size_t i = 0; i < tried_.size(); ++i) {
      CandidateAdvice& own = advice->candidates[tried_[i]];
      (metric == Metric::kWall  ? own.wall
       : metric == Metric::kCpu ? own.cpu
                                : own.memory) = look.candidates[i].ratio;
    }
    if (metric != options_.metric) continue;
    advice->control = look.control;
    if (look.control_differs) {
      advice->warnings.push_back(fmt::format(
          "the defaults differ from themselves ({:.3f} to {:.3f} times): the machine is too "
          "unsteady, and nothing is recommended; try again when it is idle",
          look.control.low, look.control.high));
    }
    if (!look.best) continue;
    const RatioInterval& best = look.candidates[*look.best].ratio;
    advice->recommended = tried_[*look.best];
    if (entries_[*advice->recommended].candidate.archive == nullptr) continue;
    // One that is about as good and needs no file.
    for (size_t i = 0; i < tried_.size(); ++i) {
      const RatioInterval& ratio = look.candidates[i].ratio;
      if (entries_[tried_[i]].candidate.archive == nullptr && ratio.high < 1 &&
          ratio.value <= best.value * kWorthAFile && IsAlive(tried_[i])) {
        advice->recommended = tried_[i];
      }
    }
  }
}

void Advisor::Warn(Advice* advice) const {
  std::vector<std::string>& warnings = advice->warnings;
  if (reference_.exit_code != 0) {
    warnings.push_back(fmt::format("the command ends with exit code {} by the defaults, too",
                                   reference_.exit_code));
  }
  if (defaults_differ_) {
    warnings.emplace_back(
        "by the defaults the command prints something else from run to run: only exit codes are "
        "compared");
  }
  for (const CandidateAdvice& own : advice->candidates) {
    if (own.state == State::kFailed) {
      warnings.push_back(fmt::format("{} is out: {}", own.candidate.name, own.reason));
    }
  }
  if (advice->rounds == 0 || no_time_) {
    // The budget that one candidate needs: the first run, its archive, and rounds of three runs.
    const double least =
        longest_s_ * (4 + kReserve * 3 * kTrialLooks.front()) + Seconds(kWritingNs);
    warnings.push_back(fmt::format(
        "the budget of {:.0f} s has too few runs of up to {:.1f} s each{}",
        Seconds(options_.budget_ns), longest_s_,
        advice->rounds == 0 ? fmt::format(": nothing is known of any candidate; one alone needs "
                                          "--budget {:.0f}s or more",
                                          std::ceil(least))
                            : " to try every candidate"));
  }
}

int64_t Advisor::LeftNs() const { return options_.budget_ns - (now_ns_() - start_ns_); }

// What so many rounds take at most, by the first run or the last round.
int64_t Advisor::RoundsNs(size_t rounds) const {
  const auto last_of = [this](size_t entry) {
    if (rounds_.empty()) return reference_.cost.wall_ns;
    const auto own = rounds_.back().candidates.find(entry);
    return own == rounds_.back().candidates.end() ? 0 : own->second.wall_ns;
  };
  int64_t sum = rounds_.empty() ? 2 * reference_.cost.wall_ns
                                : rounds_.back().defaults.wall_ns + rounds_.back().control.wall_ns;
  for (const size_t entry : InTrial()) sum += last_of(entry);
  return static_cast<int64_t>(static_cast<double>(rounds) * kReserve * static_cast<double>(sum));
}

// Up to the first look.
int64_t Advisor::NeededNs() const { return RoundsNs(kTrialLooks.front()) + ArchiveNs(); }

int64_t Advisor::ArchiveNs() const {
  std::set<const ArchiveKind*> archives;
  for (const size_t entry : InTrial()) archives.insert(entries_[entry].candidate.archive);
  archives.erase(nullptr);
  return static_cast<int64_t>(archives.size()) * (3 * reference_.cost.wall_ns + kWritingNs);
}

bool Advisor::IsAlive(size_t entry) const { return entries_[entry].reason.empty(); }

std::vector<size_t> Advisor::InTrial() const {
  std::vector<size_t> alive;
  for (size_t entry = 0; entry < entries_.size(); ++entry) {
    if (IsAlive(entry)) alive.push_back(entry);
  }
  return alive;
}

void Advisor::Exclude(size_t entry, State state, std::string reason) {
  entries_[entry].state = state;
  entries_[entry].reason = std::move(reason);
}

// Those that failed have no part in them.
std::vector<TrialRound> Advisor::TrialRounds(Metric metric, size_t rounds) const {
  std::vector<TrialRound> result;
  for (size_t r = 0; r < rounds; ++r) {
    TrialRound round{rounds_[r].defaults.Of(metric), rounds_[r].control.Of(metric), {}};
    for (const size_t entry : tried_) {
      const auto own = rounds_[r].candidates.find(entry);
      const bool counts =
          own != rounds_[r].candidates.end() && entries_[entry].state != State::kFailed;
      round.candidates.push_back(counts ? std::optional(own->second.Of(metric)) : std::nullopt);
    }
    result.push_back(std::move(round));
  }
  return result;
}

}  // namespace yp
