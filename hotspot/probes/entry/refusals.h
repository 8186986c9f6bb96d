#ifndef YP_HOTSPOT_PROBES_ENTRY_REFUSALS_H_
#define YP_HOTSPOT_PROBES_ENTRY_REFUSALS_H_

#include <string>
#include <string_view>

#include "base/status.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Why probes that change compiled code, or the VM's stubs, are not for a JVM or a machine. Each is
// an error of one line, or Ok.

// Whether this was tried with that JDK, or its user insists.
Status CheckJdk(int feature_version, bool force);
// Whether the code cache, by the text of /proc/self/maps, is memory to which one can write while it
// runs. What HotSpot has only reserved has no access at all.
Status CheckCodeMemory(std::string_view maps, const AddressRange& code_cache);
// Whether the process, by the text of /proc/self/status, runs without a shadow stack.
Status CheckNoShadowStack(std::string_view status);

// The text of a file of /proc; empty when it cannot be read.
std::string ReadProcFile(const char* path);

// That this VM compiles methods, or has done so: without compilations there are no entries.
Status CheckCompiles(const CodeCache& code_cache);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_PROBES_ENTRY_REFUSALS_H_
