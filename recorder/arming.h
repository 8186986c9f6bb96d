#ifndef YP_RECORDER_ARMING_H_
#define YP_RECORDER_ARMING_H_

#include <cstdint>

namespace yp {

// How the beginning and the end of a tick reach the program's threads.
class Arming {
 public:
  virtual ~Arming() = default;
  // What threads are told in the place of a tick's number where the countdown goes on.
  static constexpr uint32_t kOnlyTick = 1;
  enum class Countdown {
    kBegins,  // Each thread's first call comes to the sampler, to begin its window.
    kGoesOn,  // Where it was when the last tick ended; new threads' first calls come.
  };
  // From now on observed calls are counted down. Ticks are numbered from 1 in each recording.
  virtual void Arm(uint32_t tick, Countdown countdown) = 0;
  // Calls are no longer counted. From the trigger's thread, or where the recording ends; also
  // twice.
  virtual void Disarm() = 0;
  // All windows of the tick have come to their end; on a sampled thread. Where disarming takes more
  // than a moment, the trigger will do it.
  virtual void AllDone() { Disarm(); }
};

}  // namespace yp

#endif  // YP_RECORDER_ARMING_H_
