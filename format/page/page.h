#ifndef YP_FORMAT_PAGE_PAGE_H_
#define YP_FORMAT_PAGE_PAGE_H_

#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// A template is the UI, one HTML file, with this in it once: where the data goes.
inline constexpr std::string_view kDataMarker = "<!--YP_DATA-->";

// The page that opens from disk. Its data (PageData) stands in it compressed and as Base64, so that
// nothing in them can be taken for HTML.
Result<std::string> PageWithData(std::string_view page_template, std::string_view json);

// The page of a server, which fetches the same JSON from `source`, relative to its own address.
Result<std::string> PageWithDataAt(std::string_view page_template, std::string_view source);

}  // namespace yp

#endif  // YP_FORMAT_PAGE_PAGE_H_
