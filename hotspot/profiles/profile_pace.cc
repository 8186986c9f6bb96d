#include "hotspot/profiles/profile_pace.h"

namespace yp::hotspot {

bool ProfilePace::IsDue(int64_t now_ns, int64_t program_cpu_ns, int64_t reading_ns) const {
  if (now_ns < due_ns_) return false;
  if (budget_ <= 0) return true;
  return static_cast<double>(spent_ns_ + reading_ns) <=
         kShare * budget_ * static_cast<double>(program_cpu_ns);
}

void ProfilePace::WereRead(int64_t now_ns, int64_t cost_ns) {
  due_ns_ = 4 * now_ns;
  spent_ns_ += cost_ns;
}

}  // namespace yp::hotspot
