#ifndef YP_CORE_SAMPLING_TICK_PLACES_H_
#define YP_CORE_SAMPLING_TICK_PLACES_H_

#include <cmath>

#include "base/random.h"

namespace yp {

// When ticks come whose rate changes all the time: one at a uniformly random place of each unit of
//
//   S(t) = integral of lambda over the time until t
//
// with lambda the ticks per ns as they are wanted at each moment. The time may be the process's CPU
// time. When more are wanted, the next one comes nearer at once: no time of its own was given to it
// in advance.
//
// What a tick stands for. Within a unit its place lies at t with the density lambda(t). For
// whatever would be measured in a tick of length L at t, f(t), here the mean rate of calls in the L
// ns from t on,
//
//   E[f(T) / lambda(T)] = integral over the unit of f(t) / lambda(t) lambda(t) dt
//                       = integral over the unit of f(t) dt
//
// so that a tick stands for 1 / lambda(T) of time, with lambda as it was when S came to the place:
// neither as it was when the place was drawn, nor in the mean. The weight of what was counted in it
// is 1 / (lambda(T) L). This is the Horvitz-Thompson estimator (Cochran, "Sampling Techniques", 3rd
// edition, 1977, section 9A.7) of one element in each stratum.
//
// What it assumes: how S goes on within a unit does not depend on where in it the place is. It may
// depend on whatever the program does, and on the ticks of all earlier units; but what a tick costs
// must not change the rate before the next unit begins. (A rate that falls because the tick has
// come makes the rest of the unit longer than what the tick stands for.) For the same reason S goes
// on while a tick is open. A place that S comes to meanwhile is observed as soon as that tick has
// ended, for as long as any other: later by L at most.
//
// S begins at a random place of a unit, so that the borders of units are nowhere in particular.
class TickPlaces {
 public:
  explicit TickPlaces(RandomSource& random) : random_(random), s_(random.UniformOpenClosed()) {
    place_ = random_.UniformOpenClosed();
    if (place_ < s_) Take();
  }

  // Time passes in which so many ticks are expected.
  void Pass(double ticks) { s_ += ticks; }
  // How many ticks are expected until the next place; negative when S has passed it.
  double Left() const { return place_ - s_; }
  // The tick at that place is taken care of: from now on the one of the next unit is the next.
  void Take() {
    ++next_unit_;
    place_ = next_unit_ + random_.UniformOpenClosed();
  }
  // S; and which unit it is in.
  double s() const { return s_; }
  double unit() const { return std::floor(s_); }

 private:
  RandomSource& random_;
  double s_;
  double next_unit_ = 0;  // That of place_.
  double place_ = 0;      // In S.
};

}  // namespace yp

#endif  // YP_CORE_SAMPLING_TICK_PLACES_H_
