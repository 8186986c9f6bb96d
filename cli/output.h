#ifndef YP_CLI_OUTPUT_H_
#define YP_CLI_OUTPUT_H_

#include <string>
#include <string_view>

#include "base/status.h"
#include "format/json/json.h"
#include "format/profile/profile.h"

namespace yp {

// Writes to stdout; an error when it does not take everything.
Status PrintOut(std::string_view text);
// A JSON value on stdout; bytes that are no UTF-8 are replaced. What the command has told besides
// (cli/notes.h) is in the field "warnings" of an object, behind those that it has there.
Status PrintJson(Json json, int indent = 2);

// An edge as the JSON contract has it, and more. What mode edges does not know, calls, is null.
Json EdgeToJson(const Profile& profile, const EdgeStats& edge, double total_calls);

}  // namespace yp

#endif  // YP_CLI_OUTPUT_H_
