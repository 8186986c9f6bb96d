#include "hotspot/stacks/stack_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace yp::hotspot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// As StackWalker::Answer.
struct Walked {
  size_t count = 0;
  std::optional<Drop> reason = {};
};

// What the VM would say of each stack in turn.
std::vector<jint> answers;
int signals_after = 0;

void FakeWalk(StackSampler::Trace* trace, jint depth, void*) {
  trace->count = answers.back();
  answers.pop_back();
  for (jint i = 0; i < trace->count && i < depth; ++i) {
    trace->frames[i] = {i, 0, reinterpret_cast<void*>(static_cast<uintptr_t>(100 + i))};
  }
  errno = EINVAL;
}

// A reading of the thread's CPU time takes a nanosecond of it; others have the processor meanwhile.
class FakeClock : public Clock {
 public:
  int64_t NowNs() override { return now_ns_ += 1'000'000; }
  int64_t ProcessCpuNs() override { return cpu_ns_; }
  int64_t ThreadCpuNs() override { return ++cpu_ns_; }

 private:
  int64_t now_ns_ = 0, cpu_ns_ = 0;
};

class StackSamplerTest : public testing::Test {
 protected:
  StackSamplerTest()
      : sampler_({.walk = &FakeWalk,
                  .env_of_this_thread = [this] { return env_; },
                  .clock = &clock_,
                  .after_signal = [](const siginfo_t&) { ++signals_after; }},
                 drops_) {
    signals_after = 0;
    sampler_.Begin();
  }
  void Signal(jint answer) {
    answers = {answer};
    errno = ENOENT;
    sampler_.OnSignal({}, nullptr);
    EXPECT_EQ(errno, ENOENT) << "what the program was about to look at";
  }
  std::vector<int32_t> TakenFrameCounts() {
    std::vector<int32_t> counts;
    sampler_.TakeStacks([&](const StackBuffer::Stack& stack) {
      counts.push_back(stack.frame_count);
      EXPECT_GT(stack.time_ns, 0);
      EXPECT_EQ(stack.thread, syscall(SYS_gettid));
      EXPECT_EQ(stack.frames[0].method, reinterpret_cast<void*>(100));
    });
    return counts;
  }

  FakeClock clock_;
  char vm_ = 0;
  JNIEnv* env_ = reinterpret_cast<JNIEnv*>(&vm_);
  Drops drops_;
  StackSampler sampler_;
};

TEST_F(StackSamplerTest, EachSignalIsAStack) {
  Signal(3);
  Signal(1);
  EXPECT_THAT(TakenFrameCounts(), testing::UnorderedElementsAre(3, 1));
  EXPECT_THAT(TakenFrameCounts(), IsEmpty()) << "each once";
  EXPECT_EQ(signals_after, 2);
  EXPECT_THAT(drops_.Totals(), IsEmpty());
  EXPECT_EQ(sampler_.cost_ns(), 2) << "a reading each";
}

TEST_F(StackSamplerTest, WhatIsNoStackIsCountedByReason) {
  for (const jint answer : {0, -1, -2, -3, -5, -9}) Signal(answer);
  Signal(static_cast<jint>(StackBuffer::kMaxFrames));
  env_ = nullptr;
  Signal(3);
  EXPECT_THAT(TakenFrameCounts(), IsEmpty());
  EXPECT_THAT(
      drops_.Totals(),
      ElementsAre(Pair("not_java_thread", 1), Pair("no_java_frame", 1), Pair("collecting", 1),
                  Pair("java_not_walkable", 1), Pair("vm_not_walkable", 1),
                  Pair("state_not_walkable", 2), Pair("stack_too_deep", 1)));
  EXPECT_EQ(signals_after, 8) << "the next one is to come";
}

TEST_F(StackSamplerTest, ACompilersThreadIsToldApart) {
  std::thread compiler([&] {
    pthread_setname_np(pthread_self(), "C2 CompilerThre");
    for (const jint answer : {0, -3, -4, -5}) Signal(answer);
  });
  compiler.join();
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("in_compiler", 3), Pair("java_not_walkable", 1)));
}

TEST_F(StackSamplerTest, ACallIsAStackToo) {
  answers = {2};
  sampler_.OnCall();
  answers = {0};
  sampler_.OnCall();  // In a native method there is a frame.
  EXPECT_THAT(TakenFrameCounts(), ElementsAre(2));
  EXPECT_EQ(signals_after, 0);
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("no_java_frame", 1)));
}

TEST_F(StackSamplerTest, ACallsStackMayBeWalkedByItsFinder) {
  const CodePlace place{{{MethodId{3}, 4}}};
  const auto walk = [&](std::span<RawFrame> frames) -> Walked {
    frames[0] = RawFrame::At(place);
    return {.count = 1};
  };
  sampler_.OnCall(EdgeId{7}, walk);
  sampler_.OnCall(EdgeId{8},
                  [](std::span<RawFrame>) -> Walked { return {}; });  // A thread's first.
  sampler_.OnCall(EdgeId{9},
                  [](std::span<RawFrame>) -> Walked { return {.reason = Drop::kCallerUnknown}; });
  std::vector<std::pair<EdgeId, int32_t>> taken;
  sampler_.TakeStacks([&](const StackBuffer::Stack& stack) {
    taken.emplace_back(stack.call, stack.frame_count);
    for (int32_t i = 0; i < stack.frame_count; ++i) EXPECT_EQ(&stack.frames[0].place(), &place);
  });
  EXPECT_THAT(taken, ElementsAre(Pair(EdgeId{7}, 1), Pair(EdgeId{8}, 0)));
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("java_not_walkable", 1)));
}

// Its places may be gone.
TEST_F(StackSamplerTest, AStackThatWasBegunInAnEarlierRecordingIsThrownAway) {
  sampler_.OnCall(EdgeId{7}, [&](std::span<RawFrame>) -> Walked {
    sampler_.End();
    sampler_.Begin();
    return {.count = 1};
  });
  EXPECT_THAT(TakenFrameCounts(), IsEmpty());
  Signal(3);
  EXPECT_THAT(TakenFrameCounts(), ElementsAre(3));
}

TEST_F(StackSamplerTest, APlaceThatHadNoStackIsUsedAgain) {
  for (size_t i = 0; i < 3 * StackBuffer::kPlaces; ++i) Signal(0);
  Signal(2);
  EXPECT_THAT(TakenFrameCounts(), ElementsAre(2));
}

TEST_F(StackSamplerTest, AFullBufferLosesStacksAndSaysSo) {
  for (size_t i = 0; i < StackBuffer::kPlaces + 5; ++i) Signal(1);
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("stack_buffer_full", 5)));
  EXPECT_EQ(TakenFrameCounts().size(), StackBuffer::kPlaces);
  Signal(1);
  EXPECT_EQ(TakenFrameCounts().size(), 1u);
}

TEST_F(StackSamplerTest, WhoFillsHalfOfTheBufferIsToldOnce) {
  size_t told = 0;
  for (size_t i = 0; i < StackBuffer::kPlaces - 1; ++i) {
    answers = {1};
    if (sampler_.OnCall()) {
      ++told;
      EXPECT_EQ(i + 1, StackBuffer::kPlaces / 2);
    }
  }
  EXPECT_EQ(told, 1u);
}

TEST_F(StackSamplerTest, ASignalThatComesTooLateIsNobodys) {
  sampler_.End();
  Signal(3);
  EXPECT_THAT(TakenFrameCounts(), IsEmpty());
  EXPECT_THAT(drops_.Totals(), IsEmpty());
  EXPECT_EQ(signals_after, 0) << "no further one is asked for";
}

}  // namespace
}  // namespace yp::hotspot
