#include "classfile/rename.h"

#include <string>

namespace yp::classfile {

Result<std::vector<uint8_t>> RenameUtf8(const ClassFile& file, std::string_view from,
                                        std::string_view to) {
  if (to.size() > 0xffff) {
    return Status::Error("class " + file.DottedName() + ": a name of " + std::to_string(to.size()) +
                         " bytes does not fit, 65535 do");
  }
  const Bytes bytes = file.bytes();
  const ConstantPool& pool = file.pool();
  std::vector<uint8_t> out;
  out.reserve(bytes.size() + to.size());
  size_t copied = 0;
  for (uint32_t i = 1; i < pool.count(); ++i) {
    const auto index = static_cast<uint16_t>(i);
    if (pool.Utf8(index) != from) {
      continue;
    }
    const size_t content = pool.ContentOffset(index);
    AppendBytes(out, bytes.subspan(copied, content - copied));
    AppendU2(out, static_cast<uint32_t>(to.size()));
    out.insert(out.end(), to.begin(), to.end());
    copied = content + 2 + from.size();
  }
  if (copied == 0) {
    return Status::Error("class " + file.DottedName() + ": it has no constant " +
                         std::string(from));
  }
  AppendBytes(out, bytes.subspan(copied));
  return out;
}

}  // namespace yp::classfile
