#ifndef YP_FORMAT_PROFILE_JIT_TABLES_H_
#define YP_FORMAT_PROFILE_JIT_TABLES_H_

#include <cstdint>
#include <unordered_map>

#include "base/ids.h"
#include "base/status.h"
#include "format/profile/jit_profile.h"
#include "format/profile/sqlite_file.h"

// The tables of a profile that tell of compilers (docs/formats.md). Errors are in a few words,
// without the file's name.
namespace yp {

Status WriteJit(const JitProfile& jit, SqliteFile* file);

// `methods`: the profile's, by the file's ids. `version`: the file's; one before 4 has none of it.
Status ReadJit(const std::unordered_map<int64_t, MethodId>& methods, int64_t version,
               SqliteFile* file, JitProfile* jit);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_JIT_TABLES_H_
