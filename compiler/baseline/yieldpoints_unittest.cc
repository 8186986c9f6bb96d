#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "compiler/baseline/running_code_for_test.h"
#include "compiler/baseline/yieldpoint_costs.h"

namespace yp::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Bytes = std::vector<uint8_t>;

constexpr auto kBelow = static_cast<uint8_t>(x64::Condition::kBelow);
constexpr auto kLess = static_cast<uint8_t>(x64::Condition::kLess);

// What taken yieldpoints called, in their order.
struct Taken {
  YieldpointRecord* record;
  uint32_t callee;  // Of a tick 0.
  const uint8_t* return_address;
};
std::vector<Taken> taken;
void OnCall(YieldpointRecord* record, uint32_t callee, const uint8_t* return_address) {
  taken.push_back({record, callee, return_address});
}
void OnTick(YieldpointRecord* record) { taken.push_back({record, 0, nullptr}); }

RuntimePlaces WithYieldpoints() {
  taken.clear();
  RuntimePlaces places;
  places.yieldpoints =
      YieldpointTargets{reinterpret_cast<uintptr_t>(&OnCall), reinterpret_cast<uintptr_t>(&OnTick)};
  return places;
}

// Number 1 is a call of a method without arguments, which the VM has resolved.
FakeLinkage LinkageOfACall() {
  FakeLinkage linkage;
  CallLink call;
  call.signature = *Signature::Parse("()V");
  call.resolved = true;
  linkage.calls[1] = call;
  return linkage;
}

// A method that adds the numbers from its argument down: an entry, and a backward jump for each of
// them; it calls nothing, and has no yieldpoint in its epilogue.
Method Sum() {
  Method sum = MethodOf("(I)I", {3, 60, 26, 158, 0, 14, 27, 26, 96, 60, 132, 0, 255, 167, 0xff,
                                 0xf5, 0, 27, kIreturn});
  sum.yieldpoint_id = 4711;
  return sum;
}

class Yieldpoints : public testing::TestWithParam<const char*> {
 protected:
  VmLayout vm_ = Vm(GetParam());
  Running sum_{vm_, Sum(), WithYieldpoints()};
  YieldpointRecord record_;

  void Arm(YieldpointState state, int64_t calls_left) {
    record_.calls_left = calls_left;
    sum_.Set(vm_.yieldpoints->state, state);
    sum_.Set(vm_.yieldpoints->record, &record_);
  }
};
INSTANTIATE_TEST_SUITE_P(Jdks, Yieldpoints,
                         testing::Values("../install/testdata/jdk17.txt",
                                         "../install/testdata/jdk25.txt"));

TEST_P(Yieldpoints, AreNotTakenUnlessTheThreadsWordSaysSo) {
  EXPECT_EQ(sum_.Int(100), 5050);
  EXPECT_THAT(taken, IsEmpty());
}

TEST_P(Yieldpoints, CountCallsDownAndAreTakenAtZero) {
  Arm(YieldpointState::kCalls, 3);
  EXPECT_EQ(sum_.Int(10), 55);
  EXPECT_EQ(sum_.Int(10), 55);
  EXPECT_THAT(taken, IsEmpty());
  EXPECT_EQ(record_.calls_left, 1);
  EXPECT_EQ(sum_.Int(10), 55);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].record, &record_);
  EXPECT_EQ(taken[0].callee, 4711u);
  EXPECT_EQ(taken[0].return_address, sum_.ReturnAddress());
  EXPECT_EQ(sum_.Int(10), 55);
  EXPECT_EQ(taken.size(), 2u) << "below zero each call is taken";
}

// In registers as much as in the frame: the sixth one is in rdi, where Running has the thread.
TEST_P(Yieldpoints, LeaveTheArgumentsAsTheyAre) {
  constexpr uint8_t kLload = 22, kLadd = 97;
  Running last(vm_, MethodOf("(JIIIIJ)J", {kLload0, kLload, 6, kLadd, kLreturn}),
               WithYieldpoints());
  const int64_t expected = last(1).integer;
  last.Set(vm_.yieldpoints->record, &record_);
  for (const YieldpointState state : {YieldpointState::kCalls, YieldpointState::kAll}) {
    last.Set(vm_.yieldpoints->state, state);
    for (record_.calls_left = 2; record_.calls_left > 0;) {
      EXPECT_EQ(last(1).integer, expected);
      if (state == YieldpointState::kAll) break;
    }
  }
  EXPECT_EQ(taken.size(), 2u);
}

TEST_P(Yieldpoints, AreAllTakenWhenATickIsDue) {
  Arm(YieldpointState::kAll, 1000);
  EXPECT_EQ(sum_.Int(3), 6);
  std::vector<uint32_t> callees;
  for (const Taken& t : taken) callees.push_back(t.callee);
  EXPECT_THAT(callees, ElementsAre(4711, 0, 0, 0)) << "the entry, three jumps";
  EXPECT_EQ(record_.calls_left, 1000) << "nothing is counted down";
}

// Positions of the comparison with the thread's word, cmp rsp, [r15 + state], and the condition of
// the jump behind each.
std::vector<std::pair<size_t, uint8_t>> ChecksIn(const Bytes& code, const VmLayout& vm) {
  Bytes compare = {0x49, 0x3b, 0xa7};
  for (int shift = 0; shift < 32; shift += 8) {
    compare.push_back(static_cast<uint8_t>(vm.yieldpoints->state >> shift));
  }
  std::vector<std::pair<size_t, uint8_t>> checks;
  for (auto at = code.begin();; ++at) {
    at = std::search(at, code.end(), compare.begin(), compare.end());
    if (at == code.end()) return checks;
    const size_t behind = static_cast<size_t>(at - code.begin()) + compare.size();
    EXPECT_EQ(code[behind], 0x0f) << "a jump with four bytes of displacement";
    checks.emplace_back(at - code.begin(), code[behind + 1] & 0xf);
  }
}

// From the entry to the return, behind which the slow paths are.
size_t BodyBytes(const CompiledCode& compiled) {
  const std::array<uint8_t, 2> kReturnAndEnd = {0xc3, 0xcc};
  const auto entry = compiled.code.begin() + static_cast<std::ptrdiff_t>(compiled.verified_entry);
  const auto end =
      std::search(entry, compiled.code.end(), kReturnAndEnd.begin(), kReturnAndEnd.end());
  EXPECT_NE(end, compiled.code.end());
  return static_cast<size_t>(end - entry);
}

TEST_P(Yieldpoints, AreTwoInstructionsEach) {
  FakeLinkage linkage;
  const auto without = CompileBase(Sum(), linkage, vm_, {});
  const auto with = CompileBase(Sum(), linkage, vm_, WithYieldpoints());
  ASSERT_TRUE(without && with);
  EXPECT_THAT(ChecksIn(without->code, vm_), IsEmpty());
  const auto checks = ChecksIn(with->code, vm_);
  ASSERT_EQ(checks.size(), 2u);
  // A comparison of seven bytes and a jump of six each, and nothing else.
  EXPECT_EQ(BodyBytes(*with), BodyBytes(*without) + 2 * (7 + 6));
  EXPECT_EQ(checks[0].second, kBelow) << "the prologue";
  EXPECT_EQ(checks[1].second, kLess) << "the backward jump";
}

TEST_P(Yieldpoints, AreInEpiloguesOfMethodsThatCall) {
  FakeLinkage linkage = LinkageOfACall();
  const auto compiled =
      CompileBase(MethodOf("()V", {kInvokestatic, 0, 1, kReturn}), linkage, vm_, WithYieldpoints());
  ASSERT_TRUE(compiled) << compiled.message();
  const auto checks = ChecksIn(compiled->code, vm_);
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0].second, kBelow) << "the prologue";
  EXPECT_EQ(checks[1].second, kBelow) << "the epilogue";
}

// A method that would call in a case that does not occur: calls are made by nobody here.
TEST_P(Yieldpoints, OfEpiloguesAreTakenWhenATickIsDueAndGoOnAtOnceOtherwise) {
  constexpr uint8_t kIfeq = 153;
  FakeLinkage linkage = LinkageOfACall();
  Running calling(vm_,
                  MethodOf("(I)I", {kIload0, kIfeq, 0, 6, kInvokestatic, 0, 1, kIload0, kIreturn}),
                  WithYieldpoints(), linkage);
  calling.Set(vm_.yieldpoints->record, &record_);
  calling.Set(vm_.yieldpoints->state, YieldpointState::kCalls);
  record_.calls_left = 100;
  EXPECT_EQ(calling.Int(0), 0);
  EXPECT_THAT(taken, IsEmpty());
  calling.Set(vm_.yieldpoints->state, YieldpointState::kAll);
  EXPECT_EQ(calling.Int(0), 0);
  EXPECT_EQ(taken.size(), 2u) << "the entry, the epilogue";
  EXPECT_EQ(taken.back().callee, 0u);
}

TEST_P(Yieldpoints, AreNotAtEntriesOnTheStackWhichAreNoCalls) {
  Method entry = Sum();
  entry.osr_bci = 2;
  FakeLinkage linkage;
  const auto compiled = CompileBase(entry, linkage, vm_, WithYieldpoints());
  ASSERT_TRUE(compiled) << compiled.message();
  EXPECT_EQ(ChecksIn(compiled->code, vm_).size(), 1u);
}

TEST_P(Yieldpoints, MarkCallsBehindWhatHotspotPutsThere) {
  FakeLinkage linkage = LinkageOfACall();
  const auto compiled =
      CompileBase(MethodOf("()V", {kInvokestatic, 0, 1, kReturn}), linkage, vm_, WithYieldpoints());
  ASSERT_TRUE(compiled) << compiled.message();
  Bytes code = compiled->code;
  code.resize(code.size() + 16);
  std::vector<uint32_t> marked;
  for (size_t at = 5; at + 16 <= code.size(); ++at) {
    if (code[at - 5] != 0xe8) continue;
    if (const uint32_t site = CallMarkedAt(&code[at])) marked.push_back(site);
  }
  EXPECT_THAT(marked, ElementsAre(1000));
}

TEST_P(Yieldpoints, AreMeasured) {
  const YieldpointCosts costs = MeasureYieldpoints(vm_);
  // A call of a function costs more than nothing, and no more than a slow and busy machine takes.
  // To count down may cost nothing: in one process of 100 the processor hid it behind the loop.
  EXPECT_GT(costs.taken_call_ps, 100);
  EXPECT_LT(costs.taken_call_ps, 200'000);
  EXPECT_LT(costs.counted_call_ps, 50'000);
  EXPECT_GT(costs.taken_call_ps, costs.counted_call_ps / 2);
}

TEST(CallMarker, IsNotSeenInOtherCode) {
  const std::array<uint8_t, 16> hotspots = {0x0f, 0x1f, 0x84, 0, 1, 2, 3, 4, 0x48, 0x8b};
  EXPECT_EQ(CallMarkedAt(hotspots.data()), 0u);
  const std::array<uint8_t, 16> nothing = {};
  EXPECT_EQ(CallMarkedAt(nothing.data()), 0u);
}

}  // namespace
}  // namespace yp::compiler
