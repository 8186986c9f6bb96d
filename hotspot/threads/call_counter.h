#ifndef YP_HOTSPOT_THREADS_CALL_COUNTER_H_
#define YP_HOTSPOT_THREADS_CALL_COUNTER_H_

#include <cstdint>

namespace yp::hotspot {

// The processor's counter of one thread's calls.
class CallCounter {
 public:
  virtual ~CallCounter() = default;
  // Since the counter was made; 0 when it is not known. On its thread.
  virtual uint64_t Read() = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_THREADS_CALL_COUNTER_H_
