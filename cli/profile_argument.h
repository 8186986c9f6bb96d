#ifndef YP_CLI_PROFILE_ARGUMENT_H_
#define YP_CLI_PROFILE_ARGUMENT_H_

#include <cstddef>
#include <string>

#include "base/status.h"
#include "cli/flags.h"
#include "format/profile/profile.h"

namespace yp {

// Rows of a table when -n is not given.
inline constexpr size_t kDefaultRows = 20;

// The argument P, and -n.
void AddProfileArgument(Flags command, std::string* path);
void AddRowsOption(Flags command, size_t* rows, size_t default_rows = kDefaultRows);

// A profile, or a spool, with progress; what is wrong with its recording is told on stderr.
Result<Profile> LoadProfileArgument(const std::string& path);

}  // namespace yp

#endif  // YP_CLI_PROFILE_ARGUMENT_H_
