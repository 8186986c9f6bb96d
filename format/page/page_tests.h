#ifndef YP_FORMAT_PAGE_PAGE_TESTS_H_
#define YP_FORMAT_PAGE_PAGE_TESTS_H_

#include <vector>

#include "base/ids.h"
#include "format/page/json_writer.h"
#include "format/page/page_names.h"
#include "format/profile/profile.h"

namespace yp {

// What a page shows of tests and of calls that were never executed: the fields "tests" and
// "unexecuted", each an object, or null where the profile has none of it. `ids`: the page's methods
// by the profile's.
void WriteTests(const Profile& profile, const std::vector<MethodId>& ids, PageNames* names,
                JsonWriter& json);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_TESTS_H_
