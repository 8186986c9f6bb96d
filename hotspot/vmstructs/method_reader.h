#ifndef YP_HOTSPOT_VMSTRUCTS_METHOD_READER_H_
#define YP_HOTSPOT_VMSTRUCTS_METHOD_READER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "core/graph/method.h"
#include "hotspot/vmstructs/unsigned5.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// What the VM's Method objects say, read without the VM's help: JVMTI would make an id for each
// method, which JDK 17 never frees, and cannot be asked from within compiled code.
//
// Condition everywhere: the method cannot be unloaded or freed meanwhile, as when a frame of it is
// on the calling thread's stack. Takes no lock, calls nothing of the VM.
class MethodReader {
 public:
  // An error names what is missing from the tables.
  static Result<MethodReader> Create(const VmStructs& structs, int jdk_feature_version);

  // As the class file has them, in modified UTF-8: "java/lang/String", "<init>", "(I)V". A hidden
  // class's name ends with '+' and an address. They live as long as the method.
  std::string_view ClassName(const void* method) const;
  std::string_view Name(const void* method) const;
  std::string_view Descriptor(const void* method) const;
  // Empty when the class file does not say.
  std::string_view SourceFile(const void* method) const;
  uint32_t AccessFlags(const void* method) const;
  // Whether its class was defined by the boot class loader.
  bool IsOfBootLoader(const void* method) const;
  std::span<const uint8_t> Bytecode(const void* method) const;
  // In the order of the table. Empty when there is none.
  std::vector<Method::Line> Lines(const void* method) const;

  // Where its bytecode is, and what else never changes of it.
  const void* ConstMethod(const void* method) const;

 private:
  explicit MethodReader(Unsigned5 numbers) : numbers_(numbers) {}
  const void* Constants(const void* method) const;
  std::string_view SymbolAt(const void* constants, uint16_t index) const;
  std::string_view Text(const void* symbol) const;

  Unsigned5 numbers_;
  int64_t const_method_ = 0, access_flags_ = 0, access_flags_size_ = 0;
  int64_t constants_ = 0, name_index_ = 0, signature_index_ = 0, code_size_ = 0;
  int64_t const_method_size_ = 0, const_method_words_ = 0;  // Its fixed part; all of it.
  int64_t flags_ = 0;
  SourceFileIndex source_file_index_;
  int64_t pool_holder_ = 0, pool_length_ = 0, pool_size_ = 0;
  int64_t class_name_ = 0, loader_data_ = 0, class_loader_ = 0;
  int64_t symbol_length_ = 0, symbol_body_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_METHOD_READER_H_
