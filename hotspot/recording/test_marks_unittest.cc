#include "hotspot/recording/test_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = TestMarks::Kind;

class FakePeriods final : public Periods {
 public:
  std::vector<EdgeId> TakeFound() override { return std::exchange(found, {}); }
  void BeginPeriod() override { ++begun; }
  void Find(uint32_t edge) { found.push_back(EdgeId{edge}); }

  std::vector<EdgeId> found;
  int begun = 0;
};

class TestMarksTest : public ::testing::Test {
 protected:
  // "1 2: 5 6", or "1 begins one at 10", a line each, in the order in which it is told.
  std::vector<std::string> Told() {
    std::vector<std::string> lines;
    const TestMarks::Updates updates = marks.Take(periods);
    for (const spool::TestBegin& test : updates.begun) {
      lines.push_back(std::to_string(test.test) + " begins " + test.name + " at " +
                      std::to_string(test.begin_ns));
    }
    for (const spool::Reached& reached : updates.reached) {
      std::string line;
      for (const uint32_t test : reached.tests) line += std::to_string(test) + " ";
      line.back() = ':';
      for (const EdgeId edge : reached.edges) line += " " + std::to_string(ToIndex(edge));
      lines.push_back(line);
    }
    for (const spool::TestEnd& test : updates.ended) {
      lines.push_back(std::to_string(test.test) + " ends at " + std::to_string(test.end_ns));
    }
    return lines;
  }

  FakePeriods periods;
  TestMarks marks;
};

TEST_F(TestMarksTest, WhatIsFoundWhileATestRunsIsItsOwn) {
  periods.Find(1);  // Before any.
  marks.Mark(Kind::kBegin, "one", 10, periods);
  periods.Find(2);
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 10", "1: 2"));
  periods.Find(3);
  marks.Mark(Kind::kEnd, "one", 20, periods);
  periods.Find(4);  // Between two.
  marks.Mark(Kind::kBegin, "two", 30, periods);
  periods.Find(3);
  EXPECT_THAT(Told(), ElementsAre("2 begins two at 30", "1: 3", "2: 3", "1 ends at 20"));
  EXPECT_EQ(periods.begun, 2) << "no period begins where nothing runs";
}

TEST_F(TestMarksTest, WhatIsFoundWhileSeveralRunIsEachOnes) {
  marks.Mark(Kind::kBegin, "one", 1, periods);
  periods.Find(5);
  marks.Mark(Kind::kBegin, "two", 2, periods);
  periods.Find(6);
  marks.Mark(Kind::kEnd, "one", 3, periods);
  periods.Find(7);
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 1", "2 begins two at 2", "1: 5", "1 2: 6",
                                  "2: 7", "1 ends at 3"));
  EXPECT_EQ(periods.begun, 3) << "two may have taken after it what was found before";
}

TEST_F(TestMarksTest, OfOneNameTheLatestEndsFirst) {
  marks.Mark(Kind::kBegin, "same", 1, periods);
  marks.Mark(Kind::kBegin, "same", 2, periods);
  Told();
  marks.Mark(Kind::kEnd, "same", 3, periods);
  marks.Mark(Kind::kEnd, "other", 4, periods);
  marks.Mark(Kind::kEnd, "same", 5, periods);
  marks.Mark(Kind::kEnd, "same", 6, periods);
  EXPECT_THAT(Told(), ElementsAre("2 ends at 3", "1 ends at 5"));
}

TEST_F(TestMarksTest, TheNextOneEndsThoseThatRun) {
  marks.Mark(Kind::kNext, "one", 1, periods);
  periods.Find(8);
  marks.Mark(Kind::kNext, "two", 2, periods);
  marks.Mark(Kind::kNext, "", 3, periods);
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 1", "2 begins two at 2", "1: 8", "1 ends at 2",
                                  "2 ends at 3"));
  marks.Mark(Kind::kNext, "", 4, periods);
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(TestMarksTest, WhatPreparesATestIsItsOwnToo) {
  periods.Find(1);
  marks.Mark(Kind::kPrepare, "", 5, periods);
  periods.Find(2);
  Told();
  periods.Find(3);
  marks.Mark(Kind::kBegin, "one", 10, periods);
  periods.Find(2);
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 10", "1: 2 3", "1: 2"));
  marks.Mark(Kind::kEnd, "one", 20, periods);
  marks.Mark(Kind::kPrepare, "", 20, periods);
  periods.Find(4);
  marks.Mark(Kind::kRest, "", 30, periods);
  periods.Find(5);
  marks.Mark(Kind::kBegin, "two", 40, periods);
  EXPECT_THAT(Told(), ElementsAre("2 begins two at 40", "1 ends at 20"));
}

TEST_F(TestMarksTest, WhatPreparesATestBesideAnotherIsBoths) {
  marks.Mark(Kind::kBegin, "one", 1, periods);
  marks.Mark(Kind::kPrepare, "", 2, periods);
  periods.Find(7);
  marks.Mark(Kind::kBegin, "two", 3, periods);
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 1", "2 begins two at 3", "1: 7", "2: 7"));
}

TEST_F(TestMarksTest, AnotherSpoolIsToldOfThoseThatRun) {
  marks.Mark(Kind::kBegin, "one", 1, periods);
  marks.Mark(Kind::kBegin, "two", 2, periods);
  Told();
  marks.Mark(Kind::kEnd, "two", 3, periods);
  Told();
  marks.Retell();
  EXPECT_THAT(Told(), ElementsAre("1 begins one at 1"));
}

}  // namespace
}  // namespace yp::hotspot
