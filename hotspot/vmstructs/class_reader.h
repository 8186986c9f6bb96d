#ifndef YP_HOTSPOT_VMSTRUCTS_CLASS_READER_H_
#define YP_HOTSPOT_VMSTRUCTS_CLASS_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "core/graph/method.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/unsigned5.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// What the VM's classes, methods and constant pools say, read through guarded memory: each may be
// gone, and then there is nothing, or what another has written there. Whoever uses an answer checks
// it against what it knows already.
class ClassReader {
 public:
  // Of a method; both are the VM's Symbols, of which there is one for each text.
  struct Signature {
    const void* name = nullptr;
    const void* descriptor = nullptr;
    bool operator==(const Signature&) const = default;
  };
  struct Pool {
    const void* address = nullptr;
    int32_t length = 0;
    const void* holder = nullptr;  // The class.
    const void* cache = nullptr;
    const void* tags = nullptr;
    const void* resolved_classes = nullptr;
  };
  struct MethodInfo {
    Signature signature;
    Pool pool;  // Its holder is the method's class.
    const void* const_method = nullptr;
    uint16_t code_size = 0;
    uint16_t access_flags = 0;
    // From 0 on: its place in its class's vtable. Else one of the VM's codes (HotSpot's method.hpp,
    // JDK 11 to 25): kNotInVtable, or from kFirstInItable down its place in its interface's itable.
    int32_t vtable_index = 0;
    static constexpr int32_t kNotInVtable = -2, kFirstInItable = -10;
  };
  // A method by its names, as the class file has them (see MethodReader).
  struct MethodNames {
    std::string class_name, name, descriptor;
    bool is_of_boot_loader = false;
    uint16_t access_flags = 0;
  };
  // A class by its name, as the class file has it.
  struct ClassNames {
    std::string name;
    bool is_of_boot_loader = false;
  };
  // Where a method's source is; both empty when the class file does not say.
  struct Source {
    std::string file;
    std::vector<Method::Line> lines;
  };
  struct MethodRef {
    uint16_t class_index = 0;  // In the pool.
    Signature signature;
  };
  struct ClassInfo {
    const void* super = nullptr;
    bool is_array = false, is_linked = false;
    int32_t vtable_length = 0, itable_length = 0;  // In words.
    const void* methods = nullptr;                 // An Array, as the following.
    const void* interfaces = nullptr;              // With those of supertypes.
  };

  // An error names what is missing from the tables. `memory` must live as long.
  static Result<ClassReader> Create(const VmStructs& structs, GuardedBlocks& memory);

  std::optional<MethodInfo> ReadMethod(const void* method) const;
  // Null when it cannot be read.
  const void* ConstMethodOf(const void* method) const;
  // Of a method that its class declares, under names that can be such. Nothing for old versions of
  // methods that were redefined.
  std::optional<MethodNames> NamesOf(const void* method) const;
  // The same of a method that was just found among those of a class of that name.
  std::optional<MethodNames> NamesIn(const ClassNames& of_class, const void* method) const;
  std::optional<ClassNames> NamesOfClass(const void* klass) const;
  // Of a ClassLoaderData.
  bool IsBootLoader(const void* loader_data) const;
  // Of a method with names (see NamesOf). `numbers`: as this VM encodes them.
  Source SourceOf(const void* method, Unsigned5 numbers) const;
  std::vector<uint8_t> ReadCode(const MethodInfo& info) const;
  std::optional<ClassInfo> ReadClass(const void* klass) const;
  // A Methodref or InterfaceMethodref of a pool.
  std::optional<MethodRef> RefAt(const Pool& pool, uint16_t index) const;
  // The class of a pool's Class; null when the VM has not resolved it.
  const void* ClassAt(const Pool& pool, uint16_t index) const;
  // Whether it has; nothing for what is no Class.
  std::optional<bool> IsClassResolved(const Pool& pool, uint16_t index) const;
  // The class that a Fieldref names; null when the VM has not resolved it.
  const void* ClassOfFieldAt(const Pool& pool, uint16_t index) const;
  bool IsText(const void* symbol, std::string_view text) const;

  // Null when there is none.
  const void* VtableEntry(const void* klass, const ClassInfo& info, int32_t index) const;
  // The class's method for that one of an interface's.
  const void* ItableEntry(const void* klass, const ClassInfo& info, const void* interface,
                          int32_t index) const;
  // The method that the class itself declares.
  const void* FindDeclared(const ClassInfo& info, const Signature& signature) const;
  // The elements of an Array of pointers.
  std::vector<const void*> ReadPointers(const void* array) const;
  // The same of many, which are read together.
  std::vector<std::vector<const void*>> ReadPointersOfEach(
      std::span<const void* const> arrays) const;

 private:
  explicit ClassReader(GuardedBlocks& memory) : memory_(&memory) {}

  std::optional<Pool> ReadPool(const void* address) const;
  const void* EntryAddress(const Pool& pool, uint16_t index) const;
  std::optional<Signature> SignatureAt(const Pool& pool, uint16_t name, uint16_t descriptor) const;
  std::optional<uint8_t> TagAt(const Pool& pool, uint16_t index) const;
  std::optional<std::string> Text(const void* symbol) const;
  // Nothing for what cannot be a name.
  std::optional<std::string> Name(const void* symbol) const;

  GuardedBlocks* memory_;
  size_t method_words_ = 0, const_method_words_ = 0, pool_words_ = 0, class_words_ = 0;
  int64_t const_method_ = 0, access_flags_ = 0, vtable_index_ = 0;
  int64_t constants_ = 0, name_index_ = 0, signature_index_ = 0, code_size_ = 0;
  int64_t const_method_size_ = 0, pool_size_ = 0, class_size_ = 0;
  int64_t const_method_all_ = 0, const_method_flags_ = 0;
  SourceFileIndex source_file_index_;
  int64_t pool_holder_ = 0, pool_length_ = 0, pool_cache_ = 0, pool_tags_ = 0, pool_classes_ = 0;
  int64_t layout_helper_ = 0, super_ = 0, vtable_length_ = 0, itable_length_ = 0;
  int64_t methods_ = 0, interfaces_ = 0, init_state_ = 0, linked_ = 0;
  int64_t class_name_ = 0, loader_data_ = 0, class_loader_ = 0;
  int64_t symbol_length_ = 0, symbol_body_ = 0;
  int64_t array_length_ = 0, pointers_data_ = 0, bytes_data_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CLASS_READER_H_
