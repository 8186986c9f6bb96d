#ifndef YP_RECORDER_WINDOW_SENDER_H_
#define YP_RECORDER_WINDOW_SENDER_H_

#include <optional>

#include "recorder/sampled_thread.h"

namespace yp {

// Puts what a thread has sampled into its ring, on that thread. Samples belong to the window whose
// beginning precedes and whose end follows them: where one of these finds no room, it waits, and
// nothing else goes into the ring before it.
//
// Each returns false when something was dropped for lack of room.
class WindowSender {
 public:
  // Of a thread that has a ring.
  explicit WindowSender(SampledThread& thread) : own_(thread.own), ring_(*thread.common.ring) {}

  [[nodiscard]] bool Sample(EdgeId edge, CompiledCallId call = kNoCompiledCall);
  // Nothing new: sends what waits.
  void Begin(const std::optional<WindowBegin>& begun);
  [[nodiscard]] bool End(const std::optional<WindowSummary>& ended);

 private:
  void SendEnd();

  SampledThread::Own& own_;
  SampleRing& ring_;
};

}  // namespace yp

#endif  // YP_RECORDER_WINDOW_SENDER_H_
