#ifndef YP_CLI_PAGE_CONTENT_H_
#define YP_CLI_PAGE_CONTENT_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/flags.h"

namespace yp {

// What report and serve have in common: of which profiles the page is, and with which sources.
struct PageArguments {
  std::string profile;
  std::string after;  // Empty: there is nothing to compare with.
  std::vector<std::string> sources;

  std::vector<std::string> Profiles() const;
};
void AddPageArguments(Flags command, PageArguments* arguments);

// The page's data (format/page/page_data.h), with progress. Notes on stderr: what is compared, and
// how many source files were found.
Result<std::string> PageDataOf(const PageArguments& arguments);

}  // namespace yp

#endif  // YP_CLI_PAGE_CONTENT_H_
