#include "cli/advise/advisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "base/time_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using State = CandidateAdvice::State;
using Purpose = RunRequest::Purpose;

const ArchiveKind kFile{"TEST file", "test.file", {"-make={}"}, {"-use={}"}, "-prove", false};

// A program that takes a known time under each set of options, by a clock of its own.
class FakeProgram {
 public:
  int64_t now_ns = 0;
  int64_t default_ns = 1000 * kMs;
  std::map<std::string, double> ratios;   // By the first option.
  std::map<std::string, int> exit_codes;  // Likewise; "" is by the defaults.
  std::map<std::string, bool> other_output;
  std::vector<RunRequest> requests;
  double noise = 0.01;
  double first_run_ratio = 1;
  size_t interrupted_at = static_cast<size_t>(-1);
  Xoshiro256 random{1};

  RunOutcome Run(const RunRequest& request) {
    requests.push_back(request);
    const std::string option = request.options.empty() ? "" : request.options.front();
    const double ratio = ratios.count(option) == 0 ? 1 : ratios[option];
    const double first = requests.size() == 1 ? first_run_ratio : 1;
    const double factor = first + noise * (random.UniformOpenClosed() - 0.5);
    RunOutcome outcome;
    outcome.cost.wall_ns = static_cast<int64_t>(static_cast<double>(default_ns) * ratio * factor);
    if (outcome.cost.wall_ns > request.limit_ns) {
      outcome.cost.wall_ns = request.limit_ns;
      outcome.over_limit = true;
    }
    outcome.cost.cpu_ns = 2 * outcome.cost.wall_ns;
    outcome.cost.peak_bytes = 1 << 20;
    outcome.exit_code = exit_codes.count(option) == 0 ? exit_codes[""] : exit_codes[option];
    outcome.same_output = !other_output[option];
    outcome.last_line = "the last line";
    outcome.interrupted = requests.size() == interrupted_at;
    now_ns += outcome.cost.wall_ns;
    return outcome;
  }
};

Candidate WithOption(const std::string& option, const ArchiveKind* archive = nullptr) {
  Candidate candidate;
  candidate.name = option.substr(1);
  candidate.flags = {option};
  candidate.archive = archive;
  return candidate;
}

Result<std::optional<Advice>> Advise(FakeProgram& program, std::vector<Advisor::Entry> entries,
                                     int64_t budget_ns = 600'000 * kMs,
                                     Metric metric = Metric::kWall) {
  AdvisorOptions options;
  options.metric = metric;
  options.budget_ns = budget_ns;
  options.path_of = [](const ArchiveKind& archive) { return std::string(archive.file_name); };
  Advisor advisor(
      std::move(entries), options,
      [&program](const RunRequest& request) -> Result<RunOutcome> { return program.Run(request); },
      [&program] { return program.now_ns; }, [](const std::string&, int64_t) {});
  return advisor.Run();
}

Advice AdviseWell(FakeProgram& program, std::vector<Advisor::Entry> entries,
                  int64_t budget_ns = 600'000 * kMs, Metric metric = Metric::kWall) {
  const auto advice = Advise(program, std::move(entries), budget_ns, metric);
  EXPECT_TRUE(advice) << advice.message();
  return advice && *advice ? **advice : Advice();
}

std::vector<Advisor::Entry> Entries(const std::vector<std::string>& options) {
  std::vector<Advisor::Entry> entries;
  for (const std::string& option : options) entries.push_back({WithOption(option), ""});
  return entries;
}

TEST(AdvisorTest, RecommendsTheBestAndDropsTheOthers) {
  FakeProgram program;
  program.ratios = {{"-fast", 0.7}, {"-faster", 0.6}, {"-slow", 1.3}};
  const Advice advice = AdviseWell(program, Entries({"-fast", "-faster", "-slow"}));
  ASSERT_EQ(advice.recommended, std::optional<size_t>(1));
  EXPECT_NEAR(advice.candidates[1].wall.value, 0.6, 0.01);
  EXPECT_LT(advice.candidates[1].wall.high, 0.65);
  EXPECT_NEAR(advice.candidates[1].cpu.value, 0.6, 0.01);
  EXPECT_NEAR(advice.candidates[1].memory.value, 1, 1e-9);
  EXPECT_EQ(advice.candidates[2].state, State::kDropped);
  EXPECT_EQ(advice.candidates[2].reason, "slower than the defaults");
  EXPECT_EQ(advice.candidates[0].reason, "slower than faster");
  EXPECT_EQ(advice.rounds, 4u);
  EXPECT_THAT(advice.warnings, IsEmpty());
  // The first run, and four rounds of the defaults twice and all candidates.
  EXPECT_THAT(program.requests, SizeIs(1 + 4 * 5));
}

TEST(AdvisorTest, KeepsTheDefaultsWhereNothingIsBetter) {
  FakeProgram program;
  program.ratios = {{"-slow", 1.3}};
  const Advice advice = AdviseWell(program, Entries({"-slow", "-equal"}));
  EXPECT_EQ(advice.recommended, std::nullopt);
  EXPECT_EQ(advice.candidates[0].state, State::kDropped);
  EXPECT_EQ(advice.candidates[1].state, State::kMeasured);
  EXPECT_EQ(advice.ended, "more rounds would change nothing");
}

TEST(AdvisorTest, StaysWithinItsBudget) {
  FakeProgram program;
  program.noise = 0.5;
  const int64_t budget_ns = 40'000 * kMs;
  const Advice advice = AdviseWell(program, Entries({"-a", "-b"}), budget_ns);
  EXPECT_LE(program.now_ns, budget_ns);
  EXPECT_EQ(advice.ended, "the budget was used up");
  EXPECT_GE(advice.rounds, 4u);
}

TEST(AdvisorTest, LeavesOutTheLastCandidatesWhereTimeIsShort) {
  FakeProgram program;
  const Advice advice = AdviseWell(program, Entries({"-a", "-b", "-c"}), 18'500 * kMs);
  EXPECT_NE(advice.candidates[0].state, State::kNotTried);
  EXPECT_EQ(advice.candidates[1].state, State::kNotTried);
  EXPECT_EQ(advice.candidates[2].reason, "the budget has no time for it");
  EXPECT_THAT(advice.warnings, ElementsAre(HasSubstr("too few runs")));
}

TEST(AdvisorTest, SaysWhatBudgetItTakesWhereThereIsNoTimeForAny) {
  FakeProgram program;
  const Advice advice = AdviseWell(program, Entries({"-a"}), 5'000 * kMs);
  EXPECT_EQ(advice.recommended, std::nullopt);
  EXPECT_EQ(advice.rounds, 0u);
  ASSERT_THAT(advice.warnings, ElementsAre(HasSubstr("--budget 22s or more")));
  EXPECT_EQ(AdviseWell(program, Entries({"-a"}), 22'000 * kMs).rounds, 4u);
}

TEST(AdvisorTest, TriesAllWhereOnlyTheFirstRunIsSlow) {
  FakeProgram program;
  program.first_run_ratio = 3;
  const Advice advice = AdviseWell(program, Entries({"-a", "-b"}), 24'000 * kMs);
  EXPECT_NE(advice.candidates[1].state, State::kNotTried);
  EXPECT_THAT(advice.warnings, IsEmpty());
}

TEST(AdvisorTest, TriesOneCandidateWhereTheFirstRunMakesTheTimeLookShort) {
  FakeProgram program;
  program.first_run_ratio = 1.5;
  const Advice advice = AdviseWell(program, Entries({"-a", "-b"}), 17'000 * kMs);
  EXPECT_EQ(advice.rounds, 4u);
  EXPECT_EQ(advice.candidates[1].state, State::kNotTried);
  EXPECT_LE(program.now_ns, 17'000 * kMs);
}

TEST(AdvisorTest, RefusesACommandThatDoesNotEnd) {
  FakeProgram program;
  program.default_ns = 1'000'000 * kMs;
  const auto advice = Advise(program, Entries({"-a"}));
  ASSERT_FALSE(advice);
  EXPECT_THAT(std::string(advice.message()), HasSubstr("did not end within the budget of 600 s"));
}

TEST(AdvisorTest, RecommendsNothingThatHasAnotherResult) {
  FakeProgram program;
  program.ratios = {{"-wrong", 0.5}, {"-prints", 0.6}, {"-right", 0.8}};
  program.exit_codes["-wrong"] = 1;
  program.other_output["-prints"] = true;
  const Advice advice = AdviseWell(program, Entries({"-wrong", "-prints", "-right"}));
  EXPECT_EQ(advice.recommended, std::optional<size_t>(2));
  EXPECT_EQ(advice.candidates[0].state, State::kFailed);
  EXPECT_EQ(advice.candidates[0].reason, "ended with exit code 1: the last line");
  EXPECT_EQ(advice.candidates[1].reason, "printed something else than the defaults");
  EXPECT_TRUE(advice.output_compared);
  EXPECT_THAT(advice.warnings, SizeIs(2));
}

TEST(AdvisorTest, ComparesExitCodesAloneWhereOutputDiffersAnyway) {
  FakeProgram program;
  program.ratios = {{"-prints", 0.6}};
  program.other_output = {{"-prints", true}, {"", true}};
  const Advice advice = AdviseWell(program, Entries({"-prints"}));
  EXPECT_EQ(advice.recommended, std::optional<size_t>(0));
  EXPECT_FALSE(advice.output_compared);
  EXPECT_THAT(advice.warnings, ElementsAre(HasSubstr("only exit codes")));
}

TEST(AdvisorTest, ComparesFailingCommandsAndSaysSo) {
  FakeProgram program;
  program.exit_codes[""] = 3;
  EXPECT_THAT(AdviseWell(program, Entries({"-a"})).warnings, ElementsAre(HasSubstr("exit code 3")));
}

TEST(AdvisorTest, ExcludesWhatHangs) {
  FakeProgram program;
  program.ratios = {{"-hangs", 1000}, {"-fast", 0.7}};
  const Advice advice = AdviseWell(program, Entries({"-hangs", "-fast"}));
  EXPECT_EQ(advice.recommended, std::optional<size_t>(1));
  EXPECT_EQ(advice.candidates[0].state, State::kFailed);
  EXPECT_THAT(advice.candidates[0].reason, HasSubstr("10 times as long"));
}

TEST(AdvisorTest, ReturnsNothingWhenItIsInterrupted) {
  for (const size_t at : {1u, 2u, 4u, 9u}) {
    FakeProgram program;
    program.interrupted_at = at;
    const auto advice = Advise(program, {{WithOption("-a", &kFile), ""}});
    ASSERT_TRUE(advice) << advice.message();
    EXPECT_FALSE(advice->has_value());
    EXPECT_THAT(program.requests, SizeIs(at)) << "nothing is started afterwards";
  }
}

TEST(AdvisorTest, MakesAnArchiveOnceAndProvesIt) {
  FakeProgram program;
  AdviseWell(program, {{WithOption("-a", &kFile), ""}, {WithOption("-b", &kFile), ""}});
  const auto is_training = [](const RunRequest& r) { return r.purpose == Purpose::kTraining; };
  EXPECT_EQ(std::ranges::count_if(program.requests, is_training), 1);
  ASSERT_GT(program.requests.size(), 5u);
  EXPECT_THAT(program.requests[1].options, ElementsAre("-make=test.file"));
  EXPECT_THAT(program.requests[2].options, ElementsAre("-use=test.file", "-prove"));
}

TEST(AdvisorTest, TriesNoArchiveThatTheJvmDoesNotTake) {
  FakeProgram program;
  program.exit_codes["-use=test.file"] = 1;
  const Advice advice =
      AdviseWell(program, {{WithOption("-a", &kFile), ""}, {WithOption("-b"), ""}});
  EXPECT_EQ(advice.candidates[0].state, State::kFailed);
  EXPECT_EQ(advice.candidates[0].reason,
            "a run that must use the TEST file ended with exit code 1: the last line");
  EXPECT_EQ(advice.candidates[1].state, State::kMeasured);
}

TEST(AdvisorTest, PrefersWhatNeedsNoFileWhereBothAreAboutAsGood) {
  FakeProgram program;
  program.ratios = {{"-use=test.file", 0.598}, {"-b", 0.6}};
  const Advice advice =
      AdviseWell(program, {{WithOption("-a", &kFile), ""}, {WithOption("-b"), ""}});
  EXPECT_EQ(advice.recommended, std::optional<size_t>(1));
}

TEST(AdvisorTest, ListsWhatThereAreReasonsAgainst) {
  FakeProgram program;
  const Advice advice = AdviseWell(program, {{WithOption("-a"), "it is Monday"}});
  EXPECT_EQ(advice.candidates[0].state, State::kNotTried);
  EXPECT_EQ(advice.candidates[0].reason, "it is Monday");
  EXPECT_EQ(advice.ended, "no candidate could be tried");
  EXPECT_THAT(program.requests, SizeIs(1));
}

TEST(AdvisorTest, RefusesACommandWhoseExitCodeChangesByItself) {
  FakeProgram program;
  size_t runs = 0;
  AdvisorOptions options;
  options.budget_ns = 600'000 * kMs;
  options.path_of = [](const ArchiveKind&) { return std::string(); };
  Advisor advisor(
      Entries({"-a"}), options,
      [&](const RunRequest& request) -> Result<RunOutcome> {
        RunOutcome outcome = program.Run(request);
        outcome.exit_code = runs++ == 0 ? 0 : 5;
        return outcome;
      },
      [&program] { return program.now_ns; }, [](const std::string&, int64_t) {});
  const auto advice = advisor.Run();
  ASSERT_FALSE(advice);
  EXPECT_THAT(std::string(advice.message()), HasSubstr("exit code 0 in its first run and with 5"));
}

}  // namespace
}  // namespace yp
