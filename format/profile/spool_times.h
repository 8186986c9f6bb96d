#ifndef YP_FORMAT_PROFILE_SPOOL_TIMES_H_
#define YP_FORMAT_PROFILE_SPOOL_TIMES_H_

#include <cstdint>

namespace yp {

// Times and durations of a spool past this are taken for this: sums of some of them are int64_t.
inline constexpr int64_t kLatestNs = INT64_MAX / 8;

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SPOOL_TIMES_H_
