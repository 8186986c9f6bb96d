#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "format/bytes/base64.h"
#include "format/bytes/gzip.h"
#include "format/bytes/write_file.h"
#include "format/spool/spool_test_util.h"

namespace yp {
namespace {

// RFC 4648, section 10.
TEST(Base64Test, IsThatOfTheStandard) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("\xff\xfe\xfd\xfb\xf0"), "//79+/A=");
}

TEST(GzipTest, ComesBackAsItWas) {
  std::string bytes(100'000, 'a');
  for (size_t i = 0; i < bytes.size(); i += 7) bytes[i] = static_cast<char>(i * i);
  for (const std::string& each : {std::string(), std::string("x"), bytes}) {
    const Result<std::string> compressed = Gzip(each);
    ASSERT_TRUE(compressed) << compressed.message();
    EXPECT_EQ(Gunzip(*compressed, each.size() + 1).value(), each);
  }
}

TEST(GzipTest, WhatIsDamagedOrTooLargeIsAnError) {
  const std::string compressed = Gzip(std::string(1000, 'a')).value();
  EXPECT_FALSE(Gunzip(compressed, 999));
  EXPECT_FALSE(Gunzip(compressed.substr(0, compressed.size() / 2), 2000));
  EXPECT_FALSE(Gunzip("no gzip", 2000));
}

TEST(WriteFileTest, TheFileHasTheBytesOrTheErrorSaysWhat) {
  const spool::TemporaryDirectory directory;
  const std::string path = directory / "a.html";
  ASSERT_TRUE(WriteFile("longer than the next", path, "the page"));
  ASSERT_TRUE(WriteFile("bytes", path, "the page"));
  std::ifstream in(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "bytes");
  const Status failed = WriteFile("bytes", directory / "no/a.html", "the page");
  EXPECT_EQ(failed.message().substr(0, 22), "cannot write the page ");
}

}  // namespace
}  // namespace yp
