#ifndef YP_CORE_GRAPH_DIFF_H_
#define YP_CORE_GRAPH_DIFF_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/graph/chance.h"
#include "core/graph/dcg.h"

namespace yp {

// An edge as one recording has it.
struct RecordedEdge {
  double calls = 0;
  // The 95 % interval of its share of all calls, 0 to 1.
  double share_low = 0;
  double share_high = 1;
  double relative_variance = 0;  // Of `calls`, by the chance of sampling; 0 where all were counted.
  uint64_t samples = 0;
  bool is_inferred = false;  // Calls that were inlined are among them.
  // Delete-a-group replicates of `calls` (format/profile/replicates.h): as many for each edge of a
  // graph, or none.
  std::vector<float> replicates = {};
};

// A recording. All that are compared speak of one method table.
struct RecordedGraph {
  std::unordered_map<Edge, RecordedEdge, EdgeHash> edges;
  bool is_counted = false;  // Every call was.
  uint64_t samples = 0;     // Of all edges.
  double seconds = 0;       // That it took.

  // Fewer samples say nothing of a program's calls.
  static constexpr uint64_t kLeastSamples = 100;
  bool SaysEnough() const { return is_counted ? !edges.empty() : samples >= kLeastSamples; }
};

// What calls are divided by before they are compared.
struct DiffBasis {
  enum class Kind {
    kShare,   // All calls of the recording.
    kMethod,  // Those of the methods below: calls per call of it.
    kSecond,  // The time that was recorded.
    kCalls,   // Nothing: for calls that were counted.
  };
  Kind kind = Kind::kShare;
  std::set<MethodId> methods = {};
};

// What is compared: edges, edges without their call sites (with kNoBci), or all calls of a method
// together (from kNoMethod, at kNoBci).
enum class DiffRows { kCallSites, kMethodPairs, kCallees };

// A number of calls in two programs, divided as the basis says, and whether it can be told from
// chance that they differ. Of several recordings it is the mean.
struct EdgeChange {
  Edge edge;
  double before = 0;
  double after = 0;
  double calls_before = 0;  // Not divided.
  double calls_after = 0;
  // 95 % interval of the change; that of a share is never beyond -1 and 1. NaN: not known.
  double low = 0;
  double high = 0;
  // How likely so large a change, or a larger one, is by chance. At least 0.1 where the interval
  // has 0 in it, so that no change is reported that may be none.
  double p_value = 1;
  // The lowest false discovery rate at which it is reported (Benjamini and Hochberg).
  double q_value = 1;
  // The lowest family-wise error rate at which it is reported: at 0.05, of twenty comparisons of
  // recordings of one program one reports anything.
  double adjusted_p = 1;
  // Else there are too few calls of it for a test: p_value and the like are 1.
  bool is_tested = false;
  double Change() const { return after - before; }
};

// Everything that either side has calls of, the largest absolute change first, then in the order of
// edges. Each side has one recording or more.
//
// Variances are those of the replicates, moderated by the samples' own (chance.h has the test; the
// constants are in diff.cc). An interval of a change follows from those of both sides (Zou and
// Donner, Statistics in Medicine 27, 2008, "MOVER"):
//
//   low  = after - before - sqrt((after - l_after)^2 + (u_before - before)^2)
//   high = after - before + sqrt((u_after - after)^2 + (before - l_before)^2)
//
// Tested is what has ten samples or more in the mean of both sides, whichever of them has them:
// that does not depend on whether they differ, and the others' tests would only cost power
// ("independent filtering", Bourgon, Gentleman and Huber, PNAS 107, 2010). Numbers with inferred
// calls need differences so much larger that they are a family of their own, with a quarter of the
// error rate.
//
// Where one side does not say enough (RecordedGraph::SaysEnough), or has no call of the basis'
// methods, nothing is tested.
std::vector<EdgeChange> Diff(std::span<const RecordedGraph> before,
                             std::span<const RecordedGraph> after,
                             DiffRows rows = DiffRows::kCallSites, const DiffBasis& basis = {});

// How many have an adjusted p-value of at most `rate`.
size_t CountSignificant(const std::vector<EdgeChange>& changes, double rate);

}  // namespace yp

#endif  // YP_CORE_GRAPH_DIFF_H_
