#ifndef YP_CLI_DURATION_H_
#define YP_CLI_DURATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

inline constexpr double kNsPerMs = 1e6;

// A time as people write it: a decimal number and one of ns, us, ms, s, m, h, d ("10ms", "1.5 s").
// A bare number counts in `bare_unit_ns`; without one it is an error. In ns, above 0 and at most
// ten years.
Result<int64_t> ParseDurationNs(std::string_view text,
                                std::optional<int64_t> bare_unit_ns = std::nullopt);

// For people, with two or three significant digits: "850 ms", "12.3 s", "4 min 05 s".
std::string FormatDuration(int64_t ns);

}  // namespace yp

#endif  // YP_CLI_DURATION_H_
