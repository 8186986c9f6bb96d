#ifndef YP_HOTSPOT_PROBES_ARMING_H_
#define YP_HOTSPOT_PROBES_ARMING_H_

#include <cstdint>

namespace yp::hotspot {

// How the beginning and the end of a tick reach the program's threads.
class Arming {
 public:
  virtual ~Arming() = default;
  // From now on observed calls are counted down, and each thread's first comes to the sampler, to
  // begin its window. Ticks are numbered from 1 in each recording.
  virtual void Arm(uint32_t tick) = 0;
  // Calls are no longer counted. From the trigger's thread, or where the recording ends; also
  // twice.
  virtual void Disarm() = 0;
  // All windows of the tick have come to their end; on a sampled thread. Where disarming takes more
  // than a moment, the trigger will do it.
  virtual void AllDone() { Disarm(); }
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_ARMING_H_
