#include "hotspot/vmstructs/method_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"
#include "hotspot/vmstructs/methods_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Line = Method::Line;

class MethodReaderTest : public ::testing::TestWithParam<int> {
 protected:
  MethodReaderTest() {
    FakeMethod::AddTables(tables_, GetParam());
    fake_.SetAccess(9);
    fake_.SetCode(std::vector<uint8_t>(300, 7), {});
  }
  Result<MethodReader> Create() {
    const Result<VmStructs> structs = tables_.Read();
    if (!structs) return structs.status();
    return MethodReader::Create(*structs, GetParam());
  }
  MethodReader Reader() {
    Result<MethodReader> created = Create();
    EXPECT_TRUE(created.ok()) << created.message();
    return *std::move(created);
  }
  std::vector<Line> LinesOf(const std::vector<uint8_t>& table) {
    fake_.SetCode(std::vector<uint8_t>(300, 7), table);
    return Reader().Lines(fake_.method());
  }
  // A number below 96 and above -97 as ReadSigned takes it.
  uint8_t Signed(int number) const {
    const int encoded = number < 0 ? -2 * number - 1 : 2 * number;
    return static_cast<uint8_t>(encoded + (GetParam() >= 20 ? 1 : 0));
  }

  LayoutTables tables_;
  FakeMethod fake_;
};

INSTANTIATE_TEST_SUITE_P(Jdks, MethodReaderTest, ::testing::Values(11, 17, 21, 25),
                         ::testing::PrintToStringParamName());

TEST_P(MethodReaderTest, ReadsWhatTheClassFileSaid) {
  const MethodReader reader = Reader();
  const void* method = fake_.method();
  EXPECT_EQ(reader.ClassName(method), "app/Main$Inner");
  EXPECT_EQ(reader.Name(method), "run");
  EXPECT_EQ(reader.Descriptor(method), "(I[J)V");
  EXPECT_EQ(reader.SourceFile(method), "Main.java");
  EXPECT_EQ(reader.AccessFlags(method) & 0xffff, 9u);
  EXPECT_THAT(reader.Bytecode(method), ElementsAreArray(std::vector<uint8_t>(300, 7)));
  EXPECT_THAT(reader.Lines(method), IsEmpty());
}

TEST_P(MethodReaderTest, TheBootLoaderIsNoObject) {
  const MethodReader reader = Reader();
  EXPECT_TRUE(reader.IsOfBootLoader(fake_.method()));
  fake_.SetLoader(this);
  EXPECT_FALSE(reader.IsOfBootLoader(fake_.method()));
}

TEST_P(MethodReaderTest, WhatIsNotInThePoolIsEmpty) {
  for (const uint16_t index : {uint16_t{0}, uint16_t{4}, uint16_t{65535}}) {
    fake_.SetSourceFileIndex(index);
    EXPECT_EQ(Reader().SourceFile(fake_.method()), "") << index;
  }
}

TEST_P(MethodReaderTest, ReadsLines) {
  const auto small = [](int bci, int line) { return static_cast<uint8_t>(bci << 3 | line); };
  EXPECT_THAT(LinesOf({0xff, Signed(0), Signed(90), small(5, 1), small(31, 6), 0xff, Signed(64),
                       Signed(-80), small(1, 0), 0, small(1, 1)}),
              ElementsAre(Line{0, 90}, Line{5, 91}, Line{36, 97}, Line{100, 17}, Line{101, 17}));
}

TEST_P(MethodReaderTest, ATableThatMakesNoSenseEndsWhereItDoesNot) {
  const std::vector<uint8_t> begin = {0xff, Signed(3), Signed(10)};
  const auto with = [&](std::vector<uint8_t> rest) {
    std::vector<uint8_t> table = begin;
    table.insert(table.end(), rest.begin(), rest.end());
    return LinesOf(table);
  };
  EXPECT_THAT(with({0xff, Signed(-4), Signed(0)}), ElementsAre(Line{3, 10})) << "before the code";
  EXPECT_THAT(with({0xff, Signed(2), Signed(-11)}), ElementsAre(Line{3, 10})) << "below line 0";
  std::vector<uint8_t> long_jump = {0xff};
  for (int i = 0; i < 5; ++i) long_jump.push_back(0xfe);
  EXPECT_THAT(with(long_jump), ElementsAre(Line{3, 10})) << "behind the code";
}

TEST_P(MethodReaderTest, WhatIsMissingFromTheTablesIsRefusedByName) {
  for (const auto& [type, field] :
       {std::pair("Method", "_access_flags"), std::pair("ConstMethod", "_name_index"),
        std::pair("ConstantPool", "_length"), std::pair("Klass", "_name"),
        std::pair("Symbol", "_body")}) {
    LayoutTables tables;
    FakeMethod::AddTables(tables, GetParam());
    tables.RemoveField(type, field);
    const Result<VmStructs> structs = tables.Read();
    ASSERT_TRUE(structs.ok());
    EXPECT_THAT(std::string(MethodReader::Create(*structs, GetParam()).message()),
                HasSubstr("lack " + std::string(type) + "::" + field));
  }
}

}  // namespace
}  // namespace yp::hotspot
