#include "core/inference/call_contexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/contexts_for_test.h"

namespace yp {
namespace {

using ::testing::DoubleNear;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr MethodId kHidden{5};
constexpr const char* kNames = "mabclh";

bool IsObserved(MethodId method) { return method != kHidden; }

Edge CallEdge(MethodId caller, MethodId callee) { return {caller, 1, callee}; }

// Contexts with calls, such as "mal".
std::map<std::string, double> Calls(const CallingContextTree& tree) {
  std::vector<std::string> names(tree.size());
  std::map<std::string, double> calls;
  for (size_t i = 1; i < tree.size(); ++i) {
    const CallingContextTree::Node& node = tree.nodes()[i];
    names[i] = names[ToIndex(node.parent)] + kNames[ToIndex(node.method)];
    if (node.weight > 0) calls[names[i]] = node.weight;
  }
  return calls;
}

// `root` inlined the leaf, which was called so often.
InlinedRoot Inlining(MethodId root, double entries, double calls) {
  return {.tree = {{{.method = root}, {.parent = 0, .bci = 1, .method = kLeaf}}},
          .calls = {entries, calls},
          .log_variances = {0, 0}};
}

DynamicCallGraph GraphOf(std::initializer_list<std::pair<Edge, double>> edges) {
  DynamicCallGraph graph;
  for (const auto& [edge, calls] : edges) graph.Add(edge, calls);
  return graph;
}

TEST(CallContextsTest, SamplesSayWhatShareOfAnEdgesCallsAContextHas) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kA, kLeaf}), 3);
  sampled.Add(Chain(sampled, {kA, kLeaf}), 1);
  sampled.Add(Chain(sampled, {kMain, kB}), 5);
  const CallingContextTree contexts = ContextsOfCalls(
      sampled, {}, GraphOf({{CallEdge(kA, kLeaf), 800}, {CallEdge(kMain, kB), 100}}), IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mal", DoubleNear(600, 1e-9)),
                                                    Pair("al", DoubleNear(200, 1e-9)),
                                                    Pair("mb", DoubleNear(100, 1e-9))));
}

TEST(CallContextsTest, InlinedCallsAreSharedByTheEntriesOfTheirRoot) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kB}), 30);
  sampled.Add(Chain(sampled, {kMain, kA, kB}), 10);
  const std::vector<InlinedRoot> roots{Inlining(kB, 40'000, 80'000)};
  const CallingContextTree contexts = ContextsOfCalls(sampled, roots,
                                                      GraphOf({{CallEdge(kMain, kB), 30'000},
                                                               {CallEdge(kA, kB), 10'000},
                                                               {CallEdge(kB, kLeaf), 80'000}}),
                                                      IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mb", DoubleNear(30'000, 1e-6)),
                                                    Pair("mab", DoubleNear(10'000, 1e-6)),
                                                    Pair("mbl", DoubleNear(60'000, 1e-6)),
                                                    Pair("mabl", DoubleNear(20'000, 1e-6))));
}

TEST(CallContextsTest, AllCompilationsOfAMethodCount) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kB}), 1);
  const std::vector<InlinedRoot> roots{Inlining(kB, 10, 20), Inlining(kB, 0, 300)};
  const CallingContextTree contexts = ContextsOfCalls(
      sampled, roots, GraphOf({{CallEdge(kMain, kB), 10}, {CallEdge(kB, kLeaf), 320}}), IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mb", DoubleNear(10, 1e-9)),
                                                    Pair("mbl", DoubleNear(320, 1e-9))));
}

TEST(CallContextsTest, ALoopThatWasEnteredBeforeItWasSeenHasTheContextsOfWhatItCalls) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kB, kA}), 9);
  sampled.Add(Chain(sampled, {kB, kA}), 1);
  const std::vector<InlinedRoot> roots{Inlining(kB, 0, 1'000)};
  const CallingContextTree contexts = ContextsOfCalls(
      sampled, roots, GraphOf({{CallEdge(kB, kA), 50}, {CallEdge(kB, kLeaf), 1'000}}), IsObserved);
  EXPECT_THAT(
      Calls(contexts),
      UnorderedElementsAre(Pair("mba", DoubleNear(45, 1e-9)), Pair("ba", DoubleNear(5, 1e-9)),
                           Pair("mbl", DoubleNear(900, 1e-9)), Pair("bl", DoubleNear(100, 1e-9))));
}

// B calls the leaf in one of its compilations and has it inlined in another.
TEST(CallContextsTest, SampledAndInlinedCallsOfAnEdgeAddUp) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kB}), 4);
  sampled.Add(Chain(sampled, {kMain, kB, kLeaf}), 2);
  const std::vector<InlinedRoot> roots{Inlining(kB, 4'000, 700)};
  const CallingContextTree contexts = ContextsOfCalls(
      sampled, roots, GraphOf({{CallEdge(kMain, kB), 4'000}, {CallEdge(kB, kLeaf), 2'700}}),
      IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mb", DoubleNear(4'000, 1e-6)),
                                                    Pair("mbl", DoubleNear(2'700, 1e-6))));
}

TEST(CallContextsTest, MethodsThatAreNotObservedAreOnlyParts) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kHidden}), 4);
  const std::vector<InlinedRoot> roots{Inlining(kHidden, 400, 200)};
  const CallingContextTree contexts =
      ContextsOfCalls(sampled, roots, GraphOf({{CallEdge(kHidden, kLeaf), 200}}), IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mhl", DoubleNear(200, 1e-9))));
}

TEST(CallContextsTest, ContextsOfLessThanACallAreLeftOut) {
  CallingContextTree sampled;
  sampled.Add(Chain(sampled, {kMain, kB}), 999);
  sampled.Add(Chain(sampled, {kMain, kA, kB}), 1);
  const std::vector<InlinedRoot> roots{Inlining(kB, 1'000, 500)};
  const CallingContextTree contexts = ContextsOfCalls(
      sampled, roots,
      GraphOf({{CallEdge(kMain, kB), 999}, {CallEdge(kA, kB), 1}, {CallEdge(kB, kLeaf), 500}}),
      IsObserved);
  EXPECT_THAT(Calls(contexts), UnorderedElementsAre(Pair("mb", DoubleNear(999, 1e-9)),
                                                    Pair("mab", DoubleNear(1, 1e-9)),
                                                    Pair("mbl", DoubleNear(500, 1e-9))));
}

TEST(CallContextsTest, NothingGivesNothing) {
  const std::vector<InlinedRoot> roots{Inlining(kB, 10, 20)};
  EXPECT_EQ(ContextsOfCalls({}, {}, {}, IsObserved).total(), 0);
  EXPECT_EQ(ContextsOfCalls({}, roots, GraphOf({{CallEdge(kB, kLeaf), 20}}), IsObserved).total(),
            0);
}

}  // namespace
}  // namespace yp
