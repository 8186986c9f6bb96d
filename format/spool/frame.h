#ifndef YP_FORMAT_SPOOL_FRAME_H_
#define YP_FORMAT_SPOOL_FRAME_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "format/spool/encoding.h"

// The layout of a spool:
//
//   file   = magic, version, frame*
//   frame  = marker, length, checksum, payload (length bytes)
//   payload = record*
//
// Integers of the layout are little-endian and 4 bytes wide. The checksum is the CRC-32C of the
// length's 4 bytes and the payload, so that a damaged length is noticed before it is believed. The
// marker is where a reader takes up again after damage; it may occur in a payload by chance, and
// the checksum then tells.
namespace yp::spool {

inline constexpr std::array<uint8_t, 8> kMagic = {'Y', 'P', 'S', 'P', 'O', 'O', 'L', '\n'};
inline constexpr uint32_t kVersion = 1;
inline constexpr size_t kFileHeaderBytes = kMagic.size() + 4;

inline constexpr std::array<uint8_t, 4> kMarker = {0xf5, 'Y', 'P', 0xfa};
inline constexpr size_t kFrameHeaderBytes = kMarker.size() + 4 + 4;
// No writer makes longer payloads, so that a reader needs no more memory for any input.
inline constexpr size_t kMaxPayloadBytes = size_t{64} << 20;

inline void PutLittleEndian32(uint32_t value, uint8_t* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<uint8_t>(value >> (8 * i));
}
inline uint32_t GetLittleEndian32(const uint8_t* in) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | in[i];
  return value;
}

// Writes a file's first kFileHeaderBytes.
inline void PutFileHeader(uint8_t* out) {
  std::copy(kMagic.begin(), kMagic.end(), out);
  PutLittleEndian32(kVersion, out + kMagic.size());
}
// Writes the kFrameHeaderBytes before a payload that follows them.
inline void PutFrameHeader(size_t payload_bytes, uint8_t* frame) {
  std::copy(kMarker.begin(), kMarker.end(), frame);
  uint8_t* const length = frame + kMarker.size();
  PutLittleEndian32(static_cast<uint32_t>(payload_bytes), length);
  const uint32_t crc =
      Crc32c({frame + kFrameHeaderBytes, payload_bytes}, Crc32c({length, size_t{4}}));
  PutLittleEndian32(crc, length + 4);
}

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_FRAME_H_
