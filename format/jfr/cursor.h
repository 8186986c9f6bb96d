#ifndef YP_FORMAT_JFR_CURSOR_H_
#define YP_FORMAT_JFR_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace yp::jfr {

// A string as it is stored: nothing, a text, or a key of the chunk's pool of strings.
struct StoredString {
  std::optional<std::string> text;  // UTF-8.
  std::optional<int64_t> pool_key;
};

// Reads a recording's primitive values from [begin, end) of a file's bytes, which may be anything.
// - Never reads outside; positions are byte offsets in the file.
// - The first malformed value makes ok() false for good, and problem() tell which; every later read
//   then gives 0 or nothing, and position() stays where it was met.
class Cursor {
 public:
  // begin <= end <= bytes.size().
  Cursor(std::span<const uint8_t> bytes, size_t begin, size_t end)
      : bytes_(bytes), position_(begin), end_(end) {}

  uint8_t Byte();
  // At most nine bytes, seven bits each from the lowest, all eight of the ninth.
  int64_t Varint();
  // That many bytes, most significant first; 1 to 8.
  uint64_t BigEndian(int n_bytes);
  StoredString String();
  // The number of elements that follow, which take a byte each at least.
  size_t Count();

  void Skip(size_t n_bytes);
  void SkipVarint();
  void SkipString();
  void Fail(const char* problem);

  bool ok() const { return problem_ == nullptr; }
  const char* problem() const { return problem_; }
  size_t position() const { return position_; }
  size_t left() const { return end_ - position_; }

 private:
  std::string Utf16(size_t units);

  std::span<const uint8_t> bytes_;
  size_t position_;
  size_t end_;
  const char* problem_ = nullptr;
};

}  // namespace yp::jfr

#endif  // YP_FORMAT_JFR_CURSOR_H_
