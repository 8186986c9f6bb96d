#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "format/bytes/base64.h"
#include "format/bytes/byte_sink.h"
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

TEST(GzipTest, TakesBytesInParts) {
  std::string bytes(300'000, 'a');
  for (size_t i = 0; i < bytes.size(); i += 3) bytes[i] = static_cast<char>(i * i * 31);
  std::string compressed;
  GzipStream stream([&](std::string_view part) {
    compressed += part;
    return Status::Ok();
  });
  for (size_t at = 0, size = 0; at < bytes.size(); at += size) {
    size = std::min(bytes.size() - at, at + 1);
    ASSERT_TRUE(stream.Write(std::string_view(bytes).substr(at, size)));
  }
  ASSERT_TRUE(stream.Finish());
  EXPECT_EQ(Gunzip(compressed, bytes.size() + 1).value(), bytes);
}

TEST(GzipTest, TheSinksErrorIsTheStreams) {
  GzipStream stream([](std::string_view) { return Status::Error("full"); });
  EXPECT_EQ(stream.Write("a").message(), "full");
}

TEST(ChunkedTextTest, GivesAllInLargePartsUntilOneFails) {
  std::string all;
  size_t parts = 0;
  ChunkedText text([&](std::string_view part) {
    all += part;
    return ++parts < 3 ? Status::Ok() : Status::Error("full");
  });
  const std::string line(100'000, 'x');
  for (int i = 0; i < 20; ++i) text << line;
  EXPECT_EQ(text.Finish().message(), "full");
  EXPECT_EQ(parts, 3u);
  EXPECT_EQ(all.size(), 9 * line.size());
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
