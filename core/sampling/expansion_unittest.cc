#include "core/sampling/expansion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "core/sampling/statistics_for_test.h"

namespace yp {
namespace {

GroupActivity Group(std::vector<TickActivity> ticks, double program_cpu_ns) {
  return {std::move(ticks), program_cpu_ns};
}

Expansion ExpandOne(const std::vector<double>& weights, const GroupActivity& group) {
  return Expand(weights, std::span(&group, 1));
}

TEST(ExpansionTest, EachTickStandsForItsPeriod) {
  const Expansion expansion = ExpandOne({10, 20}, Group({{5, 2}, {10, 4}}, 0));
  EXPECT_DOUBLE_EQ(expansion.calls, 10 * 5 + 20 * 10);
  EXPECT_EQ(expansion.calibrations, std::vector<double>{1});
  EXPECT_EQ(expansion.units, 2u);
}

TEST(ExpansionTest, CpuTimeSaysHowMuchLayWithinTicks) {
  // Calls go with CPU time: whichever ticks were drawn, the number is right.
  const Expansion expansion = ExpandOne({10, 10}, Group({{30, 3}, {70, 7}}, 200));
  EXPECT_DOUBLE_EQ(expansion.calls, 2000);
  EXPECT_NEAR(expansion.variance, 0, 1e-9);
}

TEST(ExpansionTest, NothingIsKnownFromNothing) {
  EXPECT_EQ(ExpandOne({}, Group({}, 100)).calls, 0);
  EXPECT_EQ(ExpandOne({}, Group({}, 100)).units, 0u);
  const Expansion idle = ExpandOne({10, 10}, Group({{0, 0}, {0, 0}}, 100));
  EXPECT_EQ(idle.calls, 0);
  EXPECT_EQ(idle.units, 0u);
}

TEST(ExpansionTest, EachGroupHasTheCpuTimeThatItsThreadsHaveUsed) {
  // One thread computes all the time and calls once per ns of CPU time; others make a hundred
  // calls per ns, and were in ten ticks of twenty for twice as long as in the others.
  std::vector<TickActivity> busy(20, {.calls = 5, .cpu_ns = 5}), bursts(20);
  for (size_t i = 0; i < 20; ++i) bursts[i] = i < 10 ? TickActivity{400, 4} : TickActivity{200, 2};
  const std::vector<double> weights(20, 10);
  const std::vector<GroupActivity> groups = {Group(busy, 1000), Group(bursts, 300)};
  const Expansion expansion = Expand(weights, groups);
  EXPECT_DOUBLE_EQ(expansion.calls, 1000 * 1 + 300 * 100);
  EXPECT_NEAR(expansion.variance, 0, 1e-6);
  ASSERT_EQ(expansion.calibrations.size(), 2u);
  EXPECT_DOUBLE_EQ(expansion.calibrations[0], 1);
  EXPECT_DOUBLE_EQ(expansion.calibrations[1], 0.5);
}

TEST(ExpansionTest, GroupsThatRanInFewTicksAreTakenAsOne) {
  const std::vector<double> weights(20, 10);
  std::vector<TickActivity> often(20, {.calls = 50, .cpu_ns = 5}), once(20), twice(20);
  once[3] = {7, 1};
  twice[4] = twice[9] = {3, 1};
  const std::vector<GroupActivity> groups = {Group(often, 500), Group(once, 60), Group(twice, 30)};
  const Expansion expansion = Expand(weights, groups);
  // Three times as much CPU time as the ticks stand for: of the two together.
  EXPECT_DOUBLE_EQ(expansion.calls, 500 * 10 + 3 * 10 * (7 + 3 + 3));
  EXPECT_EQ(expansion.calibrations, (std::vector<double>{0.5, 3, 3}));
  // A group of which nothing was in a tick counts with the others, too.
  const std::vector<GroupActivity> unseen = {Group(often, 500), Group(once, 60),
                                             Group(std::vector<TickActivity>(20), 60)};
  EXPECT_DOUBLE_EQ(Expand(weights, unseen).calls, 500 * 10 + 12 * 10 * 7);
}

// A program in steps of 1 ms: what its threads call and compute in each, and a profiler that opens
// ticks of five steps at a random place of each period.
struct Step {
  double calls = 0;
  double cpu_ns = 0;
  // The same of threads of another name.
  double calls_of_others = 0;
  double cpu_ns_of_others = 0;
};

using Program = std::function<Step(int64_t ms, RandomSource& random)>;

constexpr int64_t kStepsOfARun = 60'000;
constexpr int64_t kStepsOfATick = 5;
// Recordings of one run of the program: its steps cost far more than the ticks. Given the run, each
// recording's ticks are drawn anew, so that what each is off by is independent of the others'.
constexpr int kRecordingsOfARun = 20;

struct ProgramRun {
  std::vector<Step> steps;
  double calls = 0;
  double cpu_ns = 0;
  double cpu_ns_of_others = 0;
};

ProgramRun Run(const Program& program, RandomSource& random) {
  ProgramRun run;
  run.steps.reserve(kStepsOfARun);
  for (int64_t ms = 0; ms < kStepsOfARun; ++ms) {
    const Step step = program(ms, random);
    run.steps.push_back(step);
    run.calls += step.calls + step.calls_of_others;
    run.cpu_ns += step.cpu_ns;
    run.cpu_ns_of_others += step.cpu_ns_of_others;
  }
  return run;
}

struct Recording {
  double truth = 0;
  Expansion expansion;
  Expansion of_one_group;  // As if threads had no names.
};

Recording Record(const ProgramRun& run, RandomSource& random, bool ticks_follow_calls) {
  const std::vector<Step>& steps = run.steps;
  std::vector<double> weights;
  GroupActivity named{{}, run.cpu_ns}, others{{}, run.cpu_ns_of_others};
  GroupActivity all{{}, run.cpu_ns + run.cpu_ns_of_others};
  // One call in a thousand is sampled.
  const auto sampled = [&](double calls) {
    return 1000 * std::round(calls / 1000 + random.UniformOpenClosed() - 0.5);
  };
  int64_t begin = 0;
  // Periods differ, as those of a budget do: what was cheap to observe is observed more often.
  for (int64_t period = 50; begin + period <= kStepsOfARun; begin += period) {
    int64_t at =
        begin + static_cast<int64_t>(random.UniformFromOneTo(period - kStepsOfATick + 1)) - 1;
    while (ticks_follow_calls && steps[at].calls == 0 && at + kStepsOfATick < begin + period) ++at;
    weights.push_back(static_cast<double>(period) / static_cast<double>(kStepsOfATick));
    TickActivity of_named, of_others;
    for (int64_t ms = at; ms < at + kStepsOfATick; ++ms) {
      of_named.calls += sampled(steps[ms].calls);
      of_named.cpu_ns += steps[ms].cpu_ns;
      of_others.calls += sampled(steps[ms].calls_of_others);
      of_others.cpu_ns += steps[ms].cpu_ns_of_others;
    }
    named.ticks.push_back(of_named);
    others.ticks.push_back(of_others);
    all.ticks.push_back({of_named.calls + of_others.calls, of_named.cpu_ns + of_others.cpu_ns});
    period = 40 + static_cast<int64_t>(random.UniformFromOneTo(200));
  }
  const std::vector<GroupActivity> groups = {named, others};
  return {run.calls, Expand(weights, groups), ExpandOne(weights, all)};
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

// One thread that computes and seldom calls; a pool works for a quarter of a second now and then,
// and makes nearly all calls.
Step Bursts(int64_t ms, RandomSource& random) {
  const bool is_burst = ms / 250 % 11 == 0;
  return {1'000 * Uniform(random), 1e6, is_burst ? 60'000 * (0.5 + Uniform(random)) : 0,
          is_burst ? 1.2e6 : 0};
}

struct NamedProgram {
  const char* name;
  Program program;
};
const NamedProgram kPrograms[] = {{"phases", Phases},
                                  {"requests", Requests},
                                  {"short-lived threads", ShortLived},
                                  {"stopped", Stopped},
                                  {"bursts of a pool", Bursts}};

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

TEST(ExpansionTest, ThreadsThatDoAlikeTellOfEachOther) {
  const auto deviation = [](const std::vector<Recording>& recordings, auto of) {
    double squares = 0;
    for (const Recording& each : recordings) {
      const double off = (each.*of).calls / each.truth - 1;
      squares += off * off;
    }
    return std::sqrt(squares / static_cast<double>(recordings.size()));
  };
  const std::vector<Recording> recordings = Simulate(Bursts, 200);
  EXPECT_LT(3 * deviation(recordings, &Recording::expansion),
            deviation(recordings, &Recording::of_one_group));
}

// The check above must see a profiler whose ticks wait for calls.
TEST(ExpansionTest, TicksThatFollowTheProgramAreFound) {
  EXPECT_FALSE(MeanIs(1, Ratios(Simulate(ShortLived, 200, true))));
}

}  // namespace
}  // namespace yp
