#include "format/profile/replicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "format/profile/fold_test_util.h"

namespace yp {
namespace {

constexpr int64_t kGroupNs = 200'000'000;

size_t IndexOf(const Profile& profile, const std::string& callee) {
  const auto found = std::ranges::find_if(profile.edges, [&](const EdgeStats& edge) {
    return profile.methods[edge.edge.callee].name == callee;
  });
  EXPECT_NE(found, profile.edges.end()) << callee;
  return static_cast<size_t>(found - profile.edges.begin());
}

// main calls root, in each group of samples as often as `of_root` says, and once other. Every entry
// of root calls leaf, which is inlined.
Result<Profile> Folded(const std::vector<uint32_t>& of_root) {
  spool::Compilation root;
  root.id = CompilationId{4};
  root.nodes = {{0, kNoBci, MethodId{12}}, {0, 3, MethodId{13}}};
  std::vector<spool::Record> records = {
      spool::Config{{{"mode", "cbs"}, {"policy", "countdown"}}},
      DefineMethod(11, "main"),
      DefineMethod(12, "root", Method::kObserved),
      DefineMethod(13, "leaf", Method::kObserved),
      DefineMethod(14, "other", Method::kObserved),
      DefineEdge(5, 11, 1, 12),
      DefineEdge(6, 11, 9, 14),
      root,
      spool::CompiledCall{CompiledCallId{7}, EdgeId{5}, kNoCompilation, 0, CompilationId{4}},
      spool::MethodProfile{MethodId{12}, 1000, {{3, 1000, {{MethodId{13}, 1000}}}}},
  };
  for (size_t group = 0; group < of_root.size(); ++group) {
    spool::Window window;
    window.start_ns = static_cast<int64_t>(group) * kGroupNs;
    window.calls = of_root[group] + 1;
    window.duration_ns = 1000;
    window.interval_ns = 1'000'000;
    window.samples = {{EdgeId{6}, 1}};
    if (of_root[group] > 0) window.samples.emplace_back(EdgeId{5}, of_root[group]);
    records.emplace_back(window);
    spool::CompiledSamples samples{{{CompiledCallId{7}, of_root[group]}}};
    samples.end_ns = window.start_ns + 1;
    records.emplace_back(samples);
  }
  return Fold(records);
}

TEST(ReplicatesTest, InferredCallsFollowTheSamplesThatAreLeft) {
  const Result<Profile> profile = Folded({40, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->replicates.size(), profile->edges.size());
  const auto& root = profile->replicates[IndexOf(*profile, "root")];
  const auto& leaf = profile->replicates[IndexOf(*profile, "leaf")];
  const auto& other = profile->replicates[IndexOf(*profile, "other")];
  for (size_t group = 0; group < kReplicates; ++group) {
    EXPECT_NEAR(leaf[group] / root[group], 1, 0.01) << group;
    EXPECT_NEAR(root[group] / other[group], group == 0 ? 10 : 120.0 / 9, 0.01) << group;
  }
}

TEST(ReplicatesTest, WhatOneGroupAloneSawIsMissingWithoutIt) {
  const Result<Profile> profile = Folded({40, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  ASSERT_TRUE(profile) << profile.message();
  const size_t leaf = IndexOf(*profile, "leaf");
  EXPECT_EQ(profile->replicates[leaf][0], 0);
  EXPECT_GT(profile->replicates[leaf][1], 0);
}

TEST(ReplicatesTest, AGroupHasEveryTenthStretchOfTime) {
  std::vector<uint32_t> of_root(20, 0);
  of_root[3] = of_root[13] = 5;
  const Result<Profile> profile = Folded(of_root);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_EQ(profile->replicates[IndexOf(*profile, "root")][3], 0);
}

TEST(ReplicatesTest, WithoutSamplesThereAreNone) {
  const Result<Profile> profile =
      Fold({DefineMethod(1, "f"), DefineEdge(1, 1, 9, 1), spool::Counts{{{EdgeId{1}, 4}}}});
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_TRUE(profile->replicates.empty());
}

TEST(ReplicatesTest, AreReadAsTheyWereWritten) {
  std::array<float, kReplicates> replicates{};
  for (size_t group = 0; group < kReplicates; ++group) {
    replicates[group] = 1234.5f * static_cast<float>(group);
  }
  const auto read = ParseReplicates(FormatReplicates(replicates, 12'345), 12'345);
  ASSERT_TRUE(read);
  for (size_t group = 0; group < kReplicates; ++group) {
    EXPECT_NEAR((*read)[group], replicates[group], 1e-5 * replicates[group]);
  }
  EXPECT_FALSE(ParseReplicates("", 1));
  EXPECT_TRUE(ParseReplicates("9e300 1 1 1 1 1 1 1 1 1", 1e30)) << "more than a float holds";
}

}  // namespace
}  // namespace yp
