#include "format/page/page_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "format/page/page_tree.h"
#include "format/profile/profile_test_util.h"

namespace yp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::Pair;
using ::testing::SizeIs;

const PageOptions kOptions{.generator = "yp for tests"};

std::string DataOf(const Profile& profile, const PageOptions& options = kOptions) {
  const PageProfile named{&profile, "odd.yp"};
  return PageData({&named, 1}, options);
}

json Parsed(const std::string& text) { return json::parse(text); }

// Compares with a committed file, a field on a line; YP_BLESS=1 writes it.
void ExpectGolden(const std::string& name, const std::string& data) {
  const std::string actual = ordered_json::parse(data).dump(1) + "\n";
  const std::string path = "testdata/" + name;
  if (std::getenv("YP_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ifstream in(path, std::ios::binary);
  const std::string expected(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(actual, expected) << "YP_BLESS=1 writes " << path << " anew";
}

Profile ExactProfile(double main_to_a, double main_to_b) {
  Profile profile;
  profile.config["mode"] = "exact";
  const auto method = [&](const char* name) {
    return profile.methods.Intern({"App", name, "()V", "App.java", 0, {{0, 10}, {5, 11}}});
  };
  const MethodId main = method("main");
  const auto edge = [&](int32_t bci, MethodId callee, double calls) {
    EdgeStats stats;
    stats.edge = {main, bci, callee};
    stats.calls = stats.low = stats.high = stats.uncorrected = calls;
    stats.flags = kEdgeExact;
    profile.edges.push_back(stats);
  };
  edge(0, method("a"), main_to_a);
  if (main_to_b > 0) edge(5, method("b"), main_to_b);
  return profile;
}

TEST(PageDataTest, IsAsBlessed) { ExpectGolden("odd.json", DataOf(OddProfile())); }

TEST(PageDataTest, OfTwoProfilesIsAsBlessed) {
  const Profile before = ExactProfile(1'234'567, 2), after = ExactProfile(10, 0);
  const PageProfile named[] = {{&before, "before.yp"}, {&after, "after.yp"}};
  ExpectGolden("diff.json", PageData(named, kOptions));
}

TEST(PageDataTest, ExactCallsHaveNoIntervalsAndAllDigits) {
  const json edges = Parsed(DataOf(ExactProfile(1'234'567'890'123, 2)))["profiles"][0]["edges"];
  EXPECT_EQ(edges["calls"].dump(), "[1234567890123,2]");
  EXPECT_TRUE(edges["low"].is_null());
  EXPECT_TRUE(edges["high"].is_null());
  EXPECT_EQ(edges["line"].dump(), "[10,11]");
}

TEST(PageDataTest, CallsAreWholeButForEstimatesBelowOne) {
  Profile profile = ExactProfile(1234.5, 0.3);
  for (EdgeStats& edge : profile.edges) {
    edge.flags = kEdgeSampled;
    edge.low = edge.calls * 0.9;
    edge.high = edge.calls * 1.1;
  }
  const json edges = Parsed(DataOf(profile))["profiles"][0]["edges"];
  EXPECT_EQ(edges["calls"].dump(), "[1235,0.3]");
  EXPECT_EQ(edges["low"].dump(), "[1111,0]");
  EXPECT_EQ(edges["high"].dump(), "[1358,1]");
}

TEST(PageDataTest, EdgesThatWereFoundHaveNoCalls) {
  Profile profile = ExactProfile(1, 1);
  profile.config["mode"] = "edges";
  for (EdgeStats& edge : profile.edges) edge.flags = kEdgeOnce;
  const json data = Parsed(DataOf(profile))["profiles"][0];
  EXPECT_EQ(data["calls"], nullptr);
  for (const char* key : {"calls", "low", "high"}) EXPECT_EQ(data["edges"][key], nullptr) << key;
}

TEST(PageDataTest, TablesHaveColumnsOfOneLength) {
  const json data = Parsed(DataOf(OddProfile()));
  const json& profile = data["profiles"][0];
  const auto expect_equal = [](const json& table, size_t size) {
    for (const auto& [name, column] : table.items()) {
      if (column.is_array()) {
        EXPECT_THAT(column, SizeIs(size)) << name;
      }
    }
  };
  expect_equal(data["methods"], data["methods"]["class"].size());
  expect_equal(profile["edges"], 6);
  expect_equal(profile["windows"], 2);
  for (const json& tree : profile["trees"]) expect_equal(tree, tree["parent"].size());
  for (const char* table : {"methods", "compilations", "recompilations", "versions", "inlinings",
                            "deoptimizations", "warm_up"}) {
    expect_equal(profile["jit"][table], profile["jit"][table].front().size());
  }
}

TEST(PageDataTest, TheOneMethodOfTwoProfilesIsOne) {
  const Profile before = ExactProfile(1, 2), after = ExactProfile(3, 0);
  const PageProfile named[] = {{&before, "b"}, {&after, "a"}};
  const json data = Parsed(PageData(named, kOptions));
  EXPECT_THAT(data["methods"]["name"], SizeIs(3));
  EXPECT_EQ(data["profiles"][0]["edges"]["callee"][0], data["profiles"][1]["edges"]["callee"][0]);
  EXPECT_EQ(data["diff"]["exact"], true);
  EXPECT_THAT(data["diff"]["before"], SizeIs(2));
  EXPECT_THAT(data["diff"]["methods"]["before"], SizeIs(2));
}

TEST(PageDataTest, OfChangesThatMayBeChanceTheLargestAreShown) {
  Profile before = ExactProfile(100, 100), after = ExactProfile(100, 101);
  for (Profile* profile : {&before, &after}) {
    profile->config["mode"] = "cbs";
    for (EdgeStats& edge : profile->edges) {
      edge.flags = kEdgeSampled;
      edge.samples = 10;
      edge.low = edge.calls / 2;
      edge.high = edge.calls * 2;
    }
  }
  const PageProfile named[] = {{&before, "b"}, {&after, "a"}};
  PageOptions options = kOptions;
  options.max_unlikely = 1;
  const json diff = Parsed(PageData(named, options))["diff"];
  EXPECT_EQ(diff["tested"], 2);
  EXPECT_EQ(diff["significant"], 0);
  EXPECT_EQ(diff["hidden"], 1);
  EXPECT_THAT(diff["caller"], SizeIs(1));
  EXPECT_EQ(diff["methods"]["tested"], 2);
  EXPECT_EQ(diff["methods"]["significant"], 0);
  EXPECT_EQ(diff["methods"]["hidden"], 1);
  EXPECT_THAT(diff["methods"]["method"], SizeIs(1));
}

TEST(PageDataTest, StacksWithCodeAreNotShownASecondTimeWithout) {
  const json trees = Parsed(DataOf(OddProfile()))["profiles"][0]["trees"];
  ASSERT_THAT(trees, SizeIs(1));
  EXPECT_EQ(trees[0]["level"].dump(), "[-1,3,3,0,-1]");
  EXPECT_EQ(trees[0]["inlined"].dump(), "[0,0,1,0,0]");
  Profile calls = OddProfile();
  calls.config["contexts"] = "calls";
  EXPECT_THAT(Parsed(DataOf(calls))["profiles"][0]["trees"], SizeIs(2));
}

TEST(PageTreeTest, TheLightestSubtreesAreLeftOut) {
  CallingContextTree tree;
  const ContextId heavy = tree.Child(kRootContext, kNoBci, MethodId{0});
  const ContextId light = tree.Child(kRootContext, kNoBci, MethodId{1});
  const ContextId deep = tree.Child(tree.Child(heavy, 1, MethodId{1}), 2, MethodId{2});
  tree.Add(deep, 10);
  tree.Add(light, 4);
  EXPECT_THAT(HeaviestNodes(tree, 5), SizeIs(5));
  EXPECT_THAT(HeaviestNodes(tree, 4), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(HeaviestNodes(tree, 2), ElementsAre(0, 1));
  Profile profile = OddProfile();
  profile.jit = {};
  PageOptions options = kOptions;
  options.max_nodes = 2;
  const json shown = Parsed(DataOf(profile, options))["profiles"][0]["trees"][0];
  EXPECT_EQ(shown["weight"].dump(), "[0,2]");
  EXPECT_EQ(shown["hidden_nodes"], 1);
  EXPECT_EQ(shown["hidden_weight"], 7);
}

TEST(PageDataTest, SourcesAreThoseOfEdgesAndContexts) {
  const WantedSources wanted = SourcesOf(OddProfile());
  EXPECT_THAT(wanted,
              ElementsAre(Pair("com/example/App.java", Gt(0)),
                          Pair("com/example/Größe.java", Gt(0)), Pair("we\"ird \\.kt", Gt(0))));
}

TEST(PageDataTest, SourcesAreWorthTheirCalls) {
  Profile profile = ExactProfile(30, 10);
  const MethodId other = profile.methods.Intern({"Other", "x", "()V", "Other.java", 0, {}});
  profile.edges[1].edge.callee = other;
  EXPECT_THAT(SourcesOf(profile), ElementsAre(Pair("App.java", 1.75), Pair("Other.java", 0.25)));
}

TEST(PageDataTest, SourcesAreByPath) {
  SourceFiles sources;
  sources.texts["a/B.java"] = "  f();\n</script>\n";
  sources.left_out["a/C.java"] = "there was no room for it";
  PageOptions options = kOptions;
  options.sources = &sources;
  EXPECT_EQ(Parsed(DataOf(Profile(), options))["sources"],
            json::parse(R"({"files": {"a/B.java": "  f();\n</script>\n"},
                            "left_out": {"a/C.java": "there was no room for it"}})"));
  EXPECT_TRUE(Parsed(DataOf(Profile()))["sources"].is_null());
}

TEST(PageDataTest, TestsHaveTheMethodsThatTheyReached) {
  Profile profile;
  profile.config["mode"] = "edges";
  const auto method = [&profile](const char* name) {
    return profile.methods.Intern({"App", name, "()V", "App.java", Method::kObserved, {{0, 1}}});
  };
  const MethodId a = method("a"), b = method("b");
  profile.edges.resize(2);
  profile.edges[0].edge = {kNoMethod, kNoBci, a};
  profile.edges[1].edge = {a, 3, b};
  profile.tests = {{"one", 100, 300, {{EdgeId{0}, true}}},
                   {"two", 300, 700, {{EdgeId{1}, false}}},
                   {"one", 900, 950, {}}};
  const json tests = Parsed(DataOf(profile))["profiles"][0]["tests"];
  EXPECT_EQ(tests["name"].dump(), R"(["one","two"])");
  EXPECT_EQ(tests["duration_ns"].dump(), "[250,400]");
  EXPECT_EQ(tests["edges"].dump(), "[1,1]");
  EXPECT_EQ(tests["edges_only"].dump(), "[1,1]");
  EXPECT_EQ(tests["methods"].dump(), "[1,2]");
  EXPECT_EQ(tests["methods_only"].dump(), "[0,1]");
  EXPECT_EQ(tests["reached"].dump(), "[[0],[0,1]]");
  profile.tests.clear();
  EXPECT_TRUE(Parsed(DataOf(profile))["profiles"][0]["tests"].is_null());
}

TEST(PageDataTest, UnexecutedCallsAreThoseOfMethodsThatRan) {
  Profile profile;
  profile.config["mode"] = "edges";
  const auto method = [&profile](const char* name) {
    return profile.methods.Intern(
        {"App", name, "()V", "App.java", Method::kObserved, {{0, 1}, {4, 2}}});
  };
  const MethodId never = method("never"), ran = method("ran");
  profile.edges.resize(1);
  profile.edges[0].edge = {kNoMethod, kNoBci, ran};
  profile.unexecuted_calls = {{never, 1, "App.a()V"}, {ran, 5, "App.b()V"}};
  EXPECT_TRUE(Parsed(DataOf(profile))["profiles"][0]["unexecuted"].is_null())
      << "not known to be all";
  profile.config["probe.unexecuted_listed"] = "all";
  const json data = Parsed(DataOf(profile)), calls = data["profiles"][0]["unexecuted"];
  EXPECT_EQ(calls["bci"].dump(), "[5]");
  EXPECT_EQ(calls["line"].dump(), "[2]");
  EXPECT_EQ(calls["left_out"], 0);
  EXPECT_EQ(data["strings"][calls["callee"][0].get<size_t>()], "App.b()V");
  const size_t name = data["methods"]["name"][calls["caller"][0].get<size_t>()];
  EXPECT_EQ(data["strings"][name], "ran");
}

TEST(PageDataTest, SlicesAreByPartOfTheRunAndByThreads) {
  const json slices = Parsed(DataOf(OddProfile()))["profiles"][0]["slices"];
  EXPECT_EQ(slices["part_ns"], 10'000'000);
  EXPECT_EQ(slices["parts"], 3);
  EXPECT_EQ(slices["groups"].dump(), R"(["main","pool \"1\""])");
  EXPECT_EQ(slices["thread_group"].dump(), "[0,-1]");
  EXPECT_EQ(slices["calls"]["part"].dump(), "[1,1,1,1,2,2]");
  EXPECT_EQ(slices["calls"]["edge"].dump(), "[0,1,2,3,4,5]");
  EXPECT_EQ(slices["calls"]["calls"][1], 61650);
  EXPECT_EQ(slices["calls"]["units"].dump(), "[1,1,1,1,1,1]");
  EXPECT_EQ(slices["calls"]["sampled"][2], 150) << "without those that were counted";
  EXPECT_EQ(slices["stacks"]["node"].dump(), "[2,2,3,4]");
  EXPECT_EQ(slices["stacks"]["samples"].dump(), "[3,1,2,1]");
}

TEST(PageDataTest, CountedCallsHaveNoSlices) {
  EXPECT_TRUE(Parsed(DataOf(ExactProfile(1, 1)))["profiles"][0]["slices"].is_null());
}

TEST(PageDataTest, MethodsBeginAtALine) {
  EXPECT_EQ(Parsed(DataOf(ExactProfile(1, 1)))["methods"]["line"].dump(), "[10,10,10]");
}

}  // namespace
}  // namespace yp
