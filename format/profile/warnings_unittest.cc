#include "format/profile/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yp {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Profile WithOneEdge() {
  Profile profile;
  profile.complete = true;
  const MethodId callee = profile.methods.Intern(MethodOfFullName("C.run()V"));
  profile.edges.push_back({.edge = {kNoMethod, kNoBci, callee}, .calls = 1});
  return profile;
}

TEST(WarningsTest, MethodsWithoutAProbeAreToldWithTheirShare) {
  Profile profile = WithOneEdge();
  EXPECT_THAT(Warnings(profile), IsEmpty());
  profile.config["probe.methods"] = "1200";
  profile.config["probe.methods_left"] = "0";
  EXPECT_THAT(Warnings(profile), IsEmpty());
  profile.config["probe.methods_left"] = "3";
  EXPECT_THAT(Warnings(profile), Contains(HasSubstr("3 of 1200 methods (0.2 %) have no probe")));
  profile.config["probe.methods"] = "12000";
  EXPECT_THAT(Warnings(profile), Contains(HasSubstr("(<0.1 %)")));
}

TEST(WarningsTest, WhatTheVmCountedIsALowerBoundWhereTheRestIsUnknown) {
  Profile profile = WithOneEdge();
  EdgeStats& edge = profile.edges[0];
  edge.calls = 1000;
  edge.counted = 900;
  edge.flags = kEdgeCounted;
  EXPECT_FALSE(profile.is_lower_bound());
  EXPECT_THAT(Warnings(profile), IsEmpty());
  edge.flags |= kEdgeNoInterval;
  profile.ticks.resize(2);
  EXPECT_TRUE(profile.is_lower_bound());
  EXPECT_THAT(Warnings(profile), ElementsAre(AllOf(HasSubstr("is a lower bound"),
                                                   HasSubstr("from 0 samples in 2 ticks"))));
  edge.counted = 400;
  EXPECT_FALSE(profile.is_lower_bound()) << "most of it is an estimate, which may be too high";
}

TEST(WarningsTest, NothingObservedIsPutDownToWhatItWas) {
  Profile profile;
  profile.complete = true;
  profile.config["probe"] = "patch";
  profile.config["infer"] = "yes";
  EXPECT_THAT(Warnings(profile), ElementsAre(HasSubstr("check --include")));
  profile.config["compiles"] = "no";
  EXPECT_THAT(Warnings(profile), ElementsAre(HasSubstr("compiles nothing")));
}

}  // namespace
}  // namespace yp
