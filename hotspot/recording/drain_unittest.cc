#include "hotspot/recording/drain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/sampling/policy_factory.h"
#include "format/spool/spool_test_util.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Method Named(const std::string& name) {
  Method method;
  method.class_name = "app.Main";
  method.name = name;
  method.descriptor = "()V";
  return method;
}

WindowSummary Summary(uint64_t tick, uint64_t calls) {
  return {.tick = tick,
          .start_ns = 1,
          .latency_ns = 2,
          .duration_ns = 3,
          .interval_ns = 4,
          .calls = calls,
          .near_calls = 5};
}

// What a reader makes of the spool.
struct Told {
  std::vector<spool::EntryCounts> entries;
  std::map<std::string, std::string> config;
  std::map<uint32_t, uint64_t> counts;  // By edge, added up.
  size_t count_records = 0;
  std::map<uint32_t, uint64_t> compiled;  // By compiled call, added up.
  size_t compiled_records = 0;
  std::vector<int64_t> rounds_ns;
  std::vector<spool::Window> windows;
  std::vector<std::string> threads;
  std::map<std::string, uint64_t> drops;
  std::vector<spool::End> ends;
  std::vector<spool::Part> parts;
};

class DrainTest : public ::testing::Test {
 protected:
  DrainTest() {
    auto writer =
        spool::SpoolWriter::Open(directory_ / "spool", spool::SpoolWriter::Mode::kCreateNew);
    EXPECT_TRUE(writer.ok()) << writer.message();
    drain_ = std::make_unique<Drain>(*threads_, registry_, drops_, std::move(writer).value());
  }

  ThreadRecord* Enter(const std::string& name) {
    ThreadRecord* record = threads_->Enter(++java_id_, name, true, 1);
    record->common.ring = std::make_unique<SampleRing>();
    record->counting.slow_counts = std::make_unique<EdgeCounters>();
    return record;
  }
  EdgeId NewEdge() {
    const MethodId caller = registry_.Intern(Named("caller"));
    return registry_.InternEdge({caller, next_bci_++, registry_.Intern(Named("callee"))});
  }
  // A call site's counter that counts the edge on the thread's behalf.
  SiteWay& Bind(ThreadRecord* record, int32_t site, EdgeId edge) {
    SiteWay& way = record->shared->sites()[site].ways[0];
    record->counting.ways.emplace_back(&way, edge);
    return way;
  }

  // A compilation of one method, of which no edge tells.
  CompilationId NewCompilation(const std::string& name) {
    const MethodId method = registry_.Intern(Named(name));
    DebugInfo::InlineTree tree;
    tree.nodes.push_back({0, kNoBci, &method});
    Compilations::Known known;
    known.tree = NamedTree(std::move(tree), [&](const void*) {
      registry_.MarkUsed(method);
      return NamedTree::Name{method, true};
    });
    known.told.nodes = known.tree.nodes();
    known.told.compile_id = compile_id_ + 1;
    return registry_.compilations().Add({nullptr, ++compile_id_, 1}, std::move(known))->told.id;
  }
  CompiledCallId NewCall(EdgeId edge, CompilationId caller = kNoCompilation,
                         CompilationId callee = kNoCompilation) {
    return registry_.compilations().InternCall({{}, edge, caller, 0, callee});
  }

  // Checks on the way that ids are told before they are used.
  Told Read(const std::string& name = "spool") {
    Told told;
    auto reader = spool::SpoolReader::Open(directory_ / name);
    EXPECT_TRUE(reader.ok()) << reader.message();
    std::map<uint32_t, bool> methods, edges, thread_ids, compilations, compiled_calls;
    compilations[ToIndex(kNoCompilation)] = true;
    for (const spool::Record& record : spool::ReadAll(reader->get())) {
      if (const auto* config = std::get_if<spool::Config>(&record)) {
        for (const auto& [key, value] : config->entries) told.config[key] = value;
      } else if (const auto* thread = std::get_if<spool::ThreadDefinition>(&record)) {
        told.threads.push_back(thread->name);
        thread_ids[ToIndex(thread->id)] = true;
      } else if (const auto* method = std::get_if<spool::MethodDefinition>(&record)) {
        methods[ToIndex(method->id)] = true;
      } else if (const auto* edge = std::get_if<spool::EdgeDefinition>(&record)) {
        EXPECT_TRUE(methods[ToIndex(edge->edge.caller)] && methods[ToIndex(edge->edge.callee)]);
        edges[ToIndex(edge->id)] = true;
      } else if (const auto* counts = std::get_if<spool::Counts>(&record)) {
        ++told.count_records;
        for (const auto& [id, n] : counts->calls) {
          EXPECT_TRUE(edges[ToIndex(id)]);
          told.counts[ToIndex(id)] += n;
        }
      } else if (const auto* window = std::get_if<spool::Window>(&record)) {
        EXPECT_TRUE(thread_ids[ToIndex(window->thread)]);
        for (const auto& [id, n] : window->samples) EXPECT_TRUE(edges[ToIndex(id)]);
        told.windows.push_back(*window);
      } else if (const auto* compilation = std::get_if<spool::Compilation>(&record)) {
        EXPECT_FALSE(std::exchange(compilations[ToIndex(compilation->id)], true)) << "told twice";
        for (const auto& node : compilation->nodes) EXPECT_TRUE(methods[ToIndex(node.method)]);
      } else if (const auto* call = std::get_if<spool::CompiledCall>(&record)) {
        EXPECT_FALSE(std::exchange(compiled_calls[ToIndex(call->id)], true)) << "told twice";
        EXPECT_TRUE(edges[ToIndex(call->edge)]);
        EXPECT_TRUE(compilations[ToIndex(call->caller)] && compilations[ToIndex(call->callee)]);
      } else if (const auto* compiled = std::get_if<spool::CompiledSamples>(&record)) {
        ++told.compiled_records;
        told.rounds_ns.push_back(compiled->end_ns);
        for (const auto& [id, n] : compiled->samples) {
          EXPECT_TRUE(compiled_calls[ToIndex(id)]);
          told.compiled[ToIndex(id)] += n;
        }
      } else if (const auto* entries = std::get_if<spool::EntryCounts>(&record)) {
        for (const auto& count : entries->counts) {
          EXPECT_TRUE(compilations[ToIndex(count.compilation)]);
        }
        told.entries.push_back(*entries);
      } else if (const auto* drops = std::get_if<spool::Drops>(&record)) {
        for (const auto& [reason, total] : drops->totals) told.drops[reason] = total;
      } else if (const auto* part = std::get_if<spool::Part>(&record)) {
        told.parts.push_back(*part);
      } else if (const auto* end = std::get_if<spool::End>(&record)) {
        told.ends.push_back(*end);
      }
    }
    EXPECT_FALSE((*reader)->damage().any());
    return told;
  }

  spool::TemporaryDirectory directory_;
  std::unique_ptr<ThreadRegistry> threads_ = ThreadRegistry::Create();
  MethodRegistry registry_;
  Drops drops_;
  std::unique_ptr<Drain> drain_;

 private:
  int64_t java_id_ = 0;
  int32_t compile_id_ = 0;
  int32_t next_bci_ = 0;
};

TEST_F(DrainTest, TheDeltasOfExactCountsAddUpToTheCounts) {
  ThreadRecord* a = Enter("a");
  ThreadRecord* b = Enter("b");
  const EdgeId both = NewEdge(), slow = NewEdge(), never = NewEdge();
  SiteWay& way_of_a = Bind(a, 7, both);
  SiteWay& way_of_b = Bind(b, 7, both);
  uint64_t expected_both = 0, expected_slow = 0;
  for (int round = 0; round < 5; ++round) {
    way_of_a.count += 1000;
    way_of_b.count += round;
    a->counting.slow_counts->Increment(both);
    b->counting.slow_counts->Increment(slow);
    expected_both += 1001 + static_cast<uint64_t>(round);
    expected_slow += 1;
    ASSERT_TRUE(drain_->Round().ok());
  }
  const Told told = Read();
  EXPECT_THAT(told.counts, UnorderedElementsAre(Pair(ToIndex(both), expected_both),
                                                Pair(ToIndex(slow), expected_slow)));
  EXPECT_FALSE(told.counts.contains(ToIndex(never)));
}

TEST_F(DrainTest, EachPartCanBeReadAloneAndHasWhatCameInIt) {
  ThreadRecord* thread = Enter("a");
  const EdgeId edge = NewEdge();
  const CompilationId caller = NewCompilation("only compiled");
  const CompiledCallId call = NewCall(edge, caller);
  const auto work = [&](int times) {
    for (int i = 0; i < times; ++i) {
      thread->counting.slow_counts->Increment(edge);
      thread->common.ring->PushSample(edge, call);
    }
  };
  work(3);
  thread->common.ring->PushWindowEnd(Summary(1, 3));
  drops_.Add(Drop::kRingFull, 5);
  ASSERT_TRUE(drain_->Round().ok());
  work(1);  // Before the part ends: its own, and the window goes on in the next one.
  auto next = spool::SpoolWriter::Open(directory_ / "next", spool::SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(next.ok());
  spool::Part part;
  part.number = 2;
  part.begin_ns = 70;
  part.agent_cpu_ns = 7;
  ASSERT_TRUE(drain_->NextPart(std::move(next).value(), {{{"mode", "exact"}}}, part).ok());
  work(2);
  thread->common.ring->PushWindowEnd(Summary(2, 3));
  drops_.Add(Drop::kRingFull, 2);
  ASSERT_TRUE(drain_->Finish(90, 9).ok());
  EXPECT_EQ(drain_->counted_calls(), 6u);
  EXPECT_EQ(drain_->samples(), 6u);

  const Told first = Read(), second = Read("next");
  EXPECT_THAT(first.counts, ElementsAre(Pair(ToIndex(edge), 4)));
  EXPECT_THAT(second.counts, ElementsAre(Pair(ToIndex(edge), 2)));
  EXPECT_THAT(first.compiled, ElementsAre(Pair(ToIndex(call), 4)));
  EXPECT_THAT(second.compiled, ElementsAre(Pair(ToIndex(call), 2)));
  ASSERT_EQ(first.windows.size(), 1u);
  ASSERT_EQ(second.windows.size(), 1u);
  EXPECT_THAT(second.windows[0].samples, ElementsAre(Pair(edge, 3u)));
  EXPECT_THAT(second.threads, ElementsAre("a"));
  EXPECT_THAT(second.config, ElementsAre(Pair("mode", "exact")));
  ASSERT_EQ(first.ends.size(), 1u);
  EXPECT_EQ(first.ends[0].end_ns, 70);
  EXPECT_EQ(first.ends[0].agent_cpu_ns, 7);
  EXPECT_TRUE(first.parts.empty());
  ASSERT_EQ(second.parts.size(), 1u);
  EXPECT_EQ(second.parts[0].number, 2u);
  EXPECT_THAT(second.parts[0].drops, ElementsAre(Pair("ring_full", 5)));
  EXPECT_THAT(second.drops, ElementsAre(Pair("ring_full", 7)));
}

TEST_F(DrainTest, AThreadThatEndsWhileAPartDoesIsInOneOfThem) {
  ThreadRecord* thread = Enter("a");
  const EdgeId edge = NewEdge();
  ASSERT_TRUE(drain_->Round().ok());
  thread->counting.slow_counts->Increment(edge);
  thread->common.ring->PushSample(edge);
  threads_->Leave(thread);
  auto next = spool::SpoolWriter::Open(directory_ / "next", spool::SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(drain_->NextPart(std::move(next).value(), {}, spool::Part()).ok());
  ASSERT_TRUE(drain_->Finish(9, 9).ok());
  EXPECT_THAT(Read().counts, ElementsAre(Pair(ToIndex(edge), 1)));
  EXPECT_THAT(Read("next").counts, IsEmpty());
  EXPECT_EQ(threads_->size(), 0u);
}

TEST_F(DrainTest, ARoundWithoutNewsTellsNoCounts) {
  Enter("a")->counting.slow_counts->Increment(NewEdge());
  ASSERT_TRUE(drain_->Round().ok());
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  EXPECT_EQ(told.count_records, 1u);
  EXPECT_THAT(told.threads, ElementsAre("a"));
}

TEST_F(DrainTest, AWindowHasTheSamplesThatCameBeforeItsEndMergedByEdge) {
  ThreadRecord* thread = Enter("a");
  const EdgeId x = NewEdge(), y = NewEdge();
  for (const EdgeId edge : {y, x, y}) thread->common.ring->PushSample(edge);
  ASSERT_TRUE(drain_->Round().ok());  // In the middle of the window.
  thread->common.ring->PushSample(y);
  thread->common.ring->PushWindowEnd(Summary(5, 99));
  thread->common.ring->PushSample(x);
  thread->common.ring->PushWindowEnd(Summary(6, 11));
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  ASSERT_EQ(told.windows.size(), 2u);
  const spool::Window& first = told.windows[0];
  EXPECT_THAT(first.samples, ElementsAre(Pair(x, 1), Pair(y, 3)));
  EXPECT_EQ(first.tick, 5u);
  EXPECT_EQ(first.thread, thread->id);
  EXPECT_EQ(first.start_ns, 1);
  EXPECT_EQ(first.latency_ns, 2);
  EXPECT_EQ(first.duration_ns, 3);
  EXPECT_EQ(first.interval_ns, 4);
  EXPECT_EQ(first.calls, 99u);
  EXPECT_EQ(first.near_calls, 5u);
  EXPECT_THAT(told.windows[1].samples, ElementsAre(Pair(x, 1)));
}

TEST_F(DrainTest, WindowsOfThreadsDoNotMix) {
  ThreadRecord* a = Enter("a");
  ThreadRecord* b = Enter("b");
  const EdgeId x = NewEdge(), y = NewEdge();
  a->common.ring->PushSample(x);
  b->common.ring->PushSample(y);
  b->common.ring->PushWindowEnd(Summary(1, 1));
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  ASSERT_EQ(told.windows.size(), 1u);
  EXPECT_EQ(told.windows[0].thread, b->id);
  EXPECT_THAT(told.windows[0].samples, ElementsAre(Pair(y, 1)));
}

TEST_F(DrainTest, CompiledSamplesAreToldOnceAfterWhatTheyAreOf) {
  ThreadRecord* a = Enter("a");
  ThreadRecord* b = Enter("b");
  const EdgeId x = NewEdge(), y = NewEdge();
  const CompilationId root = NewCompilation("root");
  const CompiledCallId of_x = NewCall(x, kNoCompilation, root), of_y = NewCall(y, root);
  for (int i = 0; i < 3; ++i) a->common.ring->PushSample(x, of_x);
  a->common.ring->PushSample(x);  // Of another probe.
  a->common.ring->PushSample(y, of_y);
  a->common.ring->PushWindowEnd(Summary(1, 5));
  b->common.ring->PushSample(x, of_x);
  b->common.ring->PushWindowEnd(Summary(1, 5));
  ASSERT_TRUE(drain_->Round().ok());
  ASSERT_TRUE(drain_->Round().ok());
  EXPECT_EQ(Read().compiled_records, 1u);
  const CompiledCallId later = NewCall(y, NewCompilation("later"), root);
  b->common.ring->PushSample(y, later);
  b->common.ring->PushSample(x, of_x);
  b->common.ring->PushWindowEnd(Summary(2, 5));
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  EXPECT_EQ(told.compiled_records, 2u);
  EXPECT_THAT(told.compiled, UnorderedElementsAre(Pair(ToIndex(of_x), 5), Pair(ToIndex(of_y), 1),
                                                  Pair(ToIndex(later), 1)));
}

TEST_F(DrainTest, CountsOfEntriesAreToldOfKnownCompilationsBehindThem) {
  const CompilationId first = NewCompilation("first"), second = NewCompilation("second");
  drain_->Append({.gaps = {{1010, 1020}, {1030, 1040}},
                  .counts = {{2, 0, 1, 0, 7}, {1, 1, 1, 9, 5}, {99, 0, 2, 0, 3}},
                  .uses = {{99, 1}, {2, 2}}},
                 1000);
  drain_->Append({.gaps = {{1050, 1060}}, .counts = {{1, 0, 1, 0, 11}}, .uses = {}}, 1000);
  drain_->Append({}, 1000);
  ASSERT_TRUE(drain_->Round());
  ASSERT_TRUE(drain_->Round());
  const Told told = Read();
  ASSERT_EQ(told.entries.size(), 2u);
  ASSERT_EQ(told.entries[1].counts.size(), 1u);
  EXPECT_EQ(told.entries[1].counts[0].calls, 11u);
  const spool::EntryCounts& entries = told.entries[0];
  ASSERT_EQ(entries.gaps.size(), 2u);
  EXPECT_EQ(entries.gaps[1].end_ns, 40);
  ASSERT_EQ(entries.counts.size(), 2u);
  EXPECT_EQ(entries.counts[0].compilation, second);
  EXPECT_EQ(entries.counts[0].calls, 7u);
  EXPECT_EQ(entries.counts[1].compilation, first);
  EXPECT_EQ(entries.counts[1].first_gap, 1u);
  EXPECT_EQ(entries.counts[1].part_ns, 9);
  ASSERT_EQ(entries.uses.size(), 1u);
  EXPECT_EQ(entries.uses[0].compilation, second);
  EXPECT_EQ(entries.uses[0].end_gap, 2u);
}

TEST_F(DrainTest, ARoundWithStacksIsToldWithItsEnd) {
  ASSERT_TRUE(drain_->Round(100).ok());
  StackRecording::Updates stacks;
  stacks.contexts.samples.push_back({130, ThreadId{1}, {}});
  drain_->Append(std::move(stacks));
  ASSERT_TRUE(drain_->Round(200).ok());
  EXPECT_THAT(Read().rounds_ns, ElementsAre(200)) << "so that it is known which they are of";
}

TEST_F(DrainTest, CompiledSamplesAreToldWhileTheirWindowIsOpen) {
  ThreadRecord* thread = Enter("a");
  const EdgeId x = NewEdge();
  const CompiledCallId call = NewCall(x);
  thread->common.ring->PushSample(x, call);
  drain_->Discard();  // An earlier session's.
  thread->common.ring->PushSample(x, call);
  thread->common.ring->PushSample(x, call);
  ASSERT_TRUE(drain_->Round().ok());
  EXPECT_THAT(Read().compiled, UnorderedElementsAre(Pair(ToIndex(call), 2)));
  thread->common.ring->PushWindowEnd(Summary(1, 2));
  thread->common.ring->PushSample(x, call);
  ASSERT_TRUE(drain_->Finish(123, 45).ok());
  const Told told = Read();
  EXPECT_THAT(told.compiled, UnorderedElementsAre(Pair(ToIndex(call), 3)));
  ASSERT_EQ(told.windows.size(), 2u);
  EXPECT_THAT(told.windows[0].samples, ElementsAre(Pair(x, 2)));
  EXPECT_THAT(told.windows[1].samples, ElementsAre(Pair(x, 1))) << "that the end cut";
  EXPECT_THAT(told.drops, IsEmpty());
}

TEST_F(DrainTest, WhatAThreadGatheredBeforeItsEndIsTold) {
  ThreadRecord* thread = Enter("short");
  const ThreadId id = thread->id;
  const EdgeId x = NewEdge(), y = NewEdge();
  thread->counting.slow_counts->Increment(x);
  Bind(thread, 3, y).count += 40;
  thread->common.ring->PushSample(x);
  thread->common.ring->PushWindowEnd(Summary(1, 8));
  // A window that the end of the thread cuts off: how long it took is not known.
  thread->common.ring->PushSample(y);
  thread->own.window = Summary(2, 21);
  threads_->Leave(thread);
  ASSERT_TRUE(drain_->Round().ok());
  EXPECT_EQ(threads_->size(), 0u);
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  EXPECT_THAT(told.threads, ElementsAre("short"));
  EXPECT_THAT(told.counts, UnorderedElementsAre(Pair(ToIndex(x), 1), Pair(ToIndex(y), 40)));
  ASSERT_EQ(told.windows.size(), 2u);
  EXPECT_EQ(told.windows[1].thread, id);
  EXPECT_EQ(told.windows[1].tick, 2u);
  EXPECT_EQ(told.windows[1].calls, 21u);
  EXPECT_EQ(told.windows[1].duration_ns, 0);
  EXPECT_THAT(told.windows[1].samples, ElementsAre(Pair(y, 1)));
}

TEST_F(DrainTest, SamplesOfAPolicyWithoutWindowsAreToldInEachRoundWithTheirTick) {
  ThreadRecord* thread = Enter("a");
  PolicyOptions countdown;
  countdown.kind = PolicyOptions::Kind::kCountdown;
  thread->own.policy = std::move(MakePolicy(countdown, thread->own.random)).value();
  const EdgeId x = NewEdge(), y = NewEdge();
  thread->common.ring->PushWindowBegin({.tick = 1, .start_ns = 70});
  thread->common.ring->PushSample(x);
  ASSERT_TRUE(drain_->Round(100).ok());
  thread->common.ring->PushSample(y);
  thread->common.ring->PushWindowBegin({.tick = 3, .start_ns = 150});
  thread->common.ring->PushSample(x);
  ASSERT_TRUE(drain_->Round(200).ok());
  ASSERT_TRUE(drain_->Round(300).ok());
  const Told told = Read();
  ASSERT_EQ(told.windows.size(), 3u);
  EXPECT_EQ(told.windows[0].start_ns, 70);
  EXPECT_THAT(told.windows[0].samples, ElementsAre(Pair(x, 1)));
  EXPECT_EQ(told.windows[1].tick, 1u);
  EXPECT_EQ(told.windows[1].start_ns, 100);
  EXPECT_THAT(told.windows[1].samples, ElementsAre(Pair(y, 1)));
  EXPECT_EQ(told.windows[2].tick, 3u);
  EXPECT_EQ(told.windows[2].start_ns, 150);
}

TEST_F(DrainTest, WhatAnEarlierSessionLeftIsDiscarded) {
  ThreadRecord* thread = Enter("a");
  const EdgeId x = NewEdge();
  SiteWay& way = Bind(thread, 3, x);
  way.count += 100;
  thread->counting.slow_counts->Increment(x);
  thread->common.ring->PushSample(x);
  thread->common.ring->PushWindowEnd(Summary(1, 1));
  thread->common.ring->PushSample(x);
  drain_->Discard();
  way.count += 5;
  thread->common.ring->PushWindowEnd(Summary(2, 7));
  ASSERT_TRUE(drain_->Round().ok());
  const Told told = Read();
  EXPECT_THAT(told.threads, ElementsAre("a")) << "the new spool has not heard of it";
  EXPECT_THAT(told.counts, UnorderedElementsAre(Pair(ToIndex(x), 5)));
  ASSERT_EQ(told.windows.size(), 1u);
  EXPECT_THAT(told.windows[0].samples, IsEmpty());
}

TEST_F(DrainTest, TheEndIsToldLastWithTheDropsAndTheWindowsThatItCut) {
  ThreadRecord* thread = Enter("a");
  const EdgeId x = NewEdge();
  thread->common.ring->PushWindowEnd(Summary(1, 1));
  thread->common.ring->PushWindowBegin({.tick = 2, .start_ns = 70});
  thread->common.ring->PushSample(x);
  thread->common.ring->PushSample(x);
  drops_.Add(Drop::kWalkFailed, 3);
  spool::Config config;
  config.entries = {{"mode", "cbs"}};
  ASSERT_TRUE(drain_->WriteConfig(config).ok());
  ASSERT_TRUE(drain_->Finish(123, 45).ok());
  const Told told = Read();
  EXPECT_THAT(told.config, ElementsAre(Pair("mode", "cbs")));
  ASSERT_EQ(told.windows.size(), 2u);
  EXPECT_EQ(told.windows[1].tick, 2u);
  EXPECT_EQ(told.windows[1].start_ns, 70);
  EXPECT_EQ(told.windows[1].duration_ns, 0);
  EXPECT_THAT(told.windows[1].samples, ElementsAre(Pair(x, 2)));
  EXPECT_THAT(told.drops, UnorderedElementsAre(Pair("walk_failed", 3)));
  ASSERT_EQ(told.ends.size(), 1u);
  EXPECT_EQ(told.ends[0].end_ns, 123);
  EXPECT_EQ(told.ends[0].agent_cpu_ns, 45);
}

TEST(DrainErrorsTest, ASpoolThatCannotBeWrittenIsToldOnce) {
  const spool::TemporaryDirectory directory;
  auto writer = spool::SpoolWriter::Open(directory / "spool", spool::SpoolWriter::Mode::kCreateNew);
  ASSERT_TRUE(writer.ok()) << writer.message();
  const auto threads = ThreadRegistry::Create();
  MethodRegistry registry;
  Drops drops;
  Drain drain(*threads, registry, drops, std::move(writer).value());
  threads->Enter(1, "a", false, 1);
  const spool::FileSizeLimit no_room;
  EXPECT_FALSE(drain.Round().ok());
  EXPECT_TRUE(drain.Round().ok());
  EXPECT_TRUE(drain.Finish(1, 1).ok());
}

}  // namespace
}  // namespace yp::hotspot
