#ifndef YP_HOTSPOT_ARCH_AARCH64_ADDRESS_SPACE_H_
#define YP_HOTSPOT_ARCH_AARCH64_ADDRESS_SPACE_H_

#include <cstdint>

namespace yp::hotspot {

// User space ends below, with addresses of 48 bits, which is all that the VM uses.
inline constexpr uintptr_t kEndOfAddresses = uintptr_t{1} << 48;

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_AARCH64_ADDRESS_SPACE_H_
