#include "core/sampling/policy_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/sampling/statistics_for_test.h"

namespace yp {
namespace {

using ::testing::HasSubstr;
using Kind = PolicyOptions::Kind;

std::string ErrorOf(const PolicyOptions& options) {
  Xoshiro256 random(1);
  const auto policy = MakePolicy(options, random);
  EXPECT_FALSE(policy.ok());
  return std::string(policy.message());
}

TEST(PolicyFactoryTest, TheTimerTakesTheNextCallOfEachTick) {
  PolicyOptions options;
  options.kind = Kind::kTimer;
  Xoshiro256 random(1);
  const auto policy = MakePolicy(options, random);
  ASSERT_TRUE(policy.ok());
  EXPECT_EQ(SampleWindow(**policy), std::vector<uint64_t>{1});
}

TEST(PolicyFactoryTest, EachKindHeedsItsOwnOptions) {
  Xoshiro256 random(1);
  PolicyOptions options;
  options.samples = 5;
  auto cbs = MakePolicy(options, random);
  ASSERT_TRUE(cbs.ok());
  EXPECT_TRUE((*cbs)->NeedsTicks());
  EXPECT_EQ(SampleWindow(**cbs).size(), 5u);

  options.kind = Kind::kCountdown;
  options.mean_interval = 1;
  auto countdown = MakePolicy(options, random);
  ASSERT_TRUE(countdown.ok());
  EXPECT_FALSE((*countdown)->NeedsTicks());
  EXPECT_EQ((*countdown)->BeginWindow(), 1u);
  EXPECT_EQ((*countdown)->AfterSample(), 1u);
}

TEST(PolicyFactoryTest, ErrorsSayWhichValueIsWrongAndWhatIsPossible) {
  PolicyOptions options;
  options.stride = 0;
  EXPECT_EQ(
      ErrorOf(options),
      "the stride (calls from one sample to the next) is 0: give a number from 1 to 16777216");
  options = {};
  options.stride = CounterBasedSampling::kMaxStride + 1;
  EXPECT_THAT(ErrorOf(options), HasSubstr("is 16777217"));
  options = {};
  options.samples = 0;
  EXPECT_THAT(ErrorOf(options), HasSubstr("samples per tick is 0"));
  options = {};
  options.delay = CounterBasedSampling::kMaxDelay + 1;
  EXPECT_THAT(ErrorOf(options), HasSubstr("the delay of windows is 16777217 calls"));
  options = {};
  options.kind = Kind::kCountdown;
  options.mean_interval = 0;
  EXPECT_THAT(ErrorOf(options), HasSubstr("mean interval (calls per sample) is 0"));
  options = {};
  options.initial_skip = CounterBasedSampling::InitialSkip::kRoundRobin;
  EXPECT_THAT(ErrorOf(options), HasSubstr("round-robin"));
  options.strides = CounterBasedSampling::Strides::kFixed;
  EXPECT_TRUE(Validate(options).ok());
}

TEST(PolicyFactoryTest, OptionsOfOtherKindsAreNotChecked) {
  PolicyOptions options;
  options.kind = Kind::kTimer;
  options.stride = 0;
  EXPECT_TRUE(Validate(options).ok());
  options.kind = Kind::kCountdown;
  EXPECT_TRUE(Validate(options).ok());
}

}  // namespace
}  // namespace yp
