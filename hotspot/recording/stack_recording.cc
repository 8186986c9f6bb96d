#include "hotspot/recording/stack_recording.h"

#include <utility>

#include "recorder/kernel_threads.h"

namespace yp::hotspot {
namespace {

// Threads of stacks are numbered from here, those of calls from 0.
constexpr uint32_t kFirstId = 1u << 30;

}  // namespace

Status StackRecording::Start() {
  const bool by_signals = !triggers_.empty();
  if (by_signals) sampler_.TakeSignals();
  sampler_.TakeStacks([](const StackBuffer::Stack&) {});  // Of an earlier recording.
  sampler_.Begin();
  if (!by_signals) return Status::Ok();
  Status started = triggers_.Start(&StackSampler::OnProfilingSignal);
  if (!started) sampler_.End();
  return started;
}

void StackRecording::Stop() {
  triggers_.Stop();
  sampler_.End();
}

ThreadId StackRecording::IdOf(int32_t kernel_thread,
                              std::vector<spool::ThreadDefinition>& updates) {
  const ThreadId next{kFirstId + static_cast<uint32_t>(threads_.size())};
  const auto [known, is_new] = threads_.try_emplace(kernel_thread);
  if (is_new) {
    updates.push_back(known->second = {next, NameOfKernelThread(kernel_thread), kernel_thread});
  }
  return known->second.id;
}

StackRecording::Updates StackRecording::Take() {
  Updates updates;
  if (std::exchange(retells_, false)) {
    for (const auto& [kernel_thread, told] : threads_) updates.threads.push_back(told);
  }
  sampler_.TakeStacks([this](const StackBuffer::Stack& stack) { folder_.Add(stack); });
  folder_.Fold(namer_, [&](int32_t thread) { return IdOf(thread, updates.threads); });
  updates.contexts = folder_.TakeUpdates();
  return updates;
}

void StackRecording::Retell() {
  folder_.Retell();
  retells_ = true;
}

}  // namespace yp::hotspot
