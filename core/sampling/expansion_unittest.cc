#include "core/sampling/expansion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "core/sampling/statistics_for_test.h"

namespace yp {
namespace {

TEST(ExpansionTest, EachTickStandsForItsPeriod) {
  const std::vector<TickMeasures> ticks = {{10, 5, 2}, {20, 10, 4}};
  const Expansion expansion = Expand(ticks, 0);
  EXPECT_DOUBLE_EQ(expansion.calls, 10 * 5 + 20 * 10);
  EXPECT_DOUBLE_EQ(expansion.calibration, 1);
  EXPECT_EQ(expansion.units, 2u);
}

TEST(ExpansionTest, CpuTimeSaysHowMuchLayWithinTicks) {
  // Calls go with CPU time: whichever ticks were drawn, the number is right.
  const std::vector<TickMeasures> ticks = {{10, 30, 3}, {10, 70, 7}};
  const Expansion expansion = Expand(ticks, 200);
  EXPECT_DOUBLE_EQ(expansion.calls, 2000);
  EXPECT_NEAR(expansion.variance, 0, 1e-9);
}

TEST(ExpansionTest, NothingIsKnownFromNothing) {
  EXPECT_EQ(Expand({}, 100).calls, 0);
  EXPECT_EQ(Expand({}, 100).units, 0u);
  const std::vector<TickMeasures> idle = {{10, 0, 0}, {10, 0, 0}};
  EXPECT_EQ(Expand(idle, 100).calls, 0);
  EXPECT_EQ(Expand(idle, 100).units, 0u);
}

// A program in steps of 1 ms: what its threads call and compute in each, and a profiler that opens
// ticks of five steps at a random place of each period.
struct Step {
  double calls = 0;
  double cpu_ns = 0;
};

using Program = std::function<Step(int64_t ms, RandomSource& random)>;

constexpr int64_t kSteps = 60'000;
constexpr int64_t kOpen = 5;
// Recordings of one run of the program: its steps cost far more than the ticks. Given the run, each
// recording's ticks are drawn anew, so that what each is off by is independent of the others'.
constexpr int kRecordingsOfARun = 20;

struct ProgramRun {
  std::vector<Step> steps;
  double calls = 0;
  double cpu_ns = 0;
};

ProgramRun Run(const Program& program, RandomSource& random) {
  ProgramRun run;
  run.steps.reserve(kSteps);
  for (int64_t ms = 0; ms < kSteps; ++ms) {
    const Step step = program(ms, random);
    run.steps.push_back(step);
    run.calls += step.calls;
    run.cpu_ns += step.cpu_ns;
  }
  return run;
}

struct Recording {
  double truth = 0;
  Expansion expansion;
};

Recording Record(const ProgramRun& run, RandomSource& random, bool ticks_follow_calls) {
  const std::vector<Step>& steps = run.steps;
  std::vector<TickMeasures> ticks;
  int64_t begin = 0;
  // Periods differ, as those of a budget do: what was cheap to observe is observed more often.
  for (int64_t period = 50; begin + period <= kSteps; begin += period) {
    int64_t at = begin + static_cast<int64_t>(random.UniformFromOneTo(period - kOpen + 1)) - 1;
    while (ticks_follow_calls && steps[at].calls == 0 && at + kOpen < begin + period) ++at;
    TickMeasures tick;
    tick.weight = static_cast<double>(period) / static_cast<double>(kOpen);
    for (int64_t ms = at; ms < at + kOpen; ++ms) {
      // One call in a thousand is sampled.
      const double samples = std::round(steps[ms].calls / 1000 + random.UniformOpenClosed() - 0.5);
      tick.calls += 1000 * samples;
      tick.cpu_ns += steps[ms].cpu_ns;
    }
    ticks.push_back(tick);
    period = 40 + static_cast<int64_t>(random.UniformFromOneTo(200));
  }
  return {run.calls, Expand(ticks, run.cpu_ns)};
}

std::vector<Recording> Simulate(const Program& program, int recordings,
                                bool ticks_follow_calls = false) {
  Xoshiro256 random(20261125);
  ProgramRun run;
  std::vector<Recording> all;
  for (int i = 0; i < recordings; ++i) {
    if (i % kRecordingsOfARun == 0) run = Run(program, random);
    all.push_back(Record(run, random, ticks_follow_calls));
  }
  return all;
}

std::vector<double> Ratios(const std::vector<Recording>& recordings) {
  std::vector<double> ratios;
  for (const Recording& each : recordings) ratios.push_back(each.expansion.calls / each.truth);
  return ratios;
}

double Uniform(RandomSource& random) { return random.UniformOpenClosed(); }

// Threads that run all the time, in phases of different density.
Step Phases(int64_t ms, RandomSource& random) {
  const bool is_dense = ms / 700 % 2 == 0;
  return {(is_dense ? 50'000 : 5'000) * (0.5 + Uniform(random)), 1e6};
}
// Eight threads that handle a request and wait for 5 ms; the processor is free most of the time.
Step Requests(int64_t ms, RandomSource& random) {
  Step step;
  for (int64_t thread = 0; thread < 8; ++thread) {
    if ((ms + thread) % 5 == 0) step.calls += 1000, step.cpu_ns += 5e4 * (0.5 + Uniform(random));
  }
  return step;
}
// Threads that live for a millisecond or two, born in bursts, beside one that never calls.
Step ShortLived(int64_t ms, RandomSource& random) {
  const double born = ms / 300 % 3 == 0 ? 8 * Uniform(random) : 0;
  return {born * 2'000, 1e6 + born * 1e5};
}
// The whole process is stopped for seconds.
Step Stopped(int64_t ms, RandomSource& random) {
  return ms / 5'000 % 2 == 0 ? Phases(ms, random) : Step{};
}

struct NamedProgram {
  const char* name;
  Program program;
};
const NamedProgram kPrograms[] = {{"phases", Phases},
                                  {"requests", Requests},
                                  {"short-lived threads", ShortLived},
                                  {"stopped", Stopped}};

TEST(ExpansionTest, NumbersOfCallsAreRightWhateverThreadsDo) {
  for (const NamedProgram& each : kPrograms) {
    EXPECT_TRUE(MeanIs(1, Ratios(Simulate(each.program, 200)))) << each.name;
  }
}

TEST(ExpansionTest, TheVarianceIsThatOfRepeatedRuns) {
  for (const NamedProgram& each : kPrograms) {
    int held = 0;
    constexpr int kRecordings = 400;
    for (const Recording& recording : Simulate(each.program, kRecordings)) {
      const double off = std::abs(recording.expansion.calls - recording.truth);
      held += off < 1.96 * std::sqrt(recording.expansion.variance) ? 1 : 0;
    }
    // Ticks are one in each period, which spreads them better than chance would: the variance is
    // that of chance, so that more than 95 % may be held.
    EXPECT_GT(held, 0.93 * kRecordings) << each.name;
  }
}

// The check above must see a profiler whose ticks wait for calls.
TEST(ExpansionTest, TicksThatFollowTheProgramAreFound) {
  EXPECT_FALSE(MeanIs(1, Ratios(Simulate(ShortLived, 200, true))));
}

}  // namespace
}  // namespace yp
