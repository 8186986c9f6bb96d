#include "hotspot/vmstructs/vm_flags.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {
namespace {

// Flags in ordinary memory, laid out like a JDK's.
class VmFlagsTest : public ::testing::Test {
 protected:
  struct Flag {
    const void* value;
    const char* name;
    int32_t flags, type;
  };

  VmFlagsTest() {
    tables_.AddStatic("JVMFlag", "flags", &flags_address_);
    tables_.AddStatic("JVMFlag", "numFlags", &count_);
    tables_.AddField("JVMFlag", "_name", offsetof(Flag, name));
    tables_.AddField("JVMFlag", "_addr", offsetof(Flag, value));
    tables_.AddType("JVMFlag", sizeof(Flag));
  }

  std::optional<bool> Read(const std::string& name) {
    const Result<VmStructs> structs = tables_.Read();
    EXPECT_TRUE(structs.ok()) << structs.message();
    return ReadVmFlag(*structs, name);
  }

  bool on_ = true, off_ = false;
  std::vector<Flag> flags_ = {{&off_, "UseZGC", 0, 0},    {&on_, "UseZGCSomething", 0, 0},
                              {&off_, nullptr, 0, 0},     {&on_, "UseG1GC", 0, 0},
                              {nullptr, "Removed", 0, 0}, {&on_, "Last", 0, 0}};
  const Flag* flags_address_ = flags_.data();
  size_t count_ = flags_.size();
  LayoutTables tables_;
};

TEST_F(VmFlagsTest, AFlagIsTrueOrFalse) {
  EXPECT_EQ(Read("UseZGC"), false);
  EXPECT_EQ(Read("UseG1GC"), true) << "behind one without a name";
  EXPECT_EQ(Read("Last"), true);
  off_ = true;
  EXPECT_EQ(Read("UseZGC"), true) << "read anew";
}

TEST_F(VmFlagsTest, AFlagIsANumber) {
  int64_t width = 2;
  flags_[1] = {&width, "TypeProfileWidth", 0, 0};
  const Result<VmStructs> structs = tables_.Read();
  EXPECT_EQ(ReadVmNumber(*structs, "TypeProfileWidth"), 2);
  width = -1;
  EXPECT_EQ(ReadVmNumber(*structs, "TypeProfileWidth"), -1);
  EXPECT_EQ(ReadVmNumber(*structs, "TypeProfile"), std::nullopt);
  EXPECT_EQ(ReadVmNumber(*structs, "Removed"), std::nullopt);
}

TEST_F(VmFlagsTest, NamesMatchAsAWhole) {
  for (const char* name : {"UseZ", "UseZGCS", "useZGC", "", "Removed"}) {
    EXPECT_EQ(Read(name), std::nullopt) << name;
  }
}

TEST_F(VmFlagsTest, FlagsBeyondTheirNumberAreNone) {
  count_ = 1;
  EXPECT_EQ(Read("UseZGC"), false);
  EXPECT_EQ(Read("UseG1GC"), std::nullopt);
  count_ = 0;
  EXPECT_EQ(Read("UseZGC"), std::nullopt);
}

TEST_F(VmFlagsTest, ATableThatMakesNoSenseIsNotRead) {
  count_ = size_t{1} << 40;
  EXPECT_EQ(Read("UseZGC"), std::nullopt);
  count_ = flags_.size();
  flags_address_ = nullptr;
  EXPECT_EQ(Read("UseZGC"), std::nullopt);
}

TEST_F(VmFlagsTest, AVmThatDoesNotTellOfItsFlagsHasNone) {
  for (const char* field : {"flags", "numFlags", "_name", "_addr"}) {
    LayoutTables tables;
    tables.AddStatic("JVMFlag", "flags", &flags_address_);
    tables.AddStatic("JVMFlag", "numFlags", &count_);
    tables.AddField("JVMFlag", "_name", offsetof(Flag, name));
    tables.AddField("JVMFlag", "_addr", offsetof(Flag, value));
    tables.AddType("JVMFlag", sizeof(Flag));
    tables.RemoveField("JVMFlag", field);
    EXPECT_EQ(ReadVmFlag(*tables.Read(), "UseG1GC"), std::nullopt) << field;
  }
  LayoutTables sizeless;
  sizeless.AddStatic("JVMFlag", "flags", &flags_address_);
  sizeless.AddStatic("JVMFlag", "numFlags", &count_);
  sizeless.AddField("JVMFlag", "_name", offsetof(Flag, name));
  sizeless.AddField("JVMFlag", "_addr", offsetof(Flag, value));
  EXPECT_EQ(ReadVmFlag(*sizeless.Read(), "UseG1GC"), std::nullopt);
}

}  // namespace
}  // namespace yp::hotspot
