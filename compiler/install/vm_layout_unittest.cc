#include "compiler/install/vm_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/install/test_store_for_test.h"

namespace yp::compiler {
namespace {

using testing::HasSubstr;

VmStore Jdk17() { return ReadTestStore("testdata/jdk17.txt"); }
VmStore Jdk25() { return ReadTestStore("testdata/jdk25.txt"); }

TEST(VmLayout, UnderstandsJdk17) {
  const auto vm = VmLayout::From(Jdk17());
  ASSERT_TRUE(vm) << vm.message();
  EXPECT_EQ(vm->collector, Collector::kG1);
  EXPECT_EQ(vm->shadow_zone_bytes, 20 * 4096);
  EXPECT_EQ(vm->array_length, 12);
  EXPECT_FALSE(vm->entry_guard);
  EXPECT_FALSE(vm->inline_cache_klass);
  EXPECT_FALSE(vm->post_call_nops);
  EXPECT_FALSE(vm->finalizer_flags_are_bytes);
  EXPECT_EQ(vm->MarkOf(Mark::kEntryBarrier), -1);
  EXPECT_EQ(vm->boolean_array_bit, 1 << 10);
}

TEST(VmLayout, UnderstandsJdk25WhichHasBarriersAtEntries) {
  const auto vm = VmLayout::From(Jdk25());
  ASSERT_TRUE(vm) << vm.message();
  EXPECT_TRUE(vm->entry_guard);
  EXPECT_TRUE(vm->inline_cache_klass);
  EXPECT_TRUE(vm->post_call_nops);
  EXPECT_TRUE(vm->finalizer_flags_are_bytes);
  EXPECT_GE(vm->MarkOf(Mark::kEntryBarrier), 0);
}

TEST(VmLayout, KnowsWhichLeafFunctionsThereAre) {
  const auto old = VmLayout::From(Jdk17()), recent = VmLayout::From(Jdk25());
  EXPECT_NE(old->LeafAddress(Leaf::kNanoTime), 0u);
  EXPECT_EQ(old->LeafAddress(Leaf::kTanh), 0u);
  for (const uint64_t address : recent->leaves) EXPECT_NE(address, 0u);
  EXPECT_EQ(recent->LeafAddress(Leaf::kCrc32), recent->LeafAddress(Leaf::kCrc32OfMemory));
}

TEST(VmLayout, ComputesNothingByTheVmWhereTheInterpreterMayNot) {
  VmStore store = Jdk25();
  store.Set("yp:has_all_intrinsics", 0);
  const auto vm = VmLayout::From(store);
  EXPECT_EQ(vm->LeafAddress(Leaf::kPow), 0u);
  EXPECT_NE(vm->LeafAddress(Leaf::kNanoTime), 0u);
}

TEST(VmLayout, NamesWhatAVmDoesNotSay) {
  VmStore store;
  store.Set("flag:UseSerialGC", 1);
  const auto vm = VmLayout::From(store);
  ASSERT_FALSE(vm);
}

TEST(VmLayout, RefusesOtherCollectors) {
  VmStore store = Jdk17();
  store.Set("flag:UseG1GC", 0);
  EXPECT_THAT(std::string(VmLayout::From(store).message()), HasSubstr("collector"));
  store.Set("flag:UseParallelGC", 1);
  EXPECT_EQ(VmLayout::From(store)->collector, Collector::kParallel);
}

TEST(VmLayout, RefusesG1WithTheBarriersOfJdk26) {
  VmStore store = Jdk25();
  store.Set("yp:jdk", 26);
  EXPECT_THAT(std::string(VmLayout::From(store).message()), HasSubstr("G1 of JDK 26"));
  store.Set("flag:UseG1GC", 0);
  store.Set("flag:UseSerialGC", 1);
  EXPECT_EQ(VmLayout::From(store)->collector, Collector::kSerial);
}

TEST(VmLayout, RefusesCompactObjectHeaders) {
  VmStore store = Jdk25();
  store.Set("flag:UseCompactObjectHeaders", 1);
  EXPECT_THAT(std::string(VmLayout::From(store).message()), HasSubstr("compact object headers"));
}

TEST(VmLayout, ABasicLockBeforeEntryIsNeitherRecursiveNorACacheOfAMonitor) {
  EXPECT_EQ(VmLayout::From(Jdk17())->basic_lock_before_entry, 3);
  VmStore store = Jdk25();
  EXPECT_EQ(VmLayout::From(store)->basic_lock_before_entry, 0);
  store.Set("flag:LockingMode", 1);
  EXPECT_EQ(VmLayout::From(store)->basic_lock_before_entry, 3);
}

TEST(VmLayout, KnowsHowMonitorsAreEntered) {
  using Way = VmLayout::Monitors::Way;
  EXPECT_EQ(VmLayout::From(Jdk17())->monitors.way, Way::kStack);
  EXPECT_FALSE(VmLayout::From(Jdk17())->monitors.held_count);
  VmStore store = Jdk25();
  EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kLockStack);
  store.Set("flag:LockingMode", 1);
  EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kStack);
  EXPECT_TRUE(VmLayout::From(store)->monitors.held_count);
  store.Set("flag:LockingMode", 0);
  EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kByVm);
}

TEST(VmLayout, LeavesMonitorsToAVmThatWantsToSeeThemOrSaysTooLittle) {
  using Way = VmLayout::Monitors::Way;
  for (const char* const flag :
       {"DiagnoseSyncOnValueBasedClasses", "UseHeavyMonitors", "UseRTMForStackLocks"}) {
    VmStore store = Jdk17();
    store.Set(std::string("flag:") + flag, 1);
    EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kByVm) << flag;
  }
  VmStore store = Jdk25();
  store.Set("yp:jdk", 23);  // Its lock stack has each object once.
  EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kByVm);
  store = Jdk17();
  store.Set("markWord::monitor_value", 1);
  EXPECT_EQ(VmLayout::From(store)->monitors.way, Way::kByVm);
}

TEST(VmLayout, KnowsMonitorsOfTheVmThatObjectsLeadTo) {
  const auto old = VmLayout::From(Jdk17())->monitors.inflated;
  ASSERT_TRUE(old);
  EXPECT_NE(old->entering[0], old->entering[1]);
  EXPECT_FALSE(old->thread_as_owner);
  VmStore store = Jdk25();
  ASSERT_TRUE(VmLayout::From(store)->monitors.inflated);
  EXPECT_TRUE(VmLayout::From(store)->monitors.inflated->thread_as_owner);
  store.Set("flag:UseObjectMonitorTable", 1);
  EXPECT_FALSE(VmLayout::From(store)->monitors.inflated);
}

TEST(VmLayout, FindsTheFlagOfTheReservedStackWhereTheJdkHasIt) {
  const auto old = VmLayout::From(Jdk17())->reserved_stack;
  ASSERT_TRUE(old);
  EXPECT_FALSE(old->method_const);
  EXPECT_EQ(old->bit, 1 << 6);
  const auto recent = VmLayout::From(Jdk25())->reserved_stack;
  ASSERT_TRUE(recent);
  EXPECT_EQ(recent->method_const, 8);
  EXPECT_EQ(recent->bit, 1 << 15);
}

TEST(VmLayout, KnowsHeadersWithWholeClassPointers) {
  VmStore store = Jdk17();
  store.Set("flag:UseCompressedClassPointers", 0);
  EXPECT_EQ(VmLayout::From(store)->array_length, 16);
}

}  // namespace
}  // namespace yp::compiler
