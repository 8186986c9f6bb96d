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
  // Calls are no longer counted. Any thread, at any time, also twice; at once, or as soon as can
  // be.
  virtual void Disarm() = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_ARMING_H_
