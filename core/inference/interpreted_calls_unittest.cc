#include "core/inference/interpreted_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace yp {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr MethodId kRun{1}, kLoad{2}, kRead{3}, kWrite{4};

InterpretedCode::Site Once(MethodId caller, int32_t bci, uint32_t target, bool is_certain = false) {
  return {caller, bci, target, true, false, is_certain};
}
InterpretedCode::Site Behind(MethodId caller, int32_t bci, uint32_t target,
                             bool is_certain = false) {
  return {caller, bci, target, false, false, is_certain};
}
InterpretedCode::Site Looped(MethodId caller, int32_t bci, uint32_t target) {
  return {caller, bci, target, false, true, false};
}

// Both steps, as CountCalls takes them.
std::map<Edge, SharedCalls> Share(const InterpretedCode& code, CallsByMethod to_share) {
  std::map<Edge, SharedCalls> all;
  const std::vector<SharedCalls> certain = ShareCertain(code, to_share);
  for (const SharedCalls& shared : certain) {
    to_share[shared.edge.callee] -= shared.calls;
    all[shared.edge] = shared;
  }
  for (const SharedCalls& shared : ShareRest(code, certain, to_share)) {
    SharedCalls& sum = all[shared.edge];
    sum = {shared.edge, sum.calls + shared.calls, std::max(sum.low, shared.low),
           std::max({sum.high, shared.high, sum.calls + shared.calls})};
  }
  return all;
}

TEST(InterpretedCallsTest, ACallOfEachInvocationIsMadeAsOftenAsItsMethodWasInvoked) {
  const InterpretedCode code{
      {{kRun, {5}}, {kLoad, {3}}, {kRead, {8}}}, {Once(kRun, 4, 0), Once(kLoad, 7, 0)}, {{kRead}}};
  const std::vector<SharedCalls> certain = ShareCertain(code, {{kRead, 8}});
  ASSERT_THAT(certain, SizeIs(2));
  EXPECT_EQ(certain[0].edge, (Edge{kRun, 4, kRead}));
  EXPECT_EQ(certain[0].calls, 5);
  EXPECT_EQ(certain[0].low, 0) << "an exception may have come before";
  EXPECT_EQ(certain[0].high, 5);
  EXPECT_EQ(certain[1].calls, 3);
}

TEST(InterpretedCallsTest, ASiteThatWasExecutedHasACallThoughOthersCouldHaveMadeAll) {
  const InterpretedCode code{{{kRun, {5}}, {kLoad, {3}}, {kRead, {5}}},
                             {Once(kRun, 4, 0), Behind(kLoad, 7, 0, true)},
                             {{kRead}}};
  auto shared = Share(code, {{kRead, 5}});
  EXPECT_EQ((shared[{kLoad, 7, kRead}].calls), 1);
  EXPECT_EQ((shared[{kLoad, 7, kRead}].low), 1);
  EXPECT_EQ((shared[{kLoad, 7, kRead}].high), 3);
  EXPECT_EQ((shared[{kRun, 4, kRead}].calls), 4);
}

TEST(InterpretedCallsTest, WhatIsLeftIsForSitesBehindBranchesAndInLoops) {
  const InterpretedCode code{{{kRun, {2, 20}}, {kLoad, {10}}, {kRead, {21}}},
                             {Looped(kRun, 4, 0), Behind(kLoad, 7, 0)},
                             {{kRead}}};
  auto shared = Share(code, {{kRead, 21}});
  const double looped = shared[{kRun, 4, kRead}].calls, behind = shared[{kLoad, 7, kRead}].calls;
  EXPECT_NEAR(looped + behind, 21, 1e-6);
  EXPECT_GT(looped, behind) << "which can have come there 22 times, and 10";
  EXPECT_EQ((shared[{kRun, 4, kRead}].high), 21) << "more were never made";
  EXPECT_EQ((shared[{kLoad, 7, kRead}].high), 10);
}

TEST(InterpretedCallsTest, WhatTheSitesCannotHaveMadeIsLeft) {
  const InterpretedCode code{{{kRun, {2}}, {kRead, {100}}}, {Behind(kRun, 4, 0)}, {{kRead}}};
  auto shared = Share(code, {{kRead, 100}});
  EXPECT_NEAR((shared[{kRun, 4, kRead}].calls), 2, 1e-6) << "others called it besides";
}

TEST(InterpretedCallsTest, AVirtualCallIsSharedOutOverWhatItMayHaveCalled) {
  const InterpretedCode code{
      {{kRun, {12}}, {kRead, {8}}, {kWrite, {4}}}, {Once(kRun, 4, 0, true)}, {{kRead, kWrite}}};
  EXPECT_THAT(ShareCertain(code, {{kRead, 8}, {kWrite, 4}}), IsEmpty());
  auto shared = Share(code, {{kRead, 8}, {kWrite, 4}});
  EXPECT_NEAR((shared[{kRun, 4, kRead}].calls), 8, 1e-6);
  EXPECT_NEAR((shared[{kRun, 4, kWrite}].calls), 4, 1e-6);
  EXPECT_EQ((shared[{kRun, 4, kRead}].low), 0) << "it may have called the other one only";
}

TEST(InterpretedCallsTest, WhatIsNotKnownIsLeftOut) {
  const InterpretedCode code{
      {{kRun, {5}}}, {Once(kLoad, 4, 0), Once(kRun, 4, 0), Once(kRun, 9, 1)}, {{kRead}, {}}};
  EXPECT_THAT(Share(code, {}), IsEmpty());
  EXPECT_THAT(Share(code, {{kRead, -3}}), IsEmpty());
}

double Below(std::mt19937& random, uint32_t end) { return static_cast<double>(random() % end); }

// Programs of 12 methods, each with some sites.
InterpretedCode RandomCode(std::mt19937& random) {
  InterpretedCode code;
  for (uint32_t m = 1; m <= 12; ++m) {
    code.methods[MethodId{m}] = {Below(random, 40), Below(random, 60)};
  }
  for (int t = 0; t < 15; ++t) {
    std::vector<MethodId> callees;
    for (uint32_t m = 1; m <= 12; ++m) {
      if (random() % 8 == 0) callees.push_back(MethodId{m});
    }
    if (callees.empty()) callees.push_back(MethodId{1 + static_cast<uint32_t>(random() % 12)});
    code.targets.push_back(callees);
  }
  for (int32_t s = 0; s < 40; ++s) {
    const bool is_in_loop = random() % 3 == 0;
    code.sites.push_back({MethodId{1 + static_cast<uint32_t>(random() % 12)}, s,
                          static_cast<uint32_t>(random() % 15), !is_in_loop && random() % 2 == 0,
                          is_in_loop, random() % 2 == 0});
  }
  return code;
}

TEST(InterpretedCallsTest, NoMethodAndNoSiteHasMoreCallsThanItCanHave) {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const InterpretedCode code = RandomCode(random);
    CallsByMethod to_share;
    for (const auto& [method, executed] : code.methods) {
      to_share[method] = executed.invocations * Below(random, 3) / 2;
    }
    CallsByMethod of_method;
    std::map<std::pair<MethodId, int32_t>, double> of_site;
    for (const auto& [edge, shared] : Share(code, to_share)) {
      EXPECT_GT(shared.calls, 0);
      EXPECT_LE(shared.low, shared.calls);
      EXPECT_GE(shared.high, shared.calls);
      of_method[edge.callee] += shared.calls;
      of_site[{edge.caller, edge.bci}] += shared.calls;
    }
    for (const auto& [method, calls] : of_method) EXPECT_LE(calls, to_share[method] + 1e-6);
    for (const InterpretedCode::Site& site : code.sites) {
      const InterpretedCode::Method& caller = code.methods.at(site.caller);
      const double most = caller.invocations + (site.is_in_loop ? caller.loops : 0);
      EXPECT_LE((of_site[{site.caller, site.bci}]), most + 1e-6);
    }
  }
}

TEST(InterpretedCallsTest, WhatRunsInCodeThatCountsNothingWasCalledMoreOftenThanWasCounted) {
  InterpretedCode code{{{kRun, {70}}, {kLoad, {5}}, {kRead, {8}}},
                       {Once(kRun, 4, 0), Behind(kLoad, 7, 0)},
                       {{kRead}}};
  EXPECT_EQ(ShareCertain(code, {{kRead, 8}})[0].calls, 8);
  code.methods[kRead].has_uncounted = true;
  const std::vector<SharedCalls> certain = ShareCertain(code, {{kRead, 8}});
  ASSERT_EQ(certain.size(), 1u);
  EXPECT_EQ(certain[0].calls, 70);
  EXPECT_EQ(certain[0].high, 70);
  EXPECT_THAT(ShareRest(code, certain, {{kRead, 8 - 70}}), IsEmpty());
}

TEST(InterpretedCallsTest, AnInitializerIsCalledAtTheOnlyPlaceThatIsKnown) {
  InterpretedCode code;
  code.methods[MethodId{2}] = {1, 0};
  code.methods[MethodId{3}] = {2, 0};
  code.initializations = {{MethodId{1}, 4, MethodId{2}},
                          {MethodId{1}, 9, MethodId{3}},
                          {MethodId{5}, 7, MethodId{3}},
                          {MethodId{1}, 12, MethodId{4}}};
  const std::vector<SharedCalls> shared =
      ShareInitializations(code, {{MethodId{2}, 1}, {MethodId{3}, 2}});
  ASSERT_EQ(shared.size(), 3u) << "of the last nothing was executed";
  for (const SharedCalls& calls : shared) {
    EXPECT_EQ(calls.calls, 1) << "two class loaders have the second class";
    EXPECT_EQ(calls.low, 0);
    EXPECT_EQ(calls.high, calls.edge.callee == MethodId{3} ? 2 : 1);
  }
}

TEST(InterpretedCallsTest, MoreCallsOfAMethodAreNoFewerAtAnyOfItsSites) {
  std::mt19937 random(12);
  for (int i = 0; i < 50; ++i) {
    InterpretedCode code = RandomCode(random);
    for (auto& callees : code.targets) callees.resize(1);
    CallsByMethod some, more;
    for (const auto& [method, executed] : code.methods) {
      some[method] = executed.invocations / 2;
      more[method] = executed.invocations;
    }
    auto with_more = Share(code, more);
    for (const auto& [edge, shared] : Share(code, some)) {
      EXPECT_GE(with_more[edge].calls, shared.calls - 1e-6);
    }
  }
}

// A program whose sites are executed as often as their place says, but for branches that are taken
// by chance.
TEST(InterpretedCallsTest, EdgesOfAProgramAreFoundWithAboutTheirCalls) {
  std::mt19937 random(13);
  double overlap = 0;
  constexpr int kPrograms = 20;
  for (int i = 0; i < kPrograms; ++i) {
    InterpretedCode code;
    std::map<Edge, double> truth;
    CallsByMethod calls;
    for (uint32_t m = 1; m <= 30; ++m) {
      code.methods[MethodId{m}] = {1 + Below(random, 50), 0};
      code.targets.push_back({MethodId{m}});
    }
    for (int32_t s = 0; s < 90; ++s) {
      const MethodId caller{1 + static_cast<uint32_t>(random() % 30)};
      const auto target = static_cast<uint32_t>(random() % 30);
      const bool is_unconditional = random() % 2 == 0;
      const double invocations = code.methods[caller].invocations;
      const double made =
          is_unconditional ? invocations : std::floor(invocations * Below(random, 101) / 100);
      code.sites.push_back({caller, s, target, is_unconditional, false, made > 0});
      if (made > 0) truth[{caller, s, code.targets[target].front()}] = made;
      calls[code.targets[target].front()] += made;
    }
    double all = 0, common = 0;
    for (const auto& [edge, made] : truth) all += made;
    for (const auto& [edge, shared] : Share(code, calls)) {
      common += std::min(shared.calls, truth[edge]);
    }
    overlap += common / all / kPrograms;
  }
  EXPECT_GT(overlap, 0.9);
}

}  // namespace
}  // namespace yp
