#ifndef YP_CLI_MANUAL_MAN_PAGE_H_
#define YP_CLI_MANUAL_MAN_PAGE_H_

#include <string>
#include <vector>

#include "cli/flags.h"

namespace yp {

// The manual page of commands[number], in the macros of man(7): yp(1) of the program itself, which
// is the first, or yp-COMMAND(1).
std::string ManPage(const std::vector<CommandDescription>& commands, size_t number);

}  // namespace yp

#endif  // YP_CLI_MANUAL_MAN_PAGE_H_
