#include "recorder/window_sender.h"

namespace yp {

bool WindowSender::Sample(EdgeId edge, CompiledCallId call) {
  SendEnd();
  Begin(std::nullopt);
  const bool is_behind = own_.unsent_end || own_.unsent_begin;
  return !is_behind && ring_.PushSample(edge, call);
}

void WindowSender::Begin(const std::optional<WindowBegin>& begun) {
  if (begun) own_.unsent_begin = begun;
  if (!own_.unsent_begin || own_.unsent_end) return;
  if (ring_.PushWindowBegin(*own_.unsent_begin)) own_.unsent_begin.reset();
}

void WindowSender::SendEnd() {
  if (own_.unsent_end && ring_.PushWindowEnd(*own_.unsent_end)) own_.unsent_end.reset();
}

bool WindowSender::End(const std::optional<WindowSummary>& ended) {
  SendEnd();
  if (!ended) return true;
  if (own_.unsent_end || own_.unsent_begin) {
    own_.unsent_begin.reset();
    return false;  // None of its samples was sent either.
  }
  if (!ring_.PushWindowEnd(*ended)) own_.unsent_end = ended;
  return true;
}

}  // namespace yp
