#include "format/profile/known_edges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using testing::ElementsAre;

// main calls three methods: a was sampled, b and c were only inferred.
Profile Sampled(double calls_of_a, double calls_of_b, double calls_of_c) {
  Profile profile;
  const MethodId main = profile.methods.Intern({"A", "main", "()V", "A.java", 0, {}});
  const auto edge = [&](const char* name, uint32_t samples, double calls, uint32_t flags) {
    const MethodId callee = profile.methods.Intern({"A", name, "()V", "A.java", 0, {}});
    profile.edges.push_back({.edge = {main, static_cast<int32_t>(profile.edges.size()), callee},
                             .calls = calls,
                             .low = calls / 2,
                             .high = calls * 2,
                             .samples = samples,
                             .flags = flags});
  };
  edge("b", 0, calls_of_b, kEdgeInferred);
  edge("a", 3, calls_of_a, kEdgeSampled);
  edge("c", 0, calls_of_c, kEdgeInferred);
  spool::Window window;
  window.calls = 3;
  window.samples = {{EdgeId{1}, 3}};
  profile.windows.push_back(window);
  return profile;
}

std::vector<std::string> CalleesOf(const Profile& profile) {
  std::vector<std::string> callees;
  for (const EdgeStats& edge : profile.edges) {
    callees.push_back(profile.methods[edge.edge.callee].name);
  }
  return callees;
}

TEST(KnownEdgesTest, WhatWasInferredToBeCalledLessThanHalfACallIsNoEdge) {
  Profile profile = Sampled(3000, 0.4, 0.5);
  KeepKnownEdges(&profile);
  EXPECT_THAT(CalleesOf(profile), ElementsAre("a", "c"));
  EXPECT_THAT(profile.windows[0].samples, ElementsAre(std::pair(EdgeId{0}, 3u)))
      << "the window names the same edge";
}

TEST(KnownEdgesTest, WhatWasSampledWasCalledAtLeastAsOften) {
  Profile profile = Sampled(0, 7, 8);
  KeepKnownEdges(&profile);
  ASSERT_THAT(CalleesOf(profile), ElementsAre("b", "a", "c"));
  const EdgeStats& a = profile.edges[1];
  EXPECT_EQ(a.calls, 3);
  EXPECT_EQ(a.low, 3);
  EXPECT_EQ(a.high, 3);
  EXPECT_EQ(profile.edges[0].calls, 7) << "others stay";
}

TEST(KnownEdgesTest, CountsAreNotTouched) {
  Profile profile = Sampled(3000, 7, 8);
  profile.edges[0].flags = kEdgeExact;
  const std::string before = Describe(profile);
  KeepKnownEdges(&profile);
  EXPECT_EQ(Describe(profile), before);
}

// Of a version that listed such rows.
TEST(KnownEdgesTest, AFileWithRowsOfNoCallsIsReadWithoutThem) {
  const spool::TemporaryDirectory directory;
  const std::string path = directory / "old.yp";
  ASSERT_TRUE(SaveProfile(Sampled(3000, 0, 8), path));
  const Result<Profile> loaded = LoadProfile(path);
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_THAT(CalleesOf(*loaded), ElementsAre("a", "c"));
}

}  // namespace
}  // namespace yp
