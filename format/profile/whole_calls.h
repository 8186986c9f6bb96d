#ifndef YP_FORMAT_PROFILE_WHOLE_CALLS_H_
#define YP_FORMAT_PROFILE_WHOLE_CALLS_H_

#include <algorithm>
#include <cmath>

namespace yp {

// Numbers of calls as they are shown, wherever a person or a program reads them. A call is a whole
// one, and an estimate of less than a half is no reason to say that there was none: what is above 0
// is at least 1. An interval becomes no narrower, and holds the number as before.

// Whether an estimate says less than one call. Where there is room for words it is shown as "<1".
inline bool IsBelowOneCall(double calls) { return calls > 0 && calls < 1; }

inline double WholeCalls(double calls) { return calls > 0 ? std::max(1.0, std::round(calls)) : 0; }
// The ends of an interval.
inline double WholeLow(double low) { return std::floor(low); }
inline double WholeHigh(double high) { return std::ceil(high); }

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_WHOLE_CALLS_H_
