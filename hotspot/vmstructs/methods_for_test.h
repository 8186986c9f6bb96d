#ifndef YP_HOTSPOT_VMSTRUCTS_METHODS_FOR_TEST_H_
#define YP_HOTSPOT_VMSTRUCTS_METHODS_FOR_TEST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "hotspot/vmstructs/layout_tables_for_test.h"

namespace yp::hotspot {

// A class with one method in ordinary memory, laid out like those of a JDK.
class FakeMethod {
 public:
  static constexpr uint32_t kAccStatic = 0x0008, kAccNative = 0x0100;
  // Longer than what one number of the debug information's holds in two bytes.
  static constexpr size_t kCodeSize = 5000;

  // Tells where everything lies.
  static void AddTables(LayoutTables& tables, int jdk) {
    tables.AddField("Method", "_constMethod", offsetof(VmMethod, const_method));
    tables.AddField("Method", "_method_data", offsetof(VmMethod, data));
    tables.AddField("Method", "_method_counters", offsetof(VmMethod, counters));
    tables.AddField("MethodCounters", "_invocation_counter", offsetof(VmCounters, invocations));
    tables.AddField("InvocationCounter", "_counter", 0);
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
    if (jdk <= 11) {
      tables.AddField("InstanceKlass", "_source_file_name_index",
                      offsetof(VmClass, source_file_index));
    } else {
      tables.AddField("ConstantPool", "_source_file_name_index",
                      offsetof(VmConstants, source_file_index));
    }
    tables.AddField("ConstantPool", "_length", offsetof(VmConstants, length));
    tables.AddType("ConstantPool", sizeof(VmConstants));
    tables.AddField("Klass", "_name", offsetof(VmClass, name));
    tables.AddField("Klass", "_class_loader_data", offsetof(VmClass, loader_data));
    tables.AddField("ClassLoaderData", "_class_loader", offsetof(VmLoaderData, loader));
    tables.AddField("Symbol", "_length", offsetof(VmSymbol, length));
    tables.AddField("Symbol", "_body", offsetof(VmSymbol, body));
  }

  // Of the boot loader, public and without lines.
  explicit FakeMethod(std::string_view class_name = "app/Main$Inner", std::string_view name = "run",
                      std::string_view descriptor = "(I[J)V") {
    class_.loader_data = &loader_data_;
    method_.counters = &counters_;
    class_.name = AddSymbol(class_name);
    pool_.constants.holder = &class_;
    pool_.constants.length = kPoolLength;
    SetSourceFileIndex(3);
    pool_.entries[1] = AddSymbol(name);
    pool_.entries[2] = AddSymbol(descriptor);
    pool_.entries[3] = AddSymbol("Main.java");
    SetAccess(1);
    const_method_.constants = &pool_.constants;
    const_method_.name_index = 1;
    const_method_.signature_index = 2;
    SetCode(std::vector<uint8_t>(kCodeSize, 7), {});
  }
  FakeMethod(const FakeMethod&) = delete;
  FakeMethod& operator=(const FakeMethod&) = delete;

  // With a line number table if it has bytes. The bytecode moves.
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
  // The VM has flags of its own above the class file's.
  void SetInterpreted(uint32_t calls) { counters_.invocations = calls << 1; }
  void SetAccess(uint16_t flags) { method_.access_flags = 0xabcd0000 | flags; }
  void SetLoader(const void* handle) { loader_data_.loader = handle; }
  void SetSourceFileIndex(uint16_t index) {
    class_.source_file_index = pool_.constants.source_file_index = index;
  }
  // Another class, of which only the address is of interest.
  void SetHolder(const void* holder) { pool_.constants.holder = holder; }
  // Its MethodData.
  void SetData(const void* data) { method_.data = data; }
  // Another class's method has come to its address.
  void Rename(std::string_view class_name, std::string_view name) {
    class_.name = AddSymbol(class_name);
    pool_.entries[1] = AddSymbol(name);
  }
  // Takes the method's constants from it, as while it is being made.
  void RemoveCode() { method_.const_method = nullptr; }

  const void* method() const { return &method_; }
  // Where a bytecode lies.
  uintptr_t Bcp(int32_t bci) const {
    return reinterpret_cast<uintptr_t>(memory_.data()) + sizeof(VmConstMethod) +
           static_cast<uintptr_t>(bci);
  }

 private:
  static constexpr int kPoolLength = 4;
  struct VmSymbol {
    uint32_t hash;
    uint16_t length;
    char body[64];
  };
  struct VmLoaderData {
    int64_t holder = 0;
    const void* loader = nullptr;
  };
  struct VmClass {
    int64_t vtable = 0;
    const VmSymbol* name = nullptr;
    const VmLoaderData* loader_data = nullptr;
    uint16_t source_file_index = 0;
  };
  struct VmConstants {
    int64_t vtable = 0;
    const void* holder = nullptr;
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
    const void* data = nullptr;
    const void* counters = nullptr;
    uint32_t access_flags = 0;
  };
  struct VmCounters {
    int64_t vtable = 0;
    uint32_t invocations = 0;
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
    text = text.substr(0, sizeof(symbol->body));
    symbol->length = static_cast<uint16_t>(text.size());
    std::copy(text.begin(), text.end(), symbol->body);
    return symbol.get();
  }

  std::vector<std::unique_ptr<VmSymbol>> symbols_;
  VmLoaderData loader_data_;
  VmClass class_;
  VmPool pool_;
  VmCounters counters_;
  VmMethod method_;
  VmConstMethod const_method_;
  std::vector<uint64_t> memory_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_METHODS_FOR_TEST_H_
