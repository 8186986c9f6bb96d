#include "format/profile/comparable.h"

#include <gtest/gtest.h>

#include <string>

namespace yp {
namespace {

class RecordedGraphTest : public ::testing::Test {
 protected:
  MethodId NewMethod(const std::string& name) {
    return profile_.methods.Intern({"app.Main", name, "()V", "", Method::kObserved, {}});
  }
  // Of 1,000 calls of main to a new method, with a deviation of 100.
  RecordedEdge Recorded(uint64_t samples, uint32_t flags) {
    const MethodId main = NewMethod("main"), callee = NewMethod("callee");
    EdgeStats stats{.edge = {main, 3, callee}};
    stats.samples = samples;
    stats.calls = 1000;
    stats.variance = 100 * 100;
    stats.flags = flags;
    profile_.edges = {stats};
    MethodTable methods;
    return ComparablePair(profile_, profile_)
        .RecordedGraphOf(profile_, methods)
        .edges.begin()
        ->second;
  }

 private:
  Profile profile_;
};

TEST_F(RecordedGraphTest, WhatWasSampledHasItsSamples) {
  const RecordedEdge edge = Recorded(40, kEdgeSampled);
  EXPECT_EQ(edge.samples, 40u);
  EXPECT_FALSE(edge.is_inferred);
}

TEST_F(RecordedGraphTest, WhatWasCountedInPartIsWorthTheSamplesOfItsVariance) {
  const RecordedEdge edge = Recorded(4, kEdgeSampled | kEdgeCounted);
  EXPECT_NEAR(static_cast<double>(edge.samples), 1 / edge.relative_variance, 1);
  EXPECT_GT(edge.samples, 40u);
  EXPECT_FALSE(edge.is_inferred);
}

TEST_F(RecordedGraphTest, WhatWasOnlyCountedMayBeAPartOfWhatThereWas) {
  EXPECT_TRUE(Recorded(0, kEdgeCounted).is_inferred);
  EXPECT_TRUE(Recorded(0, kEdgeCounted | kEdgeExpected).is_inferred);
  EXPECT_TRUE(Recorded(9, kEdgeSampled | kEdgeInferred).is_inferred);
}

}  // namespace
}  // namespace yp
