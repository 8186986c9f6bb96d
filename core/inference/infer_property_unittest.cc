#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "base/sanitizer.h"
#include "core/inference/infer.h"

// What holds for whatever roots and profiles.
namespace yp {
namespace {

constexpr uint32_t kMethodsOfAProfile = 12;
constexpr int32_t kSites = 4;
constexpr uint64_t kSeeds = kIsSanitized ? 60 : 300;

// Zero often, else over many magnitudes.
double AnyCount(RandomSource& random) {
  if (random.UniformFromOneTo(4) == 1) return 0;
  return std::floor(std::exp(30 * random.UniformOpenClosed()));
}

SampledCalls AnySamples(RandomSource& random) {
  const auto n = static_cast<double>(random.UniformFromOneTo(8) - 1);
  const double calls_per_sample = std::exp(10 * random.UniformOpenClosed());
  return {n * calls_per_sample, n * calls_per_sample * calls_per_sample};
}

MethodId AnyMethod(RandomSource& random) {
  return MethodId{static_cast<uint32_t>(random.UniformFromOneTo(kMethodsOfAProfile) - 1)};
}

MethodProfiles AnyProfiles(RandomSource& random) {
  MethodProfiles profiles;
  for (uint32_t m = 0; m < kMethodsOfAProfile; ++m) {
    if (random.UniformFromOneTo(5) == 1) continue;
    MethodProfile profile{AnyCount(random), {}};
    for (int32_t bci = 0; bci < kSites; ++bci) {
      SiteProfile site{bci, AnyCount(random), {}};
      for (uint64_t rows = random.UniformFromOneTo(4) - 1; rows > 0; --rows) {
        const double calls = AnyCount(random);
        const bool is_known = random.UniformFromOneTo(6) > 1;
        site.callees.push_back({is_known ? AnyMethod(random) : kNoMethod, calls});
        // In a file that is damaged there may be more of them than calls.
        if (random.UniformFromOneTo(20) > 1) site.calls += calls;
      }
      profile.sites.push_back(site);
    }
    profiles.Add(MethodId{m}, profile);
  }
  return profiles;
}

Root AnyRoot(RandomSource& random) {
  Root root;
  root.tree.nodes.push_back({0, kNoBci, AnyMethod(random)});
  const uint64_t size = random.UniformFromOneTo(30);
  std::set<std::tuple<uint32_t, int32_t, MethodId>> taken;
  for (uint64_t i = 1; i < size; ++i) {
    const auto parent = static_cast<uint32_t>(random.UniformFromOneTo(root.tree.nodes.size()) - 1);
    const auto bci = static_cast<int32_t>(random.UniformFromOneTo(kSites) - 1);
    const MethodId method = AnyMethod(random);
    if (taken.emplace(parent, bci, method).second) root.tree.nodes.push_back({parent, bci, method});
  }
  for (uint32_t node = 0; node < root.tree.nodes.size(); ++node) {
    if (random.UniformFromOneTo(2) == 1) {
      const SampledCalls calls = AnySamples(random);
      root.outgoing.push_back({node, 0, calls, {{AnyMethod(random), calls}}});
    }
    if (random.UniformFromOneTo(8) == 1) root.outgoing.push_back({node, 1, std::nullopt});
  }
  if (random.UniformFromOneTo(4) > 1) root.entries = AnySamples(random);
  return root;
}

struct Input {
  explicit Input(uint64_t seed) {
    Xoshiro256 random(seed);
    profiles = AnyProfiles(random);
    for (uint64_t n = random.UniformFromOneTo(12); n > 0; --n) roots.push_back(AnyRoot(random));
    options.add_elided_calls = random.UniformFromOneTo(2) == 1;
    for (uint32_t m = 0; m < kMethodsOfAProfile; ++m) {
      if (random.UniformFromOneTo(2) == 1) options.traceable.insert(MethodId{m});
    }
  }
  Inference InferAll() const { return yp::Infer(roots, profiles, options); }
  std::vector<InferredEdge> Infer() const { return InferAll().inlined; }

  MethodProfiles profiles;
  std::vector<Root> roots;
  InferenceOptions options;
};

void ExpectSound(const std::vector<InferredEdge>& edges) {
  for (size_t i = 0; i < edges.size(); ++i) {
    const InferredEdge& e = edges[i];
    ASSERT_TRUE(std::isfinite(e.calls) && std::isfinite(e.variance));
    ASSERT_GT(e.calls, 0);
    ASSERT_GE(e.variance, 0);
    const Interval interval = Interval95(e);
    ASSERT_GT(interval.low, 0);
    ASSERT_LE(interval.low, e.calls);
    ASSERT_GE(interval.high, e.calls);
    ASSERT_TRUE(std::isfinite(interval.high));
    if (i > 0) {
      ASSERT_LT(edges[i - 1].edge, e.edge);
    }
  }
}

TEST(InferPropertyTest, EstimatesArePositiveFiniteAndSorted) {
  size_t edges = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<InferredEdge> inferred = Input(seed).Infer();
    ExpectSound(inferred);
    edges += inferred.size();
  }
  EXPECT_GT(edges, 20 * kSeeds) << "else the inputs are dull";
}

TEST(InferPropertyTest, TheCallsOfTheRootsAddUpToThoseOfTheEdges) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Input input(seed);
    const Inference inference = input.InferAll();
    ASSERT_EQ(inference.roots.size(), input.roots.size());
    std::map<Edge, double> sums;
    for (size_t r = 0; r < inference.roots.size(); ++r) {
      const InlinedRoot& root = inference.roots[r];
      const std::vector<InlineTree::Node>& nodes = root.tree.nodes;
      ASSERT_EQ(root.calls.size(), nodes.size());
      ASSERT_EQ(nodes.front().method, input.roots[r].tree.nodes.front().method);
      for (size_t i = 1; i < nodes.size(); ++i) {
        ASSERT_LT(nodes[i].parent, i);
        ASSERT_GE(root.calls[i], 0);
        sums[{nodes[nodes[i].parent].method, nodes[i].bci, nodes[i].method}] += root.calls[i];
      }
    }
    for (const InferredEdge& edge : inference.inlined) {
      // Calls that are too few for an edge of a root are left out of it.
      ASSERT_NEAR(sums[edge.edge], edge.calls, 1e-6 * edge.calls + 1e-6);
    }
  }
}

TEST(InferPropertyTest, TheOrderOfTheRootsDoesNotMatterToTheLastBit) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Input input(seed);
    const Inference all_before = input.InferAll();
    const std::vector<InferredEdge>& before = all_before.inlined;
    Xoshiro256 random(seed);
    for (size_t i = input.roots.size(); i > 1; --i) {
      std::swap(input.roots[i - 1], input.roots[random.UniformFromOneTo(i) - 1]);
    }
    const Inference all_after = input.InferAll();
    const std::vector<InferredEdge>& after = all_after.inlined;
    ASSERT_EQ(all_before.inlined_variance, all_after.inlined_variance);
    ASSERT_EQ(before.size(), after.size());
    for (size_t i = 0; i < before.size(); ++i) {
      ASSERT_EQ(before[i].edge, after[i].edge);
      ASSERT_EQ(before[i].calls, after[i].calls);
      ASSERT_EQ(before[i].variance, after[i].variance);
      ASSERT_EQ(before[i].part_of_inlined_variance, after[i].part_of_inlined_variance);
    }
  }
}

TEST(InferPropertyTest, SamplesOfKTimesTheCallsGiveKTimesTheWeights) {
  constexpr double kFactor = 3;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Input input(seed);
    const std::vector<InferredEdge> before = input.Infer();
    const auto scale = [](SampledCalls& c) {
      c = {c.calls * kFactor, c.variance * kFactor * kFactor};
    };
    input.options.calls_per_sample *= kFactor;
    for (Root& root : input.roots) {
      if (root.entries) scale(*root.entries);
      for (OutgoingSite& site : root.outgoing) {
        if (site.calls) scale(*site.calls);
        for (OutgoingSite::Callee& callee : site.callees) scale(callee.calls);
      }
    }
    std::map<Edge, InferredEdge> after;
    for (const InferredEdge& e : input.Infer()) after[e.edge] = e;
    for (const InferredEdge& e : before) {
      if (e.calls < 1e-6) continue;  // Parts of it may have been too small,
      ASSERT_NEAR(after[e.edge].calls / e.calls, kFactor, 1e-2);
      if (e.variance < 1e-4) continue;  // and their deviations 3,000 times as large.
      ASSERT_NEAR(after[e.edge].variance / e.variance, kFactor * kFactor, 1e-1);
    }
  }
}

TEST(InferPropertyTest, AnotherRootOnlyAdds) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Input input(seed);
    const std::vector<InferredEdge> before = input.Infer();
    Xoshiro256 random(seed + kSeeds);
    input.roots.push_back(AnyRoot(random));
    std::map<Edge, double> after;
    for (const InferredEdge& e : input.Infer()) after[e.edge] = e.calls;
    for (const InferredEdge& e : before) ASSERT_GE(after[e.edge], e.calls);
  }
}

// A chain of calls that every invocation makes once.
TEST(InferPropertyTest, UnconditionalChainsConserveCalls) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Xoshiro256 random(seed);
    MethodProfiles profiles;
    Root root;
    const auto length = static_cast<uint32_t>(1 + random.UniformFromOneTo(200));
    for (uint32_t m = 0; m < length; ++m) {
      const auto invocations = static_cast<double>(random.UniformFromOneTo(1'000'000));
      profiles.Add(MethodId{m}, {invocations, {{0, invocations, {}}}});
      root.tree.nodes.push_back({m > 0 ? m - 1 : 0, m > 0 ? 0 : kNoBci, MethodId{m}});
    }
    root.entries = AnySamples(random);
    root.outgoing = {{length - 1, 0, AnySamples(random)}};
    const std::vector<InferredEdge> edges = Infer(std::vector{root}, profiles).inlined;
    for (const InferredEdge& e : edges) ASSERT_DOUBLE_EQ(e.calls, edges[0].calls);
  }
}

TEST(InferPropertyTest, HugeTreesStayFinite) {
  constexpr uint32_t kNodes = kIsSanitized ? 1'000 : 10'000;
  for (const double invocations : {0.0, 1.0, 1e6}) {
    for (const double calls : {0.0, 1.0, 1e9}) {
      MethodProfiles profiles;
      profiles.Add(MethodId{0}, {invocations, {{0, calls, {}}, {1, calls, {}}}});
      Root chain, star;
      for (uint32_t i = 0; i < kNodes; ++i) {
        chain.tree.nodes.push_back({i > 0 ? i - 1 : 0, i > 0 ? 0 : kNoBci, MethodId{0}});
        star.tree.nodes.push_back({0, i > 0 ? 0 : kNoBci, MethodId{i}});
      }
      for (Root* root : {&chain, &star}) {
        root->entries = SampledCalls{1e12, 1e12};
        root->outgoing = {{kNodes - 1, 1, root->entries}, {0, 1, root->entries}};
      }
      ExpectSound(Infer(std::vector{chain, star}, profiles).inlined);
    }
  }
}

}  // namespace
}  // namespace yp
