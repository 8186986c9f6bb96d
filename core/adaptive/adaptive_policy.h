#ifndef YP_CORE_ADAPTIVE_ADAPTIVE_POLICY_H_
#define YP_CORE_ADAPTIVE_ADAPTIVE_POLICY_H_

#include <cstddef>
#include <cstdint>

#include "core/adaptive/inline_oracle.h"

namespace yp {

// All constants of the adaptive optimization system but the levels (levels.h), each with where it
// comes from. "Jikes RVM" are the defaults of its AOSExternalOptions, versions 2.4 to 3.1; where it
// says "ours" no paper has a number.
struct AdaptivePolicy {
  // A method's samples wake its organizer when there are so many. Buytaert et al. 2007, section
  // 2.2: "The default value for N is 3."
  size_t method_samples = 3;
  // The same of samples of calls. Jikes RVM, DCG_SAMPLE_SIZE.
  size_t call_samples = 20;
  // How much of a method's time a sample stands for: the time between two ticks. Buytaert et al.
  // 2007, section 2.2: 20 ms by default. A host sets its own tick.
  double sample_ms = 20;
  // After so long a sample counts half. Jikes RVM divides all weights by DCG_DECAY_RATE = 1.1 after
  // DECAY_FREQUENCY = 100 ticks of 20 ms: 2000 ms * ln 2 / ln 1.1.
  double half_life_ms = 14'545;
  // So many samples of no edge lie in the call graph from the beginning, and decay with the others:
  // the first samples of a program make no edge hot. Jikes RVM, INLINE_AI_SEED_MULTIPLIER = 3,
  // divided by the share from which an edge is hot.
  double call_graph_seed = 300;

  // Of all calls, from which on an edge is hot, so that it is worth compiling its caller again.
  // Arnold and Grove 2005, section 5.1: "more than 1% of the total weight of the DCG".
  double hot_edge_weight = 0.01;
  // What inlining all calls of a method is taken to gain, as a speed-up; a part of them gains that
  // part. Arnold and Grove 2005, section 6.3: 8.7 % for mtrt, the largest that its text names.
  double inlining_speedup = 1.087;
  // A method is not compiled more often than that at one level for inlining. Ours: the calls of a
  // program that changes all the time become hot one after another.
  int32_t most_inlining_recompilations = 3;
  InlinePolicy inlining = {};
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_ADAPTIVE_POLICY_H_
