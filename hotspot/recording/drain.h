#ifndef YP_HOTSPOT_RECORDING_DRAIN_H_
#define YP_HOTSPOT_RECORDING_DRAIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/spool/spool_writer.h"
#include "hotspot/graph/method_registry.h"
#include "hotspot/probes/bytecode/counted_contexts.h"
#include "hotspot/probes/probe.h"
#include "hotspot/profiles/profile_reader.h"
#include "hotspot/recording/stack_recording.h"
#include "hotspot/recording/test_marks.h"
#include "hotspot/support/drops.h"
#include "hotspot/threads/thread_registry.h"
#include "recorder/spool_drain.h"

namespace yp::hotspot {

// Carries to the spool what the threads have gathered, as SpoolDrain does, and what HotSpot adds to
// it: methods and edges, compilations and the VM's counts, contexts. One thread at a time calls it.
class Drain {
 public:
  Drain(ThreadRegistry& threads, MethodRegistry& registry, Drops& drops,
        std::unique_ptr<spool::SpoolWriter> writer)
      : threads_(threads), registry_(registry), drops_(drops), spool_(std::move(writer)) {}

  // What the threads hold belongs to no one any more, or to an earlier session.
  void Discard();
  // For the next round.
  void Append(spool::ThreadDefinition thread) { spool_.Append(std::move(thread)); }
  void Append(spool::Window window) { spool_.Append(std::move(window)); }
  void Append(StackRecording::Updates stacks);
  void Append(CountedContexts::Updates contexts);
  void Append(TestMarks::Updates tests);
  void Append(spool::UnexecutedCalls calls) { unexecuted_ = std::move(calls); }
  // Told at once.
  void Append(const std::vector<spool::Tick>& ticks) { spool_.TellAll(ticks); }
  void Append(const spool::ThreadTimes& times) { spool_.Tell(times); }
  // `counts` of the compilations that are known are told in the next round, with these gaps.
  void Append(const CountedEntries& entries, int64_t start_ns);
  void Append(const std::vector<spool::EarlierCode>& code) { spool_.TellAll(code); }
  void Append(const std::vector<spool::CompilerTimes>& times) { spool_.TellAll(times); }
  size_t methods_to_profile() const { return registry_.compilations().method_count(); }
  // What the VM has counted up to now, for the next round.
  void TakeProfiles(ProfileReader& reader) { profiles_ = reader.Read(registry_.compilations()); }
  // The same, and which calls the interpreter has executed, before Finish.
  void TakeLastProfiles(ProfileReader& reader, const std::function<bool()>& may_go_on,
                        ProfileReader::Interpreted interpreted) {
    profiles_ = reader.Read(registry_.compilations(), may_go_on, &interpreted);
    interpreted_ = std::move(interpreted.calls);
  }
  // The same before NextPart.
  void TakePartsProfiles(ProfileReader& reader, const std::function<bool()>& may_go_on,
                         ProfileReader::Interpreted interpreted) {
    profiles_ = reader.ReadPart(registry_.compilations(), may_go_on, &interpreted);
    interpreted_ = std::move(interpreted.calls);
  }
  // Takes everything that is there.
  void CollectAll();
  // Takes everything that is there and hands it to the kernel. An error is the spool's first
  // failure to write, told once; the data of this and later rounds is lost then. `now_ns`: since
  // the recording's start, and `open_ns` for how long of it calls were sampled since the round
  // before; 0 leaves untold when compiled calls were sampled.
  Status Round(int64_t now_ns = 0, int64_t open_ns = 0);
  // Adds to what the profile says of how it was made.
  Status WriteConfig(const spool::Config& config);
  // What observing has cost the threads, as far as it was collected.
  const SpoolDrain::ObservationCost& observation_cost() const { return spool_.observation_cost(); }
  // Threads that have ended since the last time, as far as they were collected.
  CpuByThread TakeEnded() { return spool_.TakeEnded(); }
  // Whether the spool cannot be written any more.
  bool failed() const { return spool_.failed(); }
  // The last round of the recording's part, and its end mark, go to the spool, and what follows to
  // the next one, which is told all that it needs to be read alone. Windows that are open go on.
  Status NextPart(std::unique_ptr<spool::SpoolWriter> next, const spool::Config& config,
                  spool::Part part, int64_t open_ns = 0);
  // Bytes of the spool; also when it is closed.
  uint64_t spool_bytes() const { return spool_.bytes(); }
  // What was collected since the recording began: sampled calls, and calls that were counted.
  uint64_t samples() const { return spool_.samples(); }
  uint64_t counted_calls() const { return counted_calls_; }
  // What was lost, by reason.
  std::vector<std::pair<std::string, uint64_t>> lost() const { return drops_.Totals(); }
  // The last round and the end mark; closes the spool. Nothing else after it.
  Status Finish(int64_t end_ns, int64_t agent_cpu_ns, int64_t open_ns = 0);

 private:
  void CollectCounts(ThreadRecord& thread);
  void TellEnd(int64_t end_ns, int64_t agent_cpu_ns);
  void CountDelta(std::vector<uint64_t>& told, size_t index, EdgeId edge, uint64_t total);

  ThreadRegistry& threads_;
  MethodRegistry& registry_;
  Drops& drops_;
  SpoolDrain spool_;
  int64_t now_ns_ = 0;  // Of the latest round.
  std::vector<spool::MethodProfile> profiles_;
  std::optional<spool::InterpretedCalls> interpreted_;
  std::vector<spool::EntryCounts> entry_counts_;
  ContextBuilder::Updates contexts_;
  spool::ContextCounts context_counts_;
  TestMarks::Updates tests_;
  std::optional<spool::UnexecutedCalls> unexecuted_;
  spool::Counts counts_;
  uint64_t counted_calls_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_RECORDING_DRAIN_H_
