#ifndef YP_FORMAT_BYTES_BASE64_H_
#define YP_FORMAT_BYTES_BASE64_H_

#include <string>
#include <string_view>

namespace yp {

// RFC 4648, section 4, with padding, on one line.
std::string Base64(std::string_view bytes);

}  // namespace yp

#endif  // YP_FORMAT_BYTES_BASE64_H_
