#include "hotspot/vmstructs/vm_flags.h"

#include <cstddef>
#include <cstdint>

#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

// Where the flag's value lies; null when the VM does not tell.
const void* FindValue(const VmStructs& structs, std::string_view name) {
  constexpr size_t kMaxFlags = 10'000;
  FieldFinder find(structs);
  const void* flags_address = find.Address("JVMFlag", "flags");
  const void* count_address = find.Address("JVMFlag", "numFlags");
  const int64_t name_offset = find.Offset("JVMFlag", "_name");
  const int64_t value_offset = find.Offset("JVMFlag", "_addr");
  const int64_t size = find.Size("JVMFlag");
  if (!find.status()) return nullptr;
  const char* flags = Load<const char*>(flags_address, 0);
  const auto count = Load<size_t>(count_address, 0);
  if (flags == nullptr || count > kMaxFlags) return nullptr;
  for (size_t i = 0; i < count; ++i) {
    const char* flag = flags + static_cast<int64_t>(i) * size;
    const char* flag_name = Load<const char*>(flag, name_offset);
    if (flag_name != nullptr && name == flag_name) return Load<const void*>(flag, value_offset);
  }
  return nullptr;
}

}  // namespace

std::optional<bool> ReadVmFlag(const VmStructs& structs, std::string_view name) {
  const void* value = FindValue(structs, name);
  if (value == nullptr) return std::nullopt;
  return Load<uint8_t>(value, 0) != 0;
}

std::optional<int32_t> ReadVmNumber(const VmStructs& structs, std::string_view name) {
  const void* value = FindValue(structs, name);
  if (value == nullptr) return std::nullopt;
  return Load<int32_t>(value, 0);
}

}  // namespace yp::hotspot
