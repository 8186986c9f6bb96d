#ifndef YP_HOTSPOT_RECORDING_QUESTIONS_H_
#define YP_HOTSPOT_RECORDING_QUESTIONS_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/status.h"
#include "format/spool/record_codec.h"
#include "format/spool/records.h"
#include "hotspot/support/options.h"

namespace yp::hotspot {

// What is asked of a recording while it goes on.
struct RecordingQuestion {
  AgentOptions::Command command = AgentOptions::Command::kStatus;  // Or kDump, or kBudget.
  double budget_percent = 0;
};

struct RecordingAnswer {
  Status status;
  // What there is to say of the recording: keys of core/options/reply_keys.h.
  spool::Config facts;
  // Of kDump: what makes a whole spool of the one that is written, behind as many of its bytes as
  // the facts say.
  std::vector<spool::Record> rest;
};

// Carries questions to the thread that knows the answers, one at a time.
class Questions {
 public:
  // From one thread at a time: waits for the answer. `wake` has the other thread look; nothing when
  // it has not answered for long, or `has_ended` and does not answer any more.
  std::optional<RecordingAnswer> Ask(const RecordingQuestion& question,
                                     const std::function<void()>& wake,
                                     const std::function<bool()>& has_ended);

  // The thread that answers: what is asked, if anything.
  std::optional<RecordingQuestion> Pending() const;
  // What was pending is answered; to nobody if nobody waits any more.
  void Answer(RecordingAnswer answer);

 private:
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::optional<RecordingQuestion> question_;
  std::optional<RecordingAnswer> answer_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_QUESTIONS_H_
