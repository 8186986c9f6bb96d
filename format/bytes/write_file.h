#ifndef YP_FORMAT_BYTES_WRITE_FILE_H_
#define YP_FORMAT_BYTES_WRITE_FILE_H_

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "format/bytes/byte_sink.h"

namespace yp {

// Writes a file for another program, in the place of what is there: all that `make` gives to the
// sink. `what` it is stands in the error: "the export". What could be written only in part, as
// `make` failed, too, is taken away again.
Status WriteFile(const std::function<Status(const ByteSink&)>& make, const std::string& path,
                 std::string_view what);
// The same of bytes that are there.
Status WriteFile(std::string_view bytes, const std::string& path, std::string_view what);

}  // namespace yp

#endif  // YP_FORMAT_BYTES_WRITE_FILE_H_
