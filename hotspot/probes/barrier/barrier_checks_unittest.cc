#include "hotspot/probes/barrier/barrier_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hotspot/arch/x64/entry_samples_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;

TEST(BarrierChecksTest, TheStubHasTheNameOfItsRelease) {
  EXPECT_STREQ(StubName(17), "nmethod_entry_barrier");
  EXPECT_STREQ(StubName(25), "method_entry_barrier");
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
