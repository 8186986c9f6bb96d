#include "ui/embed/page_template.h"

#include <cstddef>
#include <string>

extern "C" {
extern const char yp_page_begin[];
extern const char yp_page_end[];
}

namespace yp {

Result<std::string_view> BuiltInPage() {
  const std::string_view page(yp_page_begin, static_cast<size_t>(yp_page_end - yp_page_begin));
  if (!page.starts_with('!') && !page.empty()) return page;
  return Status::Error("this yp was built without its page (" +
                       std::string(page.substr(page.empty() ? 0 : 1)) +
                       "): install nodejs (18 or later) and npm, then ./yp builds it in");
}

}  // namespace yp
