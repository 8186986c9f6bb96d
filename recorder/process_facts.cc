#include "recorder/process_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>

#include "core/options/config_keys.h"

namespace yp {

std::vector<std::pair<std::string, std::string>> ProcessFacts() {
  utsname machine{};
  uname(&machine);
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return {{config_key::kJvmPid, std::to_string(getpid())},
          {config_key::kMachine, std::string(machine.nodename) + " " + machine.machine + " " +
                                     machine.sysname + " " + machine.release + ", " +
                                     std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) + " processors"},
          {config_key::kStartTimeNs,
           std::to_string(static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec)}};
}

}  // namespace yp
