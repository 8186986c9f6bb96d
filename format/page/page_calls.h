#ifndef YP_FORMAT_PAGE_PAGE_CALLS_H_
#define YP_FORMAT_PAGE_PAGE_CALLS_H_

#include "format/profile/whole_calls.h"

namespace yp {

// A number of calls in the page's data: whole, but for an estimate of less than one, of which the
// page says "<1".
inline double PageCalls(double calls) { return IsBelowOneCall(calls) ? calls : WholeCalls(calls); }

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_CALLS_H_
