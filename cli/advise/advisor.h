#ifndef YP_CLI_ADVISE_ADVISOR_H_
#define YP_CLI_ADVISE_ADVISOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/advise/candidates.h"
#include "core/advice/trial.h"

// Finds out which candidate a program should run with. Processes and files are the caller's.
namespace yp {

enum class Metric { kWall, kCpu, kMemory };

// What one run took.
struct RunCost {
  int64_t wall_ns = 0;
  int64_t cpu_ns = 0;  // With the processes that it waited for.
  int64_t peak_bytes = 0;
  double Of(Metric metric) const;
};

struct RunRequest {
  enum class Purpose {
    kReference,  // The defaults; what it prints is kept to compare with.
    kTraining,
    kProof,
    kMeasured,
  };
  Purpose purpose = Purpose::kMeasured;
  std::vector<std::string> options;  // Of the JVM, beside the command's own.
  int64_t limit_ns = 0;              // It is killed then.
};

struct RunOutcome {
  RunCost cost;
  int exit_code = 0;
  bool same_output = true;   // On stdout, as the reference.
  bool interrupted = false;  // The user ended it all.
  bool over_limit = false;
  std::string last_line;  // Of what it says of itself, for when it fails.
};

// An error means that it did not start.
using RunProgram = std::function<Result<RunOutcome>(const RunRequest&)>;

// What the advisor is at, before each run; `left_ns` is how long it takes at most from now on.
using TellStep = std::function<void(const std::string& step, int64_t left_ns)>;

struct AdvisorOptions {
  Metric metric = Metric::kWall;
  int64_t budget_ns = 0;
  // Where the file of an archive is, or is to be.
  std::function<std::string(const ArchiveKind&)> path_of;
};

struct CandidateAdvice {
  enum class State {
    kNotTried,
    kFailed,  // It did not run, or had another result.
    kDropped,
    kMeasured,
  };
  Candidate candidate;
  std::vector<std::string> options;
  State state = State::kNotTried;
  std::string reason;  // For all but kMeasured.
  size_t runs = 0;
  RunCost median;  // Of each by itself; nothing where there are no runs.
  // To the defaults. The interval of the metric is the one that is decided by; those of the others
  // are formed likewise.
  RatioInterval wall, cpu, memory;
  const RatioInterval& Ratio(Metric metric) const;
};

struct Advice {
  std::vector<CandidateAdvice> candidates;
  std::optional<size_t> recommended;  // None: keep the defaults.
  std::string ended;                  // Why there were no more rounds.
  size_t rounds = 0;                  // That count.
  RunCost defaults;                   // Medians.
  RatioInterval control;
  bool output_compared = true;
  std::vector<std::string> warnings;
};

class Advisor {
 public:
  // A candidate with a reason against it is only listed.
  struct Entry {
    Candidate candidate;
    std::string reason_against;
  };
  Advisor(std::vector<Entry> entries, AdvisorOptions options, RunProgram run,
          std::function<int64_t()> now_ns, TellStep tell);

  // Runs the program until it is decided or the budget is used up. Nothing when the user ended it.
  // An error when there is nothing to compare: the program does not start or not end in time, or
  // its exit code differs from run to run by the defaults.
  Result<std::optional<Advice>> Run();

 private:
  // Of one round, by place in entries_.
  struct Round {
    RunCost defaults, control;
    std::map<size_t, RunCost> candidates;
  };
  Result<RunOutcome> RunOnce(const std::string& step, RunRequest request);
  Status RunReference();
  Status RunAgainWhereTimeIsShort();
  void LeaveOutWhatDoesNotFit();
  Status MakeArchives();
  Status MakeArchive(const ArchiveKind& archive);
  Status RunTrial();
  // Whether the round is complete; the trial ends otherwise.
  Result<bool> RunRound();
  Status CheckDefaults(const RunOutcome& outcome);
  void CheckCandidate(size_t entry, const RunOutcome& outcome);
  void ExcludeOtherOutputs();
  // Whether the trial is decided.
  bool Look();
  Advice Conclude();
  void Measure(size_t rounds, Advice* advice) const;
  void Warn(Advice* advice) const;

  int64_t LeftNs() const;
  int64_t RoundsNs(size_t rounds) const;
  int64_t NeededNs() const;
  int64_t ArchiveNs() const;
  std::vector<size_t> InTrial() const;
  bool IsAlive(size_t entry) const;
  void Exclude(size_t entry, CandidateAdvice::State state, std::string reason);
  std::vector<TrialRound> TrialRounds(Metric metric, size_t rounds) const;

  const AdvisorOptions options_;
  const RunProgram run_;
  const std::function<int64_t()> now_ns_;
  const TellStep tell_;
  const int64_t start_ns_;

  std::vector<CandidateAdvice> entries_;
  std::vector<size_t> tried_;  // From the first round on: the trial's own numbers.
  std::vector<Round> rounds_;
  std::vector<size_t> different_outputs_;  // By entry: in how many runs.
  RunOutcome reference_;
  double longest_s_ = 0;  // Of all runs by the defaults.
  std::string ended_;
  bool interrupted_ = false;
  bool defaults_differ_ = false;  // In what they print.
  bool no_time_ = false;
};

}  // namespace yp

#endif  // YP_CLI_ADVISE_ADVISOR_H_
