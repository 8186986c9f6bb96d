#ifndef YP_FORMAT_PROFILE_MERGE_H_
#define YP_FORMAT_PROFILE_MERGE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "format/profile/profile.h"

namespace yp {

struct MergedProfile {
  Profile profile;
  // What a person should know of it, a line each: parts between the others that are missing.
  std::vector<std::string> notes;
  size_t recordings = 0;  // A JVM that was recorded twice counts twice.
};

// One profile of the spools of one program: parts of recordings, recordings of several JVMs, or
// both, in any order (fold.h). An error names the file that cannot be merged with the others, why,
// and what to do: a profile, whose evidence of inlined calls is gone; another program; a recording
// with other options, which saw other calls; the same part twice.
Result<MergedProfile> MergeSpools(std::span<const std::string> paths);

// Of a program's command (config_key::kCommand), what it runs: a class, or a jar by its file's
// name.
std::string ProgramOf(std::string_view command);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_MERGE_H_
