#include "compiler/aos/adaptive_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compiler/aos/own_levels.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr MethodId kMain{1}, kGet{2};

// Stands still unless it is moved.
class FakeClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns; }
  int64_t ThreadCpuNs() override { return 0; }
  int64_t ProcessCpuNs() override { return 0; }
  std::atomic<int64_t> now_ns{7'000'000};
};

// The bridge is this test's thread: it has code for methods, and waits for what is to be compiled.
class AdaptiveHostTest : public testing::Test {
 protected:
  void Start(const Levels& levels, MethodSignals* signals = nullptr) {
    host_ = std::make_unique<AdaptiveHost>(AdaptivePolicy{}, levels, clock_, 5'000'000, signals);
    ASSERT_TRUE(host_->Start().ok());
  }
  void Compile(MethodId method, int32_t level, bool is_asked_by_vm = true,
               const std::string& failure = "", const uint8_t* code = nullptr,
               int32_t code_bytes = 0, std::vector<Edge> inlined = {}) {
    AdaptiveHost::Compiled compiled;
    compiled.event.method = method;
    compiled.event.level = level;
    compiled.event.is_asked_by_vm = is_asked_by_vm;
    compiled.event.start_ns = clock_.now_ns - 1'000'000;
    compiled.event.end_ns = clock_.now_ns;
    compiled.event.bytecode_bytes = 100;
    compiled.event.code_bytes = code_bytes;
    compiled.event.failure = failure;
    compiled.code = code;
    compiled.inlined = std::move(inlined);
    host_->OnCompiled(std::move(compiled));
  }
  void Sample(MethodId method, int times) {
    for (int i = 0; i < times; ++i) host_->OnMethodSample(method);
  }
  // Until the organizer has seen so many samples.
  void AwaitSamples(uint64_t samples) {
    while (host_->totals().samples < samples) std::this_thread::yield();
  }

  FakeClock clock_;
  std::unique_ptr<AdaptiveHost> host_;
};

TEST_F(AdaptiveHostTest, AMethodThatIsSampledIsGivenOutForRecompilation) {
  Start(LevelsWithBaseAgain());
  Compile(kMain, 0);
  Sample(kMain, 3);
  const std::optional<AdaptiveHost::Recompilation> next = host_->AwaitRecompilation();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->method, kMain);
  EXPECT_EQ(next->level, 1);
  Compile(kMain, 1, false);
  Sample(kMain, 3);
  AwaitSamples(6);
  const AdaptiveHost::Events events = host_->TakeEvents();
  ASSERT_THAT(events.compilations, SizeIs(2));
  EXPECT_EQ(events.compilations[0].level_name, "BASE");
  EXPECT_EQ(events.compilations[0].start_ns, 1'000'000);
  EXPECT_EQ(events.compilations[0].end_ns, 2'000'000);
  EXPECT_EQ(events.compilations[1].level_name, "BASE again");
  ASSERT_THAT(events.decisions, SizeIs(3));
  for (const size_t i : {0u, 1u}) {  // Decided, and given out.
    EXPECT_TRUE(events.decisions[i].recompiles);
    EXPECT_EQ(events.decisions[i].reason, "a higher level costs less");
    EXPECT_EQ(events.decisions[i].past_ns, 60'000'000);
    EXPECT_EQ(events.decisions[i].future_ns, 30'000'000);
    EXPECT_EQ(events.decisions[i].milli_samples, 3'000u);
    EXPECT_EQ(events.decisions[i].time_ns, 2'000'000);
    EXPECT_GT(events.decisions[i].compile_ns, 0);
  }
  EXPECT_FALSE(events.decisions[2].recompiles);
  EXPECT_EQ(events.decisions[2].reason, "no higher level");
  EXPECT_EQ(events.decisions[2].from, 1);
}

TEST_F(AdaptiveHostTest, ACallThatBecomesInlinableIsAReasonToCompileAgain) {
  Start(OwnLevels(OwnInlining::kOnline));
  Compile(kGet, 0);
  Compile(kMain, 1);
  const Edge edge{kMain, 7, kGet};
  const CallSample call{edge, 1000};
  host_->OnCallSamples(std::span(&call, 1));
  Sample(kMain, 30);
  const std::optional<AdaptiveHost::Recompilation> next = host_->AwaitRecompilation();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->method, kMain);
  EXPECT_EQ(next->level, 1);
  EXPECT_TRUE(next->for_inlining);
  EXPECT_GT(host_->CallsNow().WeightOf(edge), 0);
}

TEST_F(AdaptiveHostTest, WhatIsInTheCodeAlreadyIsNoReason) {
  Start(OwnLevels(OwnInlining::kOnline));
  Compile(kGet, 0);
  const Edge edge{kMain, 7, kGet};
  Compile(kMain, 1, true, "", nullptr, 0, {edge});
  const CallSample call{edge, 1000};
  host_->OnCallSamples(std::span(&call, 1));
  Sample(kMain, 30);
  AwaitSamples(30);
  for (const spool::ControllerDecision& decision : host_->TakeEvents().decisions) {
    EXPECT_FALSE(decision.recompiles) << decision.reason;
  }
}

TEST_F(AdaptiveHostTest, WithTheCompilersOneLevelNothingIsCompiledAgain) {
  Start(OwnLevels(OwnInlining::kNone));
  Compile(kMain, 0);
  Sample(kMain, 300);
  AwaitSamples(300);
  const AdaptiveHost::Totals totals = host_->totals();
  EXPECT_GE(totals.proposals, 1u);
  EXPECT_EQ(totals.recompilations, 0u);
  EXPECT_THAT(host_->TakeEvents().decisions, SizeIs(1)) << "the same one is told once";
}

TEST_F(AdaptiveHostTest, ARefusedRecompilationIsToldAndNotTriedAgain) {
  Start(LevelsWithBaseAgain());
  Compile(kMain, 0);
  Sample(kMain, 3);
  ASSERT_TRUE(host_->AwaitRecompilation());
  Compile(kMain, 1, false, "monitors that do not nest");
  Sample(kMain, 30);
  AwaitSamples(33);
  const AdaptiveHost::Events events = host_->TakeEvents();
  EXPECT_EQ(events.compilations.back().failure, "monitors that do not nest");
  EXPECT_EQ(events.decisions.back().reason, "no higher level");
  EXPECT_EQ(host_->totals().recompilations, 1u);
}

TEST_F(AdaptiveHostTest, AFailureOfTheVmsOwnRequestRefusesNoLevel) {
  Start(LevelsWithBaseAgain());
  Compile(kMain, 0);
  Compile(kMain, 0, true, "out of memory");
  Sample(kMain, 3);
  EXPECT_EQ(host_->AwaitRecompilation()->level, 1);
}

TEST_F(AdaptiveHostTest, AYieldpointsMethodIsThatInWhoseCodeItIs) {
  Start(LevelsWithBaseAgain());
  std::array<uint8_t, 100> memory{};
  Compile(kMain, 0, true, "", memory.data(), 40);
  Compile(kGet, 0, true, "", memory.data() + 40, 40);
  for (int i = 0; i < 3; ++i) host_->OnMethodSampleAt(memory.data() + 79);
  for (const size_t outside : {80u, 99u}) host_->OnMethodSampleAt(memory.data() + outside);
  EXPECT_EQ(host_->AwaitRecompilation()->method, kGet);
  EXPECT_EQ(host_->totals().samples, 3u);
}

TEST_F(AdaptiveHostTest, OfCodeAtAPlaceThatIsUsedAgainTheNewerCounts) {
  Start(LevelsWithBaseAgain());
  std::array<uint8_t, 100> memory{};
  Compile(kMain, 0, true, "", memory.data() + 20, 40);
  Compile(kGet, 0, true, "", memory.data() + 10, 20);
  for (int i = 0; i < 3; ++i) host_->OnMethodSampleAt(memory.data() + 20);
  EXPECT_EQ(host_->AwaitRecompilation()->method, kGet);
  host_->OnMethodSampleAt(memory.data() + 50);  // Gone.
  Sample(kMain, 3);
  EXPECT_EQ(host_->AwaitRecompilation()->method, kMain);
  EXPECT_EQ(host_->totals().samples, 6u);
}

TEST_F(AdaptiveHostTest, WhoWaitsReturnsWhenTheRecordingEnds) {
  Start(LevelsWithBaseAgain());
  std::optional<AdaptiveHost::Recompilation> next = AdaptiveHost::Recompilation{};
  std::thread waits([&] { next = host_->AwaitRecompilation(); });
  host_->Stop();
  waits.join();
  EXPECT_FALSE(next);
  EXPECT_FALSE(host_->AwaitRecompilation());
}

// The organizer's thread has not been started.
TEST_F(AdaptiveHostTest, TooManySamplesAreDroppedAndCounted) {
  AdaptiveHost host({}, OwnLevels(OwnInlining::kNone), clock_, 0);
  for (int i = 0; i < 1'100; ++i) host.OnMethodSample(kMain);
  EXPECT_EQ(host.dropped_samples(), 76u);
}

TEST_F(AdaptiveHostTest, SamplesOfManyThreadsAreAllCounted) {
  Start(OwnLevels(OwnInlining::kNone));
  Compile(kMain, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1'000; ++k) {
        host_->OnMethodSample(kMain);
        host_->OnCallSamples(std::vector<CallSample>{{{kMain, k, kGet}}});
        if (k % 100 == 0) host_->TakeEvents();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (host_->totals().samples + host_->dropped_samples() < 4'000) std::this_thread::yield();
  EXPECT_EQ(host_->totals().samples + host_->dropped_samples(), 4'000u);
}

TEST(OwnLevelsTest, AreValid) {
  EXPECT_TRUE(Validate(OwnLevels(OwnInlining::kOnline)).ok());
  EXPECT_TRUE(Validate(LevelsWithBaseAgain()).ok());
  EXPECT_EQ(OwnLevels(OwnInlining::kOnline)[0].name, "BASE")
      << "as core/graph/code_level.h numbers them";
}

// A thread of the VM's, and signals that find it.
class MethodSignalsTest : public AdaptiveHostTest {
 protected:
  static constexpr MethodSignals::Anchor kAnchor = {.last_java_sp = 8, .last_java_pc = 16};

  MethodSignalsTest() {
    signals_.UseAnchor(kAnchor);
    signals_.Begin();
    MethodSignals::OnThreadStart(environment_.data());
  }
  ~MethodSignalsTest() override {
    signals_.End();
    MethodSignals::OnThreadEnd();
  }
  static uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
  static void Signal(const void* pc) {
    ucontext_t context{};
    context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(AddressOf(pc));
    siginfo_t info{};
    errno = ENOENT;
    MethodSignals::OnSignal(SIGSTKFLT, &info, &context);
    EXPECT_EQ(errno, ENOENT);
  }
  void SetAnchor(const void* sp, const void* pc) {
    environment_[kAnchor.last_java_sp / 8] = AddressOf(sp);
    environment_[kAnchor.last_java_pc / 8] = AddressOf(pc);
  }
  // The samples since the last time, by method: of kMain and kGet, and outside.
  std::array<uint64_t, 2> Organized(uint64_t signals) {
    while (host_->totals().samples + host_->totals().outside < signals) std::this_thread::yield();
    return {host_->totals().samples, host_->totals().outside};
  }

  MethodSignals& signals_ = MethodSignals::OfProcess();
  std::array<uintptr_t, 4> environment_{};
  std::array<uint8_t, 64> code_{}, other_code_{};
};

TEST_F(MethodSignalsTest, AMethodIsSampledWhereASignalFindsIt) {
  Start(LevelsWithBaseAgain(), &signals_);
  Compile(kMain, 0, true, "", code_.data(), 64);
  Compile(kGet, 0, true, "", other_code_.data(), 64);
  for (int i = 0; i < 4; ++i) Signal(code_.data() + i);
  EXPECT_THAT(Organized(4), ElementsAre(4u, 0u));
  const std::optional<AdaptiveHost::Recompilation> next = host_->AwaitRecompilation();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->method, kMain);
}

TEST_F(MethodSignalsTest, TimeInTheVmIsThatOfTheMethodThatCalledIt) {
  Start(LevelsWithBaseAgain(), &signals_);
  Compile(kGet, 0, true, "", code_.data(), 64);
  // The VM's own code, and where it was called from: told, and by the stack alone.
  SetAnchor(environment_.data(), code_.data() + 5);
  Signal(&signals_);
  const std::array<const void*, 2> stack = {code_.data() + 9, nullptr};
  SetAnchor(&stack[1], nullptr);
  Signal(&signals_);
  EXPECT_THAT(Organized(2), ElementsAre(2u, 0u));
  // Not called from Java, called from code that is no method's, and a thread that is not the VM's.
  SetAnchor(nullptr, code_.data() + 5);
  Signal(&signals_);
  SetAnchor(environment_.data(), other_code_.data());
  Signal(&signals_);
  SetAnchor(environment_.data(), code_.data() + 5);
  MethodSignals::OnThreadEnd();
  Signal(&signals_);
  EXPECT_THAT(Organized(5), ElementsAre(2u, 3u));
}

TEST_F(MethodSignalsTest, NothingIsTakenBeforeTheBeginningAndAfterTheEnd) {
  signals_.End();
  Signal(code_.data());
  const uint64_t dropped = signals_.dropped();
  signals_.Begin();
  int places = 0;
  signals_.Take([&](const MethodSignals::Place&) { ++places; });
  EXPECT_EQ(places, 0);
  for (size_t i = 0; i < MethodSignals::kPlaces + 3; ++i) Signal(code_.data());
  signals_.Take([&](const MethodSignals::Place&) { ++places; });
  EXPECT_EQ(static_cast<size_t>(places), MethodSignals::kPlaces);
  EXPECT_EQ(signals_.dropped() - dropped, 3u);
}

}  // namespace
}  // namespace yp::compiler
