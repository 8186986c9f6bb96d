#ifndef YP_FORMAT_BYTES_GZIP_H_
#define YP_FORMAT_BYTES_GZIP_H_

#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// The bytes in gzip's format, of at most 4 GiB.
Result<std::string> Gzip(std::string_view bytes);
// The other way; an error where that makes more than `at_most` bytes.
Result<std::string> Gunzip(std::string_view bytes, size_t at_most);

}  // namespace yp

#endif  // YP_FORMAT_BYTES_GZIP_H_
