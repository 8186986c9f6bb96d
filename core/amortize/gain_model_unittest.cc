#include "core/amortize/gain_model.h"
#include "base/chance_test_util.h"
#include "base/time_test_util.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace yp {
namespace {

constexpr double kSampleNs = 1e6;  // A sample each millisecond.

ObservedRecompilation Exactly(double compile_ns, double before_ns, double calls_before,
                              double after_ns, double calls_after) {
  return {.from = 3,
          .to = 4,
          .compile_ns = compile_ns,
          .before = {before_ns, Calls::Counted(calls_before)},
          .after = {after_ns, Calls::Counted(calls_after)}};
}

// Figure 6, the paper's LU.factor(): 15 calls of 6.826 ms at BASE, 233 at OPT0, 1799 of 0.783 ms at
// OPT1. The text has no time of OPT0; with 1.2 ms, the first recompilation gains more than the
// second for each of its calls. A sample each nanosecond leaves no doubt.
TEST(GainModelTest, AsInThePapersExample) {
  const ObservedRecompilation first = Exactly(5 * kMs, 15 * 6.826 * kMs, 15, 233 * 1.2 * kMs, 233);
  const ObservedRecompilation second =
      Exactly(20 * kMs, 233 * 1.2 * kMs, 233, 1799 * 0.783 * kMs, 1799);
  const std::vector<ObservedRecompilation> both = {first, second};
  const GainModel model(both, 1);
  const PayOff to_opt0 = model.Classify(first), to_opt1 = model.Classify(second);
  EXPECT_NEAR(to_opt0.gain_ns.value, (233 * (6.826 - 1.2) - 5) * kMs, kMs);
  EXPECT_EQ(to_opt0.verdict, Verdict::kPaidOff);
  EXPECT_NEAR(*to_opt0.calls_to_pay, 5 / (6.826 - 1.2), 0.01);
  EXPECT_NEAR(to_opt1.gain_ns.value, (1799 * (1.2 - 0.783) - 20) * kMs, kMs);
  EXPECT_EQ(to_opt1.verdict, Verdict::kPaidOff);
}

TEST(GainModelTest, AFasterVersionMayNotHaveBeenCalledOftenEnough) {
  const ObservedRecompilation cheap = Exactly(8.8 * kMs, 100 * kMs, 1000, 1 * kMs, 100);
  const ObservedRecompilation dear = Exactly(9.2 * kMs, 100 * kMs, 1000, 1 * kMs, 100);
  const GainModel model(std::vector<ObservedRecompilation>{cheap, dear}, 1);
  EXPECT_EQ(model.Classify(cheap).verdict, Verdict::kPaidOff);
  EXPECT_NEAR(model.Classify(cheap).before_ns->value, 0.1 * kMs, 1e3);
  EXPECT_NEAR(model.Classify(cheap).after_ns->value, 0.01 * kMs, 1e2);
  EXPECT_EQ(model.Classify(dear).verdict, Verdict::kDidNot);
  EXPECT_NEAR(*model.Classify(dear).calls_to_pay, 9.2 / 0.09, 1) << "a few more calls";
}

TEST(GainModelTest, ASlowerVersionNeverPays) {
  const ObservedRecompilation slower = Exactly(0, 1e8, 10, 1.1e8, 10);
  const PayOff judged = GainModel(std::vector<ObservedRecompilation>{slower}, 1).Classify(slower);
  EXPECT_EQ(judged.verdict, Verdict::kDidNot);
  EXPECT_EQ(judged.calls_to_pay, std::nullopt);
}

// Ten calls of the old version in one sample, and a thousand of the new one: without knowing how
// long the run was, a call of the old one may have taken several samples.
TEST(GainModelTest, NoVersionWasExecutedForLongerThanTheRunLasted) {
  ObservedRecompilation seen{.from = 0,
                             .to = 4,
                             .compile_ns = 1e3,
                             .before = {1, Calls::Counted(10)},
                             .after = {20, Calls::Counted(1000)}};
  const GainModel model(std::vector<ObservedRecompilation>{seen}, kSampleNs);
  const PayOff free = model.Classify(seen);
  seen.run_ns = 25 * kSampleNs;
  const PayOff held = model.Classify(seen);
  EXPECT_LE(held.after_ns->high * 1000, seen.run_ns);
  EXPECT_LE(held.before_ns->high * 10, seen.run_ns);
  EXPECT_LT(held.after_ns->high, free.after_ns->high);
  EXPECT_GT(held.gain_ns.value, 0);
  EXPECT_LE(held.gain_ns.low, held.gain_ns.value);
}

TEST(GainModelTest, WithoutAnythingSeenNothingIsDecided) {
  const ObservedRecompilation unknown{
      .from = 3, .to = 4, .compile_ns = 1e3, .before = {}, .after = {20, {}}};
  const GainModel model(std::vector<ObservedRecompilation>{unknown}, kSampleNs);
  const PayOff judged = model.Classify(unknown);
  EXPECT_EQ(judged.verdict, Verdict::kUndecided);
  EXPECT_FALSE(judged.before_ns.has_value());
  EXPECT_FALSE(judged.calls_to_pay.has_value());
  EXPECT_GT(model.Speedup(3, 4).error, 1) << "as little as before";
  EXPECT_GT(model.Speedup(0, 1).error, 1) << "of levels that never came";
}

// Methods of all sizes, with the little that is seen of each: most versions before have no sample.
class Population {
 public:
  explicit Population(uint64_t seed) : random_(seed) {}

  struct Method {
    ObservedRecompilation seen;
    double gain_ns = 0;  // In truth.
  };
  Method Draw() {
    const double calls_before = before_(random_), calls_after = after_(random_);
    const double per_call = times_(random_), speedup = speedups_(random_);
    Method method;
    method.seen.from = 3;
    method.seen.to = 4;
    method.seen.compile_ns = costs_(random_);
    method.seen.before = {Sample(calls_before * per_call * speedup / kSampleNs),
                          Calls::Counted(calls_before)};
    method.seen.after.samples = Sample(calls_after * per_call / kSampleNs);
    const double entries = Sample(calls_after / kStride);
    if (entries > 0) method.seen.after.calls = Calls::Sampled(entries * kStride, 1 / entries);
    method.gain_ns = calls_after * per_call * (speedup - 1) - method.seen.compile_ns;
    return method;
  }
  std::vector<Method> Draw(int number) {
    std::vector<Method> methods;
    for (int i = 0; i < number; ++i) methods.push_back(Draw());
    return methods;
  }
  static std::vector<ObservedRecompilation> Seen(const std::vector<Method>& methods) {
    std::vector<ObservedRecompilation> seen;
    for (const Method& method : methods) seen.push_back(method.seen);
    return seen;
  }

  static constexpr double kMean = 1.0, kDeviation = 0.6;  // Of the speed-up's logarithm.

 private:
  static constexpr double kStride = 1000;
  double Sample(double mean) {
    return static_cast<double>(std::poisson_distribution<int64_t>(mean)(random_));
  }
  std::mt19937_64 random_;
  std::lognormal_distribution<> times_{std::log(60), 1.5}, speedups_{kMean, kDeviation};
  std::lognormal_distribution<> before_{std::log(20'000), 1}, after_{std::log(300'000), 1.5};
  std::lognormal_distribution<> costs_{std::log(3 * kMs), 1};
};

TEST(GainModelTest, LearnsWhatMethodsHaveInCommon) {
  const auto methods = Population(1).Draw(2000);
  const GainModel model(Population::Seen(methods), kSampleNs);
  const LogNormal speedup = model.Speedup(3, 4);
  EXPECT_LT(speedup.error, 0.1);
  EXPECT_NEAR(speedup.mean, Population::kMean, 3 * speedup.error);
  EXPECT_NEAR(speedup.deviation, Population::kDeviation, 0.2);
}

// Of those that are decided nearly all are decided rightly; some of them where the version before
// has too few samples to tell anything alone.
TEST(GainModelTest, DecidedVerdictsAreRight) {
  const auto methods = Population(2).Draw(2000);
  const GainModel model(Population::Seen(methods), kSampleNs);
  int decided = 0, decided_by_few = 0, wrong = 0, held = 0;
  for (const auto& [seen, gain_ns] : methods) {
    const PayOff judged = model.Classify(seen);
    held += judged.gain_ns.low <= gain_ns && gain_ns <= judged.gain_ns.high;
    if (judged.verdict == Verdict::kUndecided) continue;
    ++decided;
    decided_by_few += seen.before.samples < 4;
    wrong += (judged.verdict == Verdict::kPaidOff) != (gain_ns > 0);
  }
  EXPECT_GT(decided, 800);
  EXPECT_GT(decided_by_few, 150);
  EXPECT_LT(wrong, 0.025 * decided);
  EXPECT_GT(held, 0.93 * static_cast<double>(methods.size()));
  EXPECT_LT(held, 0.98 * static_cast<double>(methods.size()));
}

// What is told of a part of the methods wrongly is not made good by the others.
TEST(GainModelTest, WrongCountsGiveWrongVerdicts) {
  auto methods = Population(3).Draw(2000);
  for (auto& method : methods) {
    method.seen.before.calls = Calls::Counted(method.seen.before.calls->number * 10);
  }
  const GainModel model(Population::Seen(methods), kSampleNs);
  int decided = 0, wrong = 0;
  for (const auto& [seen, gain_ns] : methods) {
    const PayOff judged = model.Classify(seen);
    if (judged.verdict == Verdict::kUndecided) continue;
    ++decided;
    wrong += (judged.verdict == Verdict::kPaidOff) != (gain_ns > 0);
  }
  EXPECT_GT(wrong, 0.1 * decided);
}

// Sums of gains are as uncertain as they are told to be.
TEST(GainModelTest, MeansAddUp) {
  YP_LONG_TEST_OF_CHANCE();
  int held = 0;
  constexpr int kRuns = 40;
  for (int i = 0; i < kRuns; ++i) {
    const auto methods = Population(100 + i).Draw(300);
    const GainModel model(Population::Seen(methods), kSampleNs);
    double truth = 0, sum = 0, own = 0, common = 0;
    for (const auto& [seen, gain_ns] : methods) {
      const PayOff judged = model.Classify(seen);
      truth += gain_ns;
      sum += judged.mean_ns;
      own += judged.own_ns * judged.own_ns;
      common += judged.common_ns;
    }
    held += std::abs(truth - sum) < 1.96 * std::sqrt(own + common * common);
  }
  EXPECT_GE(held, 0.85 * kRuns);
}

}  // namespace
}  // namespace yp
