#ifndef YP_CLI_PAGE_ARGUMENTS_H_
#define YP_CLI_PAGE_ARGUMENTS_H_

#include <string>
#include <vector>

#include "base/status.h"

namespace CLI {
class App;
}

namespace yp {

// What a page is made of.
struct PageArguments {
  std::string profile;
  std::string after;  // Empty, or what the profile is compared with.
  std::vector<std::string> sources;
};

void AddPageArguments(CLI::App* command, PageArguments* arguments);

// The page's data as JSON (format/page/page_data.h). Tells on stderr what takes long, and of which
// source files nothing was found.
Result<std::string> ReadPageData(const PageArguments& arguments);

// The page without data, or an error that says how to get one.
Result<std::string> ReadPageTemplate();

}  // namespace yp

#endif  // YP_CLI_PAGE_ARGUMENTS_H_
