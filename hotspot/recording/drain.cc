#include "hotspot/recording/drain.h"

#include <iterator>
#include <utility>

namespace yp::hotspot {

void Drain::CountDelta(std::vector<uint64_t>& told, size_t index, EdgeId edge, uint64_t total) {
  if (told.size() <= index) told.resize(index + 1, 0);
  const uint64_t delta = total - told[index];
  if (delta == 0) return;
  told[index] = total;
  counted_calls_ += delta;
  counts_.calls.emplace_back(edge, delta);
}

void Drain::CollectCounts(ThreadRecord& thread) {
  const std::lock_guard lock(thread.common.mutex);
  ThreadRecord::Counting& counting = thread.counting;
  if (counting.slow_counts != nullptr) {
    counting.slow_counts->ForEach([&](EdgeId edge, uint64_t total) {
      CountDelta(counting.told_slow, ToIndex(edge), edge, total);
    });
  }
  for (size_t i = 0; i < counting.ways.size(); ++i) {
    const auto& [way, edge] = counting.ways[i];
    CountDelta(counting.told_ways, i, edge,
               static_cast<uint64_t>(way->count.load(std::memory_order_relaxed)));
  }
}

void Drain::Append(StackRecording::Updates stacks) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (spool::ThreadDefinition& thread : stacks.threads) spool_.Append(std::move(thread));
  append(contexts_.contexts, stacks.contexts.contexts);
  append(contexts_.samples, stacks.contexts.samples);
}

void Drain::Append(CountedContexts::Updates contexts) {
  contexts_.contexts.insert(contexts_.contexts.end(), contexts.contexts.begin(),
                            contexts.contexts.end());
  context_counts_ = std::move(contexts.counts);
}

void Drain::Append(TestMarks::Updates tests) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(tests_.begun, tests.begun);
  append(tests_.reached, tests.reached);
  append(tests_.ended, tests.ended);
}

void Drain::Append(const CountedEntries& entries, int64_t start_ns) {
  if (entries.gaps.empty()) return;
  spool::EntryCounts told;
  for (const auto& [begin_ns, end_ns] : entries.gaps) {
    told.gaps.push_back({begin_ns - start_ns, end_ns - start_ns});
  }
  const std::unordered_map<int32_t, CompilationId> ids = registry_.compilations().ByCompileId();
  for (const auto& [compile_id, first_gap, end_gap, part_ns, calls] : entries.counts) {
    const auto known = ids.find(compile_id);
    if (known == ids.end()) continue;
    told.counts.push_back({known->second, first_gap, end_gap, part_ns, calls});
  }
  for (const auto& [compile_id, end_gap] : entries.uses) {
    const auto known = ids.find(compile_id);
    if (known != ids.end()) told.uses.push_back({known->second, end_gap});
  }
  entry_counts_.push_back(std::move(told));
}

void Drain::CollectAll() {
  threads_.ForEach([&](ThreadRecord& thread) {
    CollectCounts(thread);
    spool_.Collect(thread, now_ns_);
  });
}

void Drain::Discard() {
  threads_.ForEach([&](ThreadRecord& thread) {
    CollectCounts(thread);
    spool_.Discard(thread);
  });
  spool_.Clear();
  counts_.calls.clear();
  counted_calls_ = 0;
}

Status Drain::Round(int64_t now_ns, int64_t open_ns) {
  now_ns_ = now_ns;
  // First what was gathered, then the updates: an edge is made before it is counted. A method is
  // made before what was compiled of it.
  CollectAll();
  const Compilations::Updates compiled = registry_.compilations().TakeUpdates();
  const MethodRegistry::Updates updates = registry_.TakeUpdates();
  spool_.TellThreads();
  spool_.TellAll(updates.methods);
  spool_.TellAll(updates.edges);
  for (const Compilations::Known* known : compiled.compilations) spool_.Tell(known->told);
  spool_.TellAll(compiled.calls);
  spool_.TellAll(std::exchange(profiles_, {}));
  spool_.TellAll(std::exchange(entry_counts_, {}));
  if (interpreted_) spool_.Tell(*std::exchange(interpreted_, {}));
  spool_.TellWindows();
  const ContextBuilder::Updates contexts = std::exchange(contexts_, {});
  spool_.TellAll(contexts.contexts);
  spool_.TellAll(contexts.samples);
  if (!context_counts_.calls.empty()) spool_.Tell(std::exchange(context_counts_, {}));
  spool_.TellCompiledSamples(now_ns, open_ns, !contexts.samples.empty());
  if (!counts_.calls.empty()) spool_.Tell(std::exchange(counts_, {}));
  const TestMarks::Updates tests = std::exchange(tests_, {});
  spool_.TellAll(tests.begun);
  spool_.TellAll(tests.reached);
  spool_.TellAll(tests.ended);
  if (unexecuted_) spool_.Tell(*std::exchange(unexecuted_, std::nullopt));
  if (auto totals = drops_.Totals(); !totals.empty()) spool_.Tell(spool::Drops{std::move(totals)});
  return spool_.Flush();
}

Status Drain::WriteConfig(const spool::Config& config) {
  spool_.Tell(config);
  return spool_.Flush();
}

void Drain::TellEnd(int64_t end_ns, int64_t agent_cpu_ns) {
  spool::End end;
  end.end_ns = end_ns;
  end.agent_cpu_ns = agent_cpu_ns;
  spool_.Tell(end);
}

Status Drain::NextPart(std::unique_ptr<spool::SpoolWriter> next, const spool::Config& config,
                       spool::Part part, int64_t open_ns) {
  Status last_round = Round(part.begin_ns, open_ns);
  TellEnd(part.begin_ns, part.agent_cpu_ns);
  Status written = spool_.GoOnWith(std::move(next));
  part.drops = drops_.Totals();
  registry_.RetellToNextPart();
  // A thread that has ended meanwhile is told of for the last time.
  threads_.ForEach([&](ThreadRecord& thread) {
    CollectCounts(thread);
    spool_.CollectAnew(thread, now_ns_);
  });
  spool_.Tell(config);
  spool_.Tell(part);
  if (written.ok()) written = spool_.Flush();
  return last_round ? written : last_round;
}

Status Drain::Finish(int64_t end_ns, int64_t agent_cpu_ns, int64_t open_ns) {
  threads_.ForEach([&](ThreadRecord& thread) {
    CollectCounts(thread);
    spool_.CollectLast(thread, now_ns_);
  });
  Status last_round = Round(end_ns, open_ns);
  TellEnd(end_ns, agent_cpu_ns);
  Status closed = spool_.Close();
  return last_round ? closed : last_round;
}

}  // namespace yp::hotspot
