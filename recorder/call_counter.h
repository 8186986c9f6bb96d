#ifndef YP_RECORDER_CALL_COUNTER_H_
#define YP_RECORDER_CALL_COUNTER_H_

#include <cstdint>

namespace yp {

// The processor's counter of one thread's calls.
class CallCounter {
 public:
  virtual ~CallCounter() = default;
  // Since the counter was made; 0 when it is not known. On its thread.
  virtual uint64_t Read() = 0;
};

}  // namespace yp

#endif  // YP_RECORDER_CALL_COUNTER_H_
