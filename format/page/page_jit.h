#ifndef YP_FORMAT_PAGE_PAGE_JIT_H_
#define YP_FORMAT_PAGE_PAGE_JIT_H_

#include <cstddef>

#include "format/page/json_writer.h"
#include "format/page/page_names.h"
#include "format/profile/executions.h"
#include "format/profile/profile.h"

namespace yp {

// What the compilers did in a run and what that was worth: an object. `account`: the profile's.
void WriteJit(const Profile& profile, const JitAccount& account, size_t max_warm_up_parts,
              PageNames* names, JsonWriter& json);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_JIT_H_
