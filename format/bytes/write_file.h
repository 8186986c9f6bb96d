#ifndef YP_FORMAT_BYTES_WRITE_FILE_H_
#define YP_FORMAT_BYTES_WRITE_FILE_H_

#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// Writes a file for another program, in the place of what is there. `what` it is stands in the
// error: "the export". What could be written only in part is taken away again.
Status WriteFile(std::string_view bytes, const std::string& path, std::string_view what);

}  // namespace yp

#endif  // YP_FORMAT_BYTES_WRITE_FILE_H_
