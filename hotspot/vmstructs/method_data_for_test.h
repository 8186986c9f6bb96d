#ifndef YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_FOR_TEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"
#include "hotspot/vmstructs/methods_for_test.h"

namespace yp::hotspot {

// Classes, of which only the address means something.
inline const int some_class = 0, other_class = 0;

// A MethodData in ordinary memory, laid out like those of a JDK. Records are added in the order of
// their bcis.
class FakeMethodData {
 public:
  enum Tag : uint8_t {
    kBit = 1,
    kCounter,
    kJump,
    kReceiverType,
    kVirtualCall,
    kRet,
    kBranch,
    kMultiBranch,
    kArgInfo,
    kCallType,
    kVirtualCallType,
    kParametersType,
    kSpeculativeTrap,
  };
  struct Row {
    const void* klass;
    uint64_t calls;
  };
  static constexpr int64_t kRows = 2;  // TypeProfileWidth.

  // Tells where everything lies.
  static void AddTables(LayoutTables& tables) {
    tables.AddField("MethodData", "_method", offsetof(Fixed, method));
    tables.AddField("MethodData", "_size", offsetof(Fixed, size));
    tables.AddField("MethodData", "_tenure_traps", offsetof(Fixed, tenure_traps));
    tables.AddField("MethodData", "_data_size", offsetof(Fixed, data_size));
    tables.AddField("MethodData", "_data[0]", sizeof(Fixed));
    tables.AddField("DataLayout", "_header._struct._tag", 0);
    tables.AddField("DataLayout", "_header._struct._bci", 2);
    tables.AddField("DataLayout", "_cells[0]", 8);
    tables.AddConstant("DataLayout::cell_size", 8);
    tables.AddConstant("DataLayout::bit_data_tag", kBit);
    tables.AddConstant("DataLayout::counter_data_tag", kCounter);
    tables.AddConstant("DataLayout::jump_data_tag", kJump);
    tables.AddConstant("DataLayout::receiver_type_data_tag", kReceiverType);
    tables.AddConstant("DataLayout::virtual_call_data_tag", kVirtualCall);
    tables.AddConstant("DataLayout::ret_data_tag", kRet);
    tables.AddConstant("DataLayout::branch_data_tag", kBranch);
    tables.AddConstant("DataLayout::multi_branch_data_tag", kMultiBranch);
    tables.AddConstant("DataLayout::call_type_data_tag", kCallType);
    tables.AddConstant("DataLayout::virtual_call_type_data_tag", kVirtualCallType);
    tables.AddLongConstant("InvocationCounter::count_shift", 1);
    static const int64_t rows = kRows;
    static const Flag flag{&rows, "TypeProfileWidth"};
    static const Flag* const flags = &flag;
    static const size_t count = 1;
    tables.AddStatic("JVMFlag", "flags", &flags);
    tables.AddStatic("JVMFlag", "numFlags", &count);
    tables.AddField("JVMFlag", "_name", offsetof(Flag, name));
    tables.AddField("JVMFlag", "_addr", offsetof(Flag, value));
    tables.AddType("JVMFlag", sizeof(Flag));
  }

  explicit FakeMethodData(int jdk) : cells_before_rows_(jdk <= 17 ? 1 : 0) {}
  FakeMethodData(const FakeMethodData&) = delete;
  FakeMethodData& operator=(const FakeMethodData&) = delete;

  void SetCounts(uint32_t invocations, uint32_t backedges) {
    fixed_.invocations = invocations << 1;
    fixed_.backedges = backedges << 1;
  }
  void Add(uint8_t tag, uint16_t bci, const std::vector<uint64_t>& cells) {
    // The flags and the traps mean nothing to a reader.
    records_.push_back(uint64_t{0x1234'5678} << 32 | uint64_t{bci} << 16 | uint64_t{0xa5} << 8 |
                       tag);
    records_.insert(records_.end(), cells.begin(), cells.end());
  }
  // With `types` cells for the types of arguments and of what is returned, if it has any.
  void AddCall(uint16_t bci, uint64_t calls, size_t types = 0) {
    std::vector<uint64_t> cells = {calls};
    AddTypes(cells, types);
    Add(types > 0 ? kCallType : kCounter, bci, cells);
  }
  // `other`: the calls that found no room in a row.
  void AddVirtualCall(uint16_t bci, uint64_t other, std::initializer_list<Row> rows,
                      size_t types = 0) {
    std::vector<uint64_t> cells = {other};
    cells.resize(1 + cells_before_rows_, 0x7777);
    for (const Row& row : rows) {
      cells.push_back(reinterpret_cast<uint64_t>(row.klass));
      cells.push_back(row.calls);
    }
    cells.resize(1 + cells_before_rows_ + 2 * kRows);
    AddTypes(cells, types);
    Add(types > 0 ? kVirtualCallType : kVirtualCall, bci, cells);
  }
  void AddSwitch(uint16_t bci, size_t cases) {
    std::vector<uint64_t> cells(1 + 2 * (cases + 1), 3);
    cells[0] = cells.size() - 1;
    Add(kMultiBranch, bci, cells);
  }

  // Lays it out, with the method as its owner and as the one that has it. May be done again.
  void SetOf(FakeMethod& method) { method.SetData(LaidOut(method.method())); }
  // Lays it out with that owner, which is to have what it returns.
  const void* LaidOut(const void* owner) {
    fixed_.method = owner;
    fixed_.data_size = static_cast<int32_t>(records_.size() * 8);
    // Traps and what is known of arguments follow.
    fixed_.size = static_cast<int32_t>(sizeof(Fixed)) + fixed_.data_size + 40;
    memory_.assign(static_cast<size_t>(fixed_.size) / 8, 0x0f0f);
    WriteFixed();
    if (!records_.empty()) {
      std::memcpy(&memory_[sizeof(Fixed) / 8], records_.data(), records_.size() * 8);
    }
    return memory_.data();
  }
  // What is at odds with itself.
  void SetOwner(const void* method) {
    fixed_.method = method;
    WriteFixed();
  }
  void SetSizes(int32_t size, int32_t data_size) {
    fixed_.size = size;
    fixed_.data_size = data_size;
    WriteFixed();
  }

  uintptr_t size() const { return static_cast<uintptr_t>(fixed_.size); }  // In bytes.
  const std::vector<uint64_t>& records() const { return records_; }
  // All of it, to be spoilt.
  std::vector<uint64_t>& memory() { return memory_; }

 private:
  struct Flag {
    const void* value;
    const char* name;
  };
  struct Fixed {
    int64_t vtable = 0;
    const void* method = nullptr;
    int32_t size = 0;
    int32_t hint = 0;
    uint32_t mileage = 9;
    uint32_t invocations = 0, backedges = 0;
    uint32_t invocations_start = 10, backedges_start = 11;
    uint32_t tenure_traps = 12;
    int32_t data_size = 0, parameters = 0;
  };
  static_assert(sizeof(Fixed) % 8 == 0);

  static void AddTypes(std::vector<uint64_t>& cells, size_t types) {
    if (types == 0) return;
    cells.push_back(types);
    cells.resize(cells.size() + types, 0xffff);
  }
  void WriteFixed() { std::memcpy(memory_.data(), &fixed_, sizeof(fixed_)); }

  const size_t cells_before_rows_;
  Fixed fixed_;
  std::vector<uint64_t> records_;
  std::vector<uint64_t> memory_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_METHOD_DATA_FOR_TEST_H_
