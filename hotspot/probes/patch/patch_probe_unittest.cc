#include "hotspot/probes/patch/patch_probe_for_test.h"

namespace yp::hotspot::patch_probe_test {
namespace {

INSTANTIATE_TEST_SUITE_P(Jdks, PatchProbeTest, ::testing::Values(Jdk::k11, Jdk::k17, Jdk::k25),
                         [](const auto& jdk) { return FakeCodeCache::NameOf(jdk.param); });

// A probe that refuses has written nothing.
class PatchProbeRefusalTest : public PatchProbeTest {
 protected:
  void ExpectRefusal(PatchProbe& probe, const char* reason) {
    const std::vector<uint8_t> before = Memory();
    const Status status = probe.Install(nullptr);
    ASSERT_FALSE(status.ok()) << reason;
    EXPECT_THAT(std::string(status.message()), HasSubstr(reason));
    EXPECT_EQ(Memory(), before);
    EXPECT_EQ(calls_left_set_, -1);
    EXPECT_EQ(probe.statistics().walks, 0u);
  }
};

INSTANTIATE_TEST_SUITE_P(Jdks, PatchProbeRefusalTest,
                         ::testing::Values(Jdk::k11, Jdk::k17, Jdk::k25),
                         [](const auto& jdk) { return FakeCodeCache::NameOf(jdk.param); });

TEST_P(PatchProbeRefusalTest, AJdkThatWasNeverTriedUnlessForced) {
  for (int32_t id = 1; id <= 30; ++id) Compile(id);
  const std::unique_ptr<PatchProbe> probe = NewProbe(21);
  ExpectRefusal(*probe, "JDK 21");
  probe->Force(true);
  Install(*probe);
  probe->Force(false);
  ExpectRefusal(*probe, "JDK 21");
}

TEST_P(PatchProbeRefusalTest, CodeThatCannotBeWritten) {
  Compile(1);
  probe_->SetProcFilesForTest(Maps("r-x"), "");
  ExpectRefusal(*probe_, "r-x");
  probe_->SetProcFilesForTest("1000-2000 rwxp 00000000 00:00 0\n", "");
  ExpectRefusal(*probe_, "not to be found");
  probe_->SetProcFilesForTest(Maps("rwx"), "");
  Install(*probe_);
}

TEST_P(PatchProbeRefusalTest, AShadowStack) {
  Compile(1);
  probe_->SetProcFilesForTest("", "Name:\tjava\nx86_Thread_features:\tshstk\n");
  ExpectRefusal(*probe_, "shadow stack");
}

TEST_P(PatchProbeRefusalTest, MostEntriesThatDoNotBeginAsKnown) {
  for (int32_t id = 1; id <= 14; ++id) Compile(id);
  for (int32_t id = 15; id <= 20; ++id) Compile(id, Begin::kUnknown);
  const std::unique_ptr<PatchProbe> enough = NewProbe(vm_->feature_version());
  Install(*enough);  // 70 %.
  Compile(21, Begin::kUnknown);
  ExpectRefusal(*probe_, "of 21 compiled methods only 14");
}

TEST_P(PatchProbeRefusalTest, ButFewEntriesAreNotJudged) {
  for (int32_t id = 1; id <= 19; ++id) Compile(id, Begin::kUnknown);
  // Nor are those that calls do not enter.
  for (int32_t id = 30; id <= 60; ++id) {
    vm_->SetCompilation(Compile(id, Begin::kUnknown), 4, id % 2 == 0 ? 17 : -1,
                        id % 2 == 0 ? 0 : 1);
  }
  Install(*probe_);
}

TEST_P(PatchProbeRefusalTest, NoCodeCacheYet) {
  const uintptr_t none = 0;
  vm_->tables.RemoveField("CodeCache", "_low_bound");
  vm_->tables.RemoveField("CodeCache", "_high_bound");
  vm_->tables.AddStatic("CodeCache", "_low_bound", &none);
  vm_->tables.AddStatic("CodeCache", "_high_bound", &none);
  code_cache_.emplace(*vm_->Create());
  ExpectRefusal(*probe_, "no code cache yet");
}

TEST_P(PatchProbeTest, ArmPatchesWhatCallsEnterAndDisarmRestoresItByteForByte) {
  const uintptr_t bang = Compile(1);
  const uintptr_t sub = Compile(2, Begin::kSub);
  const uintptr_t unknown = Compile(3, Begin::kUnknown);
  const uintptr_t osr = Compile(4);
  vm_->SetCompilation(osr, 4, 12, 0);
  const uintptr_t made_not_entrant = Compile(5);
  vm_->SetCompilation(made_not_entrant, 4, -1, 1);
  const uintptr_t being_made = Compile(6);
  vm_->SetCompilation(being_made, 4, -1, -1);
  const uintptr_t level3 = Compile(7);
  vm_->SetCompilation(level3, 3, -1, 0);
  const std::vector<uint8_t> before = Memory();
  Install(*probe_);
  EXPECT_EQ(Memory(), before) << "nothing is patched before a tick";
  EXPECT_STREQ(probe_->name(), "patch");
  for (uint32_t tick = 1; tick <= 3; ++tick) {
    probe_->Arm(tick, Arming::Countdown::kBegins);
    EXPECT_EQ(calls_left_set_, 0);
    EXPECT_TRUE(IsPatched(bang));
    EXPECT_TRUE(IsPatched(sub));
    EXPECT_TRUE(IsPatched(level3));
    for (const uintptr_t blob : {unknown, osr, made_not_entrant, being_made})
      EXPECT_FALSE(IsPatched(blob));
    samples.clear();
    for (const uintptr_t blob : {bang, sub, level3, unknown}) Call(blob);
    ASSERT_EQ(samples.size(), 3u);
    EXPECT_EQ(samples[1].callee_pc, EntryOf(sub));
    EXPECT_EQ(samples[1].compile_id, 2);
    probe_->Disarm();
    EXPECT_EQ(Memory(), before);
    for (const uintptr_t blob : {bang, sub, level3, unknown}) Call(blob);
    EXPECT_EQ(samples.size(), 3u);
    probe_->Disarm();
    EXPECT_EQ(Memory(), before);
  }
  EXPECT_EQ(probe_->statistics().patched, 3u);
  EXPECT_EQ(probe_->statistics().refused, 1u);
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
  EXPECT_THAT(probe_->Facts(),
              ElementsAre(Pair("entries.patched", "3"), Pair("entries.refused", "1")));
}

TEST_P(PatchProbeTest, CallsAreCountedDownAndReturnWhatTheyDid) {
  const uintptr_t bang = Compile(1);
  const uintptr_t sub = Compile(70'000, Begin::kSub);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  next_countdown = 10;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(Call(bang, i), i + 1);
    ASSERT_EQ(Call(sub, -i), 70'000 - i);
  }
  ASSERT_EQ(samples.size(), 10u) << "the first, and each tenth";
  // Where it returns to: in this test's own code.
  const auto here = reinterpret_cast<uintptr_t>(&PatchProbeTest::Call);
  for (const Sample& call : samples) {
    EXPECT_LT(std::max(call.return_pc, here) - std::min(call.return_pc, here), 1u << 22);
  }
}

TEST_P(PatchProbeTest, RemoveRestoresAndAnotherRecordingBeginsAsNew) {
  const uintptr_t blob = Compile(1);
  const std::vector<uint8_t> before = Memory();
  for (int recording = 0; recording < 3; ++recording) {
    Install(*probe_);
    probe_->Arm(1, Arming::Countdown::kBegins);
    EXPECT_TRUE(IsPatched(blob));
    probe_->Remove(nullptr);
    EXPECT_EQ(Memory(), before);
  }
  EXPECT_EQ(probe_->statistics().patched, 1u) << "its trampoline is kept";
}

TEST_P(PatchProbeTest, WhatTheVmWritesMeanwhileStays) {
  const uintptr_t blob = Compile(1);
  const uintptr_t other = Compile(2);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  // HotSpot's own jump, as when the compilation is made not entrant.
  const EntryWord vms_own = 0x5504030201e9;
  *reinterpret_cast<EntryWord*>(EntryOf(blob)) = vms_own;
  const std::vector<uint8_t> before = Memory();
  probe_->Disarm();
  EXPECT_EQ(ReadEntry(EntryOf(blob)), vms_own);
  EXPECT_FALSE(IsPatched(other));
  EXPECT_EQ(probe_->statistics().overwritten, 1u);
  // Nor is it patched again, whether or not a walk has seen what it is now.
  for (int i = 0; i < 2; ++i) {
    probe_->Arm(2, Arming::Countdown::kBegins);
    EXPECT_EQ(ReadEntry(EntryOf(blob)), vms_own);
    EXPECT_TRUE(IsPatched(other));
    probe_->Disarm();
    PassTime();
  }
  EXPECT_EQ(probe_->statistics().overwritten, 1u);
}

TEST_P(PatchProbeTest, WhatIsPreparedIsPatchedByTheTickOnly) {
  const uintptr_t entry = Compile(1);
  Install(*probe_);
  probe_->Prepare();
  EXPECT_EQ(probe_->statistics().walks, 1u);
  EXPECT_FALSE(IsPatched(entry));
  probe_->Arm(1, Arming::Countdown::kBegins);
  EXPECT_TRUE(IsPatched(entry));
  EXPECT_EQ(probe_->statistics().walks, 1u) << "the tick has not to look around";
  clock_.now_ns += 10'000 * kMs;
  probe_->Prepare();
  EXPECT_EQ(probe_->statistics().walks, 1u) << "in a tick, that is Maintain's to do";
}

TEST_P(PatchProbeTest, WhatIsNewIsFoundBeforeEachTickAndInIt) {
  Compile(1);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  const uintptr_t second = Compile(2);
  EXPECT_FALSE(IsPatched(second));
  probe_->Maintain();
  EXPECT_TRUE(IsPatched(second)) << "within a tick";
  probe_->Disarm();
  const uintptr_t third = Compile(3);
  probe_->Maintain();
  probe_->Prepare();
  EXPECT_FALSE(IsPatched(third)) << "between ticks nothing is patched";
  probe_->Arm(2, Arming::Countdown::kBegins);
  EXPECT_TRUE(IsPatched(second));
  EXPECT_TRUE(IsPatched(third));
  EXPECT_EQ(probe_->statistics().walks, 1u);
}

TEST_P(PatchProbeTest, ACompilationIsFoundWhenItIsMadeAfterItsBlockWasTaken) {
  Compile(1);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  const uintptr_t second = Compile(2);
  vm_->SetCompilation(second, 4, -1, -1);
  probe_->Maintain();
  EXPECT_FALSE(IsPatched(second));
  vm_->SetCompilation(second, 4, -1, 0);
  probe_->Maintain();
  EXPECT_TRUE(IsPatched(second));
}

TEST_P(PatchProbeTest, AnotherCompilationInTheSamePlaceIsFoundByTheNextTick) {
  const size_t segment = next_segment_;
  Compile(1);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  probe_->Disarm();
  const uintptr_t second = Compile(2, Begin::kBang, segment);
  for (uint32_t tick = 2; tick <= 3; ++tick) {
    probe_->Arm(tick, Arming::Countdown::kBegins);
    probe_->Maintain();
    EXPECT_TRUE(IsPatched(second));
    samples.clear();
    Call(second);
    ASSERT_EQ(samples.size(), 1u);
    EXPECT_EQ(samples[0].compile_id, 2);
    probe_->Disarm();
  }
}

// Where the map of blocks is as it was, and no compilation was known there.
TEST_P(PatchProbeTest, NowAndThenAllIsLookedAt) {
  clock_.walk_ns = kMs;  // 1 / 5,000 of the time: a walk in five seconds.
  const uintptr_t made_not_entrant = Compile(1);
  vm_->SetCompilation(made_not_entrant, 4, -1, 1);
  Install(*probe_);
  for (uint32_t tick = 1; tick <= 10; ++tick) {
    probe_->Arm(tick, Arming::Countdown::kBegins);
    probe_->Disarm();
  }
  vm_->SetCompilation(made_not_entrant, 4, -1, 0);
  probe_->Arm(11, Arming::Countdown::kBegins);
  EXPECT_EQ(probe_->statistics().walks, 1u);
  EXPECT_FALSE(IsPatched(made_not_entrant));
  clock_.now_ns += 4999 * kMs;
  probe_->Maintain();
  EXPECT_FALSE(IsPatched(made_not_entrant));
  clock_.now_ns += kMs;
  probe_->Maintain();
  EXPECT_TRUE(IsPatched(made_not_entrant));
  EXPECT_EQ(probe_->statistics().walks, 2u);
}

TEST_P(PatchProbeTest, AnUnwantedCalleeIsRestoredUntilTheNextInstall) {
  const uintptr_t wanted = Compile(1);
  const uintptr_t blob = Compile(2);
  const EntryWord original = ReadEntry(EntryOf(blob));
  unwanted = {2};
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  ASSERT_TRUE(IsPatched(blob));
  EXPECT_EQ(Call(blob, 5), 7);
  EXPECT_EQ(ReadEntry(EntryOf(blob)), original) << "at once";
  EXPECT_EQ(Call(blob, 5), 7);
  EXPECT_EQ(samples.size(), 1u);
  for (uint32_t tick = 2; tick < 5; ++tick) {
    PassTime();
    probe_->Maintain();
    EXPECT_EQ(ReadEntry(EntryOf(blob)), original);
    EXPECT_TRUE(IsPatched(wanted));
    probe_->Disarm();
    EXPECT_FALSE(IsPatched(wanted));
    probe_->Arm(tick, Arming::Countdown::kBegins);
    EXPECT_EQ(ReadEntry(EntryOf(blob)), original);
  }
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
  probe_->Remove(nullptr);
  unwanted.clear();
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  EXPECT_TRUE(IsPatched(blob));
  samples.clear();
  Call(blob);
  EXPECT_EQ(samples.size(), 1u);
  probe_->Disarm();
  EXPECT_EQ(ReadEntry(EntryOf(blob)), original);
}

TEST_P(PatchProbeTest, OnlyOptimizedTakesTheLastLevelsOnly) {
  std::vector<uintptr_t> blobs;
  for (int8_t level = 0; level <= 4; ++level) {
    blobs.push_back(Compile(level + 1));
    vm_->SetCompilation(blobs.back(), level, -1, 0);
  }
  const auto patched_levels = [&] {
    std::vector<int> levels;
    for (int level = 0; level <= 4; ++level) {
      if (IsPatched(blobs[static_cast<size_t>(level)])) levels.push_back(level);
    }
    return levels;
  };
  probe_->OnlyOptimized(true);
  for (const bool only : {true, false, true}) {
    probe_->OnlyOptimized(only);
    Install(*probe_);
    probe_->Arm(1, Arming::Countdown::kBegins);
    if (only) {
      EXPECT_THAT(patched_levels(), ElementsAre(1, 4));
    } else {
      EXPECT_THAT(patched_levels(), ElementsAre(0, 1, 2, 3, 4));
    }
    probe_->Remove(nullptr);
    EXPECT_THAT(patched_levels(), IsEmpty());
  }
}

TEST_P(PatchProbeTest, APlaceThatIsReusedGetsAnotherTrampoline) {
  constexpr size_t kSegment = 500;
  const uintptr_t blob = Compile(1, Begin::kBang, kSegment);
  Install(*probe_);
  probe_->Arm(1, Arming::Countdown::kBegins);
  Call(blob);
  const EntryWord first_jump = ReadEntry(EntryOf(blob));
  // Freed with our jump in place, and other code comes there.
  vm_->Free(blob);
  const uintptr_t next = Compile(2, Begin::kBang, kSegment);
  ASSERT_EQ(next, blob);
  const std::vector<uint8_t> before = Memory();
  probe_->Disarm();
  EXPECT_EQ(Memory(), before);
  PassTime();
  probe_->Arm(2, Arming::Countdown::kBegins);
  EXPECT_TRUE(IsPatched(next));
  EXPECT_NE(ReadEntry(EntryOf(next)), first_jump);
  EXPECT_EQ(Call(next, 7), 9);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].compile_id, 1);
  EXPECT_EQ(samples[1].compile_id, 2);
  EXPECT_NE(samples[0].number, samples[1].number);
  EXPECT_EQ(probe_->statistics().patched, 2u);
  EXPECT_EQ(probe_->compilations(), 2u) << "those that are gone included";
  probe_->Disarm();
  EXPECT_EQ(Memory(), before);
}

TEST_P(PatchProbeTest, SeldomSampledMethodsCountDownMoreStepsAndFewerWhenTheyAreOftenSampled) {
  const uintptr_t seldom = Compile(1), often = Compile(2);
  probe_->CountBySteps(64);
  Install(*probe_);
  const std::vector<uint8_t> before = Memory();
  next_countdown = int64_t{1} << 40;  // None is sampled but where a test says so.
  const auto steps_of = [&](uintptr_t blob) {
    EntryCountdown().store(1000);
    Call(blob);
    return 1000 - EntryCountdown().load();
  };
  const auto sample = [&](uintptr_t blob) {
    EntryCountdown().store(1);
    Call(blob);
    return samples.back().steps;
  };
  uint32_t tick = 0;
  const auto ticks = [&](uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      probe_->Arm(++tick, Arming::Countdown::kGoesOn);
      for (int k = 0; k < 2; ++k) sample(often);
      probe_->Disarm();
      ASSERT_EQ(Memory(), before);
    }
  };
  ticks(PatchProbe::kTicksToChoose + 4);  // By then both have had their first turn.
  probe_->Arm(++tick, Arming::Countdown::kGoesOn);
  EXPECT_EQ(steps_of(seldom), 8);
  EXPECT_EQ(steps_of(often), 1);
  EXPECT_EQ(sample(seldom), 8u);
  EXPECT_EQ(samples.back().callee_pc, EntryOf(seldom));
  EXPECT_EQ(samples.back().compile_id, 1);
  probe_->Disarm();
  ticks(4 * PatchProbe::kTicksToChoose);
  probe_->Arm(++tick, Arming::Countdown::kGoesOn);
  EXPECT_EQ(steps_of(seldom), 64) << "no more than that";
  for (uint32_t i = 0; i < PatchProbe::kMostSamplesInTick; ++i) EXPECT_EQ(sample(seldom), 64u);
  EXPECT_EQ(sample(seldom), 1u) << "for the rest of the tick";
  EXPECT_EQ(steps_of(seldom), 1);
  probe_->Disarm();
  EXPECT_EQ(Memory(), before);
  probe_->Arm(++tick, Arming::Countdown::kGoesOn);
  EXPECT_EQ(steps_of(seldom), 8);
  probe_->Disarm();
  EXPECT_EQ(probe_->statistics().patched, 2u) << "compilations, not trampolines";
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
  // Another recording knows nothing of this one.
  probe_->Remove(nullptr);
  probe_->CountBySteps(1);
  Install(*probe_);
  ticks(3 * PatchProbe::kTicksToChoose);
  probe_->Arm(++tick, Arming::Countdown::kGoesOn);
  EXPECT_EQ(steps_of(seldom), 1);
  probe_->Disarm();
}

TEST_P(PatchProbeTest, WhatTheVmWritesOverACallOfManyStepsStays) {
  const uintptr_t blob = Compile(1);
  probe_->CountBySteps(8);
  Install(*probe_);
  for (uint32_t tick = 1; tick <= 2 * PatchProbe::kTicksToChoose; ++tick) {
    probe_->Arm(tick, Arming::Countdown::kGoesOn);
    probe_->Disarm();
  }
  probe_->Arm(100, Arming::Countdown::kGoesOn);
  const EntryWord vms_own = 0x5504030201e9;
  *reinterpret_cast<EntryWord*>(EntryOf(blob)) = vms_own;
  probe_->Disarm();
  EXPECT_EQ(ReadEntry(EntryOf(blob)), vms_own);
  EXPECT_EQ(probe_->statistics().overwritten, 1u);
}

TEST_P(PatchProbeTest, ThreadsGetRightResultsWhileTicksComeAndGo) {
  constexpr int kMethods = 40;
  constexpr int kThreads = 2;
  constexpr int kTicks = 400;
  std::vector<uintptr_t> blobs;
  for (int32_t id = 1; id <= kMethods; ++id) {
    blobs.push_back(Compile(id, id % 2 == 0 ? Begin::kBang : Begin::kSub));
  }
  unwanted = {3, 4, 5};
  keep_samples = false;
  next_countdown = 13;
  const std::vector<uint8_t> before = Memory();
  probe_->CountBySteps(64);
  Install(*probe_);
  std::atomic<bool> stop{false};
  std::atomic<int64_t> wrong{0};
  std::atomic<int64_t> calls{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      {
        const std::lock_guard lock(threads_mutex_);
        threads_.push_back(&EntryCountdown());
      }
      for (int64_t i = t; !stop.load(std::memory_order_relaxed); ++i) {
        const auto method = static_cast<size_t>(i % kMethods);
        if (Call(blobs[method], i) != i + static_cast<int64_t>(method) + 1) wrong.fetch_add(1);
        calls.fetch_add(1, std::memory_order_relaxed);
      }
      const std::lock_guard lock(threads_mutex_);
      std::erase(threads_, &EntryCountdown());
    });
  }
  const int64_t slow_before = slow_paths.load();
  for (int tick = 1; tick <= kTicks; ++tick) {
    probe_->Arm(static_cast<uint32_t>(tick), Arming::Countdown::kBegins);
    // Each tick has calls, but for each tenth, which ends at once.
    const int64_t begin = calls.load();
    while (tick % 10 != 0 && calls.load() < begin + 10) std::this_thread::yield();
    if (tick % 7 == 0) {
      PassTime();
      probe_->Maintain();
    }
    if (tick % 100 == 0) {
      probe_->Remove(nullptr);
      Install(*probe_);
    }
    probe_->Disarm();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_GT(slow_paths.load() - slow_before, kTicks / 2);
  EXPECT_EQ(Memory(), before);
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
  EXPECT_EQ(probe_->statistics().patched, static_cast<uint64_t>(kMethods));
}

}  // namespace
}  // namespace yp::hotspot::patch_probe_test
