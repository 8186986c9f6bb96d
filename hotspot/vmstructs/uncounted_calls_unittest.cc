#include "hotspot/vmstructs/uncounted_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "hotspot/vmstructs/method_data_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kCodeSize = 1000;

class UncountedCallsTest : public ::testing::Test {
 protected:
  UncountedCallsTest() {
    FakeMethodData::AddTables(tables_);
    layout_ = *ProfileLayout::Create(*tables_.Read());
    layout_.cells_before_rows = 1;
  }

  // Where a record will lie, in words.
  int64_t Here() const { return static_cast<int64_t>(data_.records().size()); }
  static uint64_t Displacement(int64_t from, int64_t to) {
    return static_cast<uint64_t>((to - from) * 8);
  }
  void AddJump(uint16_t bci, uint64_t taken, int64_t to) {
    data_.Add(FakeMethodData::kJump, bci, {taken, Displacement(Here(), to)});
  }
  void AddBranch(uint16_t bci, uint64_t taken, int64_t to, uint64_t not_taken) {
    data_.Add(FakeMethodData::kBranch, bci, {taken, Displacement(Here(), to), not_taken});
  }
  MethodProfile Profile() {
    MethodProfile profile;
    EXPECT_TRUE(ReadRecords(data_.records(), layout_, kCodeSize, profile));
    UncountedCalls(layout_).Add(data_.records(), profile);
    return profile;
  }
  std::vector<int64_t> Calls() {
    std::vector<int64_t> calls;
    for (const MethodProfile::CallSite& site : Profile().sites) calls.push_back(site.calls);
    return calls;
  }

  static constexpr int64_t kBehindTheEnd = 10'000;
  LayoutTables tables_;
  ProfileLayout layout_;
  FakeMethodData data_{17};
};

// for (...) sum += new P(i, 1).sum(), whose class C1 did not know.
TEST_F(UncountedCallsTest, InALoopEachCallIsMadeAsOftenAsItsBranchLetsIn) {
  const int64_t loop = Here();
  AddBranch(82, 1, kBehindTheEnd, 23'583);
  data_.AddCall(93, 23'583);
  data_.AddVirtualCall(96, 0, {{&some_class, 1000}, {&other_class, 23}});
  AddJump(104, 23'583, loop);
  const MethodProfile profile = Profile();
  ASSERT_EQ(profile.sites.size(), 2U);
  EXPECT_EQ(profile.sites[0].calls, 23'583);
  EXPECT_EQ(profile.sites[1].calls, 23'583);
  const auto receivers = profile.ReceiversOf(profile.sites[1]);
  ASSERT_EQ(receivers.size(), 2U);
  EXPECT_EQ(receivers[0].calls, 23'583 * 1000 / 1023);
  EXPECT_EQ(receivers[1].calls, 23'583 * 23 / 1023);
}

TEST_F(UncountedCallsTest, AReceiverWithoutACountHasNoShare) {
  AddBranch(5, 0, kBehindTheEnd, 1000);
  data_.AddVirtualCall(10, 0, {{&some_class, 0}});
  AddJump(20, 1000, 0);
  const MethodProfile profile = Profile();
  EXPECT_EQ(profile.sites[0].calls, 1000);
  EXPECT_EQ(profile.receivers[0].calls, 0);
}

// do { ... } while, as some compilers make every loop: what comes from behind joins what came in.
TEST_F(UncountedCallsTest, WhatJoinsIsAdded) {
  AddBranch(5, 7, kBehindTheEnd, 3);
  const int64_t body = Here();
  data_.AddCall(10, 0);
  data_.AddCall(20, 150);
  AddBranch(30, 5000, body, 3);
  EXPECT_THAT(Calls(), ElementsAre(5003, 5003));
}

TEST_F(UncountedCallsTest, WhatJoinsInTheMiddleCountsFromThereOn) {
  const int64_t branch = Here();
  AddBranch(5, 400, branch + 4 + 2, 600);  // Over the call that follows.
  data_.AddCall(10, 1);
  data_.AddCall(20, 1);
  AddBranch(30, 0, kBehindTheEnd, 1000);
  EXPECT_THAT(Calls(), ElementsAre(600, 1000));
}

TEST_F(UncountedCallsTest, ASwitchsCasesJoin) {
  const int64_t from = Here();
  const int64_t first = from + 6;
  data_.Add(FakeMethodData::kMultiBranch, 5,
            {4, 30, Displacement(from, first + 4), 2000, Displacement(from, first)});
  data_.AddCall(10, 0);
  data_.AddCall(20, 3);
  AddJump(30, 2030, kBehindTheEnd);
  EXPECT_THAT(Calls(), ElementsAre(2000, 2000));
}

// The first part has a return, or throws, before its end.
TEST_F(UncountedCallsTest, NothingIsSaidWhereNotAllArrives) {
  AddBranch(5, 0, kBehindTheEnd, 1000);
  data_.AddCall(10, 4);
  AddBranch(20, 100, kBehindTheEnd, 800);
  data_.AddCall(30, 4);
  AddJump(40, 800, 0);
  EXPECT_THAT(Calls(), ElementsAre(4, 800));
}

TEST_F(UncountedCallsTest, WhatIsBeforeTheFirstBranchAndBehindTheLastStays) {
  data_.AddCall(1, 4);
  AddBranch(5, 0, kBehindTheEnd, 1000);
  data_.AddCall(10, 5);
  EXPECT_THAT(Calls(), ElementsAre(4, 5));
}

TEST_F(UncountedCallsTest, CountsThatAreOffByWhatWasLostStay) {
  AddBranch(5, 0, kBehindTheEnd, 100'000);
  data_.AddCall(10, 99'950);
  data_.AddCall(20, 100'020);
  data_.AddCall(30, 120'000);
  AddJump(40, 100'030, 0);
  EXPECT_THAT(Calls(), ElementsAre(99'950, 100'020, 120'000));
}

TEST_F(UncountedCallsTest, CellsThatMakeNoSenseDoNoHarm) {
  AddBranch(5, ~uint64_t{0}, INT64_MIN / 16, ~uint64_t{0} >> 1);
  data_.AddVirtualCall(10, 0, {});
  data_.Add(FakeMethodData::kMultiBranch, 20, {3, 1, ~uint64_t{0} >> 1, 5});
  data_.AddCall(30, 7);
  AddJump(40, uint64_t{1} << 62, INT64_MAX / 16);
  for (uint16_t bci = 100; bci < 900; ++bci) AddJump(bci, ~uint64_t{0} >> 1, 0);
  EXPECT_EQ(Calls().size(), 2U);
}

}  // namespace
}  // namespace yp::hotspot
