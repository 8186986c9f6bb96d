#include "cli/counting_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/summary.h"
#include "format/profile/profile_test_util.h"

namespace yp {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// 992 calls of 3 ns each, and 24 ns of walks.
Profile Counted(const char* program_cpu_ns) {
  Profile profile = OddProfile();
  for (EdgeStats& edge : profile.edges) edge.calls = edge.low = edge.high = std::floor(edge.calls);
  profile.edges[1].calls += 1;  // 992 in all.
  profile.config["mode"] = "exact";
  profile.config["counting.call_ps"] = "3000";
  profile.config["counting.plain_call_ps"] = "1500";
  profile.config["counting.walks_ns"] = "24";
  if (program_cpu_ns != nullptr) profile.config["counting.program_cpu_ns"] = program_cpu_ns;
  return profile;
}

TEST(CountingCostTest, TheRuleIsWhatWasMeasuredAtTheStart) {
  EXPECT_THAT(CountingRule(Counted(nullptr).config),
              AllOf(HasSubstr("exact mode counts every call: about 3.0 ns for each"),
                    HasSubstr("makes 100 calls in a microsecond runs about 1.3 times as long")));
  Profile edges = Counted(nullptr);
  edges.config["mode"] = "edges";
  EXPECT_THAT(CountingRule(edges.config),
              AllOf(HasSubstr("mode edges looks at every call"), Not(HasSubstr("times as long"))));
  EXPECT_EQ(CountingRule(OddProfile().config), "") << "it was not measured";
}

TEST(CountingCostTest, TheResultIsTheFactorByWhichTheProgramRanLonger) {
  const Profile profile = Counted("9000");
  EXPECT_THAT(CountingResult(profile), HasSubstr("(992 calls, 3.0 ns each): the program ran about "
                                                 "1.50 times as long"));
  EXPECT_NEAR(*CountingCostOf(profile)->Factor(), 1.5, 1e-9);
  EXPECT_THAT(CountingResult(Counted("3050")), HasSubstr("nearly all of"));
  EXPECT_THAT(CountingResult(profile), Not(HasSubstr("walked")));
  Profile walked = Counted("90000");
  walked.config["counting.walks_ns"] = "60000";
  EXPECT_THAT(CountingResult(walked), HasSubstr("(992 calls, 3.0 ns each; 60 us of stacks walked"));
  EXPECT_THAT(CountingResult(walked), Not(HasSubstr("waits")));
  EXPECT_EQ(CountingResult(Counted(nullptr)), "") << "the run was cut off";
}

TEST(CountingCostTest, WalksThatWaitedForAProcessorAreNotSaidToBeCpuTime) {
  Profile walked = Counted("9000");
  walked.config["counting.walks_ns"] = "60000";
  EXPECT_THAT(CountingResult(walked),
              AllOf(HasSubstr("counting took at least 3 us of 9 us CPU time"),
                    HasSubstr("; 60 us of stacks walked, waits for a processor included, to find"),
                    Not(HasSubstr("nearly all"))));
}

TEST(CountingCostTest, BothAreInTheSummaryAndItsJson) {
  const Profile profile = Counted("9000");
  EXPECT_THAT(
      Summarize(profile, "p.yp", 0, 100),
      AllOf(HasSubstr("yp: exact mode counts every call"), HasSubstr("1.50 times as long")));
  const auto counting = [](const Profile& of) {
    return nlohmann::json::parse(SummaryToJson(of, "p.yp", 0).Dump())["counting"];
  };
  const nlohmann::json counted = counting(profile);
  EXPECT_EQ(counted["added_ns_per_call"], 3);
  EXPECT_EQ(counted["counting_ns"], 3000);
  EXPECT_NEAR(counted["factor"].get<double>(), 1.5, 1e-9);
  EXPECT_EQ(counting(Counted(nullptr))["factor"], nullptr);
}

}  // namespace
}  // namespace yp
