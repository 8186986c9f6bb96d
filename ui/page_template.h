#ifndef YP_UI_PAGE_TEMPLATE_H_
#define YP_UI_PAGE_TEMPLATE_H_

#include <string_view>

namespace yp {

// The page without a profile in it (format/page/page.h): one HTML file. Empty where the program was
// built without npm.
std::string_view PageTemplate();

}  // namespace yp

#endif  // YP_UI_PAGE_TEMPLATE_H_
