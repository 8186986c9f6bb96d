#ifndef YP_HOTSPOT_VMSTRUCTS_INVOKE_SITES_H_
#define YP_HOTSPOT_VMSTRUCTS_INVOKE_SITES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace yp::hotspot {

// A call in the VM's copy of a method's bytecode.
struct InvokeSite {
  enum class Kind : uint8_t {
    kVirtual,
    kSpecial,
    kStatic,
    kInterface,
    kDynamic,
    kHandle,  // MethodHandle.invokeExact and its like: a call of an adapter.
  };
  int32_t bci = 0;
  Kind kind = Kind::kVirtual;
  // What the VM has put in the place of the constant's index: that of an entry in the constant
  // pool's cache. Meaningless of kDynamic.
  uint16_t cache_index = 0;
};

// The opcode that the class file had, where the VM's interpreter has put one of its own; 0xff where
// it cannot be told (a breakpoint).
uint8_t JavaOpcode(uint8_t vm_opcode);

// The call at an instruction's bci; nothing where there is none.
std::optional<InvokeSite> InvokeSiteAt(std::span<const uint8_t> code, int32_t bci);
// The calls of a method of a linked class, by bci. Nothing when the bytecode makes no sense, as
// that of a method that is gone, or has a breakpoint.
std::optional<std::vector<InvokeSite>> FindInvokeSites(std::span<const uint8_t> code);

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_INVOKE_SITES_H_
