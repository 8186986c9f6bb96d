#include "hotspot/vmstructs/placed_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint8_t kAload0 = 42, kFastAload0 = 220, kFastAgetfield = 203, kGetfield = 180;
constexpr uint8_t kIload = 21, kFastIload = 224, kIfeq = 153, kGoto = 167, kReturn = 177;
constexpr uint8_t kStatic = 184, kSpecial = 183, kGetstatic = 178, kNew = 187, kAnewarray = 189;
constexpr uint8_t kNofastAload0 = 236;
using Code = std::vector<uint8_t>;

// "bci: once, loop, executed or not" of each call. `unresolved`: operands of what is not resolved.
std::vector<std::string> Find(const Code& code, const std::vector<uint16_t>& unresolved = {}) {
  PlacedCalls placed;
  std::vector<std::string> found;
  for (const PlacedCall& call : placed.Find(code, [&](const PlacedCalls::Use& use) {
         return std::ranges::find(unresolved, use.index) != unresolved.end();
       })) {
    std::string text = std::to_string(call.site.bci) + ":";
    if (call.is_unconditional) text += " once";
    if (call.is_in_loop) text += " loop";
    if (call.executed == PlacedCall::Executed::kYes) text += " executed";
    if (call.executed == PlacedCall::Executed::kNo) text += " not";
    found.push_back(text);
  }
  return found;
}

TEST(PlacedCallsTest, ACallBeforeAndBehindABranchIsMadeOnceAndOneWithinMayNotBe) {
  EXPECT_THAT(Find({kStatic, 1, 0, 3, kIfeq, 0, 6, kStatic, 2, 0, kStatic, 3, 0, kReturn}),
              ElementsAre("0: once", "7:", "10: once"));
}

TEST(PlacedCallsTest, BehindAReturnNothingIsMadeEachTime) {
  EXPECT_THAT(Find({3, kIfeq, 0, 4, kReturn, kStatic, 1, 0, kReturn}), ElementsAre("5:"));
}

TEST(PlacedCallsTest, WhatABranchLeadsBackBeforeIsInALoop) {
  EXPECT_THAT(Find({kStatic, 1, 0, kStatic, 2, 0, 3, kIfeq, 0xff, 0xfc, kStatic, 3, 0, kReturn}),
              ElementsAre("0: once", "3: loop", "10: once"));
}

TEST(PlacedCallsTest, WhereTheInterpreterHasLeftItsOpcodeTheCallsAroundWereExecuted) {
  // if (..) { a(); this.b(); } c();
  EXPECT_THAT(
      Find({3, kIfeq, 0, 10, kStatic, 1, 0, kFastAload0, kSpecial, 2, 0, kStatic, 3, 0, kReturn}),
      ElementsAre("4: executed", "8: executed", "11: once executed"));
}

TEST(PlacedCallsTest, WhereItHasNotTheyWereNot) {
  EXPECT_THAT(
      Find({3, kIfeq, 0, 10, kStatic, 1, 0, kAload0, kSpecial, 2, 0, kStatic, 3, 0, kReturn}),
      ElementsAre("4: not", "8: not", "11: once"))
      << "what follows the branch is reached past it as well";
}

TEST(PlacedCallsTest, WhatWasExecutedSaysNothingOfWhatIsBehindABranchOrBeforeAJoin) {
  // a(); if (this..) b();
  EXPECT_THAT(Find({kStatic, 1, 0, kFastAload0, kIfeq, 0, 6, kStatic, 2, 0, kReturn}),
              ElementsAre("0: once executed", "7:"));
  // if (..) a(); this.b();
  EXPECT_THAT(Find({3, kIfeq, 0, 6, kStatic, 1, 0, kFastAload0, kSpecial, 2, 0, kReturn}),
              ElementsAre("4:", "8: once executed"));
}

TEST(PlacedCallsTest, WhatWasNotExecutedLedNowhereElse) {
  // if (..) { this.a(); if (..) b(); }
  EXPECT_THAT(
      Find({3, kIfeq, 0, 15, kAload0, kSpecial, 1, 0, 3, kIfeq, 0, 6, kStatic, 2, 0, 0, kReturn}),
      ElementsAre("5: not", "12: not"));
}

TEST(PlacedCallsTest, AHandlerOfExceptionsIsReachedFromAnywhere) {
  // try { a(); this.b(); return; } catch { c(); }
  EXPECT_THAT(Find({kStatic, 1, 0, kFastAload0, kSpecial, 2, 0, kReturn, kStatic, 3, 0, kReturn}),
              ElementsAre("0: once executed", "4: once executed", "8:"));
  // if (..) { this.a(); return; } catch { c(); }
  EXPECT_THAT(Find({3, kIfeq, 0, 8, kAload0, kSpecial, 1, 0, kReturn, kStatic, 3, 0, kReturn}),
              ElementsAre("5: not", "9:"));
}

TEST(PlacedCallsTest, WhatIsNotResolvedWasNotExecuted) {
  EXPECT_THAT(Find({3, kIfeq, 0, 12, kStatic, 1, 0, kStatic, 2, 0, kStatic, 3, 0, kReturn}, {2}),
              ElementsAre("4: not", "7: not", "10: not"));
  EXPECT_THAT(Find({3, kIfeq, 0, 12, kGetstatic, 9, 0, kStatic, 2, 0, kReturn}, {9}),
              ElementsAre("7: not"));
  EXPECT_THAT(Find({3, kIfeq, 0, 12, kNew, 0, 9, kStatic, 2, 0, kReturn}, {9}),
              ElementsAre("7: not"))
      << "whose operand is that of the class file";
}

// It waits for the getfield to become one of its own.
TEST(PlacedCallsTest, AnInstructionThatWaitsForTheNextTellsNothing) {
  const Code rest = {kStatic, 1, 0, kReturn};
  const auto with = [&](Code code) {
    code.insert(code.begin(), {3, kIfeq, 0, 12});
    code.insert(code.end(), rest.begin(), rest.end());
    return Find(code);
  };
  EXPECT_THAT(with({kAload0, kFastAgetfield, 1, 0}), ElementsAre("8: executed"));
  EXPECT_THAT(with({kAload0, kGetfield, 1, 0}), ElementsAre("8: not"));
  EXPECT_THAT(with({kIload, 4, kIload, 5, 0}), ElementsAre("9: not")) << "by the second";
  EXPECT_THAT(with({kIload, 4, kFastIload, 5}), ElementsAre("8: executed"));
  EXPECT_THAT(with({kNofastAload0, 0, 0, 0}), ElementsAre("8:")) << "in an archive's class";
}

TEST(PlacedCallsTest, AVmThatLeavesNoTracesTellsNothing) {
  EXPECT_THAT(Find({kAload0, 0, 3, kIfeq, 0, 7, kAload0, kSpecial, 1, 0, kReturn}),
              ElementsAre("7:"));
}

TEST(PlacedCallsTest, ACallThatWasExecutedThoughAnExceptionCameBetweenWasExecuted) {
  EXPECT_THAT(
      Find({3, kIfeq, 0, 12, kFastAload0, kSpecial, 1, 0, kAload0, kSpecial, 2, 0, kReturn}),
      ElementsAre("5: executed", "9: executed"));
}

TEST(PlacedCallsTest, BytecodeThatMakesNoSenseHasNoCalls) {
  EXPECT_THAT(Find({kStatic, 1, 0, 202, kReturn}), IsEmpty()) << "a breakpoint";
  EXPECT_THAT(Find({kStatic, 1}), IsEmpty());
  EXPECT_THAT(Find({}), IsEmpty());
}

TEST(PlacedCallsTest, WhereAClassMayBeInitializedIsToldLikeACall) {
  PlacedCalls placed;
  // if (..) { a = A.f; this.b(); } new C; new D[0];
  const auto resolved = [](const PlacedCalls::Use&) { return false; };
  placed.Find(Code{3, kIfeq, 0, 10, kGetstatic, 1, 0, kAload0, kSpecial, 2, 0, kNew, 0, 3,
                   kAnewarray, 0, 4, kReturn},
              resolved);
  std::vector<std::string> uses;
  for (const auto& [bci, use, is_unconditional, executed] : placed.uses()) {
    uses.push_back(std::to_string(bci) + " " + std::to_string(use.index) +
                   (is_unconditional ? " once" : "") +
                   (executed == PlacedCall::Executed::kNo ? " not" : ""));
  }
  EXPECT_THAT(uses, ElementsAre("4 1 not", "11 3 once"));
  placed.Find(Code{kReturn}, resolved);
  EXPECT_THAT(placed.uses(), IsEmpty());
}

TEST(PlacedCallsTest, AnyBytesAreRead) {
  std::mt19937 random(7);
  PlacedCalls placed;
  for (int i = 0; i < 20'000; ++i) {
    Code code(random() % 60);
    for (uint8_t& byte : code) {
      byte = random() % 3 == 0 ? uint8_t{kIfeq} : static_cast<uint8_t>(random());
    }
    const auto unexecuted = [](const PlacedCalls::Use& use) { return use.index % 2 == 0; };
    for (const PlacedCall& call : placed.Find(code, unexecuted)) {
      ASSERT_LT(static_cast<size_t>(call.site.bci), code.size());
      ASSERT_FALSE(call.is_unconditional && call.is_in_loop);
    }
  }
}

}  // namespace
}  // namespace yp::hotspot
