#include "recorder/spool_drain.h"

#include <algorithm>

namespace yp {
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

void SpoolDrain::Keep(Status status) {
  if (!status && first_error_.ok()) first_error_ = std::move(status);
}

void SpoolDrain::CollectCost(SampledThread& thread) {
  const uint64_t calls = thread.common.observed_calls.load(std::memory_order_relaxed);
  const int64_t ns = thread.common.slow_path_ns.load(std::memory_order_relaxed);
  observation_cost_.calls += calls - std::exchange(thread.drained.told_observed_calls, calls);
  observation_cost_.slow_path_ns += ns - std::exchange(thread.drained.told_slow_path_ns, ns);
}

void SpoolDrain::Collect(SampledThread& thread, int64_t now_ns) {
  // Partner: Leave's release.
  const bool has_ended = thread.common.ended.load(std::memory_order_acquire);
  if (!thread.drained.told_name) {
    thread.drained.told_name = true;
    new_threads_.push_back({thread.id, thread.name, thread.kernel_id});
  }
  if (has_ended) ended_.emplace_back(thread.kernel_id, thread.common.ended_cpu_ns);
  CollectCost(thread);
  SampleRing* ring = nullptr;
  {
    const std::lock_guard lock(thread.common.mutex);
    ring = thread.common.ring.get();
  }
  if (ring != nullptr) CollectRing(thread, *ring, has_ended, now_ns);
}

void SpoolDrain::CollectLast(SampledThread& thread, int64_t now_ns) {
  Collect(thread, now_ns);
  TakeOpenWindow(thread, now_ns);
}

void SpoolDrain::CollectRing(SampledThread& thread, SampleRing& ring, bool has_ended,
                             int64_t now_ns) {
  SampledThread::Drained& drained = thread.drained;
  const auto take = [&](EdgeId edge, CompiledCallId call) {
    drained.pending_samples.push_back(edge);
    if (call != kNoCompiledCall) compiled_samples_.push_back(call);
  };
  const auto begin = [&](const WindowBegin& begun) {
    TakeOpenWindow(thread, now_ns);  // Whose end was lost.
    drained.pending = begun;
  };
  ring.Drain(begin, take, [&](const WindowSummary& summary) { TakeWindow(thread, summary); });
  const bool has_windows = thread.own.policy == nullptr || thread.own.policy->NeedsTicks();
  if (!has_windows) {
    TakeOpenWindow(thread, now_ns);
  } else if (has_ended && !drained.pending_samples.empty()) {
    // It ended within a window: what it had sampled counts, how long it took is not known.
    WindowSummary cut = thread.own.window;
    cut.duration_ns = 0;
    TakeWindow(thread, thread.own.unsent_end.value_or(cut));
  }
}

void SpoolDrain::TakeOpenWindow(SampledThread& thread, int64_t now_ns) {
  SampledThread::Drained& drained = thread.drained;
  if (drained.pending_samples.empty()) return;
  TakeWindow(thread, {.tick = drained.pending.tick, .start_ns = drained.pending.start_ns});
  drained.pending.start_ns = now_ns;  // Of what else comes of it.
}

void SpoolDrain::TakeWindow(SampledThread& thread, const WindowSummary& summary) {
  spool::Window window;
  window.tick = summary.tick;
  window.thread = thread.id;
  window.start_ns = summary.start_ns;
  window.latency_ns = summary.latency_ns;
  window.duration_ns = summary.duration_ns;
  window.interval_ns = summary.interval_ns;
  window.calls = summary.calls;
  window.near_calls = summary.near_calls;
  samples_ += thread.drained.pending_samples.size();
  window.samples = Counted(thread.drained.pending_samples);
  thread.drained.pending_samples.clear();
  windows_.push_back(std::move(window));
}

void SpoolDrain::CollectAnew(SampledThread& thread, int64_t now_ns) {
  thread.drained.told_name = false;
  Collect(thread, now_ns);
}

void SpoolDrain::Discard(SampledThread& thread) {
  Collect(thread, 0);
  thread.drained.pending_samples.clear();
  thread.drained.told_name = false;
}

void SpoolDrain::Clear() {
  new_threads_.clear();
  windows_.clear();
  compiled_samples_.clear();
  observation_cost_ = {};
  samples_ = 0;
  ended_.clear();
}

void SpoolDrain::TellThreads() {
  TellAll(new_threads_);
  new_threads_.clear();
}

void SpoolDrain::TellWindows() {
  TellAll(windows_);
  windows_.clear();
}

void SpoolDrain::TellCompiledSamples(int64_t now_ns, int64_t open_ns, bool has_stacks) {
  if (compiled_samples_.empty() && open_ns <= 0 && !has_stacks) return;
  Tell(spool::CompiledSamples{Counted(compiled_samples_), now_ns, open_ns});
  compiled_samples_.clear();
}

Status SpoolDrain::Flush() {
  Keep(writer_->Flush());
  return std::exchange(first_error_, Status::Ok());
}

Status SpoolDrain::Close() {
  Status flushed = Flush();
  closed_bytes_ = writer_->bytes_written();
  writer_.reset();
  return flushed;
}

Status SpoolDrain::GoOnWith(std::unique_ptr<spool::SpoolWriter> next) {
  Status flushed = Flush();
  writer_ = std::move(next);
  return flushed;
}

}  // namespace yp
