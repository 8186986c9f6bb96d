#include "hotspot/probes/patch/patch_probe_for_test.h"

namespace yp::hotspot::patch_probe_test {
namespace {

class CountedBetweenTicksTest : public PatchProbeTest {
 protected:
  // A method that loops: it was compiled for on-stack replacement as well.
  uintptr_t CompileLooping(int32_t id) {
    const uintptr_t blob = Compile(id);
    const uintptr_t osr = Compile(id + 1000);
    vm_->SetCompilation(osr, 3, 12, 0);
    for (const uintptr_t each : {blob, osr}) vm_->SetMethod(each, &methods_[id]);
    return blob;
  }
  void Begin() {
    probe_->CountBetweenTicks(true);
    Install(*probe_);
    Tick();
  }
  void Tick() {
    clock_.now_ns += 100 * kMs;
    probe_->Arm(++ticks_, Arming::Countdown::kGoesOn);
    clock_.now_ns += 8 * kMs;
    probe_->Disarm();
  }
  // Calls by compile id, of those that were counted in all gaps.
  std::map<int32_t, uint64_t> Counted() {
    std::map<int32_t, uint64_t> calls;
    told_ = probe_->TakeCountedEntries();
    for (const CountedEntries::Count& count : told_.counts) {
      if (count.first_gap == 0 && count.end_gap == told_.gaps.size() && count.part_ns == 0) {
        calls[count.compile_id] = count.calls;
      }
    }
    return calls;
  }

  std::map<int32_t, int> methods_;
  uint32_t ticks_ = 0;
  CountedEntries told_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, CountedBetweenTicksTest,
                         ::testing::Values(Jdk::k11, Jdk::k17, Jdk::k25),
                         [](const auto& jdk) { return FakeCodeCache::NameOf(jdk.param); });

TEST_P(CountedBetweenTicksTest, ThoseOfMethodsThatLoopAreAndNoOthers) {
  const uintptr_t looping = CompileLooping(1), other = Compile(2), profiled = CompileLooping(3);
  vm_->SetCompilation(profiled, 3, -1, 0);
  vm_->SetMethod(other, &methods_[2]);
  const std::vector<uint8_t> before = Memory();
  Begin();
  EXPECT_TRUE(IsPatched(looping));
  EXPECT_FALSE(IsPatched(other));
  EXPECT_FALSE(IsPatched(profiled)) << "the VM counts it";
  for (int i = 0; i < 500; ++i) ASSERT_EQ(Call(looping, i), i + 1);
  Tick();
  for (int i = 0; i < 20; ++i) Call(looping);
  EXPECT_THAT(Counted(), ElementsAre(Pair(1, 520)));
  ASSERT_EQ(told_.gaps.size(), 2u);
  EXPECT_EQ(told_.gaps[1].begin_ns - told_.gaps[0].begin_ns, 108 * kMs);
  EXPECT_EQ(told_.gaps[0].end_ns - told_.gaps[0].begin_ns, 100 * kMs);
  EXPECT_TRUE(samples.empty());
  EXPECT_GT(probe_->counted_entries_ns(), 0);
  // The gap goes on.
  for (int i = 0; i < 7; ++i) Call(looping);
  Tick();
  EXPECT_THAT(Counted(), ElementsAre(Pair(1, 7)));
  // What is counted in the last gap is told after the probe was taken out.
  for (int i = 0; i < 3; ++i) Call(looping);
  clock_.now_ns += 50 * kMs;
  probe_->Remove(nullptr);
  EXPECT_EQ(Memory(), before);
  Call(looping);
  EXPECT_THAT(Counted(), ElementsAre(Pair(1, 3)));
  ASSERT_EQ(told_.gaps.size(), 1u);
  EXPECT_EQ(told_.gaps[0].end_ns - told_.gaps[0].begin_ns, 50 * kMs);
  EXPECT_EQ(Call(looping, 5), 6);
}

TEST_P(CountedBetweenTicksTest, NoneWhereItIsNotAskedFor) {
  const uintptr_t looping = CompileLooping(1);
  const std::vector<uint8_t> before = Memory();
  Install(*probe_);
  Tick();
  EXPECT_EQ(Memory(), before);
  Call(looping);
  Tick();
  EXPECT_THAT(Counted(), IsEmpty());
  EXPECT_THAT(told_.gaps, IsEmpty());
}

TEST_P(CountedBetweenTicksTest, ATickSamplesThemAsEver) {
  const uintptr_t looping = CompileLooping(1);
  Begin();
  Call(looping);
  probe_->Arm(++ticks_, Arming::Countdown::kBegins);
  samples.clear();
  for (int i = 0; i < 5; ++i) Call(looping);
  EXPECT_EQ(samples.size(), 5u);
  probe_->Disarm();
  Call(looping);
  EXPECT_EQ(samples.size(), 5u);
  Tick();
  EXPECT_THAT(Counted(), ElementsAre(Pair(1, 2))) << "those between ticks";
}

TEST_P(CountedBetweenTicksTest, OneThatIsOftenCalledIsLeftToTheTicks) {
  const uintptr_t looping = CompileLooping(1);
  const EntryWord original = ReadEntry(EntryOf(looping));
  Begin();
  int64_t calls = 0;
  for (; ReadEntry(EntryOf(looping)) != original; ++calls) {
    ASSERT_LT(calls, 1'000'000);
    Call(looping);
  }
  EXPECT_GT(calls, EntryCounters::kFirstCalls);
  clock_.now_ns += kMs;
  for (int i = 0; i < 1000; ++i) Call(looping);
  Tick();
  EXPECT_EQ(ReadEntry(EntryOf(looping)), original);
  EXPECT_THAT(Counted(), IsEmpty());
  ASSERT_EQ(told_.counts.size(), 1u) << "what was counted until then";
  EXPECT_EQ(told_.counts[0].calls, static_cast<uint64_t>(calls));
  EXPECT_EQ(told_.counts[0].first_gap, told_.counts[0].end_gap);
  EXPECT_LT(told_.counts[0].part_ns, kMs);
  ASSERT_EQ(told_.uses.size(), 1u) << "it is still in use";
  EXPECT_EQ(told_.uses[0].compile_id, 1);
  EXPECT_EQ(told_.uses[0].end_gap, 2u);
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
}

TEST_P(CountedBetweenTicksTest, OneThatIsNotEntrantAnyMoreIsNoLongerInUse) {
  const uintptr_t looping = CompileLooping(1);
  const EntryWord original = ReadEntry(EntryOf(looping));
  Begin();
  while (ReadEntry(EntryOf(looping)) != original) Call(looping);
  Tick();
  *reinterpret_cast<EntryWord*>(EntryOf(looping)) = 0x5504030201e9;
  Tick();
  Counted();
  ASSERT_EQ(told_.gaps.size(), 3u);
  ASSERT_EQ(told_.uses.size(), 1u);
  EXPECT_EQ(told_.uses[0].end_gap, 2u);
}

TEST_P(CountedBetweenTicksTest, OneThatWasNeverSampledIsDescribedOnce) {
  const uintptr_t first = CompileLooping(1), second = CompileLooping(2);
  Begin();
  for (int gap = 0; gap < 4; ++gap) {
    for (int i = 0; i < 10; ++i) Call(first);
    Tick();
  }
  EXPECT_THAT(described, ElementsAre(1)) << "from a call on, after the gap with its first";
  for (int gap = 0; gap < 2; ++gap) {
    Call(second);
    Tick();
  }
  EXPECT_THAT(described, ElementsAre(1, 2));
  EXPECT_THAT(Counted(), ElementsAre(Pair(1, 40), Pair(2, 2)));
  EXPECT_TRUE(samples.empty());
  // Nor are all of them in one gap.
  std::vector<uintptr_t> many;
  for (int32_t id = 10; id < 20; ++id) many.push_back(CompileLooping(id));
  Tick();
  for (int gap = 0; gap < 2; ++gap) {
    described.clear();
    for (const uintptr_t each : many) Call(each);
    Tick();
  }
  EXPECT_EQ(described.size(), PatchProbe::kMostDescribed);
}

TEST_P(CountedBetweenTicksTest, WhatTheVmWritesMeanwhileStays) {
  const uintptr_t made_not_entrant = CompileLooping(1), reused = CompileLooping(2);
  Begin();
  for (int i = 0; i < 3; ++i) Call(reused);
  const EntryWord vms_own = 0x5504030201e9;
  *reinterpret_cast<EntryWord*>(EntryOf(made_not_entrant)) = vms_own;
  vm_->Free(reused);
  const std::vector<uint8_t> before = Memory();
  Tick();
  EXPECT_EQ(ReadEntry(EntryOf(made_not_entrant)), vms_own);
  probe_->Remove(nullptr);
  EXPECT_EQ(ReadEntry(EntryOf(made_not_entrant)), vms_own);
  Install(*probe_);
  Tick();
  EXPECT_EQ(ReadEntry(EntryOf(made_not_entrant)), vms_own);
}

// Whatever is lost by counting without a lock.
TEST_P(CountedBetweenTicksTest, ThreadsCountWhileTicksComeAndGo) {
  const uintptr_t looping = CompileLooping(1);
  const std::vector<uint8_t> before = Memory();
  keep_samples = false;
  next_countdown = 1'000'000;
  Begin();
  std::atomic<bool> is_done = false;
  std::atomic<int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int64_t n = 0; !is_done.load(std::memory_order_relaxed); ++n) {
        if (Call(looping, n) != n + 1) wrong.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    Tick();
    if (i % 10 == 0) probe_->TakeCountedEntries();
  }
  is_done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  probe_->Remove(nullptr);
  EXPECT_EQ(Memory(), before);
}

}  // namespace
}  // namespace yp::hotspot::patch_probe_test
