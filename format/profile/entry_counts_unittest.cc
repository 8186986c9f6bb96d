#include "format/profile/entry_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace yp {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr CompilationId kRoot{1}, kOther{2};
constexpr CompiledCallId kCall{1}, kOtherCall{2};

spool::Compilation OneMethod(CompilationId id) {
  return {id, 4, false, {{0, kNoBci, MethodId{0}}}, {}};
}

class EntryCountsTest : public ::testing::Test {
 protected:
  EntryCountsTest() {
    for (const CompilationId id : {kRoot, kOther}) evidence_.compilations[id] = OneMethod(id);
    evidence_.calls[kCall] = {.edge = EdgeId{0}, .callee = kRoot};
    evidence_.calls[kOtherCall] = {.edge = EdgeId{1}, .callee = kOther};
  }

  // A tick that begins at that time, with samples of both calls.
  void Tick(int64_t begin_ms, uint32_t samples = 0, uint32_t of_other = 0) {
    const uint64_t tick = profile_.ticks.size() + 1;
    profile_.ticks.push_back({.tick = tick, .begin_ns = begin_ms * kMs, .open_ns = 10 * kMs});
    spool::Window window;
    window.tick = tick;
    window.samples = {{EdgeId{0}, samples}, {EdgeId{1}, of_other}};
    const size_t first = profile_.windows.size();
    profile_.windows.push_back(window);
    rounds_.push_back({first, first + 1, {{kCall, samples}, {kOtherCall, of_other}}});
  }
  void Finish(int64_t end_ms) {
    profile_.duration_ns = end_ms * kMs;
    builder_.Finish(profile_, rounds_, &evidence_);
  }
  static spool::EntryCounts::Gap Gap(int64_t begin_ms, int64_t end_ms) {
    return {begin_ms * kMs, end_ms * kMs};
  }
  double uncounted_part() { return evidence_.calls.at(kCall).uncounted_part; }
  double earlier_part(CompiledCallId id = kCall) { return evidence_.calls.at(id).earlier_part; }

  Profile profile_;
  std::vector<SampledRound> rounds_;
  InlineEvidence evidence_;
  EntryCountsBuilder builder_;
};

TEST_F(EntryCountsTest, CallsOfGapsStandForTheTimeUntilTheNextTick) {
  // 10 ms of the tick and 10 ms in which neither is counted.
  Tick(100);
  Tick(200);
  Tick(300);
  builder_.Take({{Gap(110, 190), Gap(210, 290), Gap(310, 390)}, {{kRoot, 0, 3, 0, 800}}, {}});
  Finish(400);
  EXPECT_DOUBLE_EQ(evidence_.entry_counts.at(kRoot).calls, 1000);
  EXPECT_FALSE(evidence_.entry_counts.contains(kOther));
}

TEST_F(EntryCountsTest, TimeIsTheProgramsCpuTime) {
  // In ticks of 100 ms the program waits for 90 ms, and in the gap between for none.
  for (const int64_t k : {0, 1}) {
    Tick(100 + 200 * k);
    profile_.ticks.back().open_ns = 100 * kMs;
    profile_.ticks.back().open_cpu_ns = 10 * kMs;
    profile_.ticks.back().program_cpu_ns = (20 + 110 * k) * kMs;
  }
  builder_.Take({{Gap(200, 300)}, {{kRoot, 0, 1, 0, 100}}, {}});
  Finish(400);
  EXPECT_DOUBLE_EQ(evidence_.entry_counts.at(kRoot).calls, 110);
}

TEST_F(EntryCountsTest, AGapInPiecesIsOneTime) {
  Tick(100);
  Tick(200);
  builder_.Take({{Gap(110, 150)}, {{kRoot, 0, 1, 0, 100}}, {}});
  builder_.Take({{Gap(150, 190)}, {{kRoot, 0, 1, 0, 300}}, {}});
  Finish(200);
  EXPECT_DOUBLE_EQ(evidence_.entry_counts.at(kRoot).calls, 500);
}

TEST_F(EntryCountsTest, SamplesCountAsFarAsEntriesWereNotCountedAroundThem) {
  Tick(100, 1);         // 1: in a time before it was counted.
  Tick(200, 10);        // 1/2 of it: on one side.
  Tick(300, 100);       // 0: on both.
  Tick(400, 1000);      // 3/8: a quarter of the time after it.
  Tick(500, 10000, 8);  // 7/8.
  builder_.Take({{Gap(210, 290), Gap(310, 390), Gap(410, 490), Gap(510, 590)},
                 {{kRoot, 0, 2, 20 * kMs, 90}},
                 {}});
  Finish(600);
  EXPECT_DOUBLE_EQ(evidence_.entry_counts.at(kRoot).calls, 90 * 100.0 / 80);
  // It is not seen after that.
  EXPECT_DOUBLE_EQ(uncounted_part(), (375 + 3750) / 11111.0);
  EXPECT_DOUBLE_EQ(earlier_part(), (1 + 5 + 5000) / 11111.0);
  EXPECT_DOUBLE_EQ(earlier_part(kOtherCall), 1) << "of which nothing was counted";
}

TEST_F(EntryCountsTest, CountsThatMakeNoSenseAreLeftOut) {
  Tick(100, 5);
  builder_.Take({{Gap(110, 200), Gap(90, 80)},
                 {{kRoot, 1, 1, 0, 7},
                  {kRoot, 0, 3, 0, 7},
                  {kRoot, 2, 2, 5, 7},
                  {kOther, 1, 2, 0, 7},  // Before any tick.
                  {CompilationId{77}, 0, 1, 0, 7}},
                 {{kRoot, 3}, {kOther, 0}}});
  Finish(200);
  EXPECT_TRUE(evidence_.entry_counts.empty());
  EXPECT_EQ(uncounted_part(), 0);
  EXPECT_EQ(earlier_part(), 1);
}

TEST_F(EntryCountsTest, APartThatIsLongerThanItsGapIsAllOfIt) {
  Tick(100, 4);
  builder_.Take({{Gap(110, 200)}, {{kRoot, 0, 0, 500 * kMs, 9}}, {}});
  Finish(200);
  EXPECT_DOUBLE_EQ(evidence_.entry_counts.at(kRoot).calls, 9 * 100.0 / 90);
  EXPECT_DOUBLE_EQ(earlier_part(), 0.5);
}

TEST_F(EntryCountsTest, AsManyCallsAreExpectedWhereItWasInUseAndNotCounted) {
  for (const int64_t k : {1, 2, 3, 4, 5, 6}) Tick(100 * k, 1);
  // In use after the second tick to the fifth: for 100 ms, 1/2 of 100 ms, none and 1/4 counted.
  builder_.Take(
      {{Gap(110, 190), Gap(210, 290), Gap(310, 390)}, {{kRoot, 1, 2, 40 * kMs, 300}}, {}});
  builder_.Take({{Gap(410, 490), Gap(510, 590), Gap(610, 690)},
                 {{kRoot, 1, 1, 20 * kMs, 50}},
                 {{kRoot, 1}, {kOther, 3}}});
  Finish(700);
  const InlineEvidence::EntryCount& count = evidence_.entry_counts.at(kRoot);
  EXPECT_NEAR(count.calls, 350 * 10 / 8.0, 1e-9);
  EXPECT_NEAR(count.uncounted_calls, count.calls / 175 * (50 + 100 + 75), 1e-9);
  EXPECT_FALSE(evidence_.entry_counts.contains(kOther)) << "which was never counted";
  EXPECT_NEAR(6 * uncounted_part(), (0 + 0 + 0.25 + 0.75 + 0.875 + 0.375), 1e-9);
  EXPECT_NEAR(6 * earlier_part(), (1 + 0.5 + 0 + 0 + 0 + 0.5), 1e-9);
}

TEST_F(EntryCountsTest, ACompilationIsInUseUntilItWasSeenLast) {
  for (const int64_t k : {1, 2, 3, 4}) Tick(100 * k);
  builder_.Take({{Gap(110, 190), Gap(210, 290)}, {{kRoot, 0, 1, 0, 80}}, {}});
  builder_.Take({{Gap(310, 390), Gap(410, 490)}, {}, {{kRoot, 1}}});
  Finish(500);
  EXPECT_NEAR(evidence_.entry_counts.at(kRoot).uncounted_calls, 200, 1e-9);
}

// Of code that is called in bursts, or steadily, and is counted as its quota allows.
class CountedCodeSimulation {
 public:
  static constexpr uint64_t kSteady = 0;
  CountedCodeSimulation(uint64_t seed, uint64_t burst_ms) : random_(seed), burst_ms_(burst_ms) {}

  // Estimated entries and those that there were, of one run. `Counts` decides which gaps are
  // counted: Wants(whether the tick has a sample) before each, UsedUp() and All() after it.
  template <typename Counts>
  std::pair<double, double> Run(Counts counts) {
    const size_t begin = random_() % (10 * kGapMs);  // When it is compiled.
    std::vector<int> calls(kTicks * kGapMs, 0);
    double rate = burst_ms_ == kSteady ? 0.3 : 0;
    for (size_t ms = begin; ms < calls.size(); ++ms) {
      if (burst_ms_ != kSteady && random_() % burst_ms_ == 0) rate = random_() % 3 == 0 ? 20 : 0.3;
      calls[ms] = std::poisson_distribution<int>(rate)(random_);
    }
    Profile profile;
    InlineEvidence evidence;
    evidence.compilations[kRoot] = OneMethod(kRoot);
    evidence.calls[kCall] = {.edge = EdgeId{0}, .callee = kRoot};
    std::vector<SampledRound> rounds;
    spool::EntryCounts told;
    std::vector<size_t> places;
    for (size_t k = 0; k < kTicks; ++k) {
      places.push_back(k * kGapMs + random_() % (kGapMs - kTickMs));
    }
    double sampled = 0;
    for (size_t k = 0; k < kTicks; ++k) {
      const size_t tick_end = places[k] + kTickMs;
      const size_t gap_end = k + 1 < kTicks ? places[k + 1] : kTicks * kGapMs;
      const int in_tick = std::accumulate(calls.begin() + Distance(places[k]),
                                          calls.begin() + Distance(tick_end), 0);
      const auto samples =
          static_cast<uint32_t>(std::binomial_distribution<int>(in_tick, kSampled)(random_));
      profile.ticks.push_back(
          {.tick = k + 1, .begin_ns = NsOf(places[k]), .open_ns = NsOf(kTickMs)});
      spool::Window window;
      window.tick = k + 1;
      window.samples = {{EdgeId{0}, samples}};
      profile.windows.push_back(window);
      rounds.push_back({k, k + 1, {{kCall, samples}}});
      sampled += samples;
      const auto gap = static_cast<uint32_t>(told.gaps.size());
      told.gaps.push_back({NsOf(tick_end), NsOf(gap_end)});
      if (tick_end <= begin) continue;
      if (!counts.Wants(samples > 0)) {
        told.uses = {{kRoot, gap + 1}};
        continue;
      }
      uint64_t counted = 0;
      size_t ms = tick_end;
      for (; ms < gap_end && counted < kQuota; ++ms) counted += static_cast<uint64_t>(calls[ms]);
      if (ms == gap_end) {
        counts.All();
        told.counts.push_back({kRoot, gap, gap + 1, 0, counted});
      } else {
        counts.UsedUp();
        told.counts.push_back({kRoot, gap, gap, NsOf(ms - tick_end), counted});
      }
    }
    profile.duration_ns = NsOf(kTicks * kGapMs);
    EntryCountsBuilder builder;
    builder.Take(told);
    builder.Finish(profile, rounds, &evidence);
    const double each = static_cast<double>(kGapMs) / kTickMs / kSampled;
    const InlineEvidence::EntryCount& counted = evidence.entry_counts[kRoot];
    const InlineEvidence::Call& call = evidence.calls[kCall];
    const SampledCalls uncounted = WithExpectation(
        {sampled * each * call.uncounted_part, sampled * each * each * call.uncounted_part}, each,
        counted.uncounted_calls, counted.weight);
    return {counted.calls + uncounted.calls + sampled * each * call.earlier_part,
            std::accumulate(calls.begin(), calls.end(), 0.0)};
  }

 private:
  static constexpr size_t kTicks = 60, kGapMs = 200, kTickMs = 10;
  static constexpr double kSampled = 0.05;  // Of the calls in a tick.
  static constexpr uint64_t kQuota = 1500;  // The mean of a gap.

  static int64_t NsOf(size_t ms) { return static_cast<int64_t>(ms) * kMs; }
  static ptrdiff_t Distance(size_t ms) { return static_cast<ptrdiff_t>(ms); }

  std::mt19937_64 random_;
  const uint64_t burst_ms_;
};

struct NeverCounted {
  bool Wants(bool) { return false; }
  void UsedUp() {}
  void All() {}
};

// As hotspot/probes/patch/entry_counters.h has it.
struct CountedAsTheAgentDoes {
  bool Wants(bool) { return ++gap > again_at; }
  void UsedUp() {
    again_gaps = std::clamp(2 * again_gaps, 2, 32);
    again_at = gap + again_gaps;
  }
  void All() { again_gaps /= 2; }
  int gap = 0, again_at = 0, again_gaps = 0;
};

// As where others have used up the pool.
struct CountedNowAndThen {
  bool Wants(bool) { return gap++ % 4 == 1; }
  void UsedUp() {}
  void All() {}
  int gap = 0;
};

struct CountedWhereNothingIsSampled {
  bool Wants(bool is_sampled) { return !is_sampled; }
  void UsedUp() {}
  void All() {}
};

struct Error {
  double bias = 0;       // The mean of the estimates to what there was.
  double deviation = 0;  // Relative to what there was in the mean.
};
template <typename Counts>
Error Simulated(uint64_t burst_ms) {
  double estimated = 0, all = 0, squares = 0;
  constexpr int kRuns = 120;
  for (uint64_t run = 0; run < kRuns; ++run) {
    const auto [estimate, truth] = CountedCodeSimulation(run, burst_ms).Run(Counts{});
    estimated += estimate;
    all += truth;
    squares += (estimate - truth) * (estimate - truth);
  }
  return {estimated / all, std::sqrt(squares / kRuns) / (all / kRuns)};
}

TEST(EntryCountsSimulation, TheEstimateIsUnbiasedThoughBurstsUseUpTheQuota) {
  for (const uint64_t burst_ms : {20, 70, 700}) {
    const Error sampled = Simulated<NeverCounted>(burst_ms);
    EXPECT_NEAR(sampled.bias, 1, 0.03) << burst_ms;
    const Error counted = Simulated<CountedAsTheAgentDoes>(burst_ms);
    EXPECT_NEAR(counted.bias, 1, 0.03) << burst_ms;
    EXPECT_LT(counted.deviation, sampled.deviation) << burst_ms;
  }
}

TEST(EntryCountsSimulation, WhatIsCountedTellsOfTheTimeInWhichItIsNot) {
  // Three quarters of the time has 0, 1 or 2 samples.
  const Error sampled = Simulated<NeverCounted>(CountedCodeSimulation::kSteady);
  EXPECT_GT(sampled.deviation, 0.2);
  const Error counted = Simulated<CountedNowAndThen>(CountedCodeSimulation::kSteady);
  EXPECT_NEAR(counted.bias, 1, 0.02);
  EXPECT_LT(counted.deviation, sampled.deviation / 2);
}

// What the rule is for that a tick's samples do not decide it.
TEST(EntryCountsSimulation, ToCountWhereATickHasNoSampleWouldBeBiased) {
  EXPECT_GT(Simulated<CountedWhereNothingIsSampled>(20).bias, 1.1);
}

}  // namespace
}  // namespace yp
