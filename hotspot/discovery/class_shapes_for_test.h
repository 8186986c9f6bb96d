#ifndef YP_HOTSPOT_DISCOVERY_CLASS_SHAPES_FOR_TEST_H_
#define YP_HOTSPOT_DISCOVERY_CLASS_SHAPES_FOR_TEST_H_

#include <cstdint>

namespace yp::hotspot {

// Access flags (JVMS 4.6).
inline constexpr uint16_t kPublic = 0x0001, kPrivate = 0x0002, kStatic = 0x0008, kAbstract = 0x0400;
// A method.
inline constexpr char kRun[] = "run()V";

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_DISCOVERY_CLASS_SHAPES_FOR_TEST_H_
