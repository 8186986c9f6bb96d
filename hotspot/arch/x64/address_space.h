#ifndef YP_HOTSPOT_ARCH_X64_ADDRESS_SPACE_H_
#define YP_HOTSPOT_ARCH_X64_ADDRESS_SPACE_H_

#include <cstdint>

namespace yp::hotspot {

// User space ends below, with four levels of page tables, which is all that the VM uses.
inline constexpr uintptr_t kEndOfAddresses = uintptr_t{1} << 47;

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_ADDRESS_SPACE_H_
