#include "hotspot/vmstructs/method_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Line = Method::Line;

// A class with one method in ordinary memory, laid out like those of a JDK.
class FakeMethod {
 public:
  explicit FakeMethod(int jdk) : jdk_(jdk) {
    tables.AddField("Method", "_constMethod", offsetof(VmMethod, const_method));
    tables.AddField("Method", "_access_flags", offsetof(VmMethod, access_flags));
    tables.AddType("AccessFlags", jdk >= 25 ? 2 : 4);
    tables.AddField("ConstMethod", "_constants", offsetof(VmConstMethod, constants));
    tables.AddField("ConstMethod", "_name_index", offsetof(VmConstMethod, name_index));
    tables.AddField("ConstMethod", "_signature_index", offsetof(VmConstMethod, signature_index));
    tables.AddField("ConstMethod", "_code_size", offsetof(VmConstMethod, code_size));
    tables.AddField("ConstMethod", "_constMethod_size", offsetof(VmConstMethod, words));
    tables.AddField("ConstMethod", jdk >= 21 ? "_flags._flags" : "_flags",
                    offsetof(VmConstMethod, flags));
    tables.AddType("ConstMethod", sizeof(VmConstMethod));
    tables.AddField("ConstantPool", "_pool_holder", offsetof(VmConstants, holder));
    tables.AddField("ConstantPool", "_source_file_name_index",
                    offsetof(VmConstants, source_file_index));
    tables.AddField("ConstantPool", "_length", offsetof(VmConstants, length));
    tables.AddType("ConstantPool", sizeof(VmConstants));
    tables.AddField("Klass", "_name", offsetof(VmClass, name));
    tables.AddField("Klass", "_class_loader_data", offsetof(VmClass, loader_data));
    tables.AddField("ClassLoaderData", "_class_loader", offsetof(VmLoaderData, loader));
    tables.AddField("Symbol", "_length", offsetof(VmSymbol, length));
    tables.AddField("Symbol", "_body", offsetof(VmSymbol, body));

    class_.loader_data = &loader_data_;
    class_.name = AddSymbol("app/Main$Inner");
    pool_.constants.holder = &class_;
    pool_.constants.length = kPoolLength;
    pool_.constants.source_file_index = 3;
    pool_.entries[1] = AddSymbol("run");
    pool_.entries[2] = AddSymbol("(I[J)V");
    pool_.entries[3] = AddSymbol("Main.java");
    method_.access_flags = 0xabcd0009;  // The VM's own flags above the class file's.
    const_method_.constants = &pool_.constants;
    const_method_.name_index = 1;
    const_method_.signature_index = 2;
    SetCode(std::vector<uint8_t>(300, 7), {});
  }

  Result<MethodReader> Create() {
    const Result<VmStructs> structs = tables.Read();
    if (!structs) return structs.status();
    return MethodReader::Create(*structs, jdk_);
  }
  // With a line number table if it has bytes.
  void SetCode(const std::vector<uint8_t>& code, const std::vector<uint8_t>& lines) {
    const_method_.flags = lines.empty() ? 0xfffe : 0xffff;
    const_method_.code_size = static_cast<uint16_t>(code.size());
    const size_t words = (sizeof(VmConstMethod) + code.size() + lines.size() + 7) / 8;
    const_method_.words = static_cast<int32_t>(words);
    memory_.assign(words, 0);
    auto* at = reinterpret_cast<char*>(memory_.data());
    std::memcpy(at, &const_method_, sizeof(const_method_));
    std::copy(code.begin(), code.end(), at + sizeof(const_method_));
    std::copy(lines.begin(), lines.end(), at + sizeof(const_method_) + code.size());
    method_.const_method = memory_.data();
  }
  void SetLoader(const void* handle) { loader_data_.loader = handle; }
  void SetSourceFileIndex(uint16_t index) { pool_.constants.source_file_index = index; }
  const void* method() const { return &method_; }

  LayoutTables tables;

 private:
  static constexpr int kPoolLength = 4;
  struct VmSymbol {
    uint32_t hash;
    uint16_t length;
    char body[32];
  };
  struct VmLoaderData {
    int64_t holder = 0;
    const void* loader = nullptr;
  };
  struct VmClass {
    int64_t vtable = 0;
    const VmSymbol* name = nullptr;
    const VmLoaderData* loader_data = nullptr;
  };
  struct VmConstants {
    int64_t vtable = 0;
    const VmClass* holder = nullptr;
    uint16_t source_file_index = 0;
    int32_t length = 0;
  };
  struct VmPool {
    VmConstants constants;
    const VmSymbol* entries[kPoolLength] = {};
  };
  struct VmMethod {
    int64_t vtable = 0;
    const void* const_method = nullptr;
    uint32_t access_flags = 0;
  };
  struct VmConstMethod {
    const VmConstants* constants = nullptr;
    int32_t words = 0;
    uint32_t flags = 0;
    uint16_t code_size = 0, name_index = 0, signature_index = 0;
  };

  const VmSymbol* AddSymbol(std::string_view text) {
    auto& symbol = symbols_.emplace_back(std::make_unique<VmSymbol>());
    std::memset(symbol.get(), '?', sizeof(VmSymbol));
    symbol->length = static_cast<uint16_t>(text.size());
    std::copy(text.begin(), text.end(), symbol->body);
    return symbol.get();
  }

  const int jdk_;
  std::vector<std::unique_ptr<VmSymbol>> symbols_;
  VmLoaderData loader_data_;
  VmClass class_;
  VmPool pool_;
  VmMethod method_;
  VmConstMethod const_method_;
  std::vector<uint64_t> memory_;
};

class MethodReaderTest : public ::testing::TestWithParam<int> {
 protected:
  MethodReader Reader() {
    Result<MethodReader> created = fake_.Create();
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

  FakeMethod fake_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Jdks, MethodReaderTest, ::testing::Values(17, 21, 25),
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
    FakeMethod fake(GetParam());
    fake.tables.RemoveField(type, field);
    EXPECT_THAT(std::string(fake.Create().message()),
                HasSubstr("lack " + std::string(type) + "::" + field));
  }
}

}  // namespace
}  // namespace yp::hotspot
