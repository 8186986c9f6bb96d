#include "compiler/aos/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "compiler/aos/methods_for_test.h"
#include "format/spool/spool_reader.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr ThreadWords kWords = {16, 32};

// Where a marked call returns to.
std::array<uint8_t, 16> ReturnAddressOf(uint32_t site) {
  std::array<uint8_t, 16> code{};
  std::memcpy(code.data(), &kCallMarker, 4);
  std::memcpy(code.data() + 4, &site, 4);
  return code;
}

// A thread's part of the VM's memory, and what compiled code does there.
struct VmThread {
  alignas(8) std::array<uint8_t, 64> memory{};

  void* environment() { return memory.data(); }
  std::atomic<YieldpointState>& state() {
    return *reinterpret_cast<std::atomic<YieldpointState>*>(memory.data() + kWords.state);
  }
  std::atomic<YieldpointRecord*>& record() {
    return *reinterpret_cast<std::atomic<YieldpointRecord*>*>(memory.data() + kWords.record);
  }
  // A prologue's yieldpoint. True when it called the recording.
  bool Call(MethodId callee, const uint8_t* return_address) {
    const YieldpointState now = state();
    if (now == YieldpointState::kNone) return false;
    if (now == YieldpointState::kCalls && --record().load()->calls_left > 0) return false;
    using Target = void (*)(YieldpointRecord*, uint32_t, const uint8_t*);
    reinterpret_cast<Target>(Recording::Targets().call)(record(), ToIndex(callee), return_address);
    return true;
  }
  // That of a backward jump.
  void Jump() {
    if (static_cast<int32_t>(state().load()) <= 0) return;
    reinterpret_cast<void (*)(YieldpointRecord*)>(Recording::Targets().tick)(record());
  }
};

// What a spool says.
struct Told {
  std::map<std::string, uint64_t> calls, samples;  // "caller@bci callee"
  std::vector<std::string> threads;
  std::map<std::string, std::string> config;
  uint64_t windows = 0, dropped = 0;
  bool has_ended = false;
};

Told Read(const std::string& path) {
  Told told;
  std::map<MethodId, std::string> methods;
  std::map<EdgeId, std::string> edges;
  const auto reader = spool::SpoolReader::Open(path);
  EXPECT_TRUE(reader) << reader.message();
  while (const auto record = reader.value()->Next()) {
    if (const auto* method = std::get_if<spool::MethodDefinition>(&*record)) {
      methods[method->id] = method->method.name;
    } else if (const auto* edge = std::get_if<spool::EdgeDefinition>(&*record)) {
      const std::string caller =
          edge->edge.caller == kNoMethod ? "-" : methods.at(edge->edge.caller);
      edges[edge->id] =
          caller + "@" + std::to_string(edge->edge.bci) + " " + methods.at(edge->edge.callee);
    } else if (const auto* counts = std::get_if<spool::Counts>(&*record)) {
      for (const auto& [id, calls] : counts->calls) told.calls[edges.at(id)] += calls;
    } else if (const auto* window = std::get_if<spool::Window>(&*record)) {
      ++told.windows;
      for (const auto& [id, samples] : window->samples) told.samples[edges.at(id)] += samples;
    } else if (const auto* thread = std::get_if<spool::ThreadDefinition>(&*record)) {
      told.threads.push_back(thread->name);
    } else if (const auto* config = std::get_if<spool::Config>(&*record)) {
      for (const auto& [key, value] : config->entries) told.config[key] = value;
    } else if (const auto* drops = std::get_if<spool::Drops>(&*record)) {
      told.dropped = 0;
      for (const auto& [reason, total] : drops->totals) told.dropped += total;
    }
    told.has_ended |= std::holds_alternative<spool::End>(*record);
  }
  return told;
}

class RecordingTest : public testing::Test {
 protected:
  void Open(RecordingOptions::Mode mode, const std::function<void(RecordingOptions&)>& more = {}) {
    RecordingOptions options;
    options.mode = mode;
    options.spool = path_;
    options.seed = 1;
    if (more) more(options);
    Result<std::unique_ptr<Recording>> opened = Recording::Open(options, clock_);
    ASSERT_TRUE(opened) << opened.message();
    recording_ = std::move(opened).value();
    caller_ = recording_->graph().AddMethod(Named("caller"));
    callee_ = recording_->graph().AddMethod(Named("callee"));
    marked_ = ReturnAddressOf(recording_->graph().AddSite(caller_, 7));
    ASSERT_TRUE(recording_->Start({}).ok());
  }
  void TearDown() override { std::remove(path_.c_str()); }
  // On a thread of its own, from its start to its end.
  void OnThread(VmThread& vm, const std::string& name, const std::function<void()>& body) {
    std::thread([&] {
      recording_->OnThreadStart(vm.environment(), name);
      body();
      recording_->OnThreadEnd();
    }).join();
  }

  SystemClock clock_;
  const std::string path_ =
      testing::TempDir() + "recording." + std::to_string(getpid()) + ".yp-spool";
  std::unique_ptr<Recording> recording_;
  MethodId caller_{}, callee_{};
  std::array<uint8_t, 16> marked_{};
  const std::array<uint8_t, 16> unmarked_{};
};

TEST_F(RecordingTest, CountsEachCallOfEachThreadByItsEdge) {
  Open(RecordingOptions::Mode::kExact);
  recording_->UseWords(kWords);
  for (const uint64_t calls : {1000u, 234u}) {
    VmThread vm;
    OnThread(vm, "worker", [&] {
      EXPECT_EQ(vm.state(), YieldpointState::kCalls);
      for (uint64_t i = 0; i < calls; ++i) vm.Call(callee_, marked_.data());
      vm.Call(caller_, unmarked_.data());
      vm.Jump();
    });
    EXPECT_EQ(vm.state(), YieldpointState::kNone);
    EXPECT_EQ(vm.record(), nullptr);
  }
  recording_->End();
  const Told told = Read(path_);
  EXPECT_THAT(told.calls,
              UnorderedElementsAre(Pair("caller@7 callee", 1234), Pair("-@-1 caller", 2)));
  EXPECT_THAT(told.threads, ElementsAre("worker", "worker"));
  EXPECT_EQ(told.dropped, 0u);
  EXPECT_EQ(told.config.at("mode"), "exact");
  EXPECT_TRUE(told.has_ended);
}

TEST_F(RecordingTest, AThreadThatWasThereBeforeTheLayoutIsKnownHasItsWordsThen) {
  Open(RecordingOptions::Mode::kExact);
  VmThread vm;
  OnThread(vm, "early", [&] {
    EXPECT_EQ(vm.state(), YieldpointState::kNone);
    recording_->UseWords(kWords);
    EXPECT_EQ(vm.state(), YieldpointState::kCalls);
    vm.Call(callee_, marked_.data());
  });
  recording_->End();
  EXPECT_THAT(Read(path_).calls, ElementsAre(Pair("caller@7 callee", 1)));
}

TEST_F(RecordingTest, WritesNothingToAThreadsMemoryOnceItHasEnded) {
  Open(RecordingOptions::Mode::kExact);
  recording_->UseWords(kWords);
  VmThread vm;
  OnThread(vm, "late", [&] {
    recording_->End();
    vm.memory.fill(0xab);  // The VM has given it back.
  });
  EXPECT_THAT(vm.memory, testing::Each(0xab));
}

TEST_F(RecordingTest, LeavesThreadsAloneOnceItHasEnded) {
  Open(RecordingOptions::Mode::kExact);
  recording_->UseWords(kWords);
  VmThread there, later;
  OnThread(there, "there", [&] {
    recording_->End();
    EXPECT_EQ(there.state(), YieldpointState::kNone);
  });
  OnThread(later, "later", [&] { EXPECT_EQ(later.state(), YieldpointState::kNone); });
  recording_->End();
}

// A tick comes; the test waits for it.
void AwaitTick(VmThread& vm) {
  while (vm.state() != YieldpointState::kAll) std::this_thread::yield();
}

TEST_F(RecordingTest, ATickBeginsAWindowWhichEndsTheThreadsPartInTheTick) {
  Open(RecordingOptions::Mode::kCbs, [](RecordingOptions& options) {
    options.policy.stride = 1;
    options.policy.samples = 5;
    options.policy.delay = 0;
    options.tick_ns = 50'000'000;
  });
  recording_->UseWords(kWords);
  VmThread vm;
  OnThread(vm, "sampled", [&] {
    // A tick may end in between, if this thread does not run.
    for (int taken = 0; taken != 5;) {  // At most, as the jump is none of the window's calls.
      AwaitTick(vm);
      vm.Jump();
      taken = 0;
      while (vm.state() != YieldpointState::kNone) taken += vm.Call(callee_, marked_.data());
      EXPECT_LE(taken, 5);
    }
  });
  recording_->End();
  const Told told = Read(path_);
  EXPECT_GE(told.windows, 1u);
  ASSERT_EQ(told.samples.size(), 1u);
  EXPECT_GE(told.samples.at("caller@7 callee"), 5u);
  EXPECT_EQ(told.dropped, 0u);
}

TEST_F(RecordingTest, CountsDownAllTheTimeWhereThereAreNoTicks) {
  Open(RecordingOptions::Mode::kCbs, [](RecordingOptions& options) {
    options.policy.kind = PolicyOptions::Kind::kCountdown;
    options.policy.mean_interval = 10;
    options.budget_percent = 0;
  });
  recording_->UseWords(kWords);
  VmThread vm;
  constexpr int kCalls = 100'000;
  OnThread(vm, "sampled", [&] {
    for (int i = 0; i < kCalls; ++i) {
      vm.Call(callee_, marked_.data());
      // The drain has a moment.
      if (i % 10'000 == 0) std::this_thread::yield();
    }
    EXPECT_EQ(vm.state(), YieldpointState::kCalls);
  });
  recording_->End();
  EXPECT_EQ(vm.state(), YieldpointState::kNone);
  const Told told = Read(path_);
  EXPECT_EQ(told.config.at("continuous"), "yes");
  // Each call is sampled with the chance 1 / 10: 5 standard deviations.
  const auto samples = static_cast<double>(told.samples.at("caller@7 callee") + told.dropped);
  EXPECT_NEAR(samples, kCalls / 10.0, 5 * std::sqrt(kCalls * 0.1 * 0.9));
}

// The drain is kept from the thread's ring.
TEST_F(RecordingTest, WhatFindsNoRoomIsLostAndCounted) {
  Open(RecordingOptions::Mode::kCbs, [](RecordingOptions& options) {
    options.policy.stride = 1;
    options.policy.samples = 100;
    options.policy.delay = 0;
    options.tick_ns = 1'000'000;
  });
  recording_->UseWords(kWords);
  VmThread vm;
  uint64_t taken = 0;
  OnThread(vm, "sampled", [&] {
    auto& thread = *static_cast<SampledThread*>(vm.record().load()->owner);
    const std::lock_guard no_drain(thread.common.mutex);
    while (taken < 2 * SampleRing::kSlots) {
      AwaitTick(vm);
      while (vm.state() != YieldpointState::kNone) taken += vm.Call(callee_, marked_.data());
    }
  });
  recording_->End();
  const Told told = Read(path_);
  const uint64_t kept = told.samples.at("caller@7 callee");
  EXPECT_GT(kept, SampleRing::kSlots / 2);
  EXPECT_LE(kept, SampleRing::kSlots);
  EXPECT_GE(told.dropped, taken - kept);
}

class SamplingTest : public RecordingTest {
 protected:
  // Of the samples of four edges whose calls have known shares and come in random order, but for
  // the first behind each tick, which is always one of the rarest edge's: how well they fit the
  // shares, by chi-square with three degrees of freedom.
  double ChiSquareOf(RecordingOptions::Mode mode, PolicyOptions policy, int ticks) {
    const std::array<double, 4> shares = {0.5, 0.25, 0.15, 0.1};
    Open(mode, [&](RecordingOptions& options) {
      options.policy = policy;
      options.tick_ns = 1'000'000;
    });
    recording_->UseWords(kWords);
    std::vector<std::array<uint8_t, 16>> sites;
    for (int32_t i = 0; i < 4; ++i) {
      sites.push_back(ReturnAddressOf(recording_->graph().AddSite(caller_, 100 + i)));
    }
    VmThread vm;
    OnThread(vm, "sampled", [&] {
      Xoshiro256 random(7);
      for (int tick = 0; tick < ticks; ++tick) {
        AwaitTick(vm);
        vm.Call(callee_, sites[3].data());
        while (vm.state() != YieldpointState::kNone) {
          double left = random.UniformOpenClosed();
          size_t site = 0;
          while (site < 3 && (left -= shares[site]) > 0) ++site;
          vm.Call(callee_, sites[site].data());
        }
      }
    });
    recording_->End();
    Told told = Read(path_);
    double all = 0, chi_square = 0;
    for (const auto& [edge, samples] : told.samples) all += static_cast<double>(samples);
    EXPECT_GT(all, 50);
    for (size_t i = 0; i < shares.size(); ++i) {
      const double expected = all * shares[i];
      const auto seen =
          static_cast<double>(told.samples["caller@" + std::to_string(100 + i) + " callee"]);
      chi_square += (seen - expected) * (seen - expected) / expected;
    }
    return chi_square;
  }

  // One false alarm in 10^5.
  static constexpr double kQuantile = 25.9;
};

TEST_F(SamplingTest, WindowsSampleEachEdgeAsOftenAsItIsCalled) {
  PolicyOptions policy;
  policy.stride = 7;
  policy.samples = 64;
  policy.delay = 0;
  EXPECT_LT(ChiSquareOf(RecordingOptions::Mode::kCbs, policy, 60), kQuantile);
}

// Figure 1 of Arnold and Grove: what is called behind a tick is sampled. The test above would see
// such a sampler.
TEST_F(SamplingTest, OneSampleATickIsBiasedTowardsWhatIsCalledBehindIt) {
  PolicyOptions policy;
  policy.kind = PolicyOptions::Kind::kTimer;
  EXPECT_GT(ChiSquareOf(RecordingOptions::Mode::kTimer, policy, 60), 10 * kQuantile);
}

}  // namespace
}  // namespace yp::compiler
