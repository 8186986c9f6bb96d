#ifndef YP_RECORDER_SAMPLE_COST_H_
#define YP_RECORDER_SAMPLE_COST_H_

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace yp {

// What taking a sample costs its thread. Most samples take less than a microsecond, and to read the
// thread's CPU time would cost a third of that: they are measured by the wall clock. A sample of
// code that was not met before takes up to some 100 us, in which the thread may lose its processor:
// from there on its CPU time counts.
class SampleCost {
 public:
  // Of a short one by the wall clock: what is longer was spent waiting for a processor.
  static constexpr int64_t kMaxShortNs = 20'000;

  explicit SampleCost(Clock& clock) : clock_(clock), begin_ns_(clock.NowNs()) {}

  // What follows may take long.
  void BecomesLong() {
    if (long_begin_cpu_ns_ < 0) long_begin_cpu_ns_ = clock_.ThreadCpuNs();
  }
  // Since the beginning.
  int64_t Ns() const {
    if (long_begin_cpu_ns_ >= 0) return clock_.ThreadCpuNs() - long_begin_cpu_ns_;
    return std::min(clock_.NowNs() - begin_ns_, kMaxShortNs);
  }

 private:
  Clock& clock_;
  const int64_t begin_ns_;
  int64_t long_begin_cpu_ns_ = -1;  // -1: it is short.
};

}  // namespace yp

#endif  // YP_RECORDER_SAMPLE_COST_H_
