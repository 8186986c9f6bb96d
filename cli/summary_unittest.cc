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
