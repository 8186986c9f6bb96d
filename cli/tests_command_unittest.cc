// yp tests: which test reached what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_test_util.h"
#include "format/profile/profile.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class TestsCommandTest : public CommandTest {
 protected:
  TestsCommandTest() {
    const MethodId add = Intern("add", 10), check = Intern("check", 20),
                   clear = Intern("clear", 30);
    Intern("never", 40);
    const auto edge = [&](MethodId caller, MethodId callee) {
      EdgeStats stats;
      stats.edge = {caller, 0, callee};
      stats.calls = stats.low = stats.high = 1;
      stats.flags = kEdgeOnce;
      profile_.edges.push_back(stats);
    };
    edge(kNoMethod, add);
    edge(add, check);
    edge(kNoMethod, clear);
    profile_.config = {{"mode", "edges"}, {"probe.methods_listed", "all"}};
    profile_.duration_ns = 9'000'000;
    profile_.complete = true;
    profile_.tests = {
        {"CartTest.adds()", 1'000'000, 3'000'000, {{EdgeId{0}, true}, {EdgeId{1}, true}}},
        {"CartTest.refuses()", 3'000'000, 4'000'000, {{EdgeId{0}, true}, {EdgeId{1}, false}}},
        {"CartTest.adds()", 5'000'000, 6'000'000, {}},
        {"CartTest.last()", 8'000'000, std::nullopt, {}}};
    Save();
  }

  MethodId Intern(const char* name, uint16_t line) {
    return profile_.methods.Intern(
        {"shop.Cart", name, "()V", "Cart.java", Method::kObserved, {{0, line}}});
  }
  void Save() { ASSERT_TRUE(SaveProfile(profile_, path_)); }
  int Tests(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {"tests", path_.c_str()});
    return Run(std::move(arguments));
  }

  spool::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "suite.yp";
  Profile profile_;
};

TEST_F(TestsCommandTest, EachTestHasWhatItReachedAndWhatNoOtherDid) {
  ASSERT_EQ(Tests({"--json"}), 0) << err_;
  const json tests = json::parse(out_);
  ASSERT_THAT(tests, SizeIs(3));
  const json adds = {{"test", "CartTest.adds()"},
                     {"runs", 2},
                     {"begin_ns", 1'000'000},
                     {"duration_ns", 3'000'000},
                     {"methods", 2},
                     {"methods_only", 0},
                     {"edges", 2},
                     {"edges_only", 0},
                     {"edges_shared", 0}};
  EXPECT_EQ(tests[0], adds);
  EXPECT_EQ(tests[1]["edges_shared"], 1);
  EXPECT_EQ(tests[2]["duration_ns"], 1'000'000) << "until the recording's end";
  ASSERT_EQ(Tests({}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("CartTest.adds() (2 runs)"));
  EXPECT_THAT(out_, HasSubstr("shared"));
}

TEST_F(TestsCommandTest, TheyComeAsTheyRanOrAsAsked) {
  ASSERT_EQ(Tests({"--json", "--by", "time", "-n", "1"}), 0) << err_;
  EXPECT_THAT(json::parse(out_), SizeIs(1));
  EXPECT_EQ(json::parse(out_)[0]["test"], "CartTest.adds()");
  EXPECT_EQ(Tests({"--by", "name"}), 2);
  EXPECT_THAT(err_, HasSubstr("order, methods, edges, only or time"));
}

TEST_F(TestsCommandTest, AMethodHasTheTestsThatReachIt) {
  ASSERT_EQ(Tests({"--method", "shop.Cart.check", "--json"}), 0) << err_;
  const json rows = json::array(
      {{{"test", "CartTest.adds()"}, {"method", "shop.Cart.check()V"}, {"alone", true}},
       {{"test", "CartTest.refuses()"}, {"method", "shop.Cart.check()V"}, {"alone", false}}});
  EXPECT_EQ(json::parse(out_), rows);
  ASSERT_EQ(Tests({"--method", "*.check"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("CartTest.refuses() (or one beside it)"));
}

TEST_F(TestsCommandTest, AMethodThatNoTestReachesIsSaidToBeNone) {
  ASSERT_EQ(Tests({"--method", "*.clear"}), 0);
  EXPECT_THAT(err_, HasSubstr("it was called while no test ran"));
  ASSERT_EQ(Tests({"--method", "*.never"}), 0);
  EXPECT_THAT(err_, HasSubstr("nothing called *.never"));
  EXPECT_EQ(Tests({"--method", "*.absent"}), 2);
  EXPECT_THAT(err_, HasSubstr("no method of the program matches"));
}

TEST_F(TestsCommandTest, WhatNothingCalledIsListed) {
  ASSERT_EQ(Tests({"--unreached", "--json"}), 0) << err_;
  const json rows =
      json::array({{{"method", "shop.Cart.never()V"}, {"source", "shop/Cart.java"}, {"line", 40}}});
  EXPECT_EQ(json::parse(out_), rows);
  ASSERT_EQ(Tests({"--unreached"}), 0);
  EXPECT_THAT(out_, HasSubstr("Cart.java:40"));
  profile_.config.erase("probe.methods_listed");
  Save();
  EXPECT_EQ(Tests({"--unreached"}), 2);
  EXPECT_THAT(err_, HasSubstr("does not say which methods were never called"));
}

TEST_F(TestsCommandTest, CallsThatWereNotExecutedAreListedOfMethodsThatWereCalled) {
  EXPECT_EQ(Tests({"--unexecuted"}), 2);
  EXPECT_THAT(err_, HasSubstr("does not say which calls were never executed"));
  profile_.config["probe.unexecuted_listed"] = "all";
  const MethodId add = profile_.edges[1].edge.caller;
  const MethodId never = Intern("never", 40);
  profile_.unexecuted_calls = {{add, 7, "shop.Cart.refuse(I)V"}, {never, 3, "shop.Cart.add()V"}};
  Save();
  ASSERT_EQ(Tests({"--unexecuted", "--json"}), 0) << err_;
  const json rows = json::array({{{"caller", "shop.Cart.add()V"},
                                  {"bci", 7},
                                  {"source", "shop/Cart.java"},
                                  {"line", 10},
                                  {"callee", "shop.Cart.refuse(I)V"}}});
  EXPECT_EQ(json::parse(out_), rows);
  ASSERT_EQ(Tests({"--unexecuted"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("shop.Cart.refuse(int)"));
  EXPECT_THAT(out_, HasSubstr(":10"));
}

TEST_F(TestsCommandTest, AProfileWithoutTestsSaysHowToHaveThem) {
  profile_.tests.clear();
  Save();
  EXPECT_EQ(Tests({}), 2);
  EXPECT_THAT(err_, HasSubstr("--mode edges --tests"));
  EXPECT_EQ(Tests({"--unreached"}), 0) << "which tells of all that ran";
}

TEST_F(TestsCommandTest, OfAnotherModeThereAreTimesAlone) {
  profile_.config["mode"] = "cbs";
  for (TestRun& run : profile_.tests) run.reached.clear();
  Save();
  ASSERT_EQ(Tests({}), 0);
  EXPECT_THAT(err_, HasSubstr("record it with --mode edges"));
}

TEST_F(TestsCommandTest, SeveralJvmsRanOneSuite) {
  const std::string other = directory_ / "other.yp";
  profile_.tests = {{"CartTest.other()", 0, 1, {{EdgeId{2}, true}}}};
  ASSERT_TRUE(SaveProfile(profile_, other));
  ASSERT_EQ(Run({"tests", path_.c_str(), other.c_str(), "--json"}), 0) << err_;
  EXPECT_THAT(json::parse(out_), SizeIs(4));
}

TEST_F(TestsCommandTest, AMarkNeedsANameOrAnEnd) {
  EXPECT_EQ(Run({"mark", "1"}), 2);
  EXPECT_THAT(err_, HasSubstr("the NAME of what begins, or --end"));
  EXPECT_EQ(Run({"mark", "1", "a", "--end"}), 2);
  const std::string long_name(201, 'x');
  EXPECT_EQ(Run({"mark", "1", long_name.c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("200 is the most"));
}

}  // namespace
}  // namespace yp
