#ifndef YP_HOTSPOT_VMSTRUCTS_UNSIGNED5_H_
#define YP_HOTSPOT_VMSTRUCTS_UNSIGNED5_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace yp::hotspot {

// HotSpot's encoding of numbers in debug information and line number tables (UNSIGNED5: a number is
// one to five bytes; each but the first counts 64 times the one before, and one below 192 is the
// last). Since JDK 20 it has no zero bytes: each byte is one more.
class Unsigned5 {
 public:
  explicit Unsigned5(int jdk_feature_version) : excluded_(jdk_feature_version >= 20 ? 1 : 0) {}

  // The number at `at`, which moves behind it; nothing where the bytes end within it.
  std::optional<uint32_t> Read(std::span<const uint8_t> bytes, size_t& at) const {
    uint32_t number = 0;
    for (uint32_t shift = 0; shift <= kMaxShift; shift += kRadixLog2) {
      if (at >= bytes.size() || bytes[at] < excluded_) return std::nullopt;
      const uint32_t byte = bytes[at++];
      number += (byte - excluded_) << shift;
      if (byte < kFirstHigh) break;
    }
    return number;
  }
  // A signed number, its sign in the lowest bit.
  std::optional<int32_t> ReadSigned(std::span<const uint8_t> bytes, size_t& at) const {
    const std::optional<uint32_t> number = Read(bytes, at);
    if (!number) return std::nullopt;
    return static_cast<int32_t>((*number >> 1) ^ (0 - (*number & 1)));
  }

 private:
  static constexpr uint32_t kRadixLog2 = 6;
  static constexpr uint32_t kMaxShift = 4 * kRadixLog2;
  static constexpr uint32_t kFirstHigh = 192;
  uint32_t excluded_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_UNSIGNED5_H_
