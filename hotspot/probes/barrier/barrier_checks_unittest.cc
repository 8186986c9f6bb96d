#include "hotspot/probes/barrier/barrier_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hotspot/probes/barrier/entry_samples_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;

TEST(BarrierChecksTest, OnlyTheJdksThatWereTriedAreTaken) {
  for (int jdk = 8; jdk < 40; ++jdk) EXPECT_EQ(CheckJdk(jdk).ok(), jdk == 17 || jdk == 25) << jdk;
  EXPECT_THAT(std::string(CheckJdk(26).message()), HasSubstr("26"));
  EXPECT_STREQ(StubName(17), "nmethod_entry_barrier");
  EXPECT_STREQ(StubName(25), "method_entry_barrier");
}

TEST(BarrierChecksTest, AShadowStackIsRefused) {
  EXPECT_TRUE(CheckNoShadowStack("").ok());
  EXPECT_TRUE(CheckNoShadowStack("Name:\tjava\nx86_Thread_features:\t\nThreads: 4\n").ok());
  EXPECT_TRUE(CheckNoShadowStack("x86_Thread_features_locked:\tshstk\n").ok());
  EXPECT_FALSE(CheckNoShadowStack("Name:\tjava\nx86_Thread_features:\tshstk wrss\n").ok());
}

TEST(BarrierChecksTest, CodeThatCannotBeWrittenIsRefused) {
  const std::string maps =
      "7f00000000-7f00010000 rwxp 00000000 00:00 0 \n"
      "7f00010000-7f00020000 r-xp 00000000 00:00 0 \n"
      "7f00020000-7f00030000 rw-p 00000000 00:00 0    [heap]\n"
      "nonsense\n";
  EXPECT_TRUE(CheckWritableCode(maps, 0x7f00000000).ok());
  EXPECT_TRUE(CheckWritableCode(maps, 0x7f0000ffff).ok());
  EXPECT_FALSE(CheckWritableCode(maps, 0x7f00010000).ok());
  EXPECT_FALSE(CheckWritableCode(maps, 0x7f00020000).ok());
  EXPECT_FALSE(CheckWritableCode(maps, 0x7f00030000).ok());
  EXPECT_FALSE(CheckWritableCode("", 0x7f00000000).ok());
}

void AddTo(BarrierSurvey& survey, const EntrySample& sample, int times) {
  for (int i = 0; i < times; ++i) survey.Add(sample.address, sample.code);
}

TEST(BarrierSurveyTest, OneDisplacementOfAllMethodsIsTaken) {
  BarrierSurvey survey(EntrySamples()[0].stub);
  EXPECT_THAT(std::string(survey.Displacement().message()), HasSubstr("nothing"));
  AddTo(survey, EntrySamples()[0], 1);
  AddTo(survey, EntrySamples()[4], 3);
  const auto displacement = survey.Displacement();
  ASSERT_TRUE(displacement.ok()) << displacement.message();
  EXPECT_EQ(*displacement, 0x20);
}

TEST(BarrierSurveyTest, TwoDisplacementsAreRefused) {
  BarrierSurvey survey(EntrySamples()[0].stub);
  AddTo(survey, EntrySamples()[0], 1000);
  EntrySample other = EntrySamples()[0];
  other.code[other.compare + 3] = 0x28;
  AddTo(survey, other, 1);
  EXPECT_THAT(std::string(survey.Displacement().message()), HasSubstr("not all the same"));
}

TEST(BarrierSurveyTest, MoreThanTheOddMethodWithoutABarrierIsRefused) {
  BarrierSurvey survey(EntrySamples()[0].stub);
  EntrySample none = EntrySamples()[0];
  none.code.resize(8);
  AddTo(survey, none, 1);
  EXPECT_FALSE(survey.Displacement().ok());
  AddTo(survey, EntrySamples()[0], 50);
  EXPECT_TRUE(survey.Displacement().ok()) << "it may just be being made";
  AddTo(survey, none, 1);
  EXPECT_FALSE(survey.Displacement().ok());
}

TEST(BarrierSurveyTest, AnotherStubOrALargeGuardIsUnknown) {
  const EntrySample& sample = EntrySamples()[0];
  BarrierSurvey other_stub(sample.stub + 32);
  AddTo(other_stub, sample, 1);
  EXPECT_FALSE(other_stub.Displacement().ok());
  EntrySample guarded = sample;
  guarded.code[guarded.compare + 7] = 0x80;  // As of a method that must not be entered.
  BarrierSurvey not_entrant(sample.stub);
  AddTo(not_entrant, guarded, 1);
  EXPECT_TRUE(not_entrant.Displacement().ok());
  guarded.code[guarded.compare + 7] = 0x40;
  BarrierSurvey large(sample.stub);
  AddTo(large, guarded, 1);
  EXPECT_FALSE(large.Displacement().ok());
}

}  // namespace
}  // namespace yp::hotspot
