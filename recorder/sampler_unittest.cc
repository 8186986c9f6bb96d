#include "recorder/sampler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/sampling/countdown.h"
#include "core/sampling/statistics_for_test.h"
#include "recorder/fake_clock_for_test.h"
#include "recorder/sampled_threads.h"

namespace yp {
namespace {

using Kind = PolicyOptions::Kind;
using Strides = CounterBasedSampling::Strides;

constexpr bool kListed = true, kUnlisted = false;
constexpr int64_t kStartNs = 1'000'000;

// What a probe's fast path looks at, in the process and in each thread.
struct Control {
  std::atomic<uint8_t> armed{0};
  std::atomic<uint32_t> tick{0};
};
struct ThreadState {
  std::atomic<uint32_t> tick{0};
  std::atomic<int64_t> countdown{0};
};

class FakeArming final : public Arming {
 public:
  explicit FakeArming(Control& control) : control_(control) {}
  void Arm(uint32_t tick, Countdown countdown) override {
    control_.tick.store(countdown == Countdown::kBegins ? tick : kOnlyTick);
    control_.armed.store(1);
  }
  void Disarm() override { control_.armed.store(0); }

 private:
  Control& control_;
};

// Every call of the program's is a near call, and so are some that a walk makes.
class FakeCallCounter final : public CallCounter {
 public:
  explicit FakeCallCounter(const uint64_t& calls) : calls_(calls) {}
  uint64_t Read() override { return calls_; }

 private:
  const uint64_t& calls_;
};

// A host with a sampler and no VM: its threads make calls as java.lang.YieldpointProbe would let
// them.
class FakeVm {
 public:
  explicit FakeVm(PolicyOptions options, uint32_t ticks_before = 0)
      : options_(options),
        sampler_(arming_,
                 options.kind == Kind::kCountdown ? Arming::Countdown::kGoesOn
                                                  : Arming::Countdown::kBegins,
                 clock, threads_, kStartNs, ticks_before) {}

  class Thread {
   public:
    // `is_listed`: the fast path finds its state; else every armed call takes the slow path.
    Thread(FakeVm& vm, uint64_t seed, bool is_listed = kListed) : vm_(vm), is_listed_(is_listed) {
      const ThreadId id = vm.threads_.NewId();
      auto record = std::make_unique<SampledThread>(id, SampledThreads::SeedFor(id, seed));
      record_ = record.get();
      record_->own.tick = &state_.tick;
      record_->common.calls_left = &state_.countdown;
      vm.threads_.Add(std::move(record));
      record_->own.policy = std::move(MakePolicy(vm.options_, record_->own.random)).value();
      record_->own.call_counter = std::make_unique<FakeCallCounter>(near_calls_);
    }

    // One call of a probed method: YieldpointProbe.check and armed. True when it was sampled.
    // `before_native` runs between the Java side's decision and the slow path.
    bool Call(const std::function<void()>& before_native = nullptr) {
      vm_.clock.now_ns += vm_.ns_per_call;
      vm_.clock.cpu_ns += vm_.ns_per_call;
      ++near_calls_;
      if (vm_.control.armed.load() == 0) return false;
      ++armed_calls;
      if (is_listed_ && state_.tick.load() == vm_.control.tick.load()) {
        state_.countdown.store(state_.countdown.load() - steps);
        if (state_.countdown.load() > 0) return false;
      }
      if (before_native) before_native();
      if (no_stack_for_slow_path) return false;
      const Sampler::Verdict verdict = vm_.sampler_.OnCall(*record_, steps);
      if (verdict.begun) begun.push_back(*verdict.begun);
      if (verdict.ended) windows.push_back(*verdict.ended);
      if (!verdict.sample) return false;
      const SampleCost cost(vm_.clock);
      vm_.clock.now_ns += vm_.walk_ns;
      vm_.clock.cpu_ns += vm_.walk_ns;
      near_calls_ += kNearCallsOfWalk;
      ++samples;
      if (const auto ended =
              vm_.known_own_ns
                  ? vm_.sampler_.AfterSampleOf(*record_, *vm_.known_own_ns, true, steps)
                  : vm_.sampler_.AfterSample(*record_, cost, true, steps)) {
        windows.push_back(*ended);
      }
      return true;
    }
    void Calls(int n) {
      for (int i = 0; i < n; ++i) Call();
    }
    // A place that is no call, such as a loop's jump, that comes to the sampler.
    void OtherPlace() {
      vm_.clock.now_ns += vm_.ns_per_call;
      vm_.clock.cpu_ns += vm_.ns_per_call;
      const Sampler::Verdict verdict = vm_.sampler_.OnOtherPlace(*record_);
      EXPECT_FALSE(verdict.sample);
      if (verdict.begun) begun.push_back(*verdict.begun);
      if (verdict.ended) windows.push_back(*verdict.ended);
    }
    // Calls until a window ends, and no more than `limit`.
    void CallUntilWindowEnds(int limit = 1'000'000) {
      const size_t before = windows.size();
      for (int i = 0; i < limit && windows.size() == before; ++i) Call();
      EXPECT_EQ(windows.size(), before + 1);
    }

    void CountForever() { vm_.sampler_.CountForever(*record_); }

    uint64_t observed_calls() const { return record_->common.observed_calls.load(); }

    uint32_t steps = 1;  // That a call counts down.
    bool no_stack_for_slow_path = false;
    uint64_t armed_calls = 0;
    uint64_t samples = 0;
    std::vector<WindowBegin> begun;
    std::vector<WindowSummary> windows;

    void HaveNoCallCounter() { record_->own.call_counter = nullptr; }

   private:
    static constexpr uint64_t kNearCallsOfWalk = 1000;

    FakeVm& vm_;
    const bool is_listed_;
    ThreadState state_;
    SampledThread* record_ = nullptr;
    uint64_t near_calls_ = 0;
  };

  void Tick() {
    sampler_.BeginTick();
    sampler_.CountFromNow();
  }
  void CountNoMore() { sampler_.CountNoMore(); }
  void CountFromNow() { sampler_.CountFromNow(); }
  void EndTick() { sampler_.EndTick(); }
  void SetCallCosts(int64_t armed_call_ps, int64_t slow_path_ps = 0) {
    sampler_.SetCallCosts(armed_call_ps, slow_path_ps);
  }
  bool armed() const { return control.armed.load() != 0; }

  FakeClock clock{kStartNs};
  Control control;
  int64_t ns_per_call = 10;
  int64_t walk_ns = 0;
  std::optional<int64_t> known_own_ns;  // Of a host that reads no clock for it.

 private:
  const PolicyOptions options_;
  SampledThreads threads_;
  FakeArming arming_{control};
  Sampler sampler_;
};

PolicyOptions Cbs(uint32_t stride, uint32_t samples, Strides strides = Strides::kFixed) {
  PolicyOptions options;
  options.stride = stride;
  options.samples = samples;
  options.strides = strides;
  options.delay = 0;
  return options;
}

PolicyOptions Countdown(uint32_t mean_interval) {
  PolicyOptions options;
  options.kind = Kind::kCountdown;
  options.mean_interval = mean_interval;
  return options;
}

PolicyOptions OfKind(Kind kind) {
  PolicyOptions options;
  options.kind = kind;
  return options;
}

TEST(SamplerTest, CallsOfSeveralStepsAreSampledSoMuchMoreOftenAndCostWhatOthersDo) {
  constexpr uint32_t kMean = 1000;
  constexpr int kCalls = 400'000;
  const auto count = [](uint32_t steps) {
    FakeVm vm(Countdown(kMean));
    FakeVm::Thread thread(vm, 7);
    thread.steps = steps;
    vm.Tick();
    thread.Calls(kCalls);
    return std::pair(static_cast<double>(thread.samples),
                     static_cast<double>(thread.observed_calls()));
  };
  for (const uint32_t steps : {1u, 8u, 64u}) {
    const auto [samples, observed] = count(steps);
    const double expected = kCalls / CallsPerSample(kMean, steps);
    EXPECT_NEAR(samples, expected, 4 * std::sqrt(expected)) << steps;
    // Each sample's cost is that of the calls before it, on average.
    EXPECT_NEAR(observed / kCalls, 1, 0.25 * std::sqrt(400 / expected) + 0.04) << steps;
  }
}

TEST(SamplerTest, AWindowTakesItsSamplesAndAccountsForAllItsCalls) {
  for (const Strides strides : {Strides::kFixed, Strides::kRandomized}) {
    FakeVm vm(Cbs(5, 8, strides));
    FakeVm::Thread thread(vm, 3);
    for (uint64_t w = 1; w <= 200; ++w) {
      vm.Tick();
      thread.armed_calls = thread.samples = 0;
      thread.CallUntilWindowEnds();
      EXPECT_EQ(thread.samples, 8u);
      EXPECT_EQ(thread.windows.back().calls, thread.armed_calls);
      EXPECT_EQ(thread.windows.back().tick, w);
    }
  }
}

TEST(SamplerTest, NothingIsSampledBeforeTheFirstTickAndBetweenTicks) {
  FakeVm vm(Cbs(1, 2));
  FakeVm::Thread thread(vm, 3);
  thread.Calls(100);
  EXPECT_EQ(thread.samples, 0u);
  vm.Tick();
  thread.Calls(100);
  EXPECT_EQ(thread.samples, 2u);
  EXPECT_EQ(thread.armed_calls, 2u) << "the thread was disarmed with its last sample";
}

TEST(SamplerTest, TheTimerTakesTheNextCallOfEachThread) {
  FakeVm vm(OfKind(Kind::kTimer));
  FakeVm::Thread a(vm, 3), b(vm, 3);
  for (int tick = 0; tick < 10; ++tick) {
    vm.Tick();
    EXPECT_TRUE(a.Call());
    // a is done, and nobody else had begun.
    EXPECT_FALSE(vm.armed());
    a.Calls(5);
  }
  EXPECT_EQ(a.windows.size(), 10u);
  EXPECT_EQ(a.windows.back().calls, 1u);
  EXPECT_EQ(b.samples, 0u);
}

TEST(SamplerTest, TheTickEndsWhenAllThreadsThatBeganAreDoneAndNotBefore) {
  FakeVm vm(Cbs(3, 4));
  FakeVm::Thread a(vm, 3), b(vm, 4), idle(vm, 5);
  vm.Tick();
  a.Call();
  b.Call();
  a.CallUntilWindowEnds();
  EXPECT_TRUE(vm.armed()) << "b has begun its window";
  const uint64_t before = a.samples;
  a.Calls(100);
  EXPECT_EQ(a.samples, before) << "one window a tick";
  b.CallUntilWindowEnds();
  EXPECT_FALSE(vm.armed()) << "the idle thread does not count";
}

TEST(SamplerTest, AWindowThatATickLeavesOpenEndsWithThatTick) {
  FakeVm vm(Cbs(4, 6));
  vm.walk_ns = 500;
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  while (thread.samples < 2) thread.Call();
  thread.Calls(3);
  vm.EndTick();
  const auto counted = static_cast<int64_t>(thread.armed_calls);
  thread.Calls(50);
  EXPECT_TRUE(thread.windows.empty());
  vm.Tick();
  thread.Call();
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].calls, static_cast<uint64_t>(counted));
  EXPECT_EQ(thread.windows[0].tick, 1u);
  EXPECT_EQ(thread.windows[0].duration_ns, (counted - 1) * vm.ns_per_call);

  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.samples, 2u + 6u) << "the next window is a whole one";
  EXPECT_EQ(thread.windows[1].tick, 2u);
  EXPECT_EQ(thread.windows[1].interval_ns, (counted + 50) * vm.ns_per_call + 2 * vm.walk_ns);
  EXPECT_FALSE(vm.armed());
}

TEST(SamplerTest, TheProcessorsCallsAreThoseBetweenWindows) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  thread.Calls(200);
  vm.Tick();
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[0].near_calls, 201u) << "with the window's first call";
  thread.Calls(70);
  vm.Tick();
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[1].near_calls, 71u) << "without the window's own, and its walks'";

  thread.HaveNoCallCounter();
  vm.Tick();
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[2].near_calls, 0u);
}

TEST(SamplerTest, WhatFollowsACutWindowIsCountedFromItsStart) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  while (thread.samples < 2) thread.Call();
  vm.EndTick();
  thread.Calls(50);
  const uint64_t calls = thread.armed_calls - 1 + 50;
  vm.Tick();
  thread.CallUntilWindowEnds();
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[1].near_calls, calls + 1 + 2 * 1000);
}

TEST(SamplerTest, ACutWindowLastsAsLongAsItsThreadRanUntilItsTickEnded) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  thread.Call();
  vm.clock.now_ns += 1'000'000;  // Descheduled.
  while (thread.samples < 2) thread.Call();
  vm.EndTick();
  const auto counted = static_cast<int64_t>(thread.armed_calls);
  // It calls much, or sleeps and computes, before the next tick finds it.
  vm.clock.now_ns += 50'000'000;
  vm.clock.cpu_ns += 7'000'000;
  vm.Tick();
  thread.Call();
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].calls, static_cast<uint64_t>(counted));
  EXPECT_EQ(thread.windows[0].duration_ns, (counted - 1) * vm.ns_per_call);
}

TEST(SamplerTest, TheDurationOfACutWindowIsUnknownWithoutTheThreadsClock) {
  FakeVm vm(Cbs(4, 6));
  vm.clock.knows_threads = false;
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  while (thread.samples < 2) thread.Call();
  vm.EndTick();
  vm.Tick();
  thread.Call();
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].duration_ns, 0);
}

TEST(SamplerTest, AThreadThatCallsLittleInATickHasTheDensityOfTheTick) {
  FakeVm vm(Cbs(2, 6));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  thread.Calls(3);
  vm.clock.now_ns += 5'000;
  vm.clock.cpu_ns += 5'000;
  vm.EndTick();
  thread.Calls(1000);
  vm.Tick();
  thread.Call();
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].calls, 3u);
  EXPECT_EQ(thread.windows[0].duration_ns, 2 * vm.ns_per_call + 5'000);
}

TEST(SamplerTest, AWindowWithoutASampleIsToldSinceItsTimeIsItsOwn) {
  FakeVm vm(Cbs(100, 2, Strides::kFixed));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  thread.Call();
  ASSERT_EQ(thread.samples, 0u);
  vm.EndTick();
  thread.Calls(50);
  vm.Tick();
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[0].tick, 1u);
  EXPECT_EQ(thread.windows[0].calls, 1u);
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[1].tick, 2u);
  EXPECT_EQ(thread.windows[1].interval_ns, 51 * vm.ns_per_call);
}

TEST(SamplerTest, ASlowPathThatFindsNoStackIsMadeUpForByTheNext) {
  FakeVm vm(Cbs(3, 4));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  while (thread.samples < 2) thread.Call();
  thread.no_stack_for_slow_path = true;
  thread.Calls(5);
  EXPECT_EQ(thread.samples, 2u);
  thread.no_stack_for_slow_path = false;
  EXPECT_TRUE(thread.Call());
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.samples, 4u);
}

TEST(SamplerTest, ATickBetweenTheCountdownAndTheSlowPathBeginsAWindow) {
  FakeVm vm(Cbs(1, 3));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  EXPECT_TRUE(thread.Call());
  // The Java side brings the countdown to zero; then the next tick comes.
  EXPECT_TRUE(thread.Call([&] { vm.Tick(); })) << "the new window's first call";
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].calls, 1u);
  EXPECT_TRUE(thread.Call());
  EXPECT_TRUE(thread.Call());
  ASSERT_EQ(thread.windows.size(), 2u);
  EXPECT_EQ(thread.windows[1].calls, 3u);
}

TEST(SamplerTest, TimesComeFromTheClock) {
  FakeVm vm(Cbs(1, 4));
  FakeVm::Thread thread(vm, 3);
  thread.Calls(100);  // 1,000 ns, not armed.
  vm.Tick();
  vm.clock.now_ns += 70;  // The thread waits meanwhile.
  thread.CallUntilWindowEnds();
  const WindowSummary& first = thread.windows[0];
  EXPECT_EQ(first.start_ns, 1'080);
  EXPECT_EQ(first.latency_ns, 80);
  EXPECT_EQ(first.interval_ns, 1'010);
  EXPECT_EQ(first.duration_ns, 30) << "three calls after the first";

  vm.walk_ns = 500;
  vm.Tick();
  thread.CallUntilWindowEnds();
  const WindowSummary& second = thread.windows[1];
  EXPECT_EQ(second.latency_ns, 10);
  EXPECT_EQ(second.interval_ns, 40) << "from the first call of one window to that of the next";
  EXPECT_EQ(second.duration_ns, 30) << "the walks' own time is no part of it";
}

TEST(SamplerTest, AThreadThatIsDescheduledAtItsWindowsBeginningIsNotEarly) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  vm.clock.after_reading = [&] {
    vm.clock.now_ns += 4'000'000;
    vm.Tick();
  };
  thread.CallUntilWindowEnds();
  EXPECT_EQ(thread.windows[0].latency_ns, vm.ns_per_call);
}

TEST(SamplerTest, CountingDownIsNoPartOfAWindowsDuration) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  const auto duration_per_call = [&](int64_t armed_call_ps) {
    vm.SetCallCosts(armed_call_ps);
    vm.Tick();
    thread.CallUntilWindowEnds();
    const WindowSummary& window = thread.windows.back();
    return static_cast<double>(window.duration_ns) / static_cast<double>(window.calls - 1);
  };
  EXPECT_EQ(duration_per_call(0), 10);
  EXPECT_EQ(duration_per_call(3'000), 7);
  EXPECT_EQ(duration_per_call(9'000), 1);
  EXPECT_EQ(duration_per_call(9'800), 0) << "not known: no program calls as often";
  EXPECT_EQ(duration_per_call(15'000), 0);
  EXPECT_EQ(duration_per_call(1'000'000), 10) << "nothing that a few instructions take";
}

TEST(SamplerTest, GettingToASampleAndBackIsNoPartOfAWindowsDuration) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  const auto without = [&](int64_t slow_path_ps) {
    vm.SetCallCosts(0, slow_path_ps);
    vm.Tick();
    thread.CallUntilWindowEnds();
    const WindowSummary& window = thread.windows.back();
    return static_cast<int64_t>(window.calls - 1) * vm.ns_per_call - window.duration_ns;
  };
  EXPECT_EQ(without(0), 0);
  EXPECT_EQ(without(7'000), 6 * 7);
  EXPECT_EQ(without(100'000'000), 0) << "not known: no call takes as long";
}

TEST(SamplerTest, ADescheduledWalkTakesNoMoreThanAWalk) {
  FakeVm vm(Cbs(4, 6));
  vm.ns_per_call = 10'000;
  vm.walk_ns = 500;
  FakeVm::Thread thread(vm, 3);
  vm.Tick();
  while (thread.samples < 5) thread.Call();
  vm.clock.cpu_ns -= 10'000'000;  // Of which the walk is 10 ms longer by the other clock.
  vm.walk_ns += 10'000'000;
  thread.CallUntilWindowEnds();
  const WindowSummary& window = thread.windows.back();
  EXPECT_EQ(window.duration_ns,
            static_cast<int64_t>(window.calls - 1) * vm.ns_per_call - (20'000 - 500));
}

TEST(SamplerTest, AThreadThatCountsForeverIsSampledFromTheNextTickOn) {
  FakeVm vm(Cbs(4, 6));
  FakeVm::Thread thread(vm, 3);
  vm.control.armed.store(1);
  thread.CountForever();
  thread.Calls(100'000);
  EXPECT_EQ(thread.samples, 0u);
  vm.Tick();
  thread.CallUntilWindowEnds();
}

TEST(SamplerTest, TheCountdownGoesOnFromTickToTick) {
  FakeVm vm(Countdown(10));
  FakeVm::Thread thread(vm, 3);
  constexpr int kTicks = 2000, kCallsInTick = 25;
  for (int tick = 0; tick < kTicks; ++tick) {
    vm.Tick();
    thread.Calls(kCallsInTick);
    EXPECT_TRUE(vm.armed());
    vm.EndTick();
    thread.Calls(7);
  }
  EXPECT_TRUE(thread.windows.empty()) << "it has none";
  EXPECT_EQ(thread.armed_calls, uint64_t{kTicks} * kCallsInTick);
  // The mean of 5,000 geometric intervals, whose deviation is 0.13: no call is lost and none is
  // counted twice where a tick begins or ends.
  EXPECT_NEAR(static_cast<double>(thread.armed_calls) / static_cast<double>(thread.samples), 10,
              0.6);
  // Each tick with a sample is told once: all but one in 14.
  EXPECT_NEAR(static_cast<double>(thread.begun.size()), kTicks * (1 - std::pow(0.9, kCallsInTick)),
              60);
  for (size_t i = 1; i < thread.begun.size(); ++i) {
    EXPECT_LT(thread.begun[i - 1].tick, thread.begun[i].tick);
    EXPECT_LT(thread.begun[i - 1].start_ns, thread.begun[i].start_ns);
  }
}

TEST(SamplerTest, WhatIsCalledWhileATickSettlesOrEndsIsNotSampled) {
  FakeVm vm(Countdown(10));
  FakeVm::Thread thread(vm, 3);
  constexpr int kTicks = 2000, kCounted = 25;
  for (int tick = 0; tick < kTicks; ++tick) {
    vm.Tick();
    for (const bool counts : {false, true, false}) {
      counts ? vm.CountFromNow() : vm.CountNoMore();
      const uint64_t before = thread.samples;
      thread.Calls(kCounted);
      EXPECT_TRUE(counts || thread.samples == before);
    }
    vm.EndTick();
  }
  EXPECT_NEAR(double{kTicks} * kCounted / static_cast<double>(thread.samples), 10, 0.6);
}

TEST(SamplerTest, TicksGoOnAcrossTheEndOfTheirNumbers) {
  FakeVm vm(Cbs(3, 2), 0xfffffffd);
  FakeVm::Thread thread(vm, 3), other(vm, 4);
  for (const uint64_t tick : {0xfffffffeu, 0xffffffffu, 0u, 1u, 2u}) {
    vm.Tick();
    thread.Call();
    other.Call();
    thread.CallUntilWindowEnds();
    EXPECT_TRUE(vm.armed());
    other.CallUntilWindowEnds();
    EXPECT_FALSE(vm.armed());
    EXPECT_EQ(thread.windows.back().tick, tick);
  }
}

// The host as it must not be: the tick's first call only opens the window and is not counted.
class BiasedHost {
 public:
  explicit BiasedHost(const PolicyOptions& options)
      : random_(11), policy_(std::move(MakePolicy(options, random_)).value()) {}
  void Tick() { countdown_ = 0; }
  bool Call() {
    if (countdown_ == 0) {
      countdown_ = policy_->BeginWindow();
      return false;
    }
    if (countdown_ == SamplingPolicy::kIdle || --countdown_ != 0) return false;
    countdown_ = policy_->AfterSample();
    return true;
  }

 private:
  Xoshiro256 random_;
  const std::unique_ptr<SamplingPolicy> policy_;
  uint64_t countdown_ = 0;
};

constexpr int kTicks = 20'000;

// How often each of the first `calls` calls after a tick was sampled.
std::vector<double> CountByPosition(size_t calls, const std::function<void()>& tick,
                                    const std::function<bool()>& call) {
  std::vector<double> counts(calls);
  for (int t = 0; t < kTicks; ++t) {
    tick();
    for (double& count : counts) count += call();
  }
  return counts;
}

// One sample in each window of one stride: the draws are independent, and every window's sample
// lies within.
bool EachCallOfAStrideIsAsLikely(const std::vector<double>& counts) {
  return FitsByChiSquare(
      counts, std::vector<double>(
                  counts.size(), static_cast<double>(kTicks) / static_cast<double>(counts.size())));
}

TEST(SamplerTest, APlaceThatIsNoCallBeginsTheWindowAndIsNoneOfItsCalls) {
  FakeVm vm(Cbs(1, 3));
  FakeVm::Thread thread(vm, 11);
  vm.Tick();
  thread.OtherPlace();
  ASSERT_EQ(thread.begun.size(), 1u);
  thread.OtherPlace();
  EXPECT_EQ(thread.begun.size(), 1u) << "the tick has its window";
  EXPECT_EQ(thread.samples, 0u);
  EXPECT_TRUE(thread.Call()) << "the next call is the first";
  thread.OtherPlace();
  thread.Calls(2);
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].calls, 3u);
  EXPECT_EQ(thread.windows[0].start_ns, thread.begun[0].start_ns);
}

TEST(SamplerTest, WhatTheHostKnowsOfItsOwnWorkIsNoPartOfTheWindow) {
  FakeVm vm(Cbs(1, 2));
  vm.known_own_ns = 300;
  vm.walk_ns = 300;
  FakeVm::Thread thread(vm, 11);
  vm.Tick();
  thread.Calls(2);
  ASSERT_EQ(thread.windows.size(), 1u);
  // One call from the first to the last one.
  EXPECT_EQ(thread.windows[0].duration_ns, vm.ns_per_call);
}

TEST(SamplerTest, APlaceThatIsNoCallEndsAWindowThatIsLate) {
  FakeVm vm(Cbs(1, 3));
  FakeVm::Thread thread(vm, 11);
  vm.Tick();
  EXPECT_TRUE(thread.Call());
  vm.Tick();
  thread.OtherPlace();
  ASSERT_EQ(thread.windows.size(), 1u);
  EXPECT_EQ(thread.windows[0].tick, 1u);
  EXPECT_EQ(thread.begun.size(), 2u);
}

TEST(SamplerTest, EveryCallOfAWindowIsSampledEquallyOften) {
  constexpr uint32_t kStride = 16;
  FakeVm vm(Cbs(kStride, 1));
  FakeVm::Thread thread(vm, 11);
  EXPECT_TRUE(EachCallOfAStrideIsAsLikely(CountByPosition(
      kStride, [&] { vm.Tick(); }, [&] { return thread.Call(); })));

  BiasedHost biased(Cbs(kStride, 1));
  EXPECT_FALSE(EachCallOfAStrideIsAsLikely(CountByPosition(
      kStride, [&] { biased.Tick(); }, [&] { return biased.Call(); })));
}

// The policy's promise for randomised strides: each of the window's first calls, one for each of
// its samples, has the chance 1 / stride. A window ends before the next tick.
bool EachFirstCallIsAsLikely(const PolicyOptions& options, const std::function<void()>& tick,
                             const std::function<bool()>& call) {
  std::vector<double> counts =
      CountByPosition(2 * size_t{options.stride} * options.samples, tick, call);
  counts.resize(options.samples);
  return AllBinomial(counts, kTicks, 1.0 / options.stride);
}

TEST(SamplerTest, RandomisedStridesKeepTheirPromiseOnTheHost) {
  const PolicyOptions options = Cbs(7, 16, Strides::kRandomized);
  FakeVm vm(options);
  FakeVm::Thread thread(vm, 11);
  EXPECT_TRUE(EachFirstCallIsAsLikely(
      options, [&] { vm.Tick(); }, [&] { return thread.Call(); }));

  BiasedHost biased(options);
  EXPECT_FALSE(EachFirstCallIsAsLikely(
      options, [&] { biased.Tick(); }, [&] { return biased.Call(); }));
}

TEST(SamplerTest, AThreadWithoutAnEntryInTheTableIsSampledAsFairly) {
  const PolicyOptions options = Cbs(7, 16, Strides::kRandomized);
  FakeVm vm(options);
  FakeVm::Thread listed(vm, 10), unlisted(vm, 11, kUnlisted);
  EXPECT_TRUE(EachFirstCallIsAsLikely(
      options, [&] { vm.Tick(); }, [&] { return unlisted.Call(); }));
  uint64_t calls = 0;
  for (const WindowSummary& window : unlisted.windows) calls += window.calls;
  EXPECT_EQ(calls, unlisted.armed_calls);
}

}  // namespace
}  // namespace yp
