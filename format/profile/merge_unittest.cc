#include "format/profile/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/chance_test_util.h"
#include "base/random.h"
#include "base/time_test_util.h"
#include "format/profile/fold_test_util.h"
#include "format/profile/spool_sequence.h"

namespace yp {
namespace {

using spool::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

using Records = std::vector<spool::Record>;

// A recording's description: of a JVM by its pid.
spool::Config Described(const std::string& pid,
                        std::vector<std::pair<std::string, std::string>> more = {}) {
  spool::Config config{{{"mode", "cbs"},
                        {"probe", "patch"},
                        {"policy", "countdown"},
                        {"continuous", "no"},
                        {"interval", "100"},
                        {"command", "app.Main --port 80"},
                        {"jvm.pid", pid},
                        {"machine", "host"},
                        {"start_time_ns", "1000"}}};
  for (auto& entry : more) config.entries.push_back(std::move(entry));
  return config;
}

class MergeTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const Records& records) {
    const std::string path = directory_ / name;
    auto writer = spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kTruncate);
    EXPECT_TRUE(writer) << writer.message();
    for (const spool::Record& record : records) EXPECT_TRUE(Append(writer->get(), record));
    return path;
  }
  std::string WhyNot(const std::vector<std::string>& paths) {
    const Result<MergedProfile> merged = MergeSpools(paths);
    EXPECT_FALSE(merged);
    return std::string(merged.message());
  }
  // Calls by "caller > callee".
  static std::vector<std::pair<std::string, double>> CallsOf(const Profile& profile) {
    std::vector<std::pair<std::string, double>> calls;
    for (const EdgeStats& edge : profile.edges) {
      calls.emplace_back(
          profile.methods[edge.edge.caller].name + " > " + profile.methods[edge.edge.callee].name,
          edge.calls);
    }
    return calls;
  }
  const TemporaryDirectory directory_;
};

Records Exact(const std::string& pid, uint32_t first_id, uint64_t f, uint64_t g) {
  spool::Config config = Described(pid);
  config.entries[0].second = "exact";
  return {config,
          DefineMethod(first_id, "main"),
          DefineMethod(first_id + 1, "f"),
          DefineMethod(first_id + 2, "g"),
          DefineEdge(first_id, first_id, 1, first_id + 1),
          DefineEdge(first_id + 1, first_id, 1, first_id + 2),
          spool::Counts{{{EdgeId{first_id}, f}, {EdgeId{first_id + 1}, g}}},
          spool::Drops{{{"ring_full", f}}},
          spool::Config{{{"counting.program_cpu_ns", std::to_string(1000 * f)}}},
          spool::End{kSecond, 10}};
}

TEST_F(MergeTest, WhatSeveralJvmsCountedAddsUpWhateverTheirIdsAre) {
  Records other = Exact("2", 1, 30, 40);
  // The same ids mean other methods there.
  std::swap(std::get<spool::MethodDefinition>(other[2]).method.name,
            std::get<spool::MethodDefinition>(other[3]).method.name);
  const Result<MergedProfile> merged =
      MergeSpools(std::vector{Write("a", Exact("1", 1, 1, 2)), Write("b", other)});
  ASSERT_TRUE(merged) << merged.message();
  EXPECT_THAT(CallsOf(merged->profile),
              UnorderedElementsAre(Pair("main > f", 41), Pair("main > g", 32)));
  EXPECT_EQ(merged->recordings, 2u);
  EXPECT_THAT(merged->notes, IsEmpty());
  EXPECT_TRUE(merged->profile.complete);
  EXPECT_EQ(merged->profile.duration_ns, 2 * kSecond);
  EXPECT_EQ(merged->profile.agent_cpu_ns, 20);
  EXPECT_THAT(merged->profile.drops, ElementsAre(Pair("ring_full", 31)));
  EXPECT_EQ(merged->profile.ConfigOr("counting.program_cpu_ns", ""), "31000");
  EXPECT_EQ(merged->profile.ConfigOr("merged.spools", ""), "2");
  EXPECT_EQ(merged->profile.ConfigOr("jvm.pid", ""), "1");
}

// A part of a recording with ticks of equal length, a second apart. In each a sample of f, and
// `more` of g.
Records Part(uint32_t number, const std::vector<uint32_t>& more, bool has_end = true) {
  const auto ticks = static_cast<int64_t>(more.size());
  const int64_t before = (number - 1) * ticks;  // The parts before it were like it.
  Records records{Described("1"),
                  spool::Part{.number = number,
                              .begin_ns = before * kSecond,
                              .program_cpu_ns = before * 500'000'000,
                              .agent_cpu_ns = before,
                              .drops = {{"walk_failed", number - 1}},
                              .costs = {{"cost.program_cpu_ns", std::to_string(before * kSecond)}}},
                  DefineMethod(1, "main"),
                  DefineMethod(2, "f", Method::kObserved),
                  DefineMethod(3, "g", Method::kObserved),
                  DefineEdge(1, 1, 1, 2),
                  DefineEdge(2, 1, 2, 3)};
  for (int64_t i = 0; i < ticks; ++i) {
    const int64_t begin_ns = (before + i) * kSecond;
    const auto tick = static_cast<uint64_t>(before + i + 1);
    spool::Window window;
    window.tick = tick;
    window.start_ns = begin_ns + 1;
    window.samples = {{EdgeId{1}, 1}, {EdgeId{2}, more[static_cast<size_t>(i)]}};
    records.emplace_back(window);
    records.emplace_back(spool::Tick{.tick = tick,
                                     .begin_ns = begin_ns,
                                     .open_ns = 10'000'000,
                                     .period_ns = kSecond,
                                     .open_cpu_ns = 5'000'000,
                                     .program_cpu_ns = (before + i + 1) * 500'000'000});
  }
  if (!has_end) return records;
  records.emplace_back(
      spool::Config{{{"cost.program_cpu_ns", std::to_string((before + ticks) * kSecond)},
                     {"activity_cpu_ns", std::to_string((before + ticks) * 500'000'000)}}});
  records.emplace_back(spool::Drops{{{"walk_failed", number}}});
  records.emplace_back(spool::End{(before + ticks) * kSecond, before + ticks});
  return records;
}

TEST_F(MergeTest, APartStandsAlone) {
  const Result<Profile> first = LoadProfile(Write("1", Part(1, {2, 4})));
  const Result<Profile> third = LoadProfile(Write("3", Part(3, {2, 4})));
  ASSERT_TRUE(first && third);
  EXPECT_EQ(CallsOf(*third), CallsOf(*first));
  EXPECT_EQ(third->duration_ns, 2 * kSecond);
  EXPECT_EQ(third->agent_cpu_ns, 2);
  EXPECT_EQ(third->ConfigOr("cost.program_cpu_ns", ""), std::to_string(2 * kSecond));
  EXPECT_THAT(third->drops, ElementsAre(Pair("walk_failed", 1)));
  EXPECT_EQ(third->ticks.front().begin_ns, 0);
  EXPECT_EQ(third->edges[1].low, first->edges[1].low);
}

TEST_F(MergeTest, PartsAreFurtherTicksOfOneEstimate) {
  const std::vector<uint32_t> first{2, 4, 3, 5, 1}, second{6, 2, 3, 3, 4};
  std::vector<uint32_t> all = first;
  all.insert(all.end(), second.begin(), second.end());
  Records whole = Part(1, all);
  std::get<spool::Drops>(whole[whole.size() - 2]).totals[0].second = 2;
  const Result<Profile> one = LoadProfile(Write("one", whole));
  const Result<MergedProfile> two =
      MergeSpools(std::vector{Write("2", Part(2, second)), Write("1", Part(1, first))});
  ASSERT_TRUE(one) << one.message();
  ASSERT_TRUE(two) << two.message();
  EXPECT_THAT(two->notes, IsEmpty());
  EXPECT_EQ(two->recordings, 1u);
  ASSERT_EQ(two->profile.edges.size(), one->edges.size());
  for (size_t i = 0; i < one->edges.size(); ++i) {
    const EdgeStats &a = one->edges[i], &b = two->profile.edges[i];
    EXPECT_DOUBLE_EQ(a.calls, b.calls);
    EXPECT_DOUBLE_EQ(a.low, b.low);
    EXPECT_DOUBLE_EQ(a.high, b.high);
    EXPECT_DOUBLE_EQ(a.share_low, b.share_low);
    EXPECT_DOUBLE_EQ(a.share_high, b.share_high);
  }
  EXPECT_EQ(one->total_deviation, two->profile.total_deviation);
  EXPECT_EQ(one->drops, two->profile.drops);
}

// Of twelve JVMs whose numbers of calls are drawn anew each time, intervals of the sum hold what is
// expected of it: in 95 % of 200 draws, of which 4.4 standard deviations are 7 %.
TEST_F(MergeTest, IntervalsHoldTheSumOfSeveralJvms) {
  YP_LONG_TEST_OF_CHANCE();
  constexpr int kDraws = 200, kJvms = 12, kTicks = 8;
  Xoshiro256 random(17);
  int held = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<std::string> paths;
    for (int jvm = 0; jvm < kJvms; ++jvm) {
      std::vector<uint32_t> more;
      for (int i = 0; i < kTicks; ++i) more.push_back(static_cast<uint32_t>(random.Next() % 21));
      Records records = Part(1, more);
      records[0] = Described(std::to_string(jvm));
      paths.push_back(Write(std::to_string(jvm), records));
    }
    const Result<MergedProfile> merged = MergeSpools(paths);
    ASSERT_TRUE(merged) << merged.message();
    const EdgeStats& g = merged->profile.edges[1];
    const double share = 10.0 / 11;
    held += g.share_low <= share && share <= g.share_high ? 1 : 0;
    EXPECT_LT(g.share_high - g.share_low, 0.07);
  }
  EXPECT_GE(held, kDraws * 88 / 100);
}

TEST_F(MergeTest, TheKernelsIdsOfThreadsAreThoseOfOneProcess) {
  // A thread of the same id and name in two JVMs; parts of one recording have the same thread.
  const auto with_thread = [](const std::string& pid, int64_t cpu_ns) {
    spool::Tick tick{.tick = 1, .open_ns = 50, .period_ns = 100, .open_cpu_ns = 40};
    tick.thread_cpu_ns = {{4711, 30}};
    return Records{Described(pid), spool::ThreadDefinition{ThreadId{1}, "main", 4711}, tick,
                   spool::ThreadTimes{{{4711, cpu_ns}}}, spool::End{kSecond, 10}};
  };
  const Result<MergedProfile> merged =
      MergeSpools(std::vector{Write("a", with_thread("1", 500)), Write("b", with_thread("2", 70))});
  ASSERT_TRUE(merged) << merged.message();
  const Profile& profile = merged->profile;
  EXPECT_THAT(profile.thread_cpu_ns, UnorderedElementsAre(Pair(4711, 500), Pair(-1, 70)));
  ASSERT_EQ(profile.threads.size(), 2u);
  EXPECT_EQ(profile.threads[1].kernel_id, -1);
  ASSERT_EQ(profile.ticks.size(), 2u);
  EXPECT_THAT(profile.ticks[1].thread_cpu_ns, ElementsAre(Pair(-1, 30)));
}

TEST_F(MergeTest, PartsThatAreMissingAreToldOfAndAddNothing) {
  const Result<MergedProfile> merged =
      MergeSpools(std::vector{Write("1", Part(1, {2, 4})), Write("4", Part(4, {2, 4}, false))});
  ASSERT_TRUE(merged) << merged.message();
  EXPECT_THAT(merged->notes, ElementsAre(HasSubstr("parts are missing")));
  // Cut off: what all of it cost is not known, and no bound of calls follows from half of it.
  EXPECT_FALSE(merged->profile.complete);
  EXPECT_EQ(merged->profile.ConfigOr("cost.program_cpu_ns", "not known"), "not known");
  // Of the part without an end the ticks tell.
  EXPECT_EQ(merged->profile.ConfigOr("activity_cpu_ns", ""), std::to_string(2 * kSecond));
  const Result<Profile> one = LoadProfile(Write("one", Part(1, {2, 4, 2, 4})));
  ASSERT_TRUE(one);
  EXPECT_DOUBLE_EQ(merged->profile.edges[1].calls, one->edges[1].calls);
}

TEST_F(MergeTest, WhatTheVmCountedInPartsAddsUpOnce) {
  const auto counted = [](uint64_t now, uint64_t before) {
    spool::MethodProfile profile;
    profile.method = MethodId{1};
    profile.invocations = now;
    profile.invocations_before = before;
    profile.sites = {{1, now, {{MethodId{2}, now, before}}, before}};
    return profile;
  };
  SpoolSequence sequence;
  const auto take = [&](const spool::MethodProfile& record) {
    const auto taken = sequence.Rewrite(record);
    return std::get<spool::MethodProfile>(*taken);
  };
  sequence.Begin({"A"});
  take(counted(70, 20));
  EXPECT_EQ(take(counted(100, 20)).invocations_before, 20u);
  sequence.Begin({"A"});
  const spool::MethodProfile second = take(counted(150, 100));
  EXPECT_EQ(second.invocations_before, 20u);
  EXPECT_EQ(second.sites[0].before, 20u);
  EXPECT_EQ(second.sites[0].receivers[0].before, 20u);
  // After a part that is missing: 80 and 50 before, 40 now.
  sequence.Begin({"A"});
  EXPECT_EQ(take(counted(540, 500)).invocations_before, 500u - 130);
  // Another JVM's method.
  sequence.Begin({"B"});
  const spool::MethodProfile other = take(counted(9, 1));
  EXPECT_EQ(other.invocations_before, 1u);
  EXPECT_NE(other.method, second.method);
}

TEST_F(MergeTest, WhatTheInterpreterExecutedIsOfEachSpoolWhatItToldLast) {
  const auto executed = [](uint64_t times) {
    return spool::InterpretedCalls{
        {{MethodId{1}, times, 0, false, {{7, 0, true, false, true}}, {{9, MethodId{3}}}}},
        {{MethodId{2}}}};
  };
  SpoolSequence sequence;
  sequence.Begin({"A"});
  EXPECT_FALSE(sequence.Rewrite(executed(5)).has_value()) << "a dump may have told it";
  sequence.Rewrite(executed(6));
  sequence.Begin({"A"});
  sequence.Rewrite(executed(8));
  sequence.Begin({"B"});
  sequence.Rewrite(executed(9));
  std::vector<uint64_t> times;
  std::vector<MethodId> callees, initializers;
  for (const spool::Record& record : sequence.TakeTotals()) {
    const auto* calls = std::get_if<spool::InterpretedCalls>(&record);
    if (calls == nullptr) continue;
    times.push_back(calls->methods[0].interpreted);
    callees.push_back(calls->targets[0][0]);
    initializers.push_back(calls->methods[0].initializations[0].initializer);
  }
  EXPECT_EQ(times, (std::vector<uint64_t>{6, 8, 9}));
  ASSERT_EQ(callees.size(), 3u);
  EXPECT_EQ(callees[1], MethodId{2});
  EXPECT_NE(callees[2], MethodId{2}) << "another JVM's";
  EXPECT_EQ(initializers[1], MethodId{3});
  EXPECT_EQ(ToIndex(initializers[2]), ToIndex(callees[2]) + 1);
}

TEST_F(MergeTest, CountsOfEntriesHaveTheTimesAndCompilationsOfTheirSpool) {
  const auto compiled = [] {
    return spool::Compilation{CompilationId{3}, 4, false, {{0, kNoBci, MethodId{0}}}, {}};
  };
  const spool::EntryCounts counts{
      {{1000, 2000}}, {{CompilationId{3}, 0, 1, 0, 7}}, {{CompilationId{3}, 1}}};
  SpoolSequence sequence;
  sequence.Begin({"A"});
  sequence.Rewrite(compiled());
  sequence.Rewrite(counts);
  sequence.Rewrite(spool::End{5000, 0});
  sequence.Begin({"B"});
  const auto second = std::get<spool::Compilation>(*sequence.Rewrite(compiled()));
  const auto rewritten = std::get<spool::EntryCounts>(*sequence.Rewrite(counts));
  ASSERT_EQ(rewritten.counts.size(), 1u);
  EXPECT_NE(second.id, CompilationId{3});
  EXPECT_EQ(rewritten.counts[0].compilation, second.id);
  EXPECT_EQ(rewritten.counts[0].calls, 7u);
  EXPECT_EQ(rewritten.uses[0].compilation, second.id);
  EXPECT_GE(rewritten.gaps[0].begin_ns, 5000);
  EXPECT_EQ(rewritten.gaps[0].end_ns - rewritten.gaps[0].begin_ns, 1000);
}

TEST_F(MergeTest, TheVmsCountsAreCompleteWhereEachSpoolHasThem) {
  const auto with = [](const char* share, bool is_all) {
    Records records = Part(1, {1});
    if (is_all) {
      records.insert(records.end() - 1, spool::Config{{{"vm_counts", "all"},
                                                       {"vm_counts_untold_share", share},
                                                       {"interpreted_calls_untold_share", share}}});
    }
    records[0] = Described(share);
    return records;
  };
  const std::string a = Write("a", with("0.001", true)), b = Write("b", with("0.02", true)),
                    c = Write("c", with("0", false));
  const Result<MergedProfile> all = MergeSpools(std::vector{a, b});
  ASSERT_TRUE(all) << all.message();
  EXPECT_EQ(all->profile.ConfigOr("vm_counts", ""), "all");
  EXPECT_EQ(all->profile.ConfigOr("vm_counts_untold_share", ""), "0.02");
  EXPECT_EQ(all->profile.ConfigOr("interpreted_calls_untold_share", ""), "0.02");
  const Result<MergedProfile> some = MergeSpools(std::vector{a, c});
  ASSERT_TRUE(some) << some.message();
  EXPECT_EQ(some->profile.ConfigOr("vm_counts", ""), "");
}

TEST_F(MergeTest, AProgramIsItsClassOrItsJar) {
  EXPECT_EQ(ProgramOf("org.example.Main --port 80"), "org.example.Main");
  EXPECT_EQ(ProgramOf("/opt/app/app.jar"), "app.jar");
  EXPECT_EQ(ProgramOf(""), "");
}

TEST_F(MergeTest, WhatDoesNotBelongTogetherIsRefusedByName) {
  const std::string a = Write("a", Part(1, {1}));
  const auto with = [&](const std::string& name, const std::string& key, const std::string& value) {
    Records records = Part(1, {1});
    records[0] = Described("2", {{key, value}});
    return Write(name, records);
  };
  EXPECT_THAT(WhyNot({a, with("b", "command", "org.Other x")}),
              HasSubstr("/b cannot be merged: it is of org.Other, "));
  EXPECT_THAT(WhyNot({a, with("c", "interval", "7")}), HasSubstr("interval 7"));
  EXPECT_THAT(WhyNot({a, with("d", "include", "org.*")}), HasSubstr("include org.*"));
  EXPECT_THAT(WhyNot({a, with("e", "jit", "jfr")}), HasSubstr("--jit"));
  EXPECT_THAT(WhyNot({a, with("f", "mode", "edges")}), HasSubstr("mode edges"));
  EXPECT_THAT(WhyNot({a, a}), HasSubstr("it is the same as"));
  EXPECT_THAT(WhyNot({a, Write("g", {})}), HasSubstr("/g cannot be merged: it holds no records"));
  EXPECT_THAT(WhyNot({a, Write("h", {DefineMethod(1, "f")})}),
              HasSubstr("lost with its beginning"));
  EXPECT_THAT(WhyNot({a, "/no/such/file"}), HasSubstr("cannot read /no/such/file"));
  const Result<Profile> profile = LoadProfile(a);
  ASSERT_TRUE(profile);
  ASSERT_TRUE(SaveProfile(*profile, directory_ / "p.yp"));
  EXPECT_THAT(WhyNot({a, directory_ / "p.yp"}), HasSubstr("it is a profile"));
  EXPECT_THAT(WhyNot({}), HasSubstr("nothing to merge"));
}

}  // namespace
}  // namespace yp
