#include "format/spool/encoding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace yp::spool {
namespace {

TEST(EncodingTest, UnsignedIntegersOfEverySizeComeBack) {
  std::vector<uint64_t> values = {0, std::numeric_limits<uint64_t>::max()};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back(uint64_t{1} << bit);
    values.push_back((uint64_t{1} << bit) - 1);
  }
  std::vector<uint8_t> bytes;
  Encoder out(&bytes);
  for (const uint64_t value : values) out.Unsigned(value);
  Decoder in(bytes);
  for (const uint64_t value : values) EXPECT_EQ(in.Unsigned(), value);
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.empty());
}

TEST(EncodingTest, SmallNumbersTakeOneByteWhateverTheirSign) {
  std::vector<uint8_t> bytes;
  Encoder out(&bytes);
  out.Signed(-64);
  out.Signed(63);
  out.Unsigned(127);
  EXPECT_EQ(bytes.size(), 3u);
}

TEST(EncodingTest, SignedIntegersComeBackAtTheirLimits) {
  std::vector<uint8_t> bytes;
  Encoder out(&bytes);
  out.Signed(std::numeric_limits<int64_t>::min());
  out.Signed(std::numeric_limits<int64_t>::max());
  out.Signed(-1);
  Decoder in(bytes);
  EXPECT_EQ(in.Signed(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(in.Signed(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(in.Signed(), -1);
}

TEST(EncodingTest, AStringLongerThanItsInputIsRefused) {
  const std::vector<uint8_t> bytes = {5, 'a', 'b'};
  Decoder in(bytes);
  EXPECT_EQ(in.String(), "");
  EXPECT_FALSE(in.ok());
}

TEST(EncodingTest, AVarintOfMoreThan64BitsIsRefused) {
  std::vector<uint8_t> bytes(9, 0xff);
  bytes.push_back(0x02);
  Decoder in(bytes);
  EXPECT_EQ(in.Unsigned(), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(EncodingTest, AVarintThatNeverEndsIsRefused) {
  const std::vector<uint8_t> bytes(3, 0x80);
  Decoder in(bytes);
  in.Unsigned();
  EXPECT_FALSE(in.ok());
}

TEST(EncodingTest, AValueTooLargeForItsTypeIsRefused) {
  std::vector<uint8_t> bytes;
  Encoder(&bytes).Unsigned(0x10000);
  Decoder in(bytes);
  EXPECT_EQ(in.UnsignedOf<uint16_t>(), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(EncodingTest, AListThatItsBytesCannotHoldIsRefused) {
  std::vector<uint8_t> bytes;
  Encoder(&bytes).Unsigned(1'000'000'000);
  bytes.resize(bytes.size() + 10);
  Decoder in(bytes);
  EXPECT_EQ(in.ListSize(2), 0u);
  EXPECT_FALSE(in.ok());
}

TEST(EncodingTest, AFailureStays) {
  const std::vector<uint8_t> bytes = {9, 1, 2, 3};
  Decoder in(bytes);
  in.String();
  EXPECT_EQ(in.Unsigned(), 0u);
  EXPECT_FALSE(in.ok());
}

// The check values of RFC 3720, appendix B.4.
TEST(Crc32cTest, GivesThePublishedCheckValues) {
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0x00)), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xff)), 0x62a8ab43u);
  std::vector<uint8_t> ascending(32);
  for (size_t i = 0; i < ascending.size(); ++i) ascending[i] = static_cast<uint8_t>(i);
  EXPECT_EQ(Crc32c(ascending), 0x46dd794eu);
}

TEST(Crc32cTest, GoesOnFromAPreviousPart) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5};
  const std::span<const uint8_t> all(bytes);
  EXPECT_EQ(Crc32c(all.subspan(2), Crc32c(all.first(2))), Crc32c(all));
}

}  // namespace
}  // namespace yp::spool
