#include "format/jfr/jfr_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "format/jfr/jfr_test_util.h"

namespace yp::jfr {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum AnyTypeId : int64_t {
  kSymbol = kFirstTypeOfATest,
  kPoint,
  kAll,
  kOther,
};

std::vector<TestType> AnyTypes() {
  return {
      {kBoolean, "boolean", {}},
      {kByte, "byte", {}},
      {kChar, "char", {}},
      {kShort, "short", {}},
      {kInt, "int", {}},
      {kLong, "long", {}},
      {kFloat, "float", {}},
      {kDouble, "double", {}},
      {kString, "java.lang.String", {}},
      {kSymbol, "jdk.types.Symbol", {{"string", kString}}, true},
      {kPoint, "test.Point", {{"x", kInt}, {"y", kInt}}},
      {kClass, "java.lang.Class", {{"name", kSymbol, true}, {"super", kClass, true}}},
      {kAll,
       "test.All",
       {{"startTime", kLong},
        {"duration", kLong},
        {"z", kBoolean},
        {"b", kByte},
        {"c", kChar},
        {"h", kShort},
        {"i", kInt},
        {"f", kFloat},
        {"d", kDouble},
        {"s", kString},
        {"nested", kPoint},
        {"points", kPoint, false, "1"},
        {"type", kClass, true},
        {"types", kClass, true, "1"},
        {"last", kInt, false, "0"}}},
      {kOther, "test.Other", {{"startTime", kLong}}},
  };
}

Bytes AllBody(int64_t start, const Bytes& text) {
  Bytes body;
  body.Varint(start).Varint(500);
  body.Byte(1).Byte(0xfe).Varint(0xffff).Varint(0xffff).Varint(0xffffffff);
  body.BigEndian(std::bit_cast<uint32_t>(1.5f), 4).BigEndian(std::bit_cast<uint64_t>(-2.25), 8);
  body.Add(text).Varint(7).Varint(8);
  body.Varint(2).Varint(1).Varint(2).Varint(3).Varint(4);
  body.Varint(21).Varint(2).Varint(22).Varint(21);
  return body.Varint(42);
}

TestPool Symbols() {
  return {kSymbol, {{11, Bytes().Utf8("app/Main")}, {12, Bytes().PoolString(5)}}};
}

TestPool Classes() {
  return {kClass, {{21, Bytes().Varint(11).Varint(22)}, {22, Bytes().Varint(12).Varint(0)}}};
}

TestPool Strings() {
  return {kString, {{5, Bytes().Utf8("app/Base")}, {6, Bytes().PoolString(6)}}};
}

std::vector<uint8_t> Whole() {
  return ChunkBuilder()
      .Event(kAll, AllBody(1000, Bytes().Utf8("text")))
      .Checkpoint({Symbols(), Strings()})
      .Event(kOther, Bytes().Varint(1))
      .Event(77, Bytes().Byte(1))
      .Checkpoint({Classes()})
      .Metadata(AnyTypes())
      .Build();
}

const std::array<std::string_view, 2> kWanted = {"test.All", "test.Unknown"};

Result<FileInfo> ReadWanted(
    const std::vector<uint8_t>& bytes,
    const std::function<void(const Event&)>& handler = [](const Event&) {}) {
  return ReadBytes(bytes, "a.jfr", kWanted, handler);
}

std::string ErrorOf(const std::vector<uint8_t>& bytes) {
  const auto info = ReadWanted(bytes);
  return info ? "none" : std::string(info.message());
}

TEST(JfrFileTest, GivesValuesOfEveryKindByName) {
  int events = 0;
  const auto info = ReadWanted(Whole(), [&](const Event& event) {
    ++events;
    EXPECT_EQ(event.wanted_index(), 0u);
    EXPECT_EQ(event.chunk(), 0);
    EXPECT_EQ(event.start_ns(), 0);
    EXPECT_EQ(event.end_ns(), 500);
    EXPECT_EQ(event["z"].Integer(), 1);
    EXPECT_EQ(event["b"].Integer(), -2);
    EXPECT_EQ(event["c"].Integer(), 65535);
    EXPECT_EQ(event["h"].Integer(), -1);
    EXPECT_EQ(event["i"].Integer(), -1);
    EXPECT_EQ(event["f"].Real(), 1.5);
    EXPECT_EQ(event["d"].Real(), -2.25);
    EXPECT_EQ(event["s"].Text(), "text");
    EXPECT_EQ(event["nested.y"].Integer(), 8);
    EXPECT_EQ(event["nested"]["x"].Integer(), 7);
    ASSERT_EQ(event["points"].Elements().size(), 2u);
    EXPECT_EQ(event["points"].Elements()[1]["x"].Integer(), 3);
    EXPECT_EQ(event["type"].constant_key(), 21);
    EXPECT_EQ(event["type.name"].Text(), "app/Main");
    EXPECT_EQ(event["type.super.name"].Text(), "app/Base") << "through the pool of strings";
    ASSERT_EQ(event["types"].Elements().size(), 2u);
    EXPECT_EQ(event["types"].Elements()[0]["name"].Text(), "app/Base");
    EXPECT_EQ(event["last"].Integer(), 42);
    EXPECT_EQ(event.TypeName(kOther), "test.Other");
    EXPECT_EQ(event.TypeName(99), "");
  });
  ASSERT_TRUE(info) << info.message();
  EXPECT_EQ(events, 1);
  EXPECT_EQ(info->events, 3u);
  EXPECT_EQ(info->chunks, 1);
  EXPECT_EQ(info->start_unix_ns, 1'700'000'000'000'000'000);
  EXPECT_THAT(info->is_known, ElementsAre(true, false));
  EXPECT_FALSE(info->cut_off);
}

TEST(JfrFileTest, WhatIsNotThereIsAbsent) {
  const auto info = ReadWanted(Whole(), [](const Event& event) {
    for (const char* path : {"nothing", "i.x", "nested.z", "points.x", "type.super.super",
                             "type.super.super.name", "", ".", "nested."}) {
      const Value value = event[path];
      EXPECT_FALSE(value.Integer() || value.Real() || value.Text()) << path;
      EXPECT_TRUE(value.Elements().empty()) << path;
    }
    EXPECT_FALSE(event["i"].Text() || event["i"].Real() || event["s"].Integer());
    EXPECT_FALSE(event["nested"].Text() || event["i"].constant_key());
    EXPECT_FALSE(event["nothing"].present());
  });
  EXPECT_TRUE(info) << info.message();
}

TEST(JfrFileTest, StringsInAPoolDoNotLeadInCircles) {
  std::vector<std::optional<std::string>> texts;
  ChunkBuilder builder;
  for (const int64_t key : {5, 6, 7}) builder.Event(kAll, AllBody(1000, Bytes().PoolString(key)));
  const auto bytes = builder.Checkpoint({Strings()}).Metadata(AnyTypes()).Build();
  ASSERT_TRUE(ReadWanted(bytes, [&](const Event& event) { texts.push_back(event["s"].Text()); }));
  EXPECT_THAT(texts, ElementsAre("app/Base", std::nullopt, std::nullopt));
}

TEST(JfrFileTest, TheLatestOfTwoConstantsCounts) {
  const auto bytes = ChunkBuilder()
                         .Event(kAll, AllBody(1000, Bytes().PoolString(1)))
                         .Checkpoint({{kString, {{1, Bytes().Utf8("old")}}}})
                         .Checkpoint({})
                         .Checkpoint({{kString, {{1, Bytes().Utf8("new")}}}})
                         .Metadata(AnyTypes())
                         .Build();
  std::string text;
  ASSERT_TRUE(
      ReadWanted(bytes, [&](const Event& event) { text = event["s"].Text().value_or(""); }));
  EXPECT_EQ(text, "new");
}

TEST(JfrFileTest, TimesGoOnWhenTheWallClockJumps) {
  std::vector<uint8_t> file;
  for (const int64_t start : {1000, 5000}) {
    ChunkBuilder builder;
    builder.ticks_per_second = 2'000'000'000;
    builder.start_ticks = static_cast<uint64_t>(start);
    if (start == 5000) builder.start_unix_ns = 1'600'000'000'000'000'000;
    const auto chunk = builder.Event(kAll, AllBody(start + 200, Bytes().PoolString(5)))
                           .Checkpoint({{kString, {{5, Bytes().Utf8(std::to_string(start))}}}})
                           .Metadata(AnyTypes())
                           .Build();
    file.insert(file.end(), chunk.begin(), chunk.end());
  }
  std::vector<int64_t> starts, ends, chunks;
  std::vector<std::string> texts;
  const auto info = ReadWanted(file, [&](const Event& event) {
    starts.push_back(event.start_ns());
    ends.push_back(event.end_ns());
    chunks.push_back(event.chunk());
    texts.push_back(event["s"].Text().value_or(""));
  });
  ASSERT_TRUE(info) << info.message();
  EXPECT_THAT(starts, ElementsAre(100, 2100));
  EXPECT_THAT(ends, ElementsAre(350, 2350));
  EXPECT_THAT(chunks, ElementsAre(0, 1));
  EXPECT_THAT(texts, ElementsAre("1000", "5000")) << "constants are a chunk's own";
  EXPECT_EQ(info->start_unix_ns, 1'700'000'000'000'000'000);
}

TEST(JfrFileTest, TicksBecomeNanosecondsWithoutOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(TicksToNs(1, 3'000'000'000), 0);
  EXPECT_EQ(TicksToNs(-1, 3'000'000'000), -1);
  EXPECT_EQ(TicksToNs(3, 1'000'000), 3000);
  EXPECT_EQ(TicksToNs(kMax, 1'000'000'000), kMax);
  EXPECT_EQ(TicksToNs(kMax, kMax), 1'000'000'000);
  EXPECT_EQ(TicksToNs(kMax, 1), kMax);
  EXPECT_EQ(TicksToNs(-kMax - 1, 1), -kMax - 1);
  EXPECT_EQ(TicksToNs(kMax, 2'000'000'000), kMax / 2);
}

TEST(JfrFileTest, CutAnywhereItEndsAndGivesNoMoreThanTheWhole) {
  const std::vector<uint8_t> whole = Whole();
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto info =
        ReadWanted({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_EQ(info.ok(), size > 0);
    EXPECT_TRUE(!info || info->cut_off) << size;
  }
  std::vector<uint8_t> twice = whole;
  twice.insert(twice.end(), whole.begin(), whole.end());
  for (size_t size = whole.size() + 1; size < twice.size(); ++size) {
    int events = 0;
    const auto info = ReadWanted({twice.begin(), twice.begin() + static_cast<std::ptrdiff_t>(size)},
                                 [&](const Event&) { ++events; });
    ASSERT_TRUE(info) << info.message();
    EXPECT_TRUE(info->cut_off);
    EXPECT_GE(info->cut_off_at, whole.size());
    EXPECT_EQ(events, 1);
  }
}

TEST(JfrFileTest, AnUnfinishedChunkGivesWhatWasWrittenUpToTheLastFlush) {
  ChunkBuilder builder;
  builder.state = 3;
  builder.Metadata(AnyTypes()).Event(kAll, AllBody(1000, Bytes().PoolString(5)));
  builder.Checkpoint({Strings()});
  const size_t flushed = builder.Position();
  builder.Event(kAll, AllBody(1000, Bytes().PoolString(8)));
  const auto read = [](const std::vector<uint8_t>& bytes, uint64_t cut_off_at) {
    std::vector<std::string> texts;
    const auto info = ReadWanted(
        bytes, [&](const Event& event) { texts.push_back(event["s"].Text().value_or("null")); });
    ASSERT_TRUE(info) << info.message();
    EXPECT_THAT(texts, ElementsAre("app/Base"));
    EXPECT_TRUE(info->cut_off);
    EXPECT_EQ(info->cut_off_at, cut_off_at);
  };
  builder.size = flushed;
  read(builder.Build(), flushed);
  // The header does not tell, or tells of more than there is.
  builder.size = 1 << 20;
  read(builder.Build(), flushed);
  builder.size = flushed;
  builder.metadata = flushed + 5;
  read(builder.Build(), flushed);
  builder.state = 0;
  builder.size = std::numeric_limits<uint64_t>::max();
  read(builder.Build(), flushed);
}

TEST(JfrFileTest, AChunkAfterAnUnfinishedOneIsReadWhereFilesWereJoined) {
  ChunkBuilder builder;
  builder.state = 1;
  auto file = builder.Checkpoint({}).Metadata(AnyTypes()).Build();
  const auto whole = Whole();
  file.insert(file.end(), whole.begin(), whole.end());
  int events = 0;
  const auto info = ReadWanted(file, [&](const Event&) { ++events; });
  ASSERT_TRUE(info);
  EXPECT_EQ(events, 1);
  EXPECT_TRUE(info->cut_off);
}

TEST(JfrFileTest, AHeaderThatIsNotYetFilledInGivesNothing) {
  std::vector<uint8_t> bytes(500);
  std::ranges::copy(std::string_view("FLR\0\0\2\0\0", 8), bytes.begin());
  const auto info = ReadWanted(bytes);
  ASSERT_TRUE(info) << info.message();
  EXPECT_TRUE(info->cut_off);
  EXPECT_EQ(info->chunks, 0);
}

TEST(JfrFileTest, ErrorsSayWhatIsMalformedAndWhere) {
  const auto text = [](std::string_view of) { return std::vector<uint8_t>(of.begin(), of.end()); };
  EXPECT_THAT(ErrorOf({}), HasSubstr("a.jfr is not a JFR recording but empty"));
  EXPECT_THAT(ErrorOf(text("not a recording")), HasSubstr("is not a JFR recording; give"));
  std::vector<uint8_t> followed = Whole();
  followed.resize(followed.size() + 100);
  EXPECT_THAT(ErrorOf(followed), HasSubstr("no chunk at byte " + std::to_string(Whole().size())));

  const auto with = [](const std::function<void(ChunkBuilder&)>& change) {
    ChunkBuilder builder;
    builder.Event(kAll, AllBody(1000, Bytes().Byte(0))).Checkpoint({}).Metadata(AnyTypes());
    change(builder);
    return ErrorOf(builder.Build());
  };
  EXPECT_EQ(with([](ChunkBuilder&) {}), "none");
  EXPECT_THAT(with([](ChunkBuilder& b) { b.major = 1; }), HasSubstr("format 1.1 at byte 0"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.features = 0; }), HasSubstr("without compression"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.ticks_per_second = 0; }), HasSubstr("at byte 56"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.size = 10; }), HasSubstr("header cannot be"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.metadata = 3; }), HasSubstr("header cannot be"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.metadata = 68; }), HasSubstr("should be the metadata"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.checkpoint = 68; }),
              HasSubstr("should be a checkpoint"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.Checkpoint({}, -1'000'000); }),
              HasSubstr("previous one cannot be"));
  EXPECT_THAT(with([](ChunkBuilder& b) {
                b.Raw(Bytes().Byte(6).Byte(1).Byte(0).Byte(0).Varint(1).Byte(0));
                b.checkpoint = b.Position() - 6;
              }),
              HasSubstr("previous one cannot be"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.Raw(Bytes().Byte(0).Byte(9)); }),
              HasSubstr("whose size"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.Raw(Bytes().Varint(1 << 30).Byte(99)); }),
              HasSubstr("whose size cannot be"));
  EXPECT_THAT(with([](ChunkBuilder& b) { b.Event(kAll, Bytes().Varint(1)); }),
              HasSubstr("beyond its place"));
  EXPECT_THAT(with([](ChunkBuilder& b) {
                b.Checkpoint({{55, {}}});
              }),
              HasSubstr("constants of a type that the metadata does not have"));
  EXPECT_THAT(with([](ChunkBuilder& b) {
                b.Checkpoint({{kString, {{1, Bytes()}}}});
              }),
              HasSubstr("beyond its place"));
}

TEST(JfrFileTest, AnyChangedByteEnds) {
  const std::vector<uint8_t> whole = Whole();
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7f', '\x80', '\xff'}) {
      std::vector<uint8_t> changed = whole;
      changed[i] = static_cast<uint8_t>(value);
      (void)ReadWanted(changed, [](const Event& event) {
        (void)event["type.super.name"].Text();
        (void)event["types"].Elements();
      }).ok();
    }
  }
}

TEST(JfrFileTest, AFileThatCannotBeReadIsAnError) {
  const auto missing = ReadFile("testdata/missing.jfr", kWanted, [](const Event&) {});
  ASSERT_FALSE(missing);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("cannot read testdata/missing.jfr: "));
  EXPECT_FALSE(ReadFile("testdata", kWanted, [](const Event&) {}));
  EXPECT_FALSE(ReadFile("/dev/null", kWanted, [](const Event&) {}));
}

}  // namespace
}  // namespace yp::jfr
