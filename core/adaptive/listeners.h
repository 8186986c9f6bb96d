#ifndef YP_CORE_ADAPTIVE_LISTENERS_H_
#define YP_CORE_ADAPTIVE_LISTENERS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "core/graph/dcg.h"

// What is told to the adaptive optimization system, sample by sample, and kept until an organizer
// takes it. Listeners know neither triggers nor mechanisms: samples of a timer and samples of
// windows are the same to them (Arnold and Grove 2005, section 5.1).
namespace yp {

struct MethodSample {
  MethodId method{};
  double weight = 1;  // In samples: 1 stands for AdaptivePolicy::sample_ms of its time.
};

struct CallSample {
  Edge edge;
  double weight = 1;  // Lee 2015, section 3: its anti-bias weight.
};

// Where a thread was stopped.
enum class Yieldpoint { kPrologue, kEpilogue, kBackwardJump };

// Whose time a sample at a yieldpoint is: that of the method on top of the stack, but at a prologue
// that of the second one, whose time it was until the call (Buytaert et al. 2007, section 2.2).
// kNoMethod where that is none of the program's.
constexpr MethodId SampledMethod(Yieldpoint place, MethodId top, MethodId second) {
  return place == Yieldpoint::kPrologue ? second : top;
}

template <typename Sample>
class Listener {
 public:
  // `enough`: with how many samples the organizer is to be woken.
  explicit Listener(size_t enough) : enough_(enough) {}

  // True: it is time for the organizer.
  bool On(const Sample& sample) {
    samples_.push_back(sample);
    return has_enough();
  }
  bool has_enough() const { return samples_.size() >= enough_; }
  std::vector<Sample> Take() { return std::exchange(samples_, {}); }

 private:
  const size_t enough_;
  std::vector<Sample> samples_;
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_LISTENERS_H_
