#include "hotspot/graph/compilations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Known = Compilations::Known;

const char kCode[2] = {};
const char kMethods[4] = {};

VmMethod At(size_t method) { return {&kMethods[method], nullptr}; }

// A compilation of these methods, by number.
Known Of(const std::vector<uint32_t>& methods) {
  DebugInfo::InlineTree tree;
  for (const uint32_t method : methods) tree.nodes.push_back({0, 1, &kMethods[method]});
  Known known;
  known.tree = NamedTree(std::move(tree), [](const void* method) {
    const auto number = static_cast<const char*>(method) - kMethods;
    return NamedTree::Name{MethodId{static_cast<uint32_t>(number)}, true};
  });
  known.told.nodes = known.tree.nodes();
  return known;
}

spool::CompiledCall Way(uint32_t edge, uint32_t caller, uint32_t node, uint32_t callee) {
  return {{}, EdgeId{edge}, CompilationId{caller}, node, CompilationId{callee}};
}

TEST(CompilationsTest, IdsAreDenseFromOne) {
  Compilations compilations;
  EXPECT_EQ(compilations.Add({&kCode[0], 1, 1}, Of({1}))->told.id, CompilationId{1});
  EXPECT_EQ(compilations.Add({&kCode[1], 2, 1}, Of({2}))->told.id, CompilationId{2});
}

TEST(CompilationsTest, ThoseOfTheRecordingAreToldToItsNextPartAgain) {
  Compilations compilations;
  compilations.Add({&kCode[0], 1, 1}, Of({1}));
  compilations.InternCall(Way(1, 1, 0, 1));
  compilations.TakeUpdates();
  compilations.Forget(true);  // Another recording.
  compilations.Add({&kCode[1], 2, 2}, Of({2, 3}));
  compilations.InternCall(Way(2, 2, 0, 2));
  compilations.TakeUpdates();
  EXPECT_THAT(compilations.Retell(), UnorderedElementsAre(MethodId{2}, MethodId{3}));
  const Compilations::Updates updates = compilations.TakeUpdates();
  ASSERT_EQ(updates.compilations.size(), 1u);
  EXPECT_EQ(updates.compilations[0]->told.id, CompilationId{2});
  ASSERT_EQ(updates.calls.size(), 1u);
  EXPECT_EQ(updates.calls[0].id, CompiledCallId{2});
  EXPECT_THAT(compilations.TakeUpdates().compilations, IsEmpty());
}

TEST(CompilationsTest, AnotherCompileIdOrRecordingIsAnotherCompilation) {
  Compilations compilations;
  const Known* first = compilations.Add({&kCode[0], 1, 1}, Of({1}));
  EXPECT_EQ(compilations.Find({&kCode[0], 1, 1}), first);
  EXPECT_EQ(compilations.Find({&kCode[1], 1, 1}), nullptr);
  EXPECT_EQ(compilations.Find({&kCode[0], 2, 1}), nullptr);
  EXPECT_EQ(compilations.Find({&kCode[0], 1, 2}), nullptr);
  const Known* next = compilations.Add({&kCode[0], 1, 2}, Of({1}));
  EXPECT_NE(next, first);
  EXPECT_EQ(next->told.id, CompilationId{2});
  EXPECT_EQ(compilations.Find({&kCode[0], 1, 1}), first) << "what was returned stays";
}

TEST(CompilationsTest, TheFirstThreadToAddACompilationIsRight) {
  Compilations compilations;
  const Known* first = compilations.Add({&kCode[0], 1, 1}, Of({1}));
  EXPECT_EQ(compilations.Add({&kCode[0], 1, 1}, Of({2, 3})), first);
  EXPECT_EQ(first->told.nodes.size(), 1u);
  EXPECT_EQ(compilations.TakeUpdates().compilations.size(), 1u);
  EXPECT_THAT(compilations.Methods(), ElementsAre(Pair(At(1), MethodId{1})));
}

TEST(CompilationsTest, AnotherRecordingsMethodsAreThoseOfItsOwnCompilations) {
  Compilations compilations;
  compilations.Add({&kCode[0], 1, 1}, Of({1, 2}));
  EXPECT_EQ(compilations.method_count(), 2u);
  compilations.Forget(/*is_in_use=*/true);
  EXPECT_EQ(compilations.method_count(), 0u);
  EXPECT_THAT(compilations.Methods(), IsEmpty());
  compilations.Add({&kCode[0], 1, 2}, Of({2}));
  EXPECT_THAT(compilations.Methods(), ElementsAre(Pair(At(2), MethodId{2})));
}

TEST(CompilationsTest, AnotherRecordingForgetsWhatNobodyUses) {
  for (const bool is_in_use : {true, false}) {
    Compilations compilations;
    const Known* first = compilations.Add({&kCode[0], 1, 1}, Of({1}));
    compilations.InternCall(Way(5, 1, 0, 0));
    compilations.Forget(is_in_use);
    EXPECT_EQ(compilations.Find({&kCode[0], 1, 1}), is_in_use ? first : nullptr);
    EXPECT_EQ(compilations.Add({&kCode[0], 1, 2}, Of({2}))->told.id, CompilationId{2})
        << "ids never come again";
    EXPECT_EQ(compilations.InternCall(Way(6, 2, 0, 0)), CompiledCallId{2});
    const Compilations::Updates updates = compilations.TakeUpdates();
    EXPECT_EQ(updates.compilations.size(), is_in_use ? 2u : 1u);
    EXPECT_EQ(updates.calls.size(), is_in_use ? 2u : 1u);
    EXPECT_EQ(updates.compilations.back()->told.id, CompilationId{2});
    EXPECT_EQ(updates.calls.back().id, CompiledCallId{2});
  }
}

TEST(CompilationsTest, AWayIsAnEdgeBetweenTwoPlaces) {
  Compilations compilations;
  EXPECT_EQ(compilations.InternCall(Way(5, 1, 0, 2)), CompiledCallId{1});
  EXPECT_EQ(compilations.InternCall(Way(6, 1, 0, 2)), CompiledCallId{2});
  EXPECT_EQ(compilations.InternCall(Way(5, 0, 0, 2)), CompiledCallId{3});
  EXPECT_EQ(compilations.InternCall(Way(5, 1, 3, 2)), CompiledCallId{4});
  EXPECT_EQ(compilations.InternCall(Way(5, 1, 0, 0)), CompiledCallId{5});
  EXPECT_EQ(compilations.InternCall(Way(5, 1, 0, 2)), CompiledCallId{1});
}

TEST(CompilationsTest, NewsAreToldOnce) {
  Compilations compilations;
  const Known* first = compilations.Add({&kCode[0], 1, 1}, Of({1}));
  compilations.InternCall(Way(5, 1, 0, 0));
  Compilations::Updates updates = compilations.TakeUpdates();
  EXPECT_THAT(updates.compilations, ElementsAre(first));
  ASSERT_EQ(updates.calls.size(), 1u);
  EXPECT_EQ(updates.calls[0].id, CompiledCallId{1});
  EXPECT_EQ(updates.calls[0].edge, EdgeId{5});
  EXPECT_EQ(updates.calls[0].caller, CompilationId{1});

  compilations.Add({&kCode[0], 1, 1}, Of({1}));
  compilations.InternCall(Way(5, 1, 0, 0));
  updates = compilations.TakeUpdates();
  EXPECT_THAT(updates.compilations, IsEmpty());
  EXPECT_THAT(updates.calls, IsEmpty());

  const Known* second = compilations.Add({&kCode[1], 1, 1}, Of({2}));
  compilations.InternCall(Way(6, 2, 4, 1));
  updates = compilations.TakeUpdates();
  EXPECT_THAT(updates.compilations, ElementsAre(second));
  ASSERT_EQ(updates.calls.size(), 1u);
  EXPECT_EQ(updates.calls[0].id, CompiledCallId{2});
  EXPECT_EQ(updates.calls[0].caller_node, 4u);
}

TEST(CompilationsTest, EachMethodIsNamedOnce) {
  Compilations compilations;
  compilations.Add({&kCode[0], 1, 1}, Of({1, 2}));
  compilations.Add({&kCode[1], 2, 1}, Of({2, 3, 2}));
  EXPECT_THAT(compilations.Methods(),
              UnorderedElementsAre(Pair(At(1), MethodId{1}), Pair(At(2), MethodId{2}),
                                   Pair(At(3), MethodId{3})));
}

}  // namespace
}  // namespace yp::hotspot
