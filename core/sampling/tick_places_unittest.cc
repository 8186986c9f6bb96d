#include "core/sampling/tick_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/chance_test_util.h"
#include "base/random.h"
#include "core/sampling/statistics_for_test.h"

namespace yp {
namespace {

// Time is in steps of a millisecond. The rate does not change within one, and a tick begins after
// that in which S came to its place.
constexpr int64_t kSteps = 20'000;
constexpr int64_t kOpen = 20;

using Calls = std::vector<double>;  // Of each step.

Calls MakeCalls(const std::function<double(int64_t ms)>& calls) {
  Calls made;
  for (int64_t ms = 0; ms < kSteps; ++ms) made.push_back(calls(ms));
  return made;
}

double Wave(int64_t ms, double period_ms, double phase) {
  return std::sin(6.283185307 * (static_cast<double>(ms) / period_ms + phase));
}

struct NamedCalls {
  const char* name;
  Calls calls;
};
const std::vector<NamedCalls>& Programs() {
  static const std::vector<NamedCalls> programs = {
      {"even", MakeCalls([](int64_t) { return 1000.0; })},
      {"waves", MakeCalls([](int64_t ms) { return std::exp(7 + 2 * Wave(ms, 10'000, 0.2)); })},
      {"phases", MakeCalls([](int64_t ms) { return ms / 2'500 % 4 == 0 ? 10'000.0 : 100.0; })},
      {"bursts", MakeCalls([](int64_t ms) { return ms % 1'100 < 300 ? 3'000.0 : 0.0; })},
  };
  return programs;
}

// What the rate may follow: the time, what the program has done lately, and what ticks have seen.
struct Past {
  int64_t ms = 0;
  double recent_calls = 0;  // Of a step, a decaying mean over half a second.
  double dear_calls = 0;    // The same of what ticks have seen, of eight ticks.
  int ticks = 0;            // So many there were.
};
using Rate = std::function<double(const Past&)>;

constexpr double kMostRate = 1.0 / 50, kLeastRate = kMostRate / 100;

struct NamedRate {
  const char* name;
  Rate rate;
};
const NamedRate kRates[] = {
    {"constant", [](const Past&) { return 1.0 / 400; }},
    {"waves by a factor of 100",
     [](const Past& past) {
       return std::sqrt(kMostRate * kLeastRate) * std::pow(10, Wave(past.ms, 10'000, 0));
     }},
    {"jumps by a factor of 100",
     [](const Past& past) { return past.ms / 3'000 % 2 == 0 ? kLeastRate : kMostRate; }},
    {"low where much was called",
     [](const Past& past) {
       return std::clamp(1 / (1 + past.recent_calls), kLeastRate, kMostRate);
     }},
    {"low after dear ticks",
     [](const Past& past) { return std::clamp(1 / (1 + past.dear_calls), kLeastRate, kMostRate); }},
};

enum class Weight { kOfTheTicksBegin, kOfTheDraw, kOfTheMean };
enum class Costs { kFromTheNextUnitOn, kAtOnce };

// What ticks say of the run's calls, in proportion to these.
double Estimate(const Calls& calls, const Rate& rate, uint64_t seed,
                Weight weight = Weight::kOfTheTicksBegin, Costs costs = Costs::kFromTheNextUnitOn) {
  Xoshiro256 random(seed);
  TickPlaces places(random);
  Past past;
  double unit = places.unit(), seen = 0, drawn_rate = rate(past);
  double truth = 0, sum = 0, plain_sum = 0, open_steps = 0;
  double due_rate = 0, observed = 0, stands_for = 0;
  int64_t open_left = 0;
  int ticks = 0;
  for (; past.ms < kSteps; ++past.ms) {
    if (places.unit() != unit || costs == Costs::kAtOnce) {
      past.dear_calls = seen;
      past.ticks = ticks;
    }
    unit = places.unit();
    if (open_left == 0 && due_rate > 0) {
      stands_for = 1 / (weight == Weight::kOfTheDraw ? drawn_rate : due_rate);
      due_rate = observed = 0;
      open_left = kOpen;
      ++ticks;
      drawn_rate = rate(past);
    }
    const double now = calls[static_cast<size_t>(past.ms)];
    truth += now;
    past.recent_calls += (now - past.recent_calls) / 500;
    if (open_left > 0) {
      // One that the run's end cuts off was no less likely to have a moment than the others.
      sum += now * stands_for / kOpen;
      plain_sum += now;
      ++open_steps;
      observed += now;
      if (--open_left == 0) seen += (observed / kOpen - seen) / 8;
    }
    const double now_rate = rate(past);
    places.Pass(now_rate);
    if (places.Left() <= 0 && due_rate == 0) {
      due_rate = now_rate;
      places.Take();
    }
  }
  if (weight == Weight::kOfTheMean) sum = plain_sum * kSteps / open_steps;
  return sum / truth;
}

std::vector<double> Estimates(const Calls& calls, const Rate& rate, Weight weight,
                              Costs costs = Costs::kFromTheNextUnitOn) {
  std::vector<double> ratios;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    ratios.push_back(Estimate(calls, rate, seed, weight, costs));
  }
  return ratios;
}

TEST(TickPlacesTest, TotalsAreRightHoweverTheRateChanges) {
  YP_LONG_TEST_OF_CHANCE();
  for (const NamedCalls& program : Programs()) {
    for (const NamedRate& each : kRates) {
      EXPECT_TRUE(MeanIs(1, Estimates(program.calls, each.rate, Weight::kOfTheTicksBegin)))
          << program.name << ", " << each.name;
    }
  }
}

int CountOfWrong(Weight weight) {
  int wrong = 0;
  for (const NamedCalls& program : Programs()) {
    for (const NamedRate& each : kRates) {
      wrong += MeanIs(1, Estimates(program.calls, each.rate, weight)) ? 0 : 1;
    }
  }
  return wrong;
}

// The check above must see weights of another moment's rate, wherever rates change.
TEST(TickPlacesTest, TheRateWhenThePlaceWasDrawnIsAWrongWeight) {
  YP_LONG_TEST_OF_CHANCE();
  EXPECT_GE(CountOfWrong(Weight::kOfTheDraw), 10);
}

TEST(TickPlacesTest, TheMeanRateIsAWrongWeight) {
  YP_LONG_TEST_OF_CHANCE();
  EXPECT_GE(CountOfWrong(Weight::kOfTheMean), 8);
}

TEST(TickPlacesTest, ARateThatFallsAsSoonAsItsTickHasComeIsWrong) {
  const Rate rate = [](const Past& past) {
    return std::max(1.0 / 5000, std::pow(0.5, past.ticks) / 50);
  };
  const Calls& even = Programs()[0].calls;
  EXPECT_TRUE(MeanIs(1, Estimates(even, rate, Weight::kOfTheTicksBegin)));
  EXPECT_FALSE(MeanIs(1, Estimates(even, rate, Weight::kOfTheTicksBegin, Costs::kAtOnce)));
}

TEST(TickPlacesTest, EachUnitHasOneTickAtAUniformPlace) {
  Xoshiro256 random(7);
  TickPlaces places(random);
  constexpr int kUnits = 50'000;
  constexpr size_t kBins = 20;
  std::vector<double> bins(kBins);
  double last_unit = -1;
  for (int i = 0; i < kUnits; ++i) {
    ASSERT_GE(places.Left(), 0);
    places.Pass(places.Left() / 2);
    places.Pass(places.Left());
    if (last_unit >= 0) {
      ASSERT_EQ(places.unit(), last_unit + 1);
    }
    last_unit = places.unit();
    const double place = places.s() - places.unit();
    ++bins[std::min(kBins - 1, static_cast<size_t>(place * kBins))];
    places.Take();
  }
  EXPECT_TRUE(FitsByChiSquare(bins, std::vector<double>(kBins, double{kUnits} / kBins)));
}

TEST(TickPlacesTest, TheFirstUnitIsUnderWay) {
  int is_past = 0;
  constexpr int kRuns = 10'000;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    Xoshiro256 random(seed);
    TickPlaces places(random);
    is_past += places.Left() + places.s() >= 1 ? 1 : 0;
  }
  EXPECT_TRUE(AllBinomial({static_cast<double>(is_past)}, kRuns, 0.5));
}

}  // namespace
}  // namespace yp
