#include "hotspot/stacks/context_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace yp::hotspot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

// Methods by letters: 'a' is the method id 1 and so on; 'h' is hidden, 'x' has been unloaded.
class ContextBuilderTest : public testing::Test {
 protected:
  ContextBuilderTest() {
    for (char c = 'a'; c <= 'h'; ++c) {
      Method method;
      method.class_name = "A";
      method.name = std::string(1, c);
      method.descriptor = "()V";
      ids_[c] = registry_.Intern(method);
    }
  }
  static void* Named(char c) { return reinterpret_cast<void*>(static_cast<uintptr_t>(c)); }
  std::vector<std::optional<ContextBuilder::NamedMethod>> Name(std::span<void* const> methods) {
    ++namings_;
    std::vector<std::optional<ContextBuilder::NamedMethod>> names;
    for (void* const method : methods) {
      const char c = static_cast<char>(reinterpret_cast<uintptr_t>(method));
      if (c == 'x') {
        names.emplace_back();
      } else {
        names.push_back(ContextBuilder::NamedMethod{c == 'h' ? kNoMethod : ids_[c], map_});
      }
    }
    return names;
  }
  // Outermost first, each method at the bytecode index 10 times its depth.
  void Add(ContextBuilder& folder, const std::string& stack, int32_t thread = 1,
           EdgeId call = kNoEdge) {
    const auto raw = std::make_unique<StackBuffer::Stack>();
    raw->frame_count = static_cast<int32_t>(stack.size());
    raw->thread = thread;
    raw->call = call;
    raw->time_ns = time_ns_++;
    for (size_t i = 0; i < stack.size(); ++i) {
      const size_t depth = stack.size() - 1 - i;
      raw->frames[i] = {static_cast<int32_t>(10 * depth), 0, Named(stack[depth])};
    }
    folder.Add(*raw);
  }
  ContextBuilder::Updates Fold(ContextBuilder& folder) {
    folder.Fold([this](std::span<void* const> methods) { return Name(methods); },
                [](int32_t thread) { return ThreadId{static_cast<uint32_t>(thread)}; });
    return folder.TakeUpdates();
  }
  // "a", "a0b": a method, the bytecode index of the call in it, its callee.
  static std::string Describe(const ContextBuilder::Updates& updates, ContextId id) {
    for (const spool::ContextDefinition& context : updates.contexts) {
      if (context.id != id) continue;
      const std::string name(1, static_cast<char>('a' + ToIndex(context.method) - 1));
      if (context.parent == kRootContext) return name;
      return Describe(updates, context.parent) + std::to_string(context.bci) + name;
    }
    return "?";
  }

  MethodRegistry registry_;
  Drops drops_;
  std::map<char, MethodId> ids_;
  MethodRegistry::Map map_;
  int namings_ = 0;
  int64_t time_ns_ = 1000;
};

TEST_F(ContextBuilderTest, AContextIsItsMethodsAndThePlacesOfTheirCalls) {
  ContextBuilder folder(registry_, drops_, 1000);
  Add(folder, "abc");
  Add(folder, "abc");
  Add(folder, "abd");
  const ContextBuilder::Updates updates = Fold(folder);
  ASSERT_THAT(updates.contexts, SizeIs(4));
  ASSERT_THAT(updates.samples, SizeIs(1));
  std::map<std::string, uint32_t> samples;
  for (const auto& [id, count] : updates.samples[0].samples) samples[Describe(updates, id)] = count;
  EXPECT_THAT(samples, ElementsAre(Pair("a0b10c", 2), Pair("a0b10d", 1)));
  EXPECT_EQ(updates.samples[0].start_ns, 0);
  EXPECT_THAT(registry_.TakeUpdates().methods, SizeIs(4)) << "a to d: those of contexts";
}

TEST_F(ContextBuilderTest, ACallThatIsAboutToBeMadeIsTheInnermost) {
  ContextBuilder folder(registry_, drops_, 0);
  const EdgeId call = registry_.InternEdge({ids_['b'], 10, ids_['c']});
  Add(folder, "ab", 1, call);
  Add(folder, "", 1, registry_.InternEdge({kNoMethod, kNoBci, ids_['d']}));
  const ContextBuilder::Updates updates = Fold(folder);
  ASSERT_THAT(updates.samples, SizeIs(1));
  std::map<std::string, uint32_t> samples;
  for (const auto& [id, count] : updates.samples[0].samples) samples[Describe(updates, id)] = count;
  EXPECT_THAT(samples, ElementsAre(Pair("a0b10c", 1), Pair("d", 1)));
}

TEST_F(ContextBuilderTest, OnlyWhatIsNewIsTold) {
  ContextBuilder folder(registry_, drops_, 0);
  Add(folder, "ab");
  EXPECT_THAT(Fold(folder).contexts, SizeIs(2));
  Add(folder, "ab");
  Add(folder, "ac", 2);
  const ContextBuilder::Updates updates = Fold(folder);
  ASSERT_THAT(updates.contexts, SizeIs(1));
  EXPECT_EQ(updates.contexts[0].method, ids_['c']);
  EXPECT_THAT(updates.samples, SizeIs(2)) << "of two threads";
  EXPECT_EQ(namings_, 2) << "c's was new";
  EXPECT_THAT(Fold(folder).samples, IsEmpty());
  EXPECT_EQ(namings_, 2);
}

TEST_F(ContextBuilderTest, WhatIsHiddenIsCalledThroughByItsCaller) {
  ContextBuilder folder(registry_, drops_, 0);
  Add(folder, "ahhb");
  Add(folder, "h");
  const ContextBuilder::Updates updates = Fold(folder);
  ASSERT_THAT(updates.contexts, SizeIs(2));
  EXPECT_EQ(updates.contexts[1].method, ids_['b']);
  EXPECT_EQ(updates.contexts[1].bci, 0) << "where a calls the first of them";
  EXPECT_THAT(updates.samples[0].samples, SizeIs(1)) << "nothing is left of the other";
}

TEST_F(ContextBuilderTest, StacksReadTogetherGiveTheContextsOfEachAlone) {
  const std::vector<std::string> stacks{"abcd", "abcd", "abc", "abxd", "abxd", "abhd", "abhc",
                                        "ahhb", "ab",   "b",   "abcd", "xa",   "a",    "abh"};
  ContextBuilder together(registry_, drops_, 0);
  for (const std::string& stack : stacks) Add(together, stack);
  const ContextBuilder::Updates updates = Fold(together);
  ASSERT_THAT(updates.samples, SizeIs(1));
  std::map<std::string, uint32_t> samples;
  for (const auto& [id, count] : updates.samples[0].samples) samples[Describe(updates, id)] = count;

  std::map<std::string, uint32_t> expected;
  for (const std::string& stack : stacks) {
    ContextBuilder alone(registry_, drops_, 0);
    Add(alone, stack);
    const ContextBuilder::Updates one = Fold(alone);
    if (one.samples.empty()) continue;
    expected[Describe(one, one.samples[0].samples[0].first)] += 1;
  }
  EXPECT_EQ(samples, expected);
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("method_gone", 2 * 3)));
}

TEST_F(ContextBuilderTest, RewrittenCodeIsReadAsItWas) {
  classfile::BciMap map;
  map.Add({0, 8, 8});
  map_ = std::make_shared<const classfile::BciMap>(map);
  ContextBuilder folder(registry_, drops_, 0);
  Add(folder, "abc");
  const ContextBuilder::Updates updates = Fold(folder);
  EXPECT_EQ(updates.contexts[2].bci, 2) << "10, behind the probe's eight bytes";
}

TEST_F(ContextBuilderTest, AStackWithAMethodThatIsGoneIsLost) {
  ContextBuilder folder(registry_, drops_, 0);
  Add(folder, "axb");
  Add(folder, "ab");
  EXPECT_THAT(Fold(folder).samples, SizeIs(1));
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("method_gone", 1)));
}

TEST_F(ContextBuilderTest, ThereAreNoMoreContextsThanMemoryIsTakenFor) {
  ContextBuilder folder(registry_, drops_, 0, 4);
  Add(folder, "abc");
  Add(folder, "abd");
  Add(folder, "abc");
  const ContextBuilder::Updates updates = Fold(folder);
  EXPECT_EQ(folder.context_count(), 4u);
  ASSERT_THAT(updates.samples, SizeIs(1));
  EXPECT_THAT(updates.samples[0].samples, ElementsAre(Pair(ContextId{3}, 2)));
  EXPECT_THAT(drops_.Totals(), ElementsAre(Pair("contexts_full", 1)));
}

TEST_F(ContextBuilderTest, APhysicalFrameIsAllThatWasInlinedThere) {
  ContextBuilder folder(registry_, drops_, 0);
  const CodePlace outer{{{ids_['a'], 5}}};
  const CodePlace inner{{{ids_['c'], 9}, {ids_['b'], 7}}};  // c is inlined into b.
  const EdgeId call = registry_.InternEdge({ids_['c'], 9, ids_['d']});
  const auto raw = std::make_unique<StackBuffer::Stack>();
  raw->frame_count = 2;
  raw->thread = 1;
  raw->call = call;
  raw->frames[0] = RawFrame::At(inner);
  raw->frames[1] = RawFrame::At(outer);
  folder.Add(*raw);
  folder.Add(*raw);
  raw->frames[0] = RawFrame::At(outer);
  raw->call = kNoEdge;
  folder.Add(*raw);
  const ContextBuilder::Updates updates = Fold(folder);
  ASSERT_THAT(updates.samples, SizeIs(1));
  std::map<std::string, uint32_t> samples;
  for (const auto& [context, count] : updates.samples[0].samples) {
    samples[Describe(updates, context)] = count;
  }
  EXPECT_THAT(samples, ElementsAre(Pair("a5a", 1), Pair("a5b7c9d", 2)));
  EXPECT_EQ(namings_, 0) << "they have their names";
  std::vector<MethodId> told;
  for (const auto& method : registry_.TakeUpdates().methods) told.push_back(method.id);
  EXPECT_THAT(told, testing::IsSupersetOf({ids_['a'], ids_['b'], ids_['c']}));
}

}  // namespace
}  // namespace yp::hotspot
