#include "core/inference/elided_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <tuple>
#include <vector>

namespace yp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Node = std::tuple<uint32_t, int32_t, uint32_t>;  // Parent, bci, method.

SiteProfile To(int32_t bci, double calls, uint32_t callee) {
  return {bci, calls, {{MethodId{callee}, calls}}};
}

std::vector<Node> Added(const Root& root, const MethodProfiles& profiles) {
  const InlineTree tree = WithElidedCalls(root, profiles);
  std::vector<Node> added;
  for (size_t i = root.tree.nodes.size(); i < tree.nodes.size(); ++i) {
    added.emplace_back(tree.nodes[i].parent, tree.nodes[i].bci, ToIndex(tree.nodes[i].method));
  }
  return added;
}

TEST(ElidedCallsTest, AddsCountedCallsThatLeftNoTrace) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {To(1, 5, 10), To(4, 5, 11), To(7, 5, 12), To(9, 0, 13)}});
  Root root{{{{0, kNoBci, MethodId{0}}, {0, 1, MethodId{10}}}}, {}, {{0, 4, {}}}};
  EXPECT_THAT(Added(root, profiles), ElementsAre(Node{0, 7, 12}))
      << "1 is inlined, 4 is a call, 9 was never reached";
}

TEST(ElidedCallsTest, AddsEveryCalleeThatWasCountedAndNoOther) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10,
                             {{1, 5, {}},
                              {4, 6, {{MethodId{11}, 5}}},
                              {7, 6, {{MethodId{11}, 4}, {MethodId{12}, 1}, {MethodId{13}, 0}}}}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}}}, {}, {}}, profiles),
              ElementsAre(Node{0, 4, 11}, Node{0, 7, 11}, Node{0, 7, 12}));
}

TEST(ElidedCallsTest, AddsACalleeBesideAnotherThatIsAChild) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {{1, 9, {{MethodId{10}, 5}, {MethodId{11}, 4}}}}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}, {0, 1, MethodId{10}}}}, {}, {}}, profiles),
              ElementsAre(Node{0, 1, 11}));
}

TEST(ElidedCallsTest, AddsNoneWhereTheCompilerKnewTheReceiversClass) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {{1, 9, {{MethodId{10}, 5}, {MethodId{11}, 4}}}}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}, {0, 1, MethodId{12}}}}, {}, {}}, profiles),
              IsEmpty());
  profiles.Add(MethodId{0}, {10, {{1, 9, {{kNoMethod, 5}, {MethodId{11}, 4}}}}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}, {0, 1, MethodId{12}}}}, {}, {}}, profiles),
              ElementsAre(Node{0, 1, 11}))
      << "the child may be the other receiver's, a lambda's body";
}

TEST(ElidedCallsTest, AddsACalleeOfSeveralReceiverClassesOnce) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {{1, 9, {{MethodId{10}, 5}, {MethodId{10}, 4}}}}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}}}, {}, {}}, profiles), ElementsAre(Node{0, 1, 10}));
}

TEST(ElidedCallsTest, ASiteWithACallHasNoneThatWasElidedWhetherOrNotItIsObserved) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {To(1, 5, 10), To(4, 5, 11)}});
  const Root root{{{{0, kNoBci, MethodId{0}}}}, {}, {{0, 1, SampledCalls{}}, {0, 4, std::nullopt}}};
  EXPECT_THAT(Added(root, profiles), IsEmpty());
}

TEST(ElidedCallsTest, FollowsWhatAnAddedCalleeCalls) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {To(1, 10, 1)}});
  profiles.Add(MethodId{1}, {10, {To(2, 10, 2), To(3, 0, 3)}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}}}, {}, {}}, profiles),
              ElementsAre(Node{0, 1, 1}, Node{1, 2, 2}));
}

TEST(ElidedCallsTest, EndsInRecursion) {
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, {10, {To(1, 10, 0)}});
  EXPECT_THAT(Added({{{{0, kNoBci, MethodId{0}}}}, {}, {}}, profiles),
              ElementsAre(Node{0, 1, 0}, Node{1, 1, 0}, Node{2, 1, 0}));
}

TEST(ElidedCallsTest, EndsSoonWhereMethodsOfManySitesCallEachOther) {
  constexpr int32_t kSites = 500;
  MethodProfile profile{10, {}};
  for (int32_t bci = 0; bci < kSites; ++bci) profile.sites.push_back(To(bci, 10, 0));
  MethodProfiles profiles;
  profiles.Add(MethodId{0}, profile);
  const size_t added = Added({{{{0, kNoBci, MethodId{0}}}}, {}, {}}, profiles).size();
  EXPECT_GE(added, 1000u);
  EXPECT_LE(added, 2000u) << "of 500^3";
}

}  // namespace
}  // namespace yp
