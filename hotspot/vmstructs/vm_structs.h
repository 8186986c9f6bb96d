#ifndef YP_HOTSPOT_VMSTRUCTS_VM_STRUCTS_H_
#define YP_HOTSPOT_VMSTRUCTS_VM_STRUCTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"

namespace yp::hotspot {

struct AddressRange {
  uintptr_t low = 0, high = 0;
  bool Contains(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) >= low &&
           reinterpret_cast<uintptr_t>(address) < high;
  }
};

// The layout tables that HotSpot exports for its serviceability agent (vmStructs.hpp): where each
// field of the VM's own types lies, and what its constants are. Layouts differ between releases and
// builds, so that every offset that this agent uses comes from here; what is not in the tables is
// not used.
class VmStructs {
 public:
  struct Field {
    int64_t offset = 0;             // Within the type; meaningless for a static field.
    const void* address = nullptr;  // Of a static field; null otherwise.
    bool is_static() const { return address != nullptr; }
  };
  // Finds an exported symbol of the VM by name; null when there is none.
  using SymbolLookup = const void* (*)(const char* name);

  // Reads the tables of the VM in this process. An error when the symbols are missing or malformed.
  static Result<VmStructs> Read(SymbolLookup lookup);
  // Tells LookupInProcess which loaded library is the VM: the one that holds that address. Whoever
  // started the VM may have loaded it without making its symbols global.
  static void UseLibraryOf(const void* address);
  // The exported symbols of the VM in this process.
  static const void* LookupInProcess(const char* name);

  // Where the tables' own names lie: the VM library's constants. A pointer to there can be followed
  // whatever the VM is doing.
  AddressRange constants() const { return constants_; }
  // Null when the VM does not tell of that field.
  const Field* Find(std::string_view type, std::string_view field) const;
  // In bytes; -1 when the VM does not tell of that type.
  int64_t SizeOf(std::string_view type) const;
  // The value of a constant of the VM's own, such as an enumerator.
  std::optional<int64_t> Constant(std::string_view name) const;

 private:
  std::unordered_map<std::string, Field> fields_;
  std::unordered_map<std::string, int64_t> sizes_;
  std::unordered_map<std::string, int64_t> values_;
  AddressRange constants_;
};

// Where 16 bits lie: in a ConstantPool, or on JDK 11 in the InstanceKlass that holds it.
struct SourceFileIndex {
  bool is_in_class = false;
  int64_t offset = 0;
};

// Looks up what a reader of the VM's memory needs, and remembers what is missing.
class FieldFinder {
 public:
  explicit FieldFinder(const VmStructs& structs) : structs_(structs) {}

  // 0 where the table lacks it.
  int64_t Offset(const char* type, const char* field) { return Find(type, field).offset; }
  const void* Address(const char* type, const char* field) { return Find(type, field).address; }
  // Of nmethod's field, or that of CompiledMethod, its base class where the VM has one.
  int64_t NmethodOffset(const char* field);
  // Of a GrowableArray's length.
  int64_t GrowableArrayLength();
  // Of the index, in a class's constant pool, of the name of its source file.
  SourceFileIndex FindSourceFileIndex();
  // In bytes.
  int64_t Size(const char* type);
  int64_t Constant(const char* name);
  // An error that names all that was missing.
  Status status() const;

 private:
  VmStructs::Field Find(const char* type, const char* field);
  void AddMissing(const std::string& name);

  const VmStructs& structs_;
  std::string missing_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_VM_STRUCTS_H_
