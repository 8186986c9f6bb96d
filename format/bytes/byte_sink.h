#ifndef YP_FORMAT_BYTES_BYTE_SINK_H_
#define YP_FORMAT_BYTES_BYTE_SINK_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace yp {

// Takes the next bytes of what may be too large to be held as a whole. After an error nothing more
// is given to it.
using ByteSink = std::function<Status(std::string_view bytes)>;

// Collects text for a sink, which gets it in large parts. The first error stays.
class ChunkedText {
 public:
  explicit ChunkedText(ByteSink sink) : sink_(std::move(sink)) {}

  ChunkedText& operator<<(std::string_view text) {
    text_ += text;
    if (text_.size() >= kChunkBytes) Send();
    return *this;
  }
  // Once, at the end.
  [[nodiscard]] Status Finish() {
    Send();
    return status_;
  }

 private:
  static constexpr size_t kChunkBytes = size_t{1} << 18;

  void Send() {
    if (status_ && !text_.empty()) status_ = sink_(text_);
    text_.clear();
  }

  const ByteSink sink_;
  std::string text_;
  Status status_;
};

}  // namespace yp

#endif  // YP_FORMAT_BYTES_BYTE_SINK_H_
