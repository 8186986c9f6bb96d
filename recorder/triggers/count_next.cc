#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "recorder/triggers/perf_events.h"

// What runs in the handler of a counter's signal: see tools/check_handlers.py.
namespace yp {

// A timer's signal names no file. One that was closed meanwhile, or is another one now, takes no
// such request.
void PerfEvents::CountNext(const siginfo_t& info) {
  const bool is_of_file = info.si_code >= POLL_IN && info.si_code <= POLL_HUP;
  if (is_of_file && info.si_fd >= 0) ioctl(info.si_fd, PERF_EVENT_IOC_REFRESH, 1);
}

}  // namespace yp
