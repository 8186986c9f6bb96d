#ifndef YP_FORMAT_PROFILE_WARNINGS_H_
#define YP_FORMAT_PROFILE_WARNINGS_H_

#include <string>
#include <vector>

#include "format/profile/profile.h"

namespace yp {

// What a person should be warned of: a run that was cut off, damage, nothing observed. A line each.
std::vector<std::string> Warnings(const Profile& profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_WARNINGS_H_
