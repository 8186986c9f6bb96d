#include "hotspot/vmstructs/vm_flags.h"

#include <cstddef>
#include <cstdint>

#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {

std::optional<bool> ReadVmFlag(const VmStructs& structs, std::string_view name) {
  constexpr size_t kMaxFlags = 10'000;
  FieldFinder find(structs);
  const void* flags_address = find.Address("JVMFlag", "flags");
  const void* count_address = find.Address("JVMFlag", "numFlags");
  const int64_t name_offset = find.Offset("JVMFlag", "_name");
  const int64_t value_offset = find.Offset("JVMFlag", "_addr");
  const int64_t size = find.Size("JVMFlag");
  if (!find.status()) return std::nullopt;
  const char* flags = Load<const char*>(flags_address, 0);
  const auto count = Load<size_t>(count_address, 0);
  if (flags == nullptr || count > kMaxFlags) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    const char* flag = flags + static_cast<int64_t>(i) * size;
    const char* flag_name = Load<const char*>(flag, name_offset);
    if (flag_name == nullptr || name != flag_name) continue;
    const auto* value = Load<const uint8_t*>(flag, value_offset);
    if (value == nullptr) return std::nullopt;
    return *value != 0;
  }
  return std::nullopt;
}

}  // namespace yp::hotspot
