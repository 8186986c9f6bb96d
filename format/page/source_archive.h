#ifndef YP_FORMAT_PAGE_SOURCE_ARCHIVE_H_
#define YP_FORMAT_PAGE_SOURCE_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace yp {

// Where source files are: a directory, or a jar or zip file.
class SourceArchive {
 public:
  static constexpr size_t kMaxFileBytes = 16 << 20;

  virtual ~SourceArchive() = default;
  // Tells the path of each file in it, relative and with "/", in no order.
  virtual Status ForEach(const std::function<void(std::string_view path)>& take) const = 0;
  // The text of one of them; nothing when it is larger than kMaxFileBytes.
  virtual Result<std::optional<std::string>> Read(const std::string& path) const = 0;

  static Result<std::unique_ptr<SourceArchive>> Open(const std::string& place);
};

}  // namespace yp

#endif  // YP_FORMAT_PAGE_SOURCE_ARCHIVE_H_
