#include "format/jfr/cursor.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "format/jfr/jfr_test_util.h"

namespace yp::jfr {
namespace {

Cursor Over(const Bytes& bytes) { return Cursor(bytes.bytes(), 0, bytes.size()); }

TEST(CursorTest, ReadsVarintsOfAllLengths) {
  for (int length = 1; length <= 9; ++length) {
    // The smallest and the largest of that length.
    const uint64_t smallest = length == 1 ? 0 : uint64_t{1} << (7 * (length - 1));
    const uint64_t largest = length == 9 ? ~uint64_t{0} : (uint64_t{1} << (7 * length)) - 1;
    for (const uint64_t value : {smallest, largest}) {
      Bytes bytes;
      bytes.Varint(static_cast<int64_t>(value));
      EXPECT_EQ(bytes.size(), static_cast<size_t>(length));
      Cursor in = Over(bytes), skipped = Over(bytes);
      EXPECT_EQ(in.Varint(), static_cast<int64_t>(value));
      skipped.SkipVarint();
      EXPECT_TRUE(in.ok() && skipped.ok());
      EXPECT_EQ(in.left(), 0u);
      EXPECT_EQ(skipped.left(), 0u);
    }
  }
}

TEST(CursorTest, ReadsEachEncodingOfAString) {
  const auto text_of = [](const Bytes& bytes) {
    Cursor in = Over(bytes), skipped = Over(bytes);
    const StoredString text = in.String();
    skipped.SkipString();
    EXPECT_TRUE(in.ok() && skipped.ok());
    EXPECT_EQ(in.left(), 0u);
    EXPECT_EQ(skipped.left(), 0u);
    return text;
  };
  const StoredString null = text_of(Bytes().Byte(0));
  EXPECT_FALSE(null.text || null.pool_key);
  EXPECT_EQ(text_of(Bytes().Byte(1)).text, "");
  EXPECT_EQ(text_of(Bytes().PoolString(300)).pool_key, 300);
  EXPECT_EQ(text_of(Bytes().Utf8("Größe")).text, "Größe");
  EXPECT_EQ(
      text_of(Bytes().Byte(4).Varint(4).Varint('a').Varint(0xdf).Varint(0xd83d).Varint(0xde00))
          .text,
      "aß\U0001f600");
  EXPECT_EQ(text_of(Bytes().Byte(5).Varint(2).Byte('a').Byte(0xdf)).text, "aß");
}

TEST(CursorTest, MakesUtf8OfModifiedUtf8AndOfMalformedBytes) {
  const auto text_of = [](std::string_view stored) {
    const Bytes bytes = Bytes().Utf8(stored);
    return Over(bytes).String().text.value_or("(null)");
  };
  EXPECT_EQ(text_of("\xed\xa0\xbd\xed\xb8\x80"), "\U0001f600") << "two surrogates of three bytes";
  EXPECT_EQ(text_of("\xf0\x9f\x98\x80"), "\U0001f600");
  EXPECT_EQ(text_of(std::string("\xc0\x80", 2)), std::string(1, '\0'));
  EXPECT_EQ(text_of("\xed\xa0\xbd!"), "\ufffd!") << "half a pair";
  EXPECT_EQ(text_of("a\xff\xc3"), "a\ufffd\ufffd");
}

TEST(CursorTest, FailsOnceAndForGood) {
  const std::initializer_list<Bytes> malformed = {
      Bytes(),
      Bytes().Byte(6),
      Bytes().Byte(3).Varint(5).Byte('a'),
      Bytes().Byte(4).Varint(std::numeric_limits<int32_t>::max()),
      Bytes().Byte(5).Varint(-1),
      Bytes().Byte(2).Byte(0x80),
  };
  for (const Bytes& bytes : malformed) {
    Cursor in = Over(bytes), skipped = Over(bytes);
    (void)in.String();
    skipped.SkipString();
    EXPECT_FALSE(in.ok());
    EXPECT_FALSE(skipped.ok());
    const std::string problem = in.problem();
    EXPECT_EQ(in.Byte(), 0);
    EXPECT_EQ(in.Varint(), 0);
    EXPECT_EQ(in.BigEndian(8), 0u);
    EXPECT_EQ(in.Count(), 0u);
    EXPECT_EQ(in.problem(), problem);
  }
}

}  // namespace
}  // namespace yp::jfr
