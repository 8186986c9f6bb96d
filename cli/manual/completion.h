#ifndef YP_CLI_MANUAL_COMPLETION_H_
#define YP_CLI_MANUAL_COMPLETION_H_

#include <string>
#include <vector>

#include "cli/flags.h"

namespace yp {

// What completes command lines of yp in these shells: commands, options, values that are listed,
// files; behind "--" the user's own command. The first of `commands` is the program itself.
std::string BashCompletion(const std::vector<CommandDescription>& commands);
std::string ZshCompletion(const std::vector<CommandDescription>& commands);

}  // namespace yp

#endif  // YP_CLI_MANUAL_COMPLETION_H_
