#include "format/spool/encoding.h"

#include <array>

namespace yp::spool {
namespace {

constexpr uint32_t kCastagnoliReflected = 0x82f63b78u;

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kCastagnoliReflected : 0);
    }
    table[byte] = crc;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

}  // namespace

void Encoder::Unsigned(uint64_t value) {
  while (value >= 0x80) {
    out_->push_back(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out_->push_back(static_cast<uint8_t>(value));
}

void Encoder::String(std::string_view text) {
  Unsigned(text.size());
  out_->insert(out_->end(), text.begin(), text.end());
}

uint64_t Decoder::Unsigned() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) break;
    const uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    if (shift == 63 && byte > 1) break;  // Bits beyond the 64th.
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  Fail();
  return 0;
}

int32_t Decoder::Signed32() {
  const int64_t value = Signed();
  if (value < INT32_MIN || value > INT32_MAX) {
    Fail();
    return 0;
  }
  return static_cast<int32_t>(value);
}

std::string Decoder::String() {
  const std::span<const uint8_t> bytes = Bytes(Unsigned());
  return std::string(bytes.begin(), bytes.end());
}

size_t Decoder::ListSize(size_t min_element_bytes) {
  const uint64_t size = Unsigned();
  if (size > rest_.size() / min_element_bytes) {
    Fail();
    return 0;
  }
  return static_cast<size_t>(size);
}

std::span<const uint8_t> Decoder::Bytes(uint64_t n) {
  if (n > rest_.size()) {
    Fail();
    return {};
  }
  const std::span<const uint8_t> bytes = rest_.first(static_cast<size_t>(n));
  rest_ = rest_.subspan(static_cast<size_t>(n));
  return bytes;
}

uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t previous) {
  uint32_t crc = ~previous;
  for (const uint8_t byte : bytes) crc = kCrcTable[(crc ^ byte) & 0xff] ^ (crc >> 8);
  return ~crc;
}

}  // namespace yp::spool
