#include "hotspot/vmstructs/profile_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hotspot/vmstructs/method_data_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;

const int class_a = 0, class_b = 0;

class ProfileRecordsTest : public ::testing::TestWithParam<int> {
 protected:
  ProfileRecordsTest() {
    FakeMethodData::AddTables(tables_);
    const Result<ProfileLayout> layout = ProfileLayout::Create(*tables_.Read());
    EXPECT_TRUE(layout.ok()) << layout.message();
    if (layout) layout_ = *layout;
    layout_.cells_before_rows = GetParam() <= 17 ? 1 : 0;
  }

  bool Read(std::span<const uint64_t> words) {
    return ReadRecords(words, layout_, kCodeSize, profile_);
  }

  static constexpr int32_t kCodeSize = 1000;
  LayoutTables tables_;
  ProfileLayout layout_;
  FakeMethodData data_{GetParam()};
  MethodProfile profile_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, ProfileRecordsTest, ::testing::Values(17, 25),
                         [](const auto& jdk) { return "Jdk" + std::to_string(jdk.param); });

TEST_P(ProfileRecordsTest, TellsTheCallsAmongAllRecords) {
  data_.Add(FakeMethodData::kBit, 0, {});
  data_.AddCall(1, 70);
  data_.Add(FakeMethodData::kJump, 4, {1, 2});
  data_.Add(FakeMethodData::kBranch, 7, {1, 2, 3});
  data_.AddVirtualCall(10, 0, {{&class_a, 50}, {&class_b, 20}});
  data_.AddSwitch(13, 4);
  data_.Add(FakeMethodData::kRet, 40, {1, 2, 3, 4, 5, 6, 7});
  data_.AddCall(42, 9, 5);
  data_.AddVirtualCall(45, 8, {{&class_a, 1}}, 3);
  std::vector<uint64_t> cast(static_cast<size_t>(GetParam() <= 17 ? 6 : 5), ~uint64_t{0});
  data_.Add(FakeMethodData::kReceiverType, 50, cast);
  data_.AddCall(999, 0);
  ASSERT_TRUE(Read(data_.records()));

  ASSERT_EQ(profile_.sites.size(), 5U);
  EXPECT_EQ(profile_.sites[0].bci, 1);
  EXPECT_EQ(profile_.sites[0].calls, 70);
  EXPECT_FALSE(profile_.sites[0].is_virtual);
  EXPECT_TRUE(profile_.ReceiversOf(profile_.sites[0]).empty());
  EXPECT_EQ(profile_.sites[1].bci, 10);
  EXPECT_EQ(profile_.sites[1].calls, 70);
  EXPECT_TRUE(profile_.sites[1].is_virtual);
  const auto both = profile_.ReceiversOf(profile_.sites[1]);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].klass, &class_a);
  EXPECT_EQ(both[0].calls, 50);
  EXPECT_EQ(both[1].klass, &class_b);
  EXPECT_EQ(both[1].calls, 20);
  EXPECT_EQ(profile_.sites[2].bci, 42);
  EXPECT_EQ(profile_.sites[2].calls, 9);
  EXPECT_EQ(profile_.sites[3].bci, 45);
  EXPECT_EQ(profile_.sites[3].calls, 9) << "with those that found no row";
  ASSERT_EQ(profile_.ReceiversOf(profile_.sites[3]).size(), 1U);
  EXPECT_EQ(profile_.sites[4].bci, 999);
}

TEST_P(ProfileRecordsTest, AMethodMayHaveNoRecords) {
  profile_.sites.resize(3);
  EXPECT_TRUE(Read({}));
  EXPECT_TRUE(profile_.sites.empty());
}

TEST_P(ProfileRecordsTest, ARowInTheMiddleMayBeFree) {
  data_.AddVirtualCall(10, 3, {{nullptr, 0}, {&class_b, 20}});
  ASSERT_TRUE(Read(data_.records()));
  ASSERT_EQ(profile_.ReceiversOf(profile_.sites[0]).size(), 1U);
  EXPECT_EQ(profile_.receivers[0].klass, &class_b);
  EXPECT_EQ(profile_.sites[0].calls, 23);
}

TEST_P(ProfileRecordsTest, CountsBelowZeroAreNone) {
  data_.AddCall(1, ~uint64_t{0});
  ASSERT_TRUE(Read(data_.records()));
  EXPECT_EQ(profile_.sites[0].calls, 0);
}

TEST_P(ProfileRecordsTest, RecordsThatAreCutOffAreNone) {
  data_.AddCall(1, 70);
  data_.AddVirtualCall(4, 0, {{&class_a, 50}});
  data_.AddSwitch(13, 4);
  data_.AddCall(42, 9, 5);
  data_.AddVirtualCall(45, 8, {{&class_a, 1}}, 3);
  const std::vector<uint64_t> words = data_.records();
  size_t whole = 0;
  for (size_t size = 0; size <= words.size(); ++size) whole += Read(std::span(words).first(size));
  EXPECT_EQ(whole, 6U) << "nothing, and behind each record";
}

TEST_P(ProfileRecordsTest, BcisAscendWithinTheCode) {
  data_.AddCall(5, 1);
  data_.AddCall(5, 1);
  EXPECT_FALSE(Read(data_.records())) << "the same again";
  FakeMethodData back(GetParam());
  back.AddCall(5, 1);
  back.Add(FakeMethodData::kBit, 4, {});
  EXPECT_FALSE(Read(back.records()));
  FakeMethodData behind(GetParam());
  behind.AddCall(kCodeSize, 1);
  EXPECT_FALSE(Read(behind.records()));
}

TEST_P(ProfileRecordsTest, RecordsOfOtherKindsAreNone) {
  for (const uint8_t tag :
       {uint8_t{0}, uint8_t{FakeMethodData::kArgInfo}, uint8_t{FakeMethodData::kParametersType},
        uint8_t{FakeMethodData::kSpeculativeTrap}, uint8_t{14}, uint8_t{32}, uint8_t{255}}) {
    FakeMethodData data(GetParam());
    data.Add(tag, 1, {0});
    EXPECT_FALSE(Read(data.records())) << int{tag};
  }
}

TEST_P(ProfileRecordsTest, RandomWordsDoNoHarm) {
  std::mt19937_64 random(1);
  size_t read = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::vector<uint64_t> words(random() % 24);
    for (uint64_t& word : words) {
      // Often what might be a header or a small number.
      const uint64_t any = random();
      word = any % 4 == 0   ? any
             : any % 4 == 1 ? any % 16
                            : (any >> 8) % 13 | (any >> 32) % 900 << 16;
    }
    read += Read(words) ? 1 : 0;
    for (const MethodProfile::CallSite& site : profile_.sites) {
      ASSERT_LT(site.bci, kCodeSize);
      ASSERT_LE(site.first_receiver + site.receiver_count, profile_.receivers.size());
    }
  }
  EXPECT_GT(read, 200U) << "not all are refused at their first word";
}

TEST(ProfileLayout, SaysWhatTheTablesLack) {
  LayoutTables tables;
  FakeMethodData::AddTables(tables);
  tables.RemoveField("DataLayout", "_cells[0]");
  EXPECT_THAT(std::string(ProfileLayout::Create(*tables.Read()).message()),
              HasSubstr("lack DataLayout::_cells[0]"));
  LayoutTables flagless;
  FakeMethodData::AddTables(flagless);
  flagless.RemoveField("JVMFlag", "flags");
  EXPECT_THAT(std::string(ProfileLayout::Create(*flagless.Read()).message()),
              HasSubstr("TypeProfileWidth"));
}

TEST(ProfileLayout, RefusesWhatItDoesNotKnow) {
  LayoutTables tables;
  FakeMethodData::AddTables(tables);
  tables.RemoveField("DataLayout", "_cells[0]");
  tables.AddField("DataLayout", "_cells[0]", 16);
  EXPECT_FALSE(ProfileLayout::Create(*tables.Read()).ok());
}

}  // namespace
}  // namespace yp::hotspot
