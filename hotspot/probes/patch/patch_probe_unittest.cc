#include "hotspot/probes/patch/patch_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/time_test_util.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/vmstructs/code_heap_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using Jdk = FakeCodeCache::Jdk;

class FakeClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns; }
  int64_t ThreadCpuNs() override { return cpu_ns += walk_ns; }
  int64_t ProcessCpuNs() override { return cpu_ns; }
  std::atomic<int64_t> now_ns = 1;
  int64_t cpu_ns = 0;
  int64_t walk_ns = 1000;  // What each walk takes.
};

// Calls that came to the handler, and where they return to.
struct Sample : EntryCall {
  uintptr_t return_pc;
};
std::vector<Sample> samples;
std::atomic<int64_t> slow_paths{0};
std::set<int32_t> unwanted;  // By compile id.
std::vector<int32_t> described;
bool keep_samples = true;  // Of one thread.
int64_t next_countdown = 1;

class Handler final : public EntryHandler {
 public:
  bool OnEntry(const EntryCall& call) override {
    if (keep_samples) samples.push_back({call, *call.return_address});
    slow_paths.fetch_add(1, std::memory_order_relaxed);
    EntryCountdown().store(next_countdown, std::memory_order_relaxed);
    return !unwanted.contains(call.compile_id);
  }
  void OnCountedEntry(const EntryCall& call) override { described.push_back(call.compile_id); }
} handler;

// Methods as compilers make them, in a code cache in memory where they run. Each takes a number and
// returns it and its own compile id added up.
class PatchProbeTest : public ::testing::TestWithParam<Jdk> {
 protected:
  enum class Begin { kBang, kSub, kUnknown };

  PatchProbeTest() {
    code_cache_.emplace(*vm_->Create());
    probe_ = NewProbe(vm_->feature_version());
    samples.clear();
    unwanted.clear();
    described.clear();
    keep_samples = true;
    next_countdown = 1;
  }
  ~PatchProbeTest() override { EntryCountdown().store(0); }

  std::unique_ptr<PatchProbe> NewProbe(int jdk) {
    return std::make_unique<PatchProbe>(*code_cache_, jdk, clock_, handler, [this](int64_t calls) {
      calls_left_set_ = calls;
      EntryCountdown().store(calls);
      const std::lock_guard lock(threads_mutex_);
      for (std::atomic<int64_t>* countdown : threads_) countdown->store(calls);
    });
  }

  // The blob of a new compilation, at that segment if one is given.
  uintptr_t Compile(int32_t id, Begin begin = Begin::kBang, std::optional<size_t> segment = {}) {
    const size_t at = segment ? *segment : std::exchange(next_segment_, next_segment_ + kSegments);
    const uintptr_t blob = vm_->Add(0, at, kSegments, "nmethod", id, 4);
    std::vector<uint8_t> code;
    if (begin == Begin::kBang) code = {0x89, 0x84, 0x24, 0x00, 0xf0, 0xff, 0xff};
    if (begin == Begin::kUnknown) code = {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00};  // nop
    const auto append = [&](std::initializer_list<uint8_t> bytes) {
      code.insert(code.end(), bytes);
    };
    append({0x48, 0x81, 0xec, 0x08, 0x00, 0x00, 0x00});  // sub rsp, 8
    append({0x48, 0x8d, 0x87});                          // lea rax, [rdi + id]
    for (int shift = 0; shift < 32; shift += 8) code.push_back(static_cast<uint8_t>(id >> shift));
    append({0x48, 0x83, 0xc4, 0x08, 0xc3});  // add rsp, 8; ret
    std::memcpy(reinterpret_cast<void*>(EntryOf(blob)), code.data(), code.size());
    return blob;
  }
  static uintptr_t EntryOf(uintptr_t blob) {
    return blob + FakeCodeCache::kCodeOffset + FakeCodeCache::kVerifiedEntry;
  }
  static int64_t Call(uintptr_t blob, int64_t number = 1'000'000) {
    return reinterpret_cast<int64_t (*)(int64_t)>(EntryOf(blob))(number);
  }
  static bool IsPatched(uintptr_t blob) {
    return *reinterpret_cast<const uint8_t*>(EntryOf(blob)) == 0xe9;
  }
  std::vector<uint8_t> Memory() const {
    const auto* low = reinterpret_cast<const uint8_t*>(vm_->low());
    return {low, low + (vm_->high() - vm_->low())};
  }
  std::string Maps(const char* access) const {
    char line[100];
    std::snprintf(line, sizeof(line), "%lx-%lx %sp 00000000 00:00 0\n", vm_->low(), vm_->high(),
                  access);
    return line;
  }
  void Install(PatchProbe& probe) {
    const Status status = probe.Install(nullptr);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  // Behind the time until which no walk is made.
  void PassTime() { clock_.now_ns += 3000 * kMs; }

  static constexpr size_t kSegments = 4;
  const std::unique_ptr<FakeCodeCache> vm_ = std::make_unique<FakeCodeCache>(GetParam());
  size_t next_segment_ = 0;
  std::optional<CodeCache> code_cache_;
  FakeClock clock_;
  int64_t calls_left_set_ = -1;
  std::mutex threads_mutex_;
  std::vector<std::atomic<int64_t>*> threads_;
  std::unique_ptr<PatchProbe> probe_;
};

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
  EXPECT_EQ(probe_->statistics().overwritten, 0u);
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
}  // namespace yp::hotspot
