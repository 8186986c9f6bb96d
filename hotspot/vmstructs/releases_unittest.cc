// What each release of the VM exports is all that is read of it: testdata/ has the names and
// numbers of those that are tested, and the names of JDK 21 from its published sources.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hotspot/vmstructs/call_resolver.h"
#include "hotspot/vmstructs/code_cache.h"
#include "hotspot/vmstructs/counted_methods.h"
#include "hotspot/vmstructs/frame_reader.h"
#include "hotspot/vmstructs/layout_tables_for_test.h"
#include "hotspot/vmstructs/method_data_reader.h"
#include "hotspot/vmstructs/method_reader.h"

namespace yp::hotspot {
namespace {

class ReleasesTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::ifstream file("testdata/jdk" + std::to_string(GetParam()) + ".txt");
    ASSERT_TRUE(file.is_open());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with('#')) AddLine(line);
    }
    MakeFlags();
    const Result<VmStructs> structs = tables_.Read();
    ASSERT_TRUE(structs.ok()) << structs.message();
    structs_ = *structs;
  }
  const VmStructs& structs() const { return structs_; }
  GuardedMemory& memory() { return *memory_; }

 private:
  // "field Method::_code 8", "static CodeCache::_heaps", "size Method 88", "constant A::b 1" or, of
  // 64 bits, "long A::b 1".
  void AddLine(const std::string& line) {
    std::istringstream words(line.substr(0, line.rfind(' ')));
    std::string kind;
    words >> kind >> std::ws;
    std::string name = line.substr(kind.size() + 1);
    int64_t value = 0;
    if (kind != "static") {
      const size_t space = name.rfind(' ');
      value = std::stoll(name.substr(space + 1));
      name.resize(space);
    }
    if (kind == "size") return tables_.AddType(Keep(name), static_cast<uint64_t>(value));
    if (kind == "constant") return tables_.AddConstant(Keep(name), static_cast<int32_t>(value));
    if (kind == "long") return tables_.AddLongConstant(Keep(name), value);
    const size_t colons = name.rfind("::");
    const char* type = Keep(name.substr(0, colons));
    const char* field = Keep(name.substr(colons + 2));
    if (name == "JVMFlag::flags") return tables_.AddStatic(type, field, &flags_address_);
    if (name == "JVMFlag::numFlags") return tables_.AddStatic(type, field, &flag_count_);
    if (kind == "static") return tables_.AddStatic(type, field, &something_);
    ASSERT_EQ(kind, "field") << line;
    if (name == "JVMFlag::_name") flag_name_ = static_cast<size_t>(value);
    if (name == "JVMFlag::_addr") flag_value_ = static_cast<size_t>(value);
    tables_.AddField(type, field, static_cast<uint64_t>(value));
  }
  // The flag that tells how wide a method's profile is.
  void MakeFlags() {
    static const int64_t width = 2;
    const char* const name = "TypeProfileWidth";
    const void* const value = &width;
    std::memcpy(flag_.data() + flag_name_, &name, sizeof(name));
    std::memcpy(flag_.data() + flag_value_, &value, sizeof(value));
  }
  const char* Keep(std::string text) { return names_.emplace_back(std::move(text)).c_str(); }

  std::deque<std::string> names_;
  LayoutTables tables_;
  VmStructs structs_;
  std::array<char, 256> flag_{};
  const void* flags_address_ = flag_.data();
  size_t flag_count_ = 1, flag_name_ = 0, flag_value_ = 0;
  uint64_t something_ = 0;
  Result<GuardedMemory> memory_ = GuardedMemory::Create();
};

INSTANTIATE_TEST_SUITE_P(Jdks, ReleasesTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(ReleasesTest, FramesAndMethodsAreReadByIt) {
  const Result<CodeCache> code = CodeCache::Create(structs());
  ASSERT_TRUE(code.ok()) << code.message();
  EXPECT_EQ(FrameReader::Create(structs(), *code, GetParam()).message(), "");
  EXPECT_EQ(MethodReader::Create(structs(), GetParam()).message(), "");
}

TEST_P(ReleasesTest, WhatTheVmCountsIsReadByIt) {
  GuardedBlocks blocks(memory());
  EXPECT_EQ(MethodDataReader::Create(structs(), blocks).message(), "");
  EXPECT_EQ(CallResolver::Create(structs(), blocks).message(), "");
  EXPECT_EQ(CountedMethods::Create(structs(), blocks).message(), "");
}

}  // namespace
}  // namespace yp::hotspot
