// What is asked of the agent while the JVM runs (yp status, start, stop, dump, budget and
// mark).

#include <unistd.h>

#include <string>
#include <utility>

#include "core/options/reply_keys.h"
#include "hotspot/recording/recordings.h"

namespace yp::hotspot {

RecordingAnswer Recordings::Obey(JNIEnv* jni, const AgentOptions& options) {
  using Command = AgentOptions::Command;
  const auto failed = [](Status why) {
    return RecordingAnswer{.status = std::move(why), .facts = {}, .rest = {}};
  };
  if (options.command == Command::kStop) {
    if (Status stopped = Stop(jni); !stopped) return failed(std::move(stopped));
  } else if (options.command == Command::kStart) {
    if (Status started = Start(jni, options); !started) return failed(std::move(started));
  }
  const std::lock_guard lock(mutex_);
  Session* const session = latest();
  const bool is_told = options.command == Command::kStart || options.command == Command::kStop ||
                       options.command == Command::kStatus;
  if (session == nullptr && is_told) {
    return {.status = Status::Ok(), .facts = {{{reply_key::kState, "none"}}}, .rest = {}};
  }
  if (session == nullptr || (session->has_ended() && !is_told)) {
    return failed(Status::Error("no recording is under way in process " + std::to_string(getpid()) +
                                ": start one with yp start"));
  }
  if (options.command == Command::kMark) {
    session->Mark(TestMarks::Kind::kNext, options.mark);
    if (options.reply.empty()) return {};
    return session->Ask({Command::kStatus, 0});
  }
  if (options.reply.empty() && is_told) return {};
  return session->Ask({is_told ? Command::kStatus : options.command, options.budget_percent});
}

}  // namespace yp::hotspot
