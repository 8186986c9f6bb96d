#ifndef YP_FORMAT_PROFILE_EXECUTIONS_H_
#define YP_FORMAT_PROFILE_EXECUTIONS_H_

#include <string>
#include <vector>

#include "core/amortize/ledger.h"
#include "format/profile/profile.h"

namespace yp {

// How the versions of a run's methods were executed, from what a recording with --jit has seen.
//
// - Time: the stacks that ended in a version's code, inlined methods included, each worth t_unit
//   (equation 4: the CPU time between two stacks, that of taking one off). Code for a loop counts
//   for the version that calls went to meanwhile: they had begun there.
// - Calls: while the method was interpreted without a profile, and of a version of C1 that counts
//   them and is the method's only one, by the VM; else by the sampled calls that entered its code.
//   The probe comes to new code with some delay, and its budget may close it: what was called
//   meanwhile is what took the time of the code meanwhile, if all calls take equally long. What the
//   VM counts, it counts in inlined calls, too: then the time is that of all the method's frames at
//   that level.
// - Callees: stacks below a version's frames that ended in what its successor, or predecessor, has
//   inlined, along the same calls.
// - Inlined: stacks that ended in what C2's code has inlined, by its names.
//
// Of methods that the recording's filter leaves out, calls of C2's code are not known; nor anything
// of methods of one name in several class loaders while they were interpreted.
//
// `lacks`: what is not known is added to it, a line each.
Executions ExecutionsOf(const Profile& profile, std::vector<std::string>* lacks);

// Adds a line where the CPU time of compilations is not known.
void AddLackOfCpuTime(const JitLog& log, std::vector<std::string>* lacks);

// A recording with --jit, judged.
struct JitAccount {
  std::vector<std::string> lacks;  // The profile's own, and those of its executions.
  Executions executions;
  Ledger ledger;
};
JitAccount AccountOf(const Profile& profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_EXECUTIONS_H_
