#ifndef YP_FORMAT_PROFILE_COUNTED_H_
#define YP_FORMAT_PROFILE_COUNTED_H_

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/inference/counted_calls.h"
#include "core/inference/interpreted_calls.h"
#include "format/profile/inferred.h"
#include "format/profile/profile.h"

namespace yp {

// The samples that came between two of the drain's rounds: in which windows, and of which calls.
struct SampledRound {
  size_t first_window = 0, end_window = 0;  // Indices of the profile's.
  std::vector<std::pair<CompiledCallId, uint32_t>> samples;
};

// What the VM has counted itself, in the place of samples and inference. Ids are the profile's.
//
// The calls of C1's code with full profiling (tier 3), and of interpreted methods
// with a profile, are in the VM's own counters. What was sampled of them stands for none: the
// samples that count are those of the other code, and the two are added up.
class VmCounts {
 public:
  void Add(MethodCounts counts) { methods_[counts.method] = std::move(counts); }
  void Add(InterpretedCode code) { interpreted_ = std::move(code); }
  // Whether all was counted until the recording ended: the agent has read all methods then.
  static bool AreComplete(const Profile& profile);

  // Puts samples of calls that were counted aside, under edges that have no caller: they still tell
  // how often the code that they entered was, and what a tick saw. Before EstimateCalls.
  void SetAside(const std::vector<SampledRound>& rounds, InlineEvidence* evidence,
                Profile* profile);
  // Without those edges and their samples. After AddInferredCalls.
  static void LeaveOutAside(Profile* profile);
  // Adds the counts to the profile's edges, their intervals, and its replicates. After
  // FinishIntervals.
  //
  // With x of X calls estimated and c of C counted, the share (x + c) / (X + C) errs with x / X,
  // and with X by s (x C / X - c) X / (X + C)^2, s its relative standard deviation.
  void AddTo(Profile* profile) const;

 private:
  // `counted`: of each of the profile's edges.
  static void AddToEdges(const std::vector<CountedCalls>& counted, Profile* profile);
  // By the caller; or by the callee, as code without a profile has called it.
  bool IsCounted(const Profile& profile, const InlineEvidence& evidence,
                 const InlineEvidence::Call& call) const;

  std::map<MethodId, MethodCounts> methods_;
  InterpretedCode interpreted_;
  // As CountOptions has them; known since SetAside.
  std::set<MethodId> uncounted_, limited_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_COUNTED_H_
