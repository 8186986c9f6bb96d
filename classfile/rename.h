#ifndef YP_CLASSFILE_RENAME_H_
#define YP_CLASSFILE_RENAME_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "classfile/class_file.h"

namespace yp::classfile {

// The class file with every Utf8 constant that equals `from` replaced by `to` (both modified
// UTF-8). Descriptors that contain `from` are other constants and stay. An error when there is no
// such constant, or `to` is longer than 65535 bytes.
Result<std::vector<uint8_t>> RenameUtf8(const ClassFile& file, std::string_view from,
                                        std::string_view to);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_RENAME_H_
