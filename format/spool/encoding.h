#ifndef YP_FORMAT_SPOOL_ENCODING_H_
#define YP_FORMAT_SPOOL_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yp::spool {

// Appends to a byte vector. Unsigned integers are LEB128 varints, signed ones zigzag varints (so
// that small negative numbers stay small), strings a varint length and their bytes.
class Encoder {
 public:
  explicit Encoder(std::vector<uint8_t>* out) : out_(out) {}
  void Unsigned(uint64_t value);
  void Signed(int64_t value) {
    Unsigned((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void String(std::string_view text);

 private:
  std::vector<uint8_t>* out_;
};

// Reads what Encoder wrote, from bytes that may be anything.
// - Never reads past the end; ListSize() bounds what a caller allocates by the bytes left.
// - The first malformed value makes ok() false for good; every later read then gives 0 or "".
class Decoder {
 public:
  explicit Decoder(std::span<const uint8_t> bytes) : rest_(bytes) {}
  uint64_t Unsigned();
  // A varint that must fit T, an unsigned type.
  template <typename T>
  T UnsignedOf() {
    const uint64_t value = Unsigned();
    if (static_cast<T>(value) != value) {
      Fail();
      return 0;
    }
    return static_cast<T>(value);
  }
  int64_t Signed() {
    const uint64_t zigzag = Unsigned();
    return static_cast<int64_t>((zigzag >> 1) ^ (0 - (zigzag & 1)));
  }
  int32_t Signed32();
  std::string String();
  // The number of elements of a list whose elements take at least that many bytes each: more than
  // the bytes left can hold is malformed.
  size_t ListSize(size_t min_element_bytes);
  // The next n bytes.
  std::span<const uint8_t> Bytes(uint64_t n);

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }

 private:
  void Fail() {
    ok_ = false;
    rest_ = {};
  }
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

// CRC-32C (Castagnoli, polynomial 0x1EDC6F41 reflected, as in RFC 3720 appendix B.4). Pass the
// previous result to go on with it.
uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t previous = 0);

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_ENCODING_H_
