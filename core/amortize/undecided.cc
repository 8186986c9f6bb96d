#include "core/amortize/undecided.h"

namespace yp {

UndecidedText TextOf(Undecided undecided) {
  switch (undecided) {
    case Undecided::kNo:
      break;
    case Undecided::kNotRecorded:
      return {"not-recorded", "how methods were executed was not recorded",
              "record with yp run --jit"};
    case Undecided::kCallsNotKnown:
      return {"calls-not-known", "how often the new version was called is not known",
              "record more samples of calls: --budget 10, or a longer run"};
    case Undecided::kInLoops:
      return {"in-loops", "fewer than ten calls, which took their time in code for loops (OSR)",
              "record a run that calls these methods more often"};
    case Undecided::kHardlySeen:
      return {"hardly-seen", "fewer than ten stacks ended in one of the versions",
              "record more stacks: --tick 250us, or a longer run"};
    case Undecided::kNearZero:
      return {"near-zero", "the interval of the gain has zero in it",
              "a longer run makes it narrower"};
    case Undecided::kCallsDiffer:
      return {"calls-differ", "calls became longer or shorter while a version was in use",
              "record a steady load, after the warm-up: yp attach --jit"};
  }
  return {};
}

}  // namespace yp
