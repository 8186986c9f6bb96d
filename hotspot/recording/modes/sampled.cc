#include "hotspot/recording/modes/sampled.h"

#include <span>

#include "recorder/window_sender.h"

namespace yp::hotspot {

void SampledMode::Send(ThreadRecord& thread, EdgeId edge, CompiledCallId call) {
  if (!WindowSender(thread).Sample(edge, call)) drops().Add(Drop::kRingFull);
}

void SampledMode::SendEnd(ThreadRecord& thread, const std::optional<WindowSummary>& ended) {
  if (!WindowSender(thread).End(ended)) drops().Add(Drop::kRingFull);
}

bool SampledMode::IsSample(ThreadRecord& thread, uint32_t steps) {
  const Sampler::Verdict verdict = session_.sampler().OnCall(thread, steps);
  SendEnd(thread, verdict.ended);
  WindowSender(thread).Begin(verdict.begun);
  return verdict.sample;
}

void SampledMode::Done(ThreadRecord& thread, const SampleCost& cost, bool is_observed,
                       uint32_t steps) {
  SendEnd(thread, session_.sampler().AfterSample(thread, cost, is_observed, steps));
  if (thread.common.ring->HasBecomeHalfFull()) session_.DrainSoon();
}

void SampledMode::OnArmedCall(JNIEnv* jni, MethodId callee, int64_t java_thread_id,
                              const CallWalker::Start& start) {
  if (!session_.is_active()) return;
  ThreadRecord* const thread = ThreadOf(jni, java_thread_id);
  if (thread == nullptr) return;
  if (callee == kPrimingCallee) {
    session_.sampler().CountForever(*thread);
    return;
  }
  if (!IsSample(*thread)) return;
  SampleCost cost(clock());
  if (const auto answer = Walk(jni, *thread, callee, start, &cost)) {
    Send(*thread, answer->edge);
    StackRecording* const stacks = session_.StacksOfNextSample(*thread);
    if (stacks != nullptr && stacks->OnSampledCall()) session_.DrainSoon();
  }
  Done(*thread, cost);
}

void SampledMode::OnCountedEntry(const EntryCall& call) {
  SampleCost cost(clock());
  cost.BecomesLong();
  host_.entry_walker->Describe(call);
  session_.DescribingTook(cost.Ns());
}

bool SampledMode::OnEntryOf(ThreadRecord& thread, const EntryCall& call) {
  if (!IsSample(thread, call.steps)) return true;
  SampleCost cost(clock());
  const EntryWalker::Answer answer = host_.entry_walker->Walk(call, thread.stack_end, &cost);
  const bool is_observed = answer.outcome != EntryWalker::Outcome::kNotObserved;
  if (answer.outcome == EntryWalker::Outcome::kEdge) {
    Send(thread, answer.edge, answer.call);
    if (StackRecording* stacks = session_.StacksOfNextSample(thread)) {
      const auto walk = [&](std::span<RawFrame> frames) {
        return host_.entry_walker->WalkStack(call, thread.stack_end, frames);
      };
      if (stacks->OnSampledCall(answer.edge, walk)) session_.DrainSoon();
    }
  } else if (is_observed) {
    drops().Add(answer.reason);
  }
  Done(thread, cost, is_observed, call.steps);
  return is_observed;
}

}  // namespace yp::hotspot
