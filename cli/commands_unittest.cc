// The commands as a user types them, without a JVM.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/collect.h"
#include "cli/command_test_util.h"
#include "cli/output_path.h"
#include "format/profile/profile.h"
#include "format/spool/spool_writer.h"

namespace yp {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = std::filesystem;

class CommandsTest : public CommandTest {
 protected:
  CommandsTest() {
    std::string pattern = fs::temp_directory_path() / "yp-commands-XXXXXX";
    directory_ = fs::canonical(mkdtemp(pattern.data()));
  }
  ~CommandsTest() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return directory_ / name; }

  int Yp(std::vector<const char*> arguments) { return Run(std::move(arguments)); }
  int YpOn(const std::string& profile, const char* command, std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {command, profile.c_str()});
    return Yp(arguments);
  }

  // main calls a 30 times at line 12 and b once.
  static Profile SmallProfile() {
    Profile profile;
    const auto method = [&profile](const char* name) {
      Method m;
      m.class_name = "org.example.App";
      m.name = name;
      m.descriptor = "()V";
      m.source_file = "App.java";
      m.lines = {{0, 11}, {4, 12}};
      return profile.methods.Intern(m);
    };
    const MethodId main = method("main");
    const MethodId a = method("a");
    const MethodId b = method("b");
    for (const auto& [bci, callee, calls] : {std::tuple{0, b, 1.0}, std::tuple{4, a, 30.0}}) {
      EdgeStats stats;
      stats.edge = {main, bci, callee};
      stats.calls = stats.low = stats.high = stats.uncorrected = calls;
      stats.flags = kEdgeExact;
      profile.edges.push_back(stats);
    }
    profile.config = {{"mode", "exact"}, {"scope", "app"}};
    profile.complete = true;
    return profile;
  }
  // The shares' intervals are those of the numbers.
  std::string Saved(const std::string& name, Profile profile) {
    SetSharesByNumbers(&profile);
    const Status saved = SaveProfile(profile, Path(name));
    EXPECT_TRUE(saved) << saved.message();
    return Path(name);
  }
  // A spool of one exact edge with that many calls.
  void WriteSpool(const std::string& path, uint64_t calls, bool ended) {
    auto writer = spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
    ASSERT_TRUE(writer) << writer.message();
    Method method;
    method.class_name = "A";
    method.name = "f";
    method.descriptor = "()V";
    spool::SpoolWriter& out = **writer;
    EXPECT_TRUE(out.Append(spool::Config{{{"mode", "exact"}}}));
    EXPECT_TRUE(out.Append(spool::MethodDefinition{MethodId{0}, method}));
    EXPECT_TRUE(out.Append(spool::EdgeDefinition{EdgeId{0}, {kNoMethod, kNoBci, MethodId{0}}}));
    EXPECT_TRUE(out.Append(spool::Counts{{{EdgeId{0}, calls}}}));
    if (ended) {
      EXPECT_TRUE(out.Append(spool::End{1, 1}));
    }
    EXPECT_TRUE(out.Flush());
  }

  fs::path directory_;
};

TEST_F(CommandsTest, MergesSpoolsIntoOneProfile) {
  WriteSpool(Path("a"), 3, true);
  WriteSpool(Path("b"), 4, true);
  const std::string a = Path("a"), b = Path("b"), out = Path("m.yp");
  ASSERT_EQ(Yp({"merge", a.c_str(), b.c_str(), "-o", out.c_str()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("2 spools of 2 recordings, 7 calls"));
  ASSERT_EQ(YpOn(out, "edges", {"--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)[0]["calls"], 7);
  ASSERT_EQ(Yp({"merge", a.c_str(), b.c_str(), "-o", out.c_str(), "--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["recordings"], 2);
  // What it wrote is none.
  EXPECT_EQ(Yp({"merge", a.c_str(), out.c_str(), "-o", Path("n.yp").c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("m.yp cannot be merged: it is a profile"));
  EXPECT_FALSE(fs::exists(Path("n.yp")));
}

TEST_F(CommandsTest, WritesEdgesInTheFormOfTheJsonContract) {
  const std::string profile = Saved("p.yp", SmallProfile());
  ASSERT_EQ(YpOn(profile, "edges", {"--json"}), 0) << err_;
  const json edges = json::parse(out_);
  ASSERT_THAT(edges, SizeIs(2));
  EXPECT_EQ(edges[0]["caller"], "org.example.App.main()V");
  EXPECT_EQ(edges[0]["callee"], "org.example.App.a()V");
  EXPECT_EQ(edges[0]["bci"], 4);
  EXPECT_EQ(edges[0]["line"], 12);
  EXPECT_EQ(edges[0]["calls"], 30);
  EXPECT_EQ(edges[0]["low"], 30);
  EXPECT_EQ(edges[0]["high"], 30);
  EXPECT_EQ(edges[0]["flags"], json::array({"exact"}));
}

TEST_F(CommandsTest, SelectsEdgesByGlobAndNumber) {
  const std::string profile = Saved("p.yp", SmallProfile());
  ASSERT_EQ(YpOn(profile, "edges", {"--json", "--callee", "*.App.b"}), 0);
  ASSERT_THAT(json::parse(out_), SizeIs(1));
  EXPECT_EQ(json::parse(out_)[0]["callee"], "org.example.App.b()V");
  ASSERT_EQ(YpOn(profile, "edges", {"--json", "-n", "1"}), 0);
  EXPECT_EQ(json::parse(out_)[0]["calls"], 30);
  ASSERT_EQ(YpOn(profile, "edges", {"--json", "--callee", "org.example.App"}), 0);
  EXPECT_EQ(json::parse(out_).size(), 2U) << "a class: all of its methods";
  ASSERT_EQ(YpOn(profile, "edges", {"--json", "--caller", "nobody"}), 0);
  EXPECT_THAT(err_, HasSubstr("none of the 2 edges matches --caller nobody"));
  EXPECT_THAT(json::parse(out_), SizeIs(0));
}

TEST_F(CommandsTest, ShowsMethodsWithTheirNeighbours) {
  const std::string profile = Saved("p.yp", SmallProfile());
  ASSERT_EQ(YpOn(profile, "top", {"--json"}), 0);
  const json methods = json::parse(out_);
  EXPECT_EQ(methods[0]["method"], "org.example.App.a()V");
  EXPECT_EQ(methods[0]["calls"], 30);
  EXPECT_EQ(methods[0]["callers"], 1);
  EXPECT_EQ(methods[0]["callees"], 0);
}

TEST_F(CommandsTest, ShowsWhereTimeIsSpent) {
  Profile profile = SmallProfile();
  const std::string without = Saved("without.yp", profile);
  EXPECT_EQ(YpOn(without, "tree", {}), 2);
  EXPECT_THAT(err_, HasSubstr("--mechanism immediate"));
  EXPECT_EQ(YpOn(without, "top", {"--by", "self"}), 2);
  EXPECT_THAT(err_, HasSubstr("--mechanism immediate"));

  const auto method = [&](const char* name) {
    return profile.methods.Find(std::string("org.example.App.") + name + "()V");
  };
  const ContextId main = profile.contexts.Child(kRootContext, kNoBci, method("main"));
  profile.contexts.Add(main, 1);
  profile.contexts.Add(profile.contexts.Child(main, 0, method("b")), 6);
  profile.contexts.Add(profile.contexts.Child(main, 4, method("a")), 3);
  const std::string with = Saved("with.yp", profile);
  ASSERT_EQ(YpOn(with, "tree", {}), 0) << err_;
  EXPECT_THAT(out_,
              HasSubstr("  total    self  total samples  self samples  method\n"
                        "100.0 %  10.0 %             10             1  org.example.App.main()\n"
                        " 60.0 %  60.0 %              6             6    org.example.App.b()\n"));
  profile.config["stacks.event"] = "cpu-clock";
  profile.config["stacks.period"] = "1500000";
  const std::string timed = Saved("timed.yp", profile);
  ASSERT_EQ(YpOn(timed, "tree", {}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("  total    self  total time  self time  method\n"
                              "100.0 %  10.0 %       15 ms     1.5 ms  org.example.App.main()\n"));
  ASSERT_EQ(YpOn(timed, "top", {"--by", "self"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("60.0 %   60.0 %     9.0 ms      9.0 ms"));
  ASSERT_EQ(YpOn(with, "tree", {"--json", "--min", "50"}), 0) << err_;
  const json tree = json::parse(out_)["children"][0];
  EXPECT_EQ(tree["total"], 10);
  ASSERT_THAT(tree["children"], SizeIs(1)) << "a has less than half";
  EXPECT_EQ(tree["children"][0]["line"], 11);
  ASSERT_EQ(YpOn(with, "top", {"--by", "self", "--json"}), 0) << err_;
  const json top = json::parse(out_);
  EXPECT_EQ(top[0]["method"], "org.example.App.b()V");
  EXPECT_EQ(top[0]["self_samples"], 6);
  EXPECT_EQ(top[0]["calls"], 1);
  EXPECT_EQ(top[2]["total_samples"], 10);
}

TEST_F(CommandsTest, TellsHowOftenAContextWasCalledApartFromTheCallsBelowIt) {
  Profile profile = SmallProfile();
  profile.config["contexts"] = "calls";
  const MethodId main = profile.edges[0].edge.caller;
  const ContextId in_main = profile.contexts.Child(kRootContext, kNoBci, main);
  profile.contexts.Add(in_main, 1);
  const ContextId in_b = profile.contexts.Child(in_main, 0, profile.edges[0].edge.callee);
  profile.contexts.Add(in_b, 40);
  profile.contexts.Add(profile.contexts.Child(in_b, 4, profile.edges[1].edge.callee), 959);
  const std::string path = Saved("calls.yp", profile);
  ASSERT_EQ(YpOn(path, "tree", {"--min", "0"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("  share  calls  calls below  method\n"
                              "100.0 %      1          999  org.example.App.main()\n"
                              " 99.9 %     40          959    org.example.App.b()\n"
                              " 95.9 %    959            0      org.example.App.a()\n"));
  ASSERT_EQ(YpOn(path, "tree", {"--min", "0", "--json"}), 0) << err_;
  const json root = json::parse(out_);
  EXPECT_EQ(root["unit"], "calls");
  const json b = root["children"][0]["children"][0];
  EXPECT_EQ(b["calls"], 40);
  EXPECT_EQ(b["calls_below"], 959);
  EXPECT_EQ(b["self"], 40);
  EXPECT_EQ(b["total"], 999);
}

TEST_F(CommandsTest, NumbersOfCallsAreWhole) {
  Profile profile = SmallProfile();
  profile.config["mode"] = "cbs";
  for (EdgeStats& edge : profile.edges) edge.flags = kEdgeInferred;
  profile.edges[0].calls = 0.6;
  profile.edges[0].low = 0.2;
  profile.edges[0].high = 3.4;
  profile.edges[1].calls = 1234.5;
  profile.edges[1].low = 1000.9;
  profile.edges[1].high = 2000.1;
  const std::string path = Saved("inferred.yp", profile);
  ASSERT_EQ(YpOn(path, "edges", {}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("1,235  1,000 - 2,001"));
  EXPECT_THAT(out_, HasSubstr("   <1          0 - 4"));
  ASSERT_EQ(YpOn(path, "edges", {"--json"}), 0) << err_;
  const json edges = json::parse(out_);
  EXPECT_EQ(edges[0]["calls"], 1235);
  EXPECT_EQ(edges[0]["low"], 1000);
  EXPECT_EQ(edges[0]["high"], 2001);
  EXPECT_EQ(edges[1]["calls"], 1) << "none would be no edge";
  EXPECT_EQ(edges[1]["low"], 0);
  EXPECT_EQ(edges[1]["high"], 4);
  EXPECT_EQ(edges[1]["flags"], json({"inferred", "below-one"}));
  ASSERT_EQ(YpOn(path, "top", {"--json"}), 0) << err_;
  EXPECT_TRUE(json::parse(out_)[0]["calls"].is_number_integer()) << out_;
  ASSERT_EQ(YpOn(path, "info", {"--json"}), 0) << err_;
  EXPECT_TRUE(json::parse(out_)["calls"].is_number_integer()) << out_;
}

TEST_F(CommandsTest, EdgesThatWereFoundHaveNoCalls) {
  Profile profile = SmallProfile();
  profile.config["mode"] = "edges";
  for (EdgeStats& edge : profile.edges) {
    edge.calls = edge.low = edge.high = edge.uncorrected = 1;
    edge.flags = kEdgeOnce;
  }
  const std::string path = Saved("edges.yp", profile);
  ASSERT_EQ(YpOn(path, "top", {}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("edges in  edges out  callers  callees  method\n"));
  EXPECT_THAT(out_, HasSubstr("       1          0        1        0  org.example.App.a()\n"));
  EXPECT_THAT(out_, Not(HasSubstr("%")));
  ASSERT_EQ(YpOn(path, "top", {"--json"}), 0) << err_;
  for (const json& method : json::parse(out_)) {
    EXPECT_EQ(method["calls"], nullptr);
    EXPECT_EQ(method["calls_out"], nullptr);
    EXPECT_EQ(method["edges_in"].get<int>() + method["edges_out"].get<int>(),
              method["method"] == "org.example.App.main()V" ? 2 : 1);
  }
  ASSERT_EQ(YpOn(path, "edges", {}), 0) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("calls")));
  ASSERT_EQ(YpOn(path, "edges", {"--json"}), 0) << err_;
  for (const json& edge : json::parse(out_)) {
    for (const char* key : {"calls", "low", "high", "share", "uncorrected"}) {
      EXPECT_EQ(edge[key], nullptr) << key;
    }
    EXPECT_EQ(edge["flags"], json({"once"}));
  }
  ASSERT_EQ(YpOn(path, "info", {}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("edges found       2\n"));
  EXPECT_THAT(out_, Not(HasSubstr("calls")));
  ASSERT_EQ(YpOn(path, "info", {"--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["calls"], nullptr);
  EXPECT_EQ(json::parse(out_)["edges"], 2);
  ASSERT_EQ(Yp({"overlap", path.c_str(), path.c_str(), "--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["overlap"], nullptr);
  EXPECT_EQ(json::parse(out_)["common_edges"], 2);
  ASSERT_EQ(Yp({"overlap", path.c_str(), path.c_str()}), 0) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("%")));
}

// --mode timer --mechanism immediate: ends of stacks stand for calls.
TEST_F(CommandsTest, SamplesAreNotCalledCalls) {
  Profile profile = SmallProfile();
  profile.config["mode"] = "timer";
  profile.config["probe"] = "none";
  for (EdgeStats& edge : profile.edges) {
    edge.flags = kEdgeSampled;
    edge.samples = static_cast<uint64_t>(edge.calls);
  }
  const std::string path = Saved("ends.yp", profile);
  for (const char* command : {"top", "edges"}) {
    ASSERT_EQ(YpOn(path, command, {}), 0) << err_;
    EXPECT_THAT(out_, HasSubstr("samples ")) << command;
    EXPECT_THAT(out_, Not(HasSubstr("calls"))) << command;
  }
}

// Whatever is told on stderr beside the data is in the JSON object of the same command.
TEST_F(CommandsTest, WarningsAreInTheJson) {
  Profile cut = SmallProfile();
  cut.complete = false;
  cut.contexts.Add(cut.contexts.Child(kRootContext, kNoBci, cut.edges[0].edge.caller), 3);
  cut.config["scope"] = "all";
  const std::string a = Saved("a.yp", SmallProfile());
  const std::string b = Saved("b.yp", cut);
  const std::string warning = b + ": the run was cut off";
  const std::vector<std::vector<const char*>> commands = {
      {"edges", b.c_str(), "--json-object"},
      {"top", b.c_str(), "--json-object"},
      {"tree", b.c_str(), "--json"},
      {"info", b.c_str(), "--json"},
      {"overlap", a.c_str(), b.c_str(), "--json"},
      {"diff", a.c_str(), b.c_str(), "--json"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0]);
    ASSERT_EQ(Yp(command), 0) << err_;
    const json warnings = json::parse(out_)["warnings"];
    const bool compares = command.size() == 4;
    ASSERT_THAT(warnings, SizeIs(compares ? 2 : 1)) << out_;
    EXPECT_THAT(warnings[0].get<std::string>(), HasSubstr(warning));
    if (compares) {
      EXPECT_THAT(warnings[1].get<std::string>(), HasSubstr("differ in \"scope\""));
    }
    for (const json& each : warnings) {
      EXPECT_THAT(err_, HasSubstr(each.get<std::string>())) << "a person reads the same";
    }
  }
  ASSERT_EQ(YpOn(a, "info", {"--json"}), 0);
  EXPECT_THAT(json::parse(out_)["warnings"], SizeIs(0)) << "of this command alone";
  ASSERT_EQ(YpOn(b, "edges", {"--json"}), 0);
  EXPECT_TRUE(json::parse(out_).is_array()) << "as the contract has it";
  ASSERT_EQ(YpOn(b, "edges", {"--json-object"}), 0);
  EXPECT_THAT(json::parse(out_)["edges"], SizeIs(2));
}

TEST_F(CommandsTest, ComparesProfilesAndWarnsOfOtherFilters) {
  const std::string a = Saved("a.yp", SmallProfile());
  Profile other = SmallProfile();
  other.config["scope"] = "all";
  other.edges.erase(other.edges.begin());
  const std::string b = Saved("b.yp", other);
  ASSERT_EQ(Yp({"overlap", a.c_str(), b.c_str(), "--json"}), 0) << err_;
  const json comparison = json::parse(out_);
  EXPECT_NEAR(comparison["overlap"], 100.0 * 30 / 31, 1e-9);
  EXPECT_EQ(comparison["common_edges"], 1);
  EXPECT_EQ(comparison["only_a"], 1);
  EXPECT_EQ(comparison["only_b"], 0);
  EXPECT_THAT(err_, HasSubstr("differ in \"scope\""));
}

TEST_F(CommandsTest, SaysHowManyIntervalsHoldTheExactShare) {
  // 30 and 1 of 31 calls exactly; 100 and 10 estimated.
  const std::string exact = Saved("exact.yp", SmallProfile());
  Profile sampled = SmallProfile();
  for (EdgeStats& edge : sampled.edges) {
    const bool is_a = edge.calls == 30;
    edge.calls = edge.uncorrected = is_a ? 100 : 10;
    edge.low = is_a ? 90 : 5;
    edge.high = is_a ? 110 : 20;
    edge.samples = is_a ? 10 : 1;
    edge.flags = kEdgeSampled;
  }
  const auto intervals = [&](const Profile& profile, const char* flag) {
    const std::string path = Saved("sampled.yp", profile);
    EXPECT_EQ(Yp({"overlap", exact.c_str(), path.c_str(), flag}), 0) << err_;
    return out_;
  };
  const json json_form = json::parse(intervals(sampled, "--json"))["intervals"];
  EXPECT_EQ(json_form["edges"], 2);
  EXPECT_EQ(json_form["held"], 50) << "106.5 in 90 to 110, and 3.5 below 5";
  EXPECT_EQ(json_form["too_large"], 50);
  EXPECT_THAT(intervals(sampled, "--methods"), Not(HasSubstr("intervals")));
  sampled.edges[0].flags |= kEdgeNoInterval;
  EXPECT_THAT(intervals(sampled, "--json"), Not(HasSubstr("intervals")));
  EXPECT_THAT(intervals(SmallProfile(), "--json"), Not(HasSubstr("intervals"))) << "exact";
}

TEST_F(CommandsTest, ComparesCallingContexts) {
  const auto with_contexts = [](double of_a, double of_b) {
    Profile profile = SmallProfile();
    const MethodId main = profile.edges[0].edge.caller;
    const ContextId in_main = profile.contexts.Child(kRootContext, kNoBci, main);
    for (const EdgeStats& edge : profile.edges) {
      const double weight = edge.calls == 30 ? of_a : of_b;
      const ContextId context = profile.contexts.Child(in_main, edge.edge.bci, edge.edge.callee);
      if (weight > 0) profile.contexts.Add(context, weight);
    }
    return profile;
  };
  const std::string a = Saved("a.yp", with_contexts(60, 40));
  const std::string b = Saved("b.yp", with_contexts(8, 0));
  ASSERT_EQ(Yp({"overlap", "--contexts", "--json", a.c_str(), b.c_str()}), 0) << err_;
  const json comparison = json::parse(out_);
  EXPECT_NEAR(comparison["overlap"], 60, 1e-9);
  EXPECT_EQ(comparison["common_contexts"], 1);
  EXPECT_EQ(comparison["only_a"], 1);
  EXPECT_EQ(comparison["hot_coverage"][0]["contexts"], 2);
  EXPECT_EQ(comparison["hot_coverage"][0]["coverage"], 50);
  ASSERT_EQ(Yp({"overlap", "--contexts", a.c_str(), b.c_str()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("overlap           60.00 %"));
  const std::string without = Saved("without.yp", SmallProfile());
  EXPECT_EQ(Yp({"overlap", "--contexts", a.c_str(), without.c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("without.yp has no calling contexts"));
}

TEST_F(CommandsTest, WeightsWindowsAnew) {
  // One window of ten calls, all of a, in a time of many calls; one of b in a time of few, of
  // another thread.
  const std::string exact = Saved("exact.yp", SmallProfile());
  Profile sampled = SmallProfile();
  for (EdgeStats& edge : sampled.edges) edge = {.edge = edge.edge};
  for (const int64_t duration_ns : {900, 27'000}) {
    spool::Window window;
    window.thread = ThreadId{static_cast<uint32_t>(sampled.windows.size())};
    window.duration_ns = duration_ns;
    window.interval_ns = 1'000'000;
    window.calls = 10;
    window.samples = {{EdgeId{duration_ns == 900 ? 1u : 0u}, 10}};
    sampled.windows.push_back(window);
  }
  const std::string path = Saved("sampled.yp", sampled);
  const auto overlap = [&](const char* correction) {
    EXPECT_EQ(Yp({"overlap", "--json", "--correct", correction, exact.c_str(), path.c_str()}), 0)
        << err_;
    return json::parse(out_)["overlap"].get<double>();
  };
  // 30 and 1 of 31 calls exactly.
  EXPECT_NEAR(overlap("density"), 100, 0.5);
  EXPECT_NEAR(overlap("none"), 100 * (0.5 + 1.0 / 31), 1e-6);
  EXPECT_EQ(Yp({"overlap", "--correct", "none", path.c_str(), exact.c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("nothing in it was sampled"));
  EXPECT_EQ(Yp({"overlap", "--correct", "latency", exact.c_str(), path.c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("choose none, density, density+latency or shrunk"));
}

TEST_F(CommandsTest, OfExactProfilesEveryDifferenceIsListedWithItsNumbersOfCalls) {
  // 30 and 1 calls before; 30 and 15,030 after.
  const std::string before = Saved("before.yp", SmallProfile());
  Profile changed = SmallProfile();
  for (EdgeStats& edge : changed.edges) {
    edge.calls = edge.low = edge.high = edge.calls == 1 ? 15'030 : 30;
  }
  const std::string after = Saved("after.yp", changed);
  ASSERT_EQ(Yp({"diff", before.c_str(), after.c_str(), "--json"}), 0) << err_;
  const json diff = json::parse(out_);
  EXPECT_EQ(diff["per"], "calls");
  EXPECT_EQ(diff["tested"], 2);
  EXPECT_EQ(diff["significant"], 1);
  ASSERT_THAT(diff["changes"], SizeIs(1));
  EXPECT_EQ(diff["changes"][0]["calls_before"], 1);
  EXPECT_EQ(diff["changes"][0]["calls_after"], 15'030);
  EXPECT_EQ(diff["changes"][0]["caller"], "org.example.App.main()V");
  EXPECT_EQ(diff["changes"][0]["q_value"], 0);
  ASSERT_EQ(Yp({"diff", before.c_str(), after.c_str()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("+15,029"));
  EXPECT_THAT(out_, HasSubstr("× 15,030"));
  EXPECT_THAT(err_, HasSubstr("numbers of calls: of 2 edges 1 differ\n"));
  // The share of the other has changed, too.
  ASSERT_EQ(Yp({"diff", before.c_str(), after.c_str(), "--per", "share", "--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["significant"], 2);
}

// Samples of calls that were not inlined, so many of a and of b.
TEST_F(CommandsTest, ListsChangesThatAreMoreThanChance) {
  const auto sampled = [&](const char* name, double of_b, double of_a, const char* only = "") {
    Profile profile = SmallProfile();
    profile.config["mode"] = "cbs";
    for (size_t i = 0; i < profile.edges.size(); ++i) {
      EdgeStats& edge = profile.edges[i];
      const double samples = i == 0 ? of_b : of_a;
      edge.flags = kEdgeSampled;
      edge.samples = static_cast<uint64_t>(samples);
      edge.calls = 1000 * samples;
      edge.low = edge.calls * 0.9;
      edge.high = edge.calls * 1.1;
      edge.variance = 1e6 * samples;
      auto& replicates = profile.replicates.emplace_back();
      for (size_t g = 0; g < kReplicates; ++g) {
        replicates[g] = static_cast<float>(edge.calls * (0.9 + (g % 2 == 0 ? 0.01 : -0.01)));
      }
    }
    return Saved(name + std::string(only), profile);
  };
  const std::string a = sampled("a.yp", 400, 10'000), b = sampled("b.yp", 410, 9'900);
  const std::string twice = sampled("twice.yp", 800, 10'000), few = sampled("few.yp", 3, 40);
  // All samples of one moment: without its group there are none.
  Profile moment = *LoadProfile(sampled("moment.yp", 120, 10'000));
  moment.replicates[0][3] = 0;
  const std::string burst = Saved("burst.yp", moment);
  moment.edges.erase(moment.edges.begin());
  moment.replicates.erase(moment.replicates.begin());
  const std::string without = Saved("without.yp", moment);
  ASSERT_EQ(Yp({"diff", burst.c_str(), without.c_str(), "--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["significant"], 0);
  EXPECT_THAT(err_, HasSubstr("1 edges with 1 % of the calls or more are on one side only"));
  ASSERT_EQ(Yp({"diff", a.c_str(), without.c_str()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("gone"));
  ASSERT_EQ(Yp({"diff", a.c_str(), b.c_str(), "--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)["significant"], 0);
  ASSERT_EQ(Yp({"diff", a.c_str(), b.c_str(), "--all", "--callee", "*.b"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr(":11"));
  EXPECT_THAT(out_, Not(HasSubstr(":12")));
  EXPECT_THAT(err_, HasSubstr("shares of all calls: of 2 edges 0 differ by more than chance"));
  EXPECT_THAT(err_, HasSubstr("no difference is larger than chance explains"));
  ASSERT_EQ(Yp({"diff", a.c_str(), twice.c_str(), "--per", "org.example.App.a"}), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("calls per call of org.example.App.a: of 2 edges 1 differ"));
  EXPECT_THAT(out_, HasSubstr("× 2"));
  EXPECT_THAT(out_, HasSubstr("400,000"));
  EXPECT_THAT(out_, HasSubstr("800,000"));
  ASSERT_EQ(Yp({"diff", "--json", a.c_str(), b.c_str(), "--", twice.c_str(), twice.c_str()}), 0)
      << err_;
  EXPECT_GE(json::parse(out_)["significant"], 1);
  for (const char* other : {few.c_str(), a.c_str()}) {
    const char* first = other == a.c_str() ? few.c_str() : a.c_str();
    ASSERT_EQ(Yp({"diff", first, other, "--json"}), 0) << err_;
    const json unknown = json::parse(out_);
    EXPECT_TRUE(unknown["unknown"]);
    EXPECT_EQ(unknown["significant"], 0);
    EXPECT_THAT(unknown["warnings"][0].get<std::string>(), HasSubstr("only 43 samples"));
    EXPECT_THAT(err_, HasSubstr("record it for longer"));
  }
  EXPECT_EQ(Yp({"diff", a.c_str()}), 2);
  EXPECT_THAT(err_, HasSubstr("with -- between them, not 1"));
  EXPECT_EQ(Yp({"diff", a.c_str(), b.c_str(), a.c_str()}), 2);
  EXPECT_EQ(Yp({"diff", a.c_str(), "--", b.c_str(), "--json"}), 2);
  EXPECT_THAT(err_, HasSubstr("options go before the profiles"));
  EXPECT_EQ(Yp({"diff", a.c_str(), b.c_str(), "--per", "no.such"}), 0);
  EXPECT_THAT(err_, HasSubstr("name one that yp top lists"));
}

TEST_F(CommandsTest, OfSetsOfEdgesOnlyNewOnesAndThoseThatAreGoneDiffer) {
  Profile set = SmallProfile();
  set.config["mode"] = "edges";
  for (EdgeStats& edge : set.edges) {
    edge.calls = edge.low = edge.high = 1;
    edge.flags = kEdgeOnce;
  }
  const std::string both = Saved("both.yp", set);
  set.edges.pop_back();
  const std::string one = Saved("one.yp", set);
  ASSERT_EQ(Yp({"diff", both.c_str(), one.c_str(), "--json"}), 0) << err_;
  const json diff = json::parse(out_);
  ASSERT_THAT(diff["changes"], SizeIs(1));
  EXPECT_EQ(diff["changes"][0]["callee"], "org.example.App.a()V");
  EXPECT_EQ(diff["changes"][0]["after"], 0);
}

TEST_F(CommandsTest, ExportsToAFileAndToStdout) {
  const std::string profile = Saved("p.yp", SmallProfile());
  const std::string file = Path("out.txt");
  ASSERT_EQ(YpOn(profile, "export", {"--format", "collapsed", "-o", file.c_str()}), 0) << err_;
  ASSERT_EQ(YpOn(profile, "export", {"--format", "collapsed", "-o", "-"}), 0) << err_;
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), out_);
  EXPECT_THAT(out_, HasSubstr("30"));
  EXPECT_EQ(YpOn(profile, "export", {"--format", "xml", "-o", "-"}), 2);
  EXPECT_THAT(err_, HasSubstr("callgrind"));
}

TEST_F(CommandsTest, ReadsASpoolLikeAProfileAndSaysThatItWasCutOff) {
  WriteSpool(Path("s.yp-spool"), 7, false);
  ASSERT_EQ(YpOn(Path("s.yp-spool"), "edges", {"--json"}), 0) << err_;
  EXPECT_EQ(json::parse(out_)[0]["calls"], 7);
  EXPECT_EQ(json::parse(out_)[0]["caller"], "(root)");
  EXPECT_THAT(err_, HasSubstr("cut off"));
}

TEST_F(CommandsTest, ExplainsErrorsInOneLineWithExitCodeTwo) {
  const std::string text = Path("text");
  std::ofstream(text) << "no profile";
  const std::string directory = directory_;
  const std::string missing = Path("none/x.yp");
  const std::vector<std::pair<std::vector<const char*>, std::string>> cases{
      {{"frobnicate"}, "unknown command frobnicate"},
      {{"run", "--frobnicate", "3", "--", "java"}, "unknown option --frobnicate"},
      {{"run", "java", "Main"}, "behind --"},
      {{"run"}, "needs a command"},
      {{"run", "--"}, "needs a command"},
      {{"run", "--stride", "x", "--", "java"}, "--stride"},
      {{"run", "-q", "--json", "--", "java"}, "--json"},
      {{"run", "-o", missing.c_str(), "--", "java"}, "there is no directory"},
      {{"run", "-o", directory.c_str(), "--", "java"}, "is a directory"},
      {{"run", "-o", "/dev/full", "--", "java"}, "no regular file"},
      {{"top", text.c_str()}, "no Yieldpoint profile"},
      {{"top", missing.c_str()}, "cannot read"},
      {{"top"}, "required"},
      {{"report", "a.yp", "b.yp", "--", "c.yp"}, "c.yp behind --"},
      {{"edges", text.c_str(), "-n", "0"}, "no whole number above zero"},
      {{"attach"}, "required"},
      {{"attach", "x"}, "pid"},
      {{"overlap", text.c_str()}, "required"},
  };
  for (const auto& [arguments, expected] : cases) {
    EXPECT_EQ(Yp(arguments), 2) << expected;
    EXPECT_EQ(out_, "");
    EXPECT_THAT(err_, HasSubstr(expected));
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
  }
}

TEST_F(CommandsTest, HelpsWithEveryCommandAndGivesExamples) {
  for (const char* command : {"run", "attach", "top", "edges", "info", "overlap", "diff", "tree",
                              "export", "selfcheck", "advise"}) {
    EXPECT_EQ(Yp({command, "--help"}), 0);
    EXPECT_THAT(out_, HasSubstr(std::string("yp ") + command)) << command;
    EXPECT_THAT(out_, HasSubstr("Example"));
    EXPECT_EQ(err_, "");
  }
}

TEST_F(CommandsTest, CollectsTheJvmWithTheMostCallsAndSavesTheOthersBeside) {
  const SpoolFiles spools(Path("app.yp"), "7");
  // Pids beyond the kernel's largest, so that none of these JVMs runs.
  WriteSpool(spools.PathOf(2'000'000'001), 5, true);
  WriteSpool(spools.PathOf(2'000'000'002), 50, true);
  WriteSpool(spools.PathOf(2'000'000'003), 9, false);
  const Result<Collected> collected = Collect(spools.Find(), Path("app.yp"), RunningJvms::kLeave);
  ASSERT_TRUE(collected) << collected.message();
  EXPECT_EQ(LoadProfile(Path("app.yp"))->total_calls(), 50);
  EXPECT_EQ(LoadProfile(Path("app-2000000001.yp"))->total_calls(), 5);
  EXPECT_EQ(LoadProfile(Path("app-2000000003.yp"))->total_calls(), 9);
  EXPECT_THAT(collected->notes, SizeIs(2));
  EXPECT_THAT(spools.Find(), SizeIs(0));
}

TEST_F(CommandsTest, LeavesTheSpoolOfAJvmThatStillRuns) {
  const SpoolFiles spools(Path("app.yp"), "7");
  WriteSpool(spools.PathOf(getpid()), 5, false);
  const Result<Collected> collected = Collect(spools.Find(), Path("app.yp"), RunningJvms::kLeave);
  ASSERT_TRUE(collected) << collected.message();
  EXPECT_FALSE(collected->profile.has_value());
  EXPECT_THAT(spools.Find(), SizeIs(1));
}

TEST_F(CommandsTest, KeepsTheSpoolWhenTheProfileCannotBeSaved) {
  const SpoolFiles spools(Path("app.yp"), "7");
  WriteSpool(spools.PathOf(2'000'000'001), 5, true);
  const Result<Collected> collected =
      Collect(spools.Find(), Path("gone/app.yp"), RunningJvms::kLeave);
  ASSERT_FALSE(collected);
  EXPECT_THAT(std::string(collected.message()), HasSubstr(spools.PathOf(2'000'000'001)));
  EXPECT_THAT(spools.Find(), SizeIs(1));
}

constexpr const char* kFlightRecording = "../format/jfr/testdata/jdk17.jfr";

TEST_F(CommandsTest, AmortizeTellsWhatCompilationsOfAFlightRecordingCost) {
  ASSERT_EQ(YpOn(kFlightRecording, "amortize", {}), 0) << err_;
  EXPECT_THAT(out_, testing::StartsWith("22 compilations cost "));
  EXPECT_THAT(out_,
              HasSubstr("\nnot known: calls and execution times, so that nothing is judged\n"));
  ASSERT_EQ(YpOn(kFlightRecording, "amortize", {"--sort", "compile", "-n", "1"}), 0) << err_;
  const std::string dearest = out_.substr(out_.rfind('\n', out_.size() - 2) + 1);
  ASSERT_EQ(YpOn(kFlightRecording, "amortize", {"--json", "--sort", "compile"}), 0) << err_;
  const json rows = json::parse(out_);
  ASSERT_GT(rows.size(), 3u);
  char compile_ms[32];
  std::snprintf(compile_ms, sizeof(compile_ms), "%.2f ms", rows[0]["compile_ms"].get<double>());
  EXPECT_THAT(dearest, HasSubstr(compile_ms));
  for (size_t i = 1; i < rows.size(); ++i) {
    EXPECT_GE(rows[i - 1]["compile_ms"], rows[i]["compile_ms"]);
  }
}

TEST_F(CommandsTest, AmortizeWritesTheJsonContractWithNothingForWhatIsNotKnown) {
  ASSERT_EQ(YpOn(kFlightRecording, "amortize", {"--json", "--method", "Tiny.*", "--sort", "time"}),
            0)
      << err_;
  const json rows = json::parse(out_);
  ASSERT_FALSE(rows.empty());
  double start = -1;
  for (const json& row : rows) {
    EXPECT_THAT(row["method"].get<std::string>(), testing::StartsWith("Tiny."));
    EXPECT_EQ(row["verdict"], "undecided");
    for (const char* unknown :
         {"before_ns", "after_ns", "calls_after", "gain_ms", "low_ms", "high_ms"}) {
      ASSERT_TRUE(row.contains(unknown));
      EXPECT_TRUE(row[unknown].is_null());
    }
    EXPECT_GT(row["compile_ms"], 0);
    EXPECT_EQ(row["loader"], "app");
    EXPECT_GE(row["start_ms"].get<double>(), start);
    start = row["start_ms"];
  }
  const auto leads = [&](int from, int to) {
    return std::ranges::any_of(
        rows, [&](const json& row) { return row["from"] == from && row["to"] == to; });
  };
  EXPECT_TRUE(leads(0, 3));
  EXPECT_TRUE(leads(3, 4));
}

TEST_F(CommandsTest, AmortizeReadsCompilationLogs) {
  ASSERT_EQ(YpOn("../format/compile_log/testdata/jdk17.log", "amortize", {"--json"}), 0) << err_;
  const json rows = json::parse(out_);
  ASSERT_GT(rows.size(), 10u);
  EXPECT_TRUE(
      std::ranges::any_of(rows, [](const json& row) { return row["made_not_entrant"] == true; }));
  std::ofstream(Path("cut.log")) << "<?xml version='1.0' encoding='UTF-8'?>\n<hotspot_log";
  ASSERT_EQ(YpOn(Path("cut.log"), "amortize", {}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("not known: what the log lacks: cut off, after 0 compilations"));
}

TEST_F(CommandsTest, AmortizeSaysWhatItTakes) {
  const std::string profile = Saved("p.yp", SmallProfile());
  EXPECT_EQ(YpOn(profile, "amortize", {}), 2);
  EXPECT_THAT(err_,
              HasSubstr("p.yp does not tell what the compilers did: record it with yp run --jit"));
  EXPECT_EQ(YpOn(Path("missing.jfr"), "amortize", {}), 2);
  EXPECT_THAT(err_, HasSubstr("nor is it a recording of JDK Flight Recorder"));
  EXPECT_EQ(YpOn(kFlightRecording, "amortize", {"--sort", "size"}), 2);
  EXPECT_THAT(err_, HasSubstr("--sort"));
}

}  // namespace
}  // namespace yp
