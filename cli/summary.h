#ifndef YP_CLI_SUMMARY_H_
#define YP_CLI_SUMMARY_H_

#include <cstddef>
#include <string>

#include "cli/output.h"
#include "format/profile/profile.h"

namespace yp {

// What a person wants to know first: what was recorded, how much, its `top` hottest edges, what was
// lost and what to do next. Lines with their ends, fitting the width.
std::string Summarize(const Profile& profile, const std::string& path, size_t top, size_t width);

// The same as one JSON object.
Json SummaryToJson(const Profile& profile, const std::string& path, size_t top);

}  // namespace yp

#endif  // YP_CLI_SUMMARY_H_
