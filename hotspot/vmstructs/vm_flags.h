#ifndef YP_HOTSPOT_VMSTRUCTS_VM_FLAGS_H_
#define YP_HOTSPOT_VMSTRUCTS_VM_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// The value of a flag of the VM's that is true or false, such as UseZGC; nothing when the VM has no
// such flag, or does not tell of its flags.
std::optional<bool> ReadVmFlag(const VmStructs& structs, std::string_view name);

// The same of a flag that is a number of 4 or 8 bytes, such as TypeProfileWidth: its low 4 bytes.
std::optional<int32_t> ReadVmNumber(const VmStructs& structs, std::string_view name);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_VM_FLAGS_H_
