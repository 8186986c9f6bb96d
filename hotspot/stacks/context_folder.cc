#include "hotspot/stacks/context_folder.h"

#include <algorithm>

namespace yp::hotspot {

void ContextFolder::Add(const StackBuffer::Stack& stack) {
  const auto begin = stack.frames.begin();
  kept_.push_back({stack.time_ns, stack.thread, stack.call, {begin, begin + stack.frame_count}});
}

void ContextFolder::NameNewMethods(const Namer& namer) {
  std::vector<void*> unknown;
  for (const Kept& stack : kept_) {
    for (const RawFrame& frame : stack.frames) {
      if (frame.method == nullptr) continue;
      const auto [it, is_new] = named_.try_emplace(frame.method);
      if (is_new) unknown.push_back(frame.method);
    }
  }
  if (unknown.empty()) return;
  const std::vector<std::optional<NamedMethod>> names = namer(unknown);
  for (size_t i = 0; i < unknown.size(); ++i) {
    const bool has_name = i < names.size() && names[i].has_value();
    if (has_name) {
      if (names[i]->id != kNoMethod) registry_.Mention(names[i]->id);
      named_[unknown[i]] = names[i];
    }
  }
}

// From the outermost frame on. The place of a call is where its caller's frame stands.
std::optional<ContextId> ContextFolder::ContextOf(const Kept& stack) {
  ContextId context = kRootContext;
  int32_t call = kNoBci;
  for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
    const auto known = named_.find(frame->method);
    if (known == named_.end() || !known->second) {
      drops_.Add(Drop::kMethodGone);
      return std::nullopt;
    }
    const NamedMethod& method = *known->second;
    if (method.id == kNoMethod) continue;
    const std::optional<ContextId> child = ChildOf(context, call, method.id);
    if (!child) return std::nullopt;
    context = *child;
    const bool has_bci = frame->bci >= 0;
    call = !has_bci                ? kNoBci
           : method.map != nullptr ? method.map->OriginalBci(frame->bci)
                                   : frame->bci;
  }
  if (stack.call == kNoEdge) return context;
  return ChildOf(context, call, registry_.EdgeOf(stack.call).callee);
}

std::optional<ContextId> ContextFolder::ChildOf(ContextId parent, int32_t bci, MethodId method) {
  if (tree_.size() >= max_contexts_ && !tree_.FindChild(parent, bci, method)) {
    drops_.Add(Drop::kContextsFull);
    return std::nullopt;
  }
  return tree_.Child(parent, bci, method);
}

void ContextFolder::Fold(const Namer& namer, const ThreadNamer& thread_namer) {
  NameNewMethods(namer);
  for (const Kept& stack : kept_) {
    const std::optional<ContextId> context = ContextOf(stack);
    if (!context || *context == kRootContext) continue;
    OfThread& thread = samples_[thread_namer(stack.thread)];
    const int64_t since_start = stack.time_ns - start_ns_;
    thread.start_ns = thread.samples.empty() ? since_start : std::min(thread.start_ns, since_start);
    ++thread.samples[*context];
  }
  kept_.clear();
}

ContextFolder::News ContextFolder::TakeNews() {
  News news;
  for (; told_contexts_ < tree_.size(); ++told_contexts_) {
    const CallingContextTree::Node& node = tree_.nodes()[told_contexts_];
    news.contexts.push_back(
        {ContextId{static_cast<uint32_t>(told_contexts_)}, node.parent, node.bci, node.method});
  }
  for (const auto& [thread, of_thread] : samples_) {
    news.samples.push_back(
        {of_thread.start_ns, thread, {of_thread.samples.begin(), of_thread.samples.end()}});
  }
  samples_.clear();
  return news;
}

}  // namespace yp::hotspot
