#ifndef YP_HOTSPOT_VMSTRUCTS_LAYOUT_TABLES_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_LAYOUT_TABLES_FOR_TEST_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Layout tables as a VM would export them, for VmStructs::Read. One at a time is in use.
class LayoutTables {
 public:
  // The VM's own struct order is no part of the protocol; this one differs from it.
  struct FieldEntry {
    int64_t padding = 0x5a5a5a5a5a5a5a5a;
    const char* field;
    const char* type;
    const void* address;
    uint64_t offset;
    int32_t is_static;
  };
  struct TypeEntry {
    uint64_t size;
    const char* type;
  };

  template <typename T>
  struct ConstantEntry {
    T value;
    const char* name;
  };

  LayoutTables() {
    SetWord("gHotSpotVMStructEntryTypeNameOffset", offsetof(FieldEntry, type));
    SetWord("gHotSpotVMStructEntryFieldNameOffset", offsetof(FieldEntry, field));
    SetWord("gHotSpotVMStructEntryIsStaticOffset", offsetof(FieldEntry, is_static));
    SetWord("gHotSpotVMStructEntryOffsetOffset", offsetof(FieldEntry, offset));
    SetWord("gHotSpotVMStructEntryAddressOffset", offsetof(FieldEntry, address));
    SetWord("gHotSpotVMStructEntryArrayStride", sizeof(FieldEntry));
    SetWord("gHotSpotVMTypeEntryTypeNameOffset", offsetof(TypeEntry, type));
    SetWord("gHotSpotVMTypeEntrySizeOffset", offsetof(TypeEntry, size));
    SetWord("gHotSpotVMTypeEntryArrayStride", sizeof(TypeEntry));
    DescribeConstants<int32_t>("gHotSpotVMIntConstantEntry");
    DescribeConstants<int64_t>("gHotSpotVMLongConstantEntry");
  }
  LayoutTables(const LayoutTables&) = delete;
  LayoutTables& operator=(const LayoutTables&) = delete;

  void AddField(const char* type, const char* field, uint64_t offset) {
    fields_.push_back(
        {.field = field, .type = type, .address = nullptr, .offset = offset, .is_static = 0});
  }
  void AddStatic(const char* type, const char* field, const void* address) {
    // The offset of a static field means nothing.
    fields_.push_back(
        {.field = field, .type = type, .address = address, .offset = 0x7777, .is_static = 1});
  }
  void AddType(const char* type, uint64_t size) { types_.push_back({size, type}); }
  void AddConstant(const char* name, int32_t value) { ints_.push_back({value, name}); }
  void AddLongConstant(const char* name, int64_t value) { longs_.push_back({value, name}); }
  void RemoveField(const std::string& type, const std::string& field) {
    std::erase_if(fields_, [&](const FieldEntry& entry) {
      return entry.field != nullptr && type == entry.type && field == entry.field;
    });
  }

  // Symbols, to be spoilt.
  void SetWord(const std::string& symbol, uint64_t value) { words_[symbol] = value; }
  void RemoveSymbol(const std::string& symbol) { words_.erase(symbol); }
  std::vector<std::string> Symbols() const {
    std::vector<std::string> names;
    for (const auto& [name, word] : words_) names.push_back(name);
    return names;
  }

  Result<VmStructs> Read() {
    std::vector<FieldEntry> fields = fields_;
    fields.push_back(
        {.field = nullptr, .type = nullptr, .address = nullptr, .offset = 0, .is_static = 0});
    std::vector<TypeEntry> types = types_;
    types.push_back({0, nullptr});
    std::vector<ConstantEntry<int32_t>> ints = ints_;
    ints.push_back({0, nullptr});
    std::vector<ConstantEntry<int64_t>> longs = longs_;
    longs.push_back({0, nullptr});
    const std::map<std::string, uint64_t> words = words_;
    words_.emplace("gHotSpotVMStructs", reinterpret_cast<uint64_t>(fields.data()));
    words_.emplace("gHotSpotVMTypes", reinterpret_cast<uint64_t>(types.data()));
    words_.emplace("gHotSpotVMIntConstants", reinterpret_cast<uint64_t>(ints.data()));
    words_.emplace("gHotSpotVMLongConstants", reinterpret_cast<uint64_t>(longs.data()));
    current_ = this;
    Result<VmStructs> result = VmStructs::Read(&Lookup);
    current_ = nullptr;
    words_ = words;
    return result;
  }

 private:
  template <typename T>
  void DescribeConstants(const std::string& prefix) {
    SetWord(prefix + "NameOffset", offsetof(ConstantEntry<T>, name));
    SetWord(prefix + "ValueOffset", offsetof(ConstantEntry<T>, value));
    SetWord(prefix + "ArrayStride", sizeof(ConstantEntry<T>));
  }
  static const void* Lookup(const char* name) {
    const auto found = current_->words_.find(name);
    return found == current_->words_.end() ? nullptr : &found->second;
  }
  static inline LayoutTables* current_ = nullptr;

  std::vector<FieldEntry> fields_;
  std::vector<TypeEntry> types_;
  std::vector<ConstantEntry<int32_t>> ints_;
  std::vector<ConstantEntry<int64_t>> longs_;
  std::map<std::string, uint64_t> words_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_LAYOUT_TABLES_FOR_TEST_H_
