#include "hotspot/vmstructs/vm_structs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;

TEST(VmStructsTest, TellsTheFieldsAndTypesOfTheTables) {
  const int some_static = 0;
  LayoutTables tables;
  tables.AddField("CodeBlob", "_size", 24);
  tables.AddField("CodeBlob", "_name", 0);
  tables.AddStatic("CodeCache", "_heaps", &some_static);
  tables.AddField("Other", nullptr, 8);
  tables.AddField("After", "_unnamed", 16);
  tables.AddType("HeapBlock", 16);
  const Result<VmStructs> structs = tables.Read();
  ASSERT_TRUE(structs.ok()) << structs.message();

  const VmStructs::Field* size = structs->Find("CodeBlob", "_size");
  ASSERT_NE(size, nullptr);
  EXPECT_EQ(size->offset, 24);
  EXPECT_FALSE(size->is_static());
  ASSERT_NE(structs->Find("CodeBlob", "_name"), nullptr);
  const VmStructs::Field* heaps = structs->Find("CodeCache", "_heaps");
  ASSERT_NE(heaps, nullptr);
  EXPECT_TRUE(heaps->is_static());
  EXPECT_EQ(heaps->address, &some_static);
  EXPECT_NE(structs->Find("After", "_unnamed"), nullptr) << "an entry without a field ends nothing";

  EXPECT_EQ(structs->Find("CodeBlob", "_heaps"), nullptr);
  EXPECT_EQ(structs->Find("CodeBlob::_", "size"), nullptr);
  EXPECT_EQ(structs->SizeOf("HeapBlock"), 16);
  EXPECT_EQ(structs->SizeOf("CodeBlob"), -1);
}

TEST(VmStructsTest, TellsTheConstants) {
  LayoutTables tables;
  tables.AddConstant("DataLayout::no_tag", 0);
  tables.AddConstant("Method::nonvirtual_vtable_index", -2);
  tables.AddLongConstant("InvocationCounter::count_shift", 1);
  tables.AddLongConstant("markWord::hash_mask", int64_t{1} << 40);
  const Result<VmStructs> structs = tables.Read();
  ASSERT_TRUE(structs.ok()) << structs.message();
  EXPECT_EQ(structs->Constant("DataLayout::no_tag"), 0);
  EXPECT_EQ(structs->Constant("Method::nonvirtual_vtable_index"), -2);
  EXPECT_EQ(structs->Constant("InvocationCounter::count_shift"), 1);
  EXPECT_EQ(structs->Constant("markWord::hash_mask"), int64_t{1} << 40);
  EXPECT_EQ(structs->Constant("DataLayout::no"), std::nullopt);
}

TEST(VmStructsTest, EverySymbolIsNeeded) {
  for (const std::string& symbol : LayoutTables().Symbols()) {
    LayoutTables tables;
    tables.RemoveSymbol(symbol);
    EXPECT_THAT(std::string(tables.Read().message()), HasSubstr("gHotSpotVMStructs")) << symbol;
  }
}

TEST(VmStructsTest, ATableThatIsNotThereIsAnError) {
  for (const std::string symbol : {"gHotSpotVMStructs", "gHotSpotVMTypes", "gHotSpotVMIntConstants",
                                   "gHotSpotVMLongConstants"}) {
    LayoutTables tables;
    tables.SetWord(symbol, 0);
    EXPECT_FALSE(tables.Read().ok()) << symbol;
  }
}

TEST(VmStructsTest, AStrideThatCannotBeIsAnError) {
  for (const std::string table : {"gHotSpotVMStructEntry", "gHotSpotVMTypeEntry"}) {
    for (const uint64_t stride : {uint64_t{0}, uint64_t{4096}, ~uint64_t{0}}) {
      LayoutTables tables;
      tables.SetWord(table + "ArrayStride", stride);
      EXPECT_FALSE(tables.Read().ok()) << table << " " << stride;
    }
  }
}

TEST(VmStructsTest, ATableWithoutAnEndIsLeft) {
  constexpr size_t kFarEnough = 100'000;
  static const char name[] = "x";
  const std::vector<LayoutTables::FieldEntry> fields(
      kFarEnough, {.field = name, .type = name, .address = name, .offset = 8, .is_static = 1});
  const std::vector<LayoutTables::TypeEntry> types(kFarEnough, {8, name});
  LayoutTables tables;
  tables.SetWord("gHotSpotVMStructs", reinterpret_cast<uint64_t>(fields.data()));
  tables.SetWord("gHotSpotVMTypes", reinterpret_cast<uint64_t>(types.data()));
  const Result<VmStructs> structs = tables.Read();
  ASSERT_TRUE(structs.ok());
  EXPECT_NE(structs->Find(name, name), nullptr);
}

TEST(VmStructsTest, AProcessWithoutAVmHasNoTables) {
  EXPECT_FALSE(VmStructs::Read(&VmStructs::LookupInProcess).ok());
}

}  // namespace
}  // namespace yp::hotspot
