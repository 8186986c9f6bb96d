#include "hotspot/vmstructs/method_data_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hotspot/vmstructs/method_data_for_test.h"
#include "hotspot/vmstructs/methods_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;

// Methods with profiles, some of them with calls of the kind that tells layouts apart.
class MethodDataReaderTest : public ::testing::TestWithParam<int> {
 protected:
  MethodDataReaderTest() {
    FakeMethod::AddTables(tables_, GetParam());
    FakeMethodData::AddTables(tables_);
    Result<MethodDataReader> created = MethodDataReader::Create(*tables_.Read(), blocks_);
    EXPECT_TRUE(created.ok()) << created.message();
    if (created) reader_.emplace(*std::move(created));
  }

  // Reads what is there now.
  MethodDataReader& Fresh() {
    blocks_.Forget();
    return *reader_;
  }
  void Add(bool has_virtual_call) {
    auto& method = methods_.emplace_back(std::make_unique<FakeMethod>());
    auto& data = data_.emplace_back(std::make_unique<FakeMethodData>(GetParam()));
    data->SetCounts(100, 7);
    data->AddCall(3, 90);
    if (has_virtual_call) data->AddVirtualCall(10, 5, {{&some_class, 60}});
    data->SetOf(*method);
    method->SetInterpreted(17);
    addresses_.push_back(method->method());
  }
  void AddEnough() {
    for (size_t i = 0; i < MethodDataReader::kMinVoters; ++i) Add(true);
  }

  LayoutTables tables_;
  GuardedMemory memory_ = *GuardedMemory::Create();
  GuardedBlocks blocks_{memory_};
  std::optional<MethodDataReader> reader_;
  std::vector<std::unique_ptr<FakeMethod>> methods_;
  std::vector<std::unique_ptr<FakeMethodData>> data_;
  std::vector<const void*> addresses_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, MethodDataReaderTest, ::testing::Values(17, 25),
                         [](const auto& jdk) { return "Jdk" + std::to_string(jdk.param); });

TEST_P(MethodDataReaderTest, ReadsAProfile) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  const std::optional<MethodProfile> profile = Fresh().Read(addresses_[0]);
  ASSERT_TRUE(profile.has_value());
  EXPECT_EQ(profile->invocations, 100);
  EXPECT_EQ(profile->backedges, 7);
  EXPECT_EQ(profile->interpreted, 17);
  ASSERT_EQ(profile->sites.size(), 2U);
  EXPECT_EQ(profile->sites[0].calls, 90);
  EXPECT_EQ(profile->sites[1].calls, 65);
  ASSERT_EQ(profile->ReceiversOf(profile->sites[1]).size(), 1U);
  EXPECT_EQ(profile->receivers[0].klass, &some_class);
  EXPECT_EQ(profile->receivers[0].calls, 60);
}

TEST_P(MethodDataReaderTest, ReadsManyAtOnce) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  for (int i = 0; i < 1000; ++i) Add(i % 2 == 0);
  methods_[500]->SetData(nullptr);
  addresses_[600] = nullptr;
  const std::vector<std::optional<MethodProfile>> profiles = Fresh().ReadAll(addresses_);
  ASSERT_EQ(profiles.size(), addresses_.size());
  for (size_t i = 0; i < profiles.size(); ++i) {
    ASSERT_EQ(profiles[i].has_value(), i != 500 && i != 600) << i;
    if (profiles[i]) {
      ASSERT_EQ(profiles[i]->sites.size(),
                i < MethodDataReader::kMinVoters || i % 2 == 0 ? 2U : 1U);
    }
  }
  EXPECT_TRUE(Fresh().ReadAll({}).empty());
}

TEST_P(MethodDataReaderTest, GivesNothingBeforeTheVote) {
  AddEnough();
  EXPECT_FALSE(Fresh().has_layout());
  EXPECT_FALSE(Fresh().Read(addresses_[0]).has_value());
}

TEST_P(MethodDataReaderTest, ProfilesThatFitEveryLayoutDecideNothing) {
  for (int i = 0; i < 100; ++i) Add(false);
  EXPECT_THAT(std::string(Fresh().ChooseLayout(addresses_).message()),
              HasSubstr("too few method profiles"));
  for (size_t i = 1; i < MethodDataReader::kMinVoters; ++i) Add(true);
  EXPECT_FALSE(Fresh().ChooseLayout(addresses_).ok()) << "one is missing";
  EXPECT_FALSE(Fresh().has_layout());
  Add(true);
  EXPECT_TRUE(Fresh().ChooseLayout(addresses_).ok()) << "asked again";
  EXPECT_TRUE(Fresh().has_layout());
}

TEST_P(MethodDataReaderTest, OneProfileIsEnoughForTheLayoutThatIsUsual) {
  const std::optional<size_t> usual = MethodDataReader::UsualCells(GetParam());
  ASSERT_TRUE(usual.has_value());
  Add(false);
  EXPECT_FALSE(Fresh().ChooseLayout(addresses_, usual).ok()) << "it fits every layout";
  Add(true);
  EXPECT_FALSE(Fresh().ChooseLayout(addresses_, 1 - *usual).ok());
  EXPECT_TRUE(Fresh().ChooseLayout(addresses_, usual).ok());
  ASSERT_TRUE(Fresh().Read(addresses_[1]).has_value());
  EXPECT_EQ(Fresh().Read(addresses_[1])->sites[1].calls, 65);
}

TEST_P(MethodDataReaderTest, AVoteMustBeUnanimous) {
  AddEnough();
  // As of the other JDK.
  auto other = std::make_unique<FakeMethodData>(GetParam() == 17 ? 25 : 17);
  other->AddVirtualCall(10, 5, {{&some_class, 60}});
  other->AddCall(13, 5);
  other->SetOf(*methods_[3]);
  EXPECT_THAT(std::string(Fresh().ChooseLayout(addresses_).message()),
              HasSubstr("fit no layout that is known here: at best 3 of 4"));
  EXPECT_FALSE(Fresh().has_layout());
}

TEST_P(MethodDataReaderTest, WithoutAProfileThereIsNoVote) {
  EXPECT_FALSE(Fresh().ChooseLayout({}).ok());
  AddEnough();
  for (const auto& method : methods_) method->SetData(nullptr);
  EXPECT_FALSE(Fresh().ChooseLayout(addresses_).ok());
}

TEST_P(MethodDataReaderTest, WhatIsNotTheMethodsIsNoProfile) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  data_[0]->SetOwner(addresses_[1]);
  EXPECT_FALSE(Fresh().Read(addresses_[0]).has_value());
  methods_[1]->RemoveCode();
  EXPECT_FALSE(Fresh().Read(addresses_[1]).has_value());
  EXPECT_TRUE(Fresh().ChooseLayout(std::span(addresses_).first(2)).message().starts_with("too few"))
      << "nor has it a vote";
}

TEST_P(MethodDataReaderTest, SizesThatCannotBeAreNoProfile) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  const auto whole = static_cast<int32_t>(data_[0]->memory().size() * 8);
  const auto records = static_cast<int32_t>(data_[0]->records().size() * 8);
  const auto with = [&](int32_t size, int32_t data_size) {
    data_[0]->SetSizes(size, data_size);
    return Fresh().Read(addresses_[0]).has_value();
  };
  EXPECT_TRUE(with(whole, records));
  EXPECT_FALSE(with(whole, records - 8)) << "cut off";
  EXPECT_FALSE(with(whole, records + 8)) << "too much";
  EXPECT_FALSE(with(records, records)) << "larger than all of it";
  for (const int32_t size : {-8, 4, INT32_MIN, INT32_MAX, 1 << 30}) {
    EXPECT_FALSE(with(whole, size)) << size;
    EXPECT_FALSE(with(INT32_MAX, size)) << size;
  }
}

TEST_P(MethodDataReaderTest, PointersToNowhereDoNoHarm) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  void* gone = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(gone, 4096);
  EXPECT_FALSE(Fresh().Read(gone).has_value());
  EXPECT_FALSE(Fresh().Read(nullptr).has_value());
  methods_[0]->SetData(gone);
  EXPECT_FALSE(Fresh().Read(addresses_[0]).has_value());
  methods_[0]->SetData(reinterpret_cast<const void*>(~uintptr_t{0}));
  EXPECT_FALSE(Fresh().Read(addresses_[0]).has_value());
}

TEST_P(MethodDataReaderTest, RandomBytesDoNoHarm) {
  AddEnough();
  ASSERT_TRUE(Fresh().ChooseLayout(addresses_).ok());
  std::mt19937_64 random(1);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<uint64_t>& memory = data_[0]->memory();
    const std::vector<uint64_t> before = memory;
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      auto* bytes = reinterpret_cast<uint8_t*>(memory.data());
      bytes[random() % (memory.size() * 8)] = static_cast<uint8_t>(random());
    }
    read += Fresh().Read(addresses_[0]).has_value() ? 1 : 0;
    memory = before;
  }
  EXPECT_GT(read, 1000) << "counts and what follows the records may be anything";
  EXPECT_LT(read, 20'000);
}

TEST_P(MethodDataReaderTest, SaysWhatTheTablesLack) {
  tables_.RemoveField("MethodData", "_tenure_traps");
  EXPECT_THAT(std::string(MethodDataReader::Create(*tables_.Read(), blocks_).message()),
              HasSubstr("lack MethodData::_tenure_traps"));
}

}  // namespace
}  // namespace yp::hotspot
