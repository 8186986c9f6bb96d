#ifndef YP_FORMAT_PROFILE_REPLICATES_H_
#define YP_FORMAT_PROFILE_REPLICATES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "format/profile/inferred.h"
#include "format/profile/profile.h"

namespace yp {

// An edge's replicates as the profile's file has them: parts of its calls with six digits, spaces
// between them.
std::string FormatReplicates(const std::array<float, kReplicates>& replicates, double calls);
// Nothing where the text is none of that.
std::optional<std::array<float, kReplicates>> ParseReplicates(std::string_view text, double calls);

// Samples of a call at compiled entries, and when they had been taken.
struct TimedSamples {
  int64_t end_ns = 0;
  CompiledCallId call{};
  uint32_t samples = 0;
};

// Estimates a recording again without each of kReplicates groups of its samples, inlined calls
// included: the delete-a-group jackknife (Wolter, "Introduction to Variance Estimation", 2nd
// edition, 2007, chapter 4). With x the estimate of anything that follows from the edges' calls and
// x(g) the same without group g of G,
//
//   var(x) = (G - 1) / G * sum over g of (x(g) - mean x)^2
//
// so that a sum over edges, or a ratio of such sums, has its variance with all covariances: also
// those of edges that are inferred from the same samples.
//
// A group has every G-th stretch of time: a tick, or the ticks of kGroupNs where they are shorter.
// What a program does at one time is sampled into one group, and phases that last for longer, which
// the next run has as well, are in all of them.
class Replicates {
 public:
  // What was observed, before anything is estimated from it.
  explicit Replicates(const Profile& observed);

  // Sets the profile's replicates. Those of a profile without samples, or without their times, stay
  // empty. After all else is estimated. `evidence` is that of all samples.
  void AddTo(const InlineEvidence& evidence, const std::vector<TimedSamples>& compiled_samples,
             Profile* profile) const;

 private:
  size_t GroupAt(int64_t time_ns) const;
  Profile ProfileWithout(size_t group) const;
  InlineEvidence EvidenceWithout(size_t group, const InlineEvidence& evidence,
                                 const std::vector<TimedSamples>& compiled_samples) const;

  Profile observed_;  // What EstimateCalls and AddInferredCalls need.
  // When each stretch of the recording begins, ascending; empty where calls are observed all the
  // time, or windows come at equal times.
  std::vector<int64_t> stretches_;
};

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_REPLICATES_H_
