#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/profile/profile.h"
#include "format/profile/profile_test_util.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

using spool::Record;
using spool::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// Loads the profile of a spool of these records, one frame each, without its last cut_bytes.
Result<Profile> Fold(const std::vector<Record>& records, size_t cut_bytes = 0) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.yp-spool";
  {
    auto writer = spool::SpoolWriter::Open(path, spool::SpoolWriter::Mode::kCreateNew);
    EXPECT_TRUE(writer) << writer.message();
    for (const Record& record : records) {
      EXPECT_TRUE(Append(writer->get(), record));
      EXPECT_TRUE((*writer)->Flush());
    }
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - cut_bytes);
  return LoadProfile(path);
}

spool::MethodDefinition DefineMethod(uint32_t id, const std::string& name) {
  return {MethodId{id}, Method{"A", name, "()V", "A.java", 0, {{0, 1}}}};
}

spool::EdgeDefinition DefineEdge(uint32_t id, uint32_t caller, int32_t bci, uint32_t callee) {
  return {EdgeId{id}, Edge{MethodId{caller}, bci, MethodId{callee}}};
}

TEST(FoldTest, CountsOfAnEdgeAddUpExactly) {
  const auto profile = Fold(
      {spool::Config{{{"mode", "exact"}}}, DefineMethod(4, "f"), DefineMethod(9, "g"),
       DefineEdge(2, 4, 7, 9), DefineEdge(3, 9, 1, 4), spool::Counts{{{EdgeId{2}, 5}}},
       spool::Counts{{{EdgeId{3}, 1}, {EdgeId{2}, 9'000'000'000'000'000}}}, spool::End{1000, 10}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 2u);
  const EdgeStats& edge = profile->edges[0];
  EXPECT_EQ(edge.calls, 9'000'000'000'000'005.0);
  EXPECT_EQ(edge.low, edge.calls);
  EXPECT_EQ(edge.high, edge.calls);
  EXPECT_EQ(edge.uncorrected, edge.calls);
  EXPECT_EQ(edge.variance, 0);
  EXPECT_THAT(EdgeFlagNames(edge.flags), ElementsAre("exact"));
  EXPECT_EQ(profile->NameOf(edge.edge.caller), "A.f()V");
  EXPECT_TRUE(profile->exact());
  EXPECT_TRUE(profile->complete);
  EXPECT_EQ(profile->duration_ns, 1000);
  EXPECT_EQ(profile->damage, "");
}

TEST(FoldTest, AnEdgeThatWasNeverCountedIsNoEdge) {
  const auto profile = Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 0), DefineEdge(1, 0, 2, 0),
                             spool::Counts{{{EdgeId{1}, 3}, {EdgeId{0}, 0}}}});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].edge.bci, 2);
}

TEST(FoldTest, MethodsOfOneNameFallTogetherAndSoDoTheirEdges) {
  const auto profile = Fold({DefineMethod(0, "f"), DefineMethod(1, "g"), DefineMethod(2, "g"),
                             DefineEdge(0, 0, 1, 1), DefineEdge(1, 0, 1, 2),
                             spool::Counts{{{EdgeId{0}, 3}, {EdgeId{1}, 4}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->methods.size(), 2u);
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].calls, 7);
}

TEST(FoldTest, LaterValuesOfConfigurationDropsAndThreadsReplaceEarlierOnes) {
  const auto profile =
      Fold({spool::Config{{{"probe", "auto"}, {"mode", "cbs"}}},
            spool::Config{{{"probe", "bytecode"}}}, spool::Drops{{{"ring full", 3}}},
            spool::Drops{{{"ring full", 8}}}, spool::ThreadDefinition{ThreadId{1}, "Thread-0"},
            spool::ThreadDefinition{ThreadId{1}, "worker"}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_THAT(profile->config, ElementsAre(Pair("mode", "cbs"), Pair("probe", "bytecode")));
  EXPECT_THAT(profile->drops, ElementsAre(Pair("ring full", 8)));
  ASSERT_EQ(profile->threads.size(), 1u);
  EXPECT_EQ(profile->threads[0].name, "worker");
}

TEST(FoldTest, ACutOffSpoolGivesWhatWasRecordedAndSaysSo) {
  const auto profile =
      Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 0), spool::Counts{{{EdgeId{0}, 3}}},
            spool::Counts{{{EdgeId{0}, 4}}}, spool::End{5, 5}},
           10);
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->edges.size(), 1u);
  EXPECT_EQ(profile->edges[0].calls, 3 + 4);
  EXPECT_FALSE(profile->complete);
  EXPECT_THAT(profile->damage, HasSubstr("cut off after frame 4"));
}

TEST(FoldTest, CallsWhoseEdgeIsNotKnownAreDropsAndNotEdges) {
  const auto profile =
      Fold({DefineMethod(0, "f"), DefineEdge(0, 0, 1, 77), DefineEdge(1, 0, -2, 0),
            DefineEdge(2, 0, 65536, 0),
            spool::Counts{{{EdgeId{0}, 3}, {EdgeId{5}, 4}, {EdgeId{1}, 10}, {EdgeId{2}, 100}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_TRUE(profile->edges.empty());
  EXPECT_THAT(profile->drops, ElementsAre(Pair("spool: definition lost", 117)));
}

TEST(FoldTest, ASpoolWithoutRecordsIsAClearError) {
  const auto profile = Fold({});
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.message()), HasSubstr("a.yp-spool: the spool holds no records"));
}

TEST(FoldTest, WhatIsFoldedCanBeSavedAndLoadedWhateverTheRecordsSay) {
  const TemporaryDirectory directory;
  const auto profile = Fold(spool::SampleRecords());
  ASSERT_TRUE(profile) << profile.message();
  const std::string path = directory / "folded.yp";
  ASSERT_TRUE(SaveProfile(*profile, path));
  const auto loaded = LoadProfile(path);
  ASSERT_TRUE(loaded) << loaded.message();
  EXPECT_EQ(loaded->edges.size(), 2u);
  EXPECT_EQ(loaded->methods.size(), 2u);
}

TEST(FoldTest, ACallSitesLineComesFromItsMethod) {
  Method method{"A", "f", "()V", "A.java", 0, {{9, 30}, {0, 10}}};  // Not in order.
  const auto profile =
      Fold({spool::MethodDefinition{MethodId{0}, method}, DefineEdge(0, 0, 12, 0),
            DefineEdge(1, 0, 3, 0), spool::Counts{{{EdgeId{0}, 1}, {EdgeId{1}, 1}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->LineOf(profile->edges[0].edge), 30);
  EXPECT_EQ(profile->LineOf(profile->edges[1].edge), 10);
}

}  // namespace
}  // namespace yp
