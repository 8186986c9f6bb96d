#ifndef YP_CLI_ATTACH_JVM_PROCESS_H_
#define YP_CLI_ATTACH_JVM_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace yp {

// What the kernel tells of a process (under `proc_root`, "/proc" outside of tests) that decides
// whether and how its JVM can be attached to.
struct JvmProcess {
  pid_t pid = 0;
  // The pid that the process has in its own, innermost pid namespace; its files are named by it.
  pid_t inner_pid = 0;
  uid_t euid = 0;
  gid_t egid = 0;
  bool has_libjvm = false;
  // libj9vm.so: an OpenJ9, whose attach protocol and tool interface differ.
  bool has_openj9 = false;
  bool same_mount_namespace = true;
  // The agent's library, where the process has it: from where, which need not be there any more.
  // Several where another one was loaded besides, whose agent has refused.
  std::vector<std::string> agent_libraries;
  // A handler for SIGQUIT stands. Without one the signal would kill the process: the JVM is still
  // starting, or was started with -Xrs.
  bool handles_sigquit = false;
  // Options, wherever the JVM finds them (jvm_options.h), as far as they can be read.
  std::vector<std::string> options;
};

// An error when there is no such process or it may not be looked at. A zombie counts as no process.
Result<JvmProcess> InspectProcess(pid_t pid, const std::string& proc_root = "/proc");

// Ok when an agent can be loaded into the process by the caller `euid`, else what stands against it
// and what to do.
Status CheckAttachable(const JvmProcess& process, uid_t euid);

}  // namespace yp

#endif  // YP_CLI_ATTACH_JVM_PROCESS_H_
