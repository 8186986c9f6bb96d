#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "format/spool/frame.h"
#include "format/spool/spool_test_util.h"

namespace yp::spool {
namespace {

using ::testing::HasSubstr;

struct SmallSpool {
  std::vector<uint8_t> bytes;
  std::vector<size_t>
      frame_ends;  // frame_ends[i]: file size when the first i records were flushed.
};

// A spool with one frame per sample record.
SmallSpool MakeSmallSpool() {
  const TemporaryDirectory directory;
  const std::string path = directory / "small.yp-spool";
  SmallSpool spool;
  auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
  EXPECT_TRUE(writer) << writer.message();
  spool.frame_ends.push_back((*writer)->bytes_written());
  for (const Record& record : SampleRecords()) {
    EXPECT_TRUE(Append(writer->get(), record));
    EXPECT_TRUE((*writer)->Flush());
    spool.frame_ends.push_back((*writer)->bytes_written());
  }
  spool.bytes = FileBytes(path);
  EXPECT_EQ(spool.bytes.size(), spool.frame_ends.back());
  return spool;
}

// What kill -9 in the middle of a write leaves.
TEST(SpoolDamageTest, ASpoolCutOffAtAnyByteGivesEveryRecordBeforeTheCut) {
  const SmallSpool spool = MakeSmallSpool();
  const auto all = Images(SampleRecords());
  for (size_t size = 0; size <= spool.bytes.size(); ++size) {
    SCOPED_TRACE(size);
    auto reader = SpoolReader::FromBytes(
        {spool.bytes.begin(), spool.bytes.begin() + static_cast<ptrdiff_t>(size)}, "cut");
    ASSERT_TRUE(reader) << reader.message();
    const auto images = Images(ReadAll(reader->get()));
    const auto end = std::upper_bound(spool.frame_ends.begin(), spool.frame_ends.end(), size);
    const size_t whole = end == spool.frame_ends.begin()
                             ? 0
                             : static_cast<size_t>(end - spool.frame_ends.begin()) - 1;
    ASSERT_EQ(images.size(), whole);
    EXPECT_TRUE(std::equal(images.begin(), images.end(), all.begin()));
    const bool at_boundary =
        std::binary_search(spool.frame_ends.begin(), spool.frame_ends.end(), size);
    EXPECT_EQ((*reader)->damage().cut_off, !at_boundary);
    if (size > spool.frame_ends[0]) {
      EXPECT_EQ((*reader)->damage().bytes_ignored, size - spool.frame_ends[whole]);
    }
  }
}

TEST(SpoolDamageTest, AChangedByteLosesItsFrameOnly) {
  const SmallSpool spool = MakeSmallSpool();
  const auto all = Images(SampleRecords());
  for (size_t at = spool.frame_ends[0]; at < spool.bytes.size(); ++at) {
    SCOPED_TRACE(at);
    std::vector<uint8_t> bytes = spool.bytes;
    bytes[at] ^= 0x41;
    auto reader = SpoolReader::FromBytes(bytes, "changed");
    ASSERT_TRUE(reader) << reader.message();
    const auto images = Images(ReadAll(reader->get()));
    const size_t hit =
        static_cast<size_t>(std::upper_bound(spool.frame_ends.begin(), spool.frame_ends.end(), at) -
                            spool.frame_ends.begin()) -
        1;
    auto expected = all;
    expected.erase(expected.begin() + static_cast<ptrdiff_t>(hit));
    EXPECT_EQ(images, expected);
    const Damage& damage = (*reader)->damage();
    EXPECT_EQ(damage.bytes_ignored, spool.frame_ends[hit + 1] - spool.frame_ends[hit]);
    EXPECT_EQ(damage.gaps + (damage.cut_off ? 1 : 0), 1u);
  }
}

TEST(SpoolDamageTest, AMarkerWithinAPayloadDoesNotMisleadTheReader) {
  const TemporaryDirectory directory;
  const std::string path = directory / "marker.yp-spool";
  const std::string name(kMarker.begin(), kMarker.end());
  {
    auto writer = SpoolWriter::Open(path, SpoolWriter::Mode::kCreateNew);
    ASSERT_TRUE(writer) << writer.message();
    ASSERT_TRUE((*writer)->Append(ThreadDefinition{ThreadId{1}, name + name + name}));
    ASSERT_TRUE((*writer)->Flush());
    ASSERT_TRUE((*writer)->Append(ThreadDefinition{ThreadId{2}, "second"}));
  }
  std::vector<uint8_t> bytes = FileBytes(path);
  bytes[kFileHeaderBytes + kMarker.size()] ^= 1;  // The first frame's length.
  auto reader = SpoolReader::FromBytes(bytes, "marker");
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<ThreadDefinition>(records[0]).name, "second");
  EXPECT_EQ((*reader)->damage().gaps, 1u);
}

TEST(SpoolDamageTest, ALongStretchOfGarbageIsSkippedInAFileToo) {
  const TemporaryDirectory directory;
  const std::string path = directory / "garbage.yp-spool";
  const SmallSpool spool = MakeSmallSpool();
  constexpr size_t kGarbageBytes = 3'000'001;
  {
    std::ofstream out(path, std::ios::binary);
    const auto put = [&out, &spool](size_t from, size_t to) {
      out.write(reinterpret_cast<const char*>(spool.bytes.data()) + from,
                static_cast<std::streamsize>(to - from));
    };
    put(0, spool.frame_ends[1]);
    // Half of a marker again and again: the search must not stop at the beginnings.
    for (size_t i = 0; i < kGarbageBytes; ++i) out.put(static_cast<char>(kMarker[i % 2]));
    put(spool.frame_ends[1], spool.bytes.size());
  }
  auto reader = SpoolReader::Open(path);
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(Images(ReadAll(reader->get())), Images(SampleRecords()));
  EXPECT_EQ((*reader)->damage().bytes_ignored, kGarbageBytes);
  EXPECT_EQ((*reader)->damage().Describe(), "damaged in 1 place, 3000001 bytes ignored");
}

TEST(SpoolDamageTest, DescribesACutInOneLine) {
  const SmallSpool spool = MakeSmallSpool();
  const size_t size = spool.frame_ends[3] + 5;
  auto reader = SpoolReader::FromBytes(
      {spool.bytes.begin(), spool.bytes.begin() + static_cast<ptrdiff_t>(size)}, "cut");
  ASSERT_TRUE(reader) << reader.message();
  ReadAll(reader->get());
  EXPECT_EQ((*reader)->damage().Describe(), "cut off after frame 3, 5 bytes ignored");
}

TEST(SpoolDamageTest, AMalformedRecordInAGoodFrameIsCounted) {
  std::vector<uint8_t> payload;
  Encoder out(&payload);
  out.Unsigned(static_cast<uint64_t>(End::kType));
  out.String("\x02");  // One of two fields.
  out.Unsigned(99);    // A type of the future.
  out.String("whatever");
  std::vector<uint8_t> body;
  Encoder body_out(&body);
  EncodeBody(End{7, 8}, &body_out);
  out.Unsigned(static_cast<uint64_t>(End::kType));
  out.String(std::string(body.begin(), body.end()));

  std::vector<uint8_t> bytes(kFileHeaderBytes + kFrameHeaderBytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  PutFileHeader(bytes.data());
  PutFrameHeader(payload.size(), bytes.data() + kFileHeaderBytes);

  auto reader = SpoolReader::FromBytes(bytes, "future");
  ASSERT_TRUE(reader) << reader.message();
  const std::vector<Record> records = ReadAll(reader->get());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(std::get<End>(records[0]).end_ns, 7);
  EXPECT_EQ((*reader)->damage().records_ignored, 2u);
}

TEST(SpoolDamageTest, AnotherKindOfFileIsRefusedByName) {
  const std::string text = "PK\x03\x04 this is a jar";
  const auto reader = SpoolReader::FromBytes({text.begin(), text.end()}, "app.jar");
  ASSERT_FALSE(reader);
  EXPECT_THAT(std::string(reader.message()), HasSubstr("app.jar is not a Yieldpoint spool"));
}

TEST(SpoolDamageTest, ASpoolOfALaterVersionIsRefused) {
  std::vector<uint8_t> bytes = MakeSmallSpool().bytes;
  bytes[kMagic.size()] = 77;
  const auto reader = SpoolReader::FromBytes(bytes, "new.yp-spool");
  ASSERT_FALSE(reader);
  EXPECT_THAT(std::string(reader.message()), HasSubstr("version 77"));
}

TEST(SpoolDamageTest, AMissingFileIsAClearError) {
  const auto reader = SpoolReader::Open("/nonexistent/a.yp-spool");
  ASSERT_FALSE(reader);
  EXPECT_THAT(std::string(reader.message()), HasSubstr("no such file or directory"));
}

TEST(SpoolDamageTest, ADirectoryIsAClearError) {
  const TemporaryDirectory directory;
  const auto reader = SpoolReader::Open(directory.path().string());
  ASSERT_FALSE(reader);
  EXPECT_THAT(std::string(reader.message()), HasSubstr("it is a directory"));
}

}  // namespace
}  // namespace yp::spool
