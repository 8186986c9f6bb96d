#ifndef YP_FORMAT_PROFILE_SPOOL_SEQUENCE_H_
#define YP_FORMAT_PROFILE_SPOOL_SEQUENCE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/spool/record_codec.h"

namespace yp {

// Several spools as one: parts of a recording, and recordings of several JVMs. Their records are
// rewritten so that whoever takes them one after the other takes those of one recording, whose time
// is the sum of theirs: each spool's time and CPU time begin where those of the one before it have
// ended.
//
// - Ids of one recording mean the same in all of its parts; those of another recording become
//   others. So do the numbers of ticks. The parts of a recording follow one another.
// - What Part says was there before is taken off running totals and times.
// - Totals (Drops, costs) and End come from TakeTotals alone, once all spools were rewritten.
// - Of Config the first spool's entries stay.
class SpoolSequence {
 public:
  // Which recording a spool is of.
  struct Source {
    std::string recording;  // Equal for the parts of one. Empty: like no other.
  };

  // Before the first record of each spool.
  void Begin(const Source& source);
  // Nothing where the record is only part of the totals.
  std::optional<spool::Record> Rewrite(spool::Record record);
  // After the last one.
  std::vector<spool::Record> TakeTotals();

  // Of all spools, as far as their records tell.
  int64_t duration_ns() const { return offset_.time_ns; }

 private:
  struct Point {
    int64_t time_ns = 0;
    int64_t program_cpu_ns = 0;
    int64_t agent_cpu_ns = 0;
  };
  // What ids of a recording become: so much more.
  struct Bases {
    uint32_t method = 0, edge = 0, compilation = 0, call = 0, context = 0, test = 0;
    uint64_t tick = 0;
  };
  // What was counted of a method in a recording's earlier parts.
  struct Counted {
    uint64_t invocations = 0, interpreted = 0;
    std::map<int32_t, uint64_t> sites;                           // By bci.
    std::map<std::pair<int32_t, uint32_t>, uint64_t> receivers;  // And by callee.
  };
  struct Rewriter;

  void EndSpool();
  void BeginRecording();
  int64_t TimeOf(int64_t time_ns);
  ThreadId ThreadOf(ThreadId thread);
  // The kernel's ids are those of one process: others' are below 0.
  int32_t KernelThreadOf(int32_t kernel_id);

  bool is_open_ = false;
  std::string recording_;
  size_t spools_ = 0;
  bool is_first_recording_ = true;
  Bases bases_;
  Bases next_;  // Those of another recording.
  uint32_t next_thread_ = 0;
  std::unordered_map<uint32_t, uint32_t> threads_;  // Of other recordings than the first.
  int32_t next_kernel_thread_ = -1;
  std::unordered_map<int32_t, int32_t> kernel_threads_;  // Of other recordings than the first.
  std::map<uint32_t, Counted> counted_;                  // Of this recording, by its method's id.

  Point offset_;  // Where the spool begins in what comes of them all.
  // Of the spool.
  spool::Part part_;
  int64_t end_ns_ = 0, program_cpu_ns_ = 0;  // As far as was told, since its begin.
  std::optional<spool::End> end_;
  std::map<std::string, std::string> costs_;
  std::map<std::string, std::string> vm_counts_;
  std::map<std::string, uint64_t> drops_;
  std::map<uint32_t, spool::MethodProfile> profiles_;
  std::optional<spool::InterpretedCalls> interpreted_;  // The last.

  // Of all.
  bool all_ended_ = true;
  std::map<std::string, uint64_t> all_drops_;
  std::map<std::string, int64_t> all_costs_;
  std::map<std::string, size_t> spools_with_cost_;
  size_t spools_with_all_counts_ = 0;
  std::map<std::string, std::string> untold_shares_;  // The largest, by key.
  std::vector<spool::InterpretedCalls> all_interpreted_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SPOOL_SEQUENCE_H_
