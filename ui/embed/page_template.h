#ifndef YP_UI_EMBED_PAGE_TEMPLATE_H_
#define YP_UI_EMBED_PAGE_TEMPLATE_H_

#include <string_view>

#include "base/status.h"

namespace yp {

// The UI that was built into this program: a template of format/page/page.h. An error where it was
// built without.
Result<std::string_view> BuiltInPage();

}  // namespace yp

#endif  // YP_UI_EMBED_PAGE_TEMPLATE_H_
