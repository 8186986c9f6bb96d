#ifndef YP_RECORDER_SPOOL_DRAIN_H_
#define YP_RECORDER_SPOOL_DRAIN_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "format/spool/records.h"
#include "format/spool/spool_writer.h"
#include "recorder/kernel_threads.h"
#include "recorder/sampled_thread.h"

namespace yp {

// Carries what threads have sampled to the spool. One thread at a time calls it.
//
// A round: Collect each thread, then tell what is new in the order in which records refer to each
// other (TellThreads, what the host defines, TellWindows, TellCompiledSamples), then Flush. The
// first failure to write is kept until someone asks; what comes after it is lost.
class SpoolDrain {
 public:
  explicit SpoolDrain(std::unique_ptr<spool::SpoolWriter> writer) : writer_(std::move(writer)) {}

  // For the next round.
  void Append(spool::ThreadDefinition thread) { new_threads_.push_back(std::move(thread)); }
  void Append(spool::Window window) { windows_.push_back(std::move(window)); }
  // Takes what the thread has, at `now_ns` since the recording's start.
  void Collect(SampledThread& thread, int64_t now_ns);
  // The same, and its window if that is open: the recording has ended.
  void CollectLast(SampledThread& thread, int64_t now_ns);
  // The same where another spool goes on, which has not been told of the thread.
  void CollectAnew(SampledThread& thread, int64_t now_ns);
  // Takes what the thread has, and forgets it, its name included.
  void Discard(SampledThread& thread);
  // Forgets what was collected and appended.
  void Clear();

  // Those that TellWindows is about to tell.
  const std::vector<spool::Window>& windows() const { return windows_; }

  void TellThreads();
  void TellWindows();
  // When compiled calls were sampled: `open_ns`, since the round before. Nothing is told where
  // there were none, it is 0, and the round has no stacks.
  void TellCompiledSamples(int64_t now_ns, int64_t open_ns, bool has_stacks);
  // Told at once.
  template <typename Record>
  void Tell(const Record& record) {
    Keep(writer_->Append(record));
  }
  template <typename Record>
  void TellAll(const std::vector<Record>& records) {
    for (const Record& record : records) Tell(record);
  }
  // Hands everything to the kernel. The first error since the last call.
  Status Flush();
  // Flush; what follows goes to the next spool.
  Status GoOnWith(std::unique_ptr<spool::SpoolWriter> next);
  // Flush, and closes the spool. Nothing else after it.
  Status Close();
  // That the spool has, also when it is closed.
  uint64_t bytes() const { return writer_ ? writer_->bytes_written() : closed_bytes_; }
  // Sampled calls that were collected since Clear.
  uint64_t samples() const { return samples_; }
  // Whether the spool cannot be written any more.
  bool failed() const { return writer_->failed(); }

  // Threads that have ended, and what each has used in all; as far as they were collected since the
  // last time.
  CpuByThread TakeEnded() { return std::exchange(ended_, {}); }
  // What observing has cost the threads, as far as it was collected.
  struct ObservationCost {
    uint64_t calls = 0;        // Counted down.
    int64_t slow_path_ns = 0;  // Wall time.
  };
  const ObservationCost& observation_cost() const { return observation_cost_; }

 private:
  void CollectCost(SampledThread& thread);
  void CollectRing(SampledThread& thread, SampleRing& ring, bool has_ended, int64_t now_ns);
  // Closes a window with the samples that came before it.
  void TakeWindow(SampledThread& thread, const WindowSummary& summary);
  // The same where the thread will not tell of its end, as the recording has ended or the policy
  // has no windows: what it sampled counts, its calls and its duration are not known (0).
  void TakeOpenWindow(SampledThread& thread, int64_t now_ns);
  void Keep(Status status);

  std::unique_ptr<spool::SpoolWriter> writer_;
  Status first_error_;
  std::vector<spool::ThreadDefinition> new_threads_;
  std::vector<spool::Window> windows_;
  std::vector<CompiledCallId> compiled_samples_;  // Since the last round.
  ObservationCost observation_cost_;
  uint64_t samples_ = 0, closed_bytes_ = 0;
  CpuByThread ended_;
};

}  // namespace yp

#endif  // YP_RECORDER_SPOOL_DRAIN_H_
