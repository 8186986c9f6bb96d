#ifndef YP_CLASSFILE_BYTES_H_
#define YP_CLASSFILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace yp::classfile {

using Bytes = std::span<const uint8_t>;

// Class files are big-endian (JVMS 4).
inline uint16_t LoadU2(const uint8_t* p) { return static_cast<uint16_t>(p[0] << 8 | p[1]); }
inline uint32_t LoadU4(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) << 24 | static_cast<uint32_t>(p[1]) << 16 |
         static_cast<uint32_t>(p[2]) << 8 | static_cast<uint32_t>(p[3]);
}
inline void StoreU2(uint8_t* p, uint32_t value) {
  p[0] = static_cast<uint8_t>(value >> 8);
  p[1] = static_cast<uint8_t>(value);
}
inline void StoreU4(uint8_t* p, uint32_t value) {
  StoreU2(p, value >> 16);
  StoreU2(p + 2, value);
}

inline void AppendU1(std::vector<uint8_t>& out, uint32_t value) {
  out.push_back(static_cast<uint8_t>(value));
}
inline void AppendU2(std::vector<uint8_t>& out, uint32_t value) {
  AppendU1(out, value >> 8);
  AppendU1(out, value);
}
inline void AppendU4(std::vector<uint8_t>& out, uint32_t value) {
  AppendU2(out, value >> 16);
  AppendU2(out, value);
}
inline void AppendBytes(std::vector<uint8_t>& out, Bytes bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads forwards through bytes that nobody vouches for.
// - No read goes past the end: it yields zeros or an empty span, and failed() is true from then on.
// - Callers may therefore read a whole structure and ask failed() once, as long as a count that was
//   read does not decide how much memory or time is spent before that.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  uint8_t U1() { return Take(1) ? bytes_[position_ - 1] : uint8_t{0}; }
  uint16_t U2() { return Take(2) ? LoadU2(&bytes_[position_ - 2]) : uint16_t{0}; }
  uint32_t U4() { return Take(4) ? LoadU4(&bytes_[position_ - 4]) : 0; }
  Bytes Read(size_t size) { return Take(size) ? bytes_.subspan(position_ - size, size) : Bytes(); }
  void Skip(size_t size) { Take(size); }

  bool failed() const { return failed_; }
  bool at_end() const { return position_ == bytes_.size(); }
  size_t position() const { return position_; }

 private:
  bool Take(size_t size) {
    if (failed_ || size > bytes_.size() - position_) {
      failed_ = true;
      return false;
    }
    position_ += size;
    return true;
  }

  Bytes bytes_;
  size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_BYTES_H_
