#ifndef YP_CORE_ADAPTIVE_ORGANIZERS_H_
#define YP_CORE_ADAPTIVE_ORGANIZERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/adaptive/adaptive_policy.h"
#include "core/adaptive/decaying_weights.h"
#include "core/adaptive/inline_oracle.h"
#include "core/adaptive/listeners.h"
#include "core/graph/dcg.h"

// Who makes a profile of what listeners took.
namespace yp {

// A method that the controller is to consider.
struct HotMethod {
  MethodId method{};
  double samples = 0;  // Of the code that it has now, decayed.
  double past_ms = 0;  // What they stand for.
};

// How long each method has run. Its samples are those of the code that it has now (Zimmer and Diehl
// 2010, equation 1: "the actual execution time at the current optimization level"): a method that
// was compiled again begins anew.
class MethodOrganizer {
 public:
  explicit MethodOrganizer(const AdaptivePolicy& policy)
      : sample_ms_(policy.sample_ms), samples_(policy.half_life_ms) {}

  // Adds a listener's samples. Each method of them is proposed to the controller, the longest
  // running first.
  std::vector<HotMethod> Summarize(std::span<const MethodSample> samples, double now_ms);
  void OnCompiled(MethodId method) { samples_.Forget(method); }

  HotMethod Of(MethodId method, double now_ms) const;

 private:
  const double sample_ms_;
  DecayingWeights<MethodId> samples_;
};

// How large a method is, as far as the host knows.
class MethodSizes {
 public:
  virtual ~MethodSizes() = default;
  // Of its bytecode; nothing: it is not known.
  virtual std::optional<int32_t> BytesOf(MethodId method) const = 0;
};

// A call that the oracle would inline.
struct InlinableCall {
  Edge edge;
  double weight = 0;        // Of all calls.
  double part_of_site = 0;  // 0 to 1.
  int32_t bytes = 0;        // Of the callee.
  InlineDecision decision = {};
};

// What the call graph says of a method's calls.
struct CallsOfMethod {
  double weight = 0;                          // Of all calls: those that the method makes.
  std::vector<InlinableCall> inlinable = {};  // In the order of their edges.
};

// The dynamic call graph.
class CallGraphOrganizer {
 public:
  explicit CallGraphOrganizer(const AdaptivePolicy& policy)
      : policy_(policy), calls_(policy.half_life_ms, policy.call_graph_seed) {}

  // Adds a listener's samples.
  void Summarize(std::span<const CallSample> samples, double now_ms);

  // Of all calls, the seed among them: 0 to 1.
  double WeightOf(const Edge& edge, double now_ms) const;
  // The graph as it is now, in samples; without the seed.
  DynamicCallGraph Graph(double now_ms) const;
  // What the oracle says of the calls that the method makes. A site at which one callee was seen is
  // taken to have that target only; the compiler guards it where it cannot prove that.
  CallsOfMethod CallsOf(MethodId caller, const MethodSizes& sizes, double now_ms) const;

 private:
  const AdaptivePolicy policy_;
  DecayingWeights<Edge, EdgeHash> calls_;
  // The same edges in order, by caller. An edge stays here when its weight has decayed to nothing.
  std::map<MethodId, std::map<int32_t, std::vector<MethodId>>> sites_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_ORGANIZERS_H_
