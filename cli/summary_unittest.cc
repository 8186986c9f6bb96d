#include "cli/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/profile/profile_test_util.h"

namespace yp {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Summary(const char* mode) {
  Profile profile = OddProfile();
  profile.config["mode"] = mode;
  profile.complete = true;
  return Summarize(profile, "p.yp", 0, 100);
}

TEST(SummaryTest, SaysHowSureItsNumberOfCallsIs) {
  EXPECT_THAT(Summary("exact"),
              AllOf(HasSubstr(": 992 calls over 6 edges"), Not(HasSubstr("about"))));
  EXPECT_THAT(Summary("cbs"), HasSubstr(": about 992 calls over 6 edges, from 100 samples in"));
  EXPECT_THAT(Summary("timer"),
              AllOf(HasSubstr(": 100 samples over 6 edges"), Not(HasSubstr("calls over"))));
}

TEST(SummaryTest, SaysThatExactCountsAreOfTheProgramsMethodsAlone) {
  Profile profile = OddProfile();
  profile.config["mode"] = "exact";
  profile.config["scope"] = "app";
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100),
              HasSubstr(" edges, of the program's own methods (--scope all: the JDK's, too)\n"));
  profile.config["scope"] = "all";
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), Not(HasSubstr("--scope")));
}

TEST(SummaryTest, WithoutASampleNoNumberIsKnown) {
  Profile profile = OddProfile();
  profile.config["mode"] = "cbs";
  profile.config["policy"] = "countdown";
  profile.edges.clear();
  profile.windows.clear();
  profile.ticks = {{.tick = 1}};
  const std::string summary = Summarize(profile, "p.yp", 0, 100);
  EXPECT_THAT(summary, AllOf(HasSubstr(": no sample in 1 tick: how many calls there were is not "
                                       "known\n"),
                             Not(HasSubstr("calls over"))));
  profile.config["mode"] = "exact";
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), HasSubstr(": 0 calls over 0 edges"));
}

TEST(SummaryTest, SamplesOfACountdownAreInTicksAndOthersInWindows) {
  Profile profile = OddProfile();
  profile.config["mode"] = "cbs";
  profile.config["policy"] = "countdown";
  profile.ticks = {{.tick = 1}};
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), HasSubstr("from 100 samples in 1 tick\n"));
  profile.ticks.push_back({.tick = 2});
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), HasSubstr("from 100 samples in 2 ticks\n"));
  profile.ticks.clear();
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), HasSubstr("from 100 samples\n"));
  profile.config["policy"] = "cbs";
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), HasSubstr(" windows\n"));
}

TEST(SummaryTest, TellsWhatWasLostAndNotWhereThereWasNothingToSee) {
  Profile profile = OddProfile();
  profile.drops = {{"in_compiler", 50}, {"ring_full", 1200}, {"method_gone", 2}};
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100),
              AllOf(HasSubstr("yp: lost: 1,200 (samples lost as the agent's thread was too slow), "
                              "2 (stacks with a method that had been unloaded)\n"),
                    Not(HasSubstr("compiler at work"))));
  profile.drops = {{"in_compiler", 50}};
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), Not(HasSubstr("lost")));
}

TEST(SummaryTest, TellsOfStacksWhereThereAreAny) {
  EXPECT_THAT(Summary("cbs"), HasSubstr("yp: 9 stacks in 2 calling contexts, by setitimer"));
  Profile profile = OddProfile();
  profile.config["contexts"] = "calls";
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100),
              AllOf(HasSubstr("yp: 9 calls in 2 calling contexts (see"), Not(HasSubstr("stacks"))));
  EXPECT_EQ(SummaryToJson(profile, "p.yp", 0)["stacks"].Dump(), "0");
  profile.contexts = {};
  EXPECT_THAT(Summarize(profile, "p.yp", 0, 100), Not(HasSubstr("stacks")));
}

}  // namespace
}  // namespace yp
