#include "format/profile/test_reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "format/profile/profile_test_util.h"

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Of one JVM: methods by their names, edges "ab" from a to b.
class Suite {
 public:
  explicit Suite(const std::string& methods) {
    for (const char name : methods) {
      Method method;
      method.class_name = "App";
      method.name = std::string(1, name);
      method.descriptor = "()V";
      if (name != 'x') method.flags = Method::kObserved;
      profile_.methods.Intern(method);
    }
    profile_.config = {{"mode", "edges"}};
    profile_.duration_ns = 1000;
  }
  Suite& Edges(const std::vector<std::string>& edges) {
    for (const std::string& edge : edges) {
      EdgeStats stats;
      stats.edge = {Id(edge[0]), 1, Id(edge[1])};
      profile_.edges.push_back(stats);
    }
    return *this;
  }
  Suite& Run(const std::string& test, std::vector<TestRun::Reached> reached) {
    profile_.tests.push_back({test, 100, 300, std::move(reached)});
    return *this;
  }
  // "a7": that of a at bci 7.
  Suite& Unexecuted(const std::vector<std::string>& calls) {
    for (const std::string& call : calls) {
      profile_.unexecuted_calls.push_back({Id(call[0]), call[1] - '0', "App.b()V"});
    }
    return *this;
  }
  const Profile& profile() const { return profile_; }

 private:
  MethodId Id(char name) const {
    for (size_t i = 0; i < profile_.methods.size(); ++i) {
      const MethodId id{static_cast<uint32_t>(i)};
      if (profile_.methods[id].name[0] == name) return id;
    }
    return kNoMethod;
  }
  Profile profile_;
};

std::string Names(const TestReach& reach, const std::vector<MethodId>& methods) {
  std::string names;
  for (const MethodId method : methods) names += reach.methods()[method].name;
  return names;
}
std::string MethodsOf(const TestReach& reach, size_t test) {
  std::string names;
  for (const auto& [id, alone] : reach.tests()[test].methods) {
    names += reach.methods()[MethodId{id}].name;
  }
  return names;
}

TEST(TestReachTest, ACallIsUnexecutedIfNoJvmThatHasItsClassExecutesIt) {
  // The second executes a's call at 8 and has not loaded c's class.
  const std::vector<Profile> profiles = {Suite("abc").Unexecuted({"a7", "a8", "c1"}).profile(),
                                         Suite("ba").Unexecuted({"a7"}).profile()};
  const TestReach reach(profiles);
  std::vector<std::string> calls;
  for (const UnexecutedCall& call : reach.UnexecutedCalls()) {
    calls.push_back(reach.methods()[call.caller].name + std::to_string(call.bci));
    EXPECT_EQ(call.callee, "App.b()V");
  }
  EXPECT_THAT(calls, ElementsAre("a7", "c1"));
}

TEST(TestReachTest, ATestReachesBothEndsOfItsEdgesThatAreObserved) {
  const Suite suite = Suite("abcdx")
                          .Edges({"ab", "bc", "xc"})
                          .Run("one", {{EdgeId{0}, true}})
                          .Run("two", {{EdgeId{0}, false}, {EdgeId{1}, true}, {EdgeId{2}, true}});
  const TestReach reach(std::span(&suite.profile(), 1));
  ASSERT_EQ(reach.tests().size(), 2u);
  EXPECT_EQ(MethodsOf(reach, 0), "ab");
  EXPECT_EQ(MethodsOf(reach, 1), "abc");
  EXPECT_EQ(reach.tests()[0].methods_only, 0u);
  EXPECT_EQ(reach.tests()[0].edges_only, 0u);
  EXPECT_EQ(reach.tests()[1].methods_only, 1u);
  EXPECT_EQ(reach.tests()[1].edges_only, 2u);
  EXPECT_THAT(reach.TestsOf(MethodId{0}),
              ElementsAre(TestReach::ByTest{0, true}, TestReach::ByTest{1, false}));
  EXPECT_THAT(reach.TestsOf(MethodId{2}), ElementsAre(TestReach::ByTest{1, true}));
  EXPECT_THAT(reach.TestsOf(MethodId{3}), IsEmpty());
  EXPECT_EQ(Names(reach, reach.Uncalled()), "d");
}

TEST(TestReachTest, RunsOfOneNameAreOneTestAndOtherTestsAreThoseOfOtherNames) {
  const Suite suite = Suite("ab")
                          .Edges({"ab", "ba"})
                          .Run("again", {{EdgeId{0}, false}})
                          .Run("again", {{EdgeId{0}, true}, {EdgeId{1}, false}});
  const TestReach reach(std::span(&suite.profile(), 1));
  ASSERT_EQ(reach.tests().size(), 1u);
  const TestReach::Test& test = reach.tests()[0];
  EXPECT_EQ(test.runs, 2u);
  EXPECT_EQ(test.duration_ns, 400);
  EXPECT_THAT(test.edges, ElementsAre(TestReach::Reached{0, true}, TestReach::Reached{1, false}));
  EXPECT_EQ(test.edges_only, 2u);
}

TEST(TestReachTest, WhatSeveralJvmsRanIsOneSuite) {
  const std::vector<Profile> suites = {
      Suite("abd").Edges({"ab"}).Run("one", {{EdgeId{0}, true}}).profile(),
      Suite("cba")
          .Edges({"cb", "ab"})
          .Run("two", {{EdgeId{0}, true}, {EdgeId{1}, true}})
          .profile()};
  const TestReach reach(suites);
  ASSERT_EQ(reach.tests().size(), 2u);
  EXPECT_EQ(reach.edges().size(), 2u);
  EXPECT_EQ(MethodsOf(reach, 1), "abc");
  EXPECT_EQ(reach.tests()[0].edges_only, 0u);
  EXPECT_EQ(reach.tests()[1].edges_only, 1u);
  EXPECT_EQ(Names(reach, reach.Uncalled()), "d");
}

}  // namespace
}  // namespace yp
