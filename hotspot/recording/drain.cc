#include "hotspot/recording/drain.h"

#include <algorithm>
#include <utility>

namespace yp::hotspot {
namespace {

// How often each of the ids is there, by id. Sorts them.
template <typename Id>
std::vector<std::pair<Id, uint32_t>> Counted(std::vector<Id>& ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<std::pair<Id, uint32_t>> counts;
  for (const Id id : ids) {
    if (counts.empty() || counts.back().first != id) counts.emplace_back(id, 0);
    ++counts.back().second;
  }
  return counts;
}

}  // namespace

void Drain::Keep(Status status) {
  if (!status && first_error_.ok()) first_error_ = std::move(status);
}

void Drain::CountDelta(std::vector<uint64_t>& told, size_t index, EdgeId edge, uint64_t total) {
  if (told.size() <= index) told.resize(index + 1, 0);
  const uint64_t delta = total - told[index];
  if (delta == 0) return;
  told[index] = total;
  counts_.calls.emplace_back(edge, delta);
}

void Drain::CollectCounts(ThreadRecord& thread) {
  const std::lock_guard lock(thread.common.mutex);
  if (thread.counting.slow_counts != nullptr) {
    thread.counting.slow_counts->ForEach([&](EdgeId edge, uint64_t total) {
      CountDelta(thread.counting.told_slow, ToIndex(edge), edge, total);
    });
  }
  for (size_t i = 0; i < thread.counting.ways.size(); ++i) {
    const auto& [way, edge] = thread.counting.ways[i];
    CountDelta(thread.counting.told_ways, i, edge,
               static_cast<uint64_t>(way->count.load(std::memory_order_relaxed)));
  }
}

void Drain::CollectCost(ThreadRecord& thread) {
  const uint64_t calls = thread.common.observed_calls.load(std::memory_order_relaxed);
  const int64_t ns = thread.common.slow_path_ns.load(std::memory_order_relaxed);
  observation_cost_.calls += calls - std::exchange(thread.drained.told_observed_calls, calls);
  observation_cost_.slow_path_ns += ns - std::exchange(thread.drained.told_slow_path_ns, ns);
}

void Drain::Collect(ThreadRecord& thread) {
  const bool ended =
      thread.common.ended.load(std::memory_order_acquire);  // Partner: Leave's release.
  if (!thread.drained.told_name) {
    thread.drained.told_name = true;
    new_threads_.push_back({thread.id, thread.name});
  }
  CollectCounts(thread);
  CollectCost(thread);
  SampleRing* ring = nullptr;
  {
    const std::lock_guard lock(thread.common.mutex);
    ring = thread.common.ring.get();
  }
  if (ring == nullptr) return;
  const auto take = [&](EdgeId edge, CompiledCallId call) {
    thread.drained.pending_samples.push_back(edge);
    if (call != kNoCompiledCall) compiled_samples_.push_back(call);
  };
  const auto begin = [&](const WindowBegin& begun) {
    TakeOpenWindow(thread);  // Whose end was lost.
    thread.drained.pending = begun;
  };
  ring->Drain(begin, take, [&](const WindowSummary& summary) { TakeWindow(thread, summary); });
  const bool has_windows = thread.own.policy == nullptr || thread.own.policy->NeedsTicks();
  if (!has_windows) {
    TakeOpenWindow(thread);
  } else if (ended && !thread.drained.pending_samples.empty()) {
    // It ended within a window: what it had sampled counts, how long it took is not known.
    WindowSummary cut = thread.own.window;
    cut.duration_ns = 0;
    TakeWindow(thread, thread.own.unsent_end.value_or(cut));
  }
}

void Drain::TakeOpenWindow(ThreadRecord& thread) {
  if (thread.drained.pending_samples.empty()) return;
  TakeWindow(thread,
             {.tick = thread.drained.pending.tick, .start_ns = thread.drained.pending.start_ns});
  thread.drained.pending.start_ns = now_ns_;  // Of what else comes of it.
}

void Drain::TakeWindow(ThreadRecord& thread, const WindowSummary& summary) {
  spool::Window window;
  window.tick = summary.tick;
  window.thread = thread.id;
  window.start_ns = summary.start_ns;
  window.latency_ns = summary.latency_ns;
  window.duration_ns = summary.duration_ns;
  window.interval_ns = summary.interval_ns;
  window.calls = summary.calls;
  window.near_calls = summary.near_calls;
  window.samples = Counted(thread.drained.pending_samples);
  thread.drained.pending_samples.clear();
  windows_.push_back(std::move(window));
}

void Drain::Append(StackRecording::News stacks) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(new_threads_, stacks.threads);
  append(contexts_.contexts, stacks.contexts.contexts);
  append(contexts_.samples, stacks.contexts.samples);
}

void Drain::Append(CountedContexts::News contexts) {
  contexts_.contexts.insert(contexts_.contexts.end(), contexts.contexts.begin(),
                            contexts.contexts.end());
  context_counts_ = std::move(contexts.counts);
}

void Drain::CollectAll() {
  threads_.ForEach([&](ThreadRecord& thread) { Collect(thread); });
}

void Drain::Discard() {
  threads_.ForEach([&](ThreadRecord& thread) {
    Collect(thread);
    thread.drained.pending_samples.clear();
    thread.drained.told_name = false;
  });
  new_threads_.clear();
  windows_.clear();
  counts_.calls.clear();
  compiled_samples_.clear();
  observation_cost_ = {};
}

Status Drain::Round(int64_t now_ns, int64_t open_ns) {
  now_ns_ = now_ns;
  // First what was gathered, then the news: an edge is made before it is counted. A method is made
  // before what was compiled of it.
  CollectAll();
  const Compilations::News compiled = registry_.compilations().TakeNews();
  const MethodRegistry::News news = registry_.TakeNews();
  for (const spool::ThreadDefinition& thread : new_threads_) Keep(writer_->Append(thread));
  for (const spool::MethodDefinition& method : news.methods) Keep(writer_->Append(method));
  for (const spool::EdgeDefinition& edge : news.edges) Keep(writer_->Append(edge));
  for (const Compilations::Known* known : compiled.compilations) Keep(writer_->Append(known->told));
  for (const spool::CompiledCall& call : compiled.calls) Keep(writer_->Append(call));
  for (const spool::MethodProfile& profile : profiles_) Keep(writer_->Append(profile));
  for (const spool::Window& window : windows_) Keep(writer_->Append(window));
  for (const spool::ContextDefinition& context : contexts_.contexts) {
    Keep(writer_->Append(context));
  }
  for (const spool::ContextSamples& samples : contexts_.samples) Keep(writer_->Append(samples));
  if (!context_counts_.calls.empty()) Keep(writer_->Append(context_counts_));
  if (!compiled_samples_.empty() || open_ns > 0 || !contexts_.samples.empty()) {
    Keep(writer_->Append(spool::CompiledSamples{Counted(compiled_samples_), now_ns, open_ns}));
  }
  if (!counts_.calls.empty()) Keep(writer_->Append(counts_));
  new_threads_.clear();
  windows_.clear();
  counts_.calls.clear();
  compiled_samples_.clear();
  profiles_.clear();
  contexts_ = {};
  context_counts_ = {};
  if (auto totals = drops_.Totals(); !totals.empty()) {
    Keep(writer_->Append(spool::Drops{std::move(totals)}));
  }
  Keep(writer_->Flush());
  return std::exchange(first_error_, Status::Ok());
}

Status Drain::WriteConfig(const spool::Config& config) {
  Keep(writer_->Append(config));
  Keep(writer_->Flush());
  return std::exchange(first_error_, Status::Ok());
}

void Drain::Append(const std::vector<spool::Tick>& ticks) {
  for (const spool::Tick& each : ticks) Keep(writer_->Append(each));
}

void Drain::Append(const std::vector<spool::EarlierCode>& code) {
  for (const spool::EarlierCode& each : code) Keep(writer_->Append(each));
}

void Drain::Append(const std::vector<spool::CompilerTimes>& times) {
  for (const spool::CompilerTimes& each : times) Keep(writer_->Append(each));
}

Status Drain::Finish(int64_t end_ns, int64_t agent_cpu_ns, int64_t open_ns) {
  threads_.ForEach([&](ThreadRecord& thread) {
    Collect(thread);
    TakeOpenWindow(thread);
  });
  Keep(Round(end_ns, open_ns));
  spool::End end;
  end.end_ns = end_ns;
  end.agent_cpu_ns = agent_cpu_ns;
  Keep(writer_->Append(end));
  Keep(writer_->Flush());
  writer_.reset();
  return std::exchange(first_error_, Status::Ok());
}

}  // namespace yp::hotspot
