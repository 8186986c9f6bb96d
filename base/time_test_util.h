#ifndef YP_BASE_TIME_TEST_UTIL_H_
#define YP_BASE_TIME_TEST_UTIL_H_

#include <cstdint>

namespace yp {

// In nanoseconds.
inline constexpr int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

}  // namespace yp

#endif  // YP_BASE_TIME_TEST_UTIL_H_
