#include "hotspot/vmstructs/method_reader.h"

#include "hotspot/vmstructs/line_table.h"
#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
Result<MethodReader> MethodReader::Create(const VmStructs& structs, int jdk_feature_version) {
  MethodReader reader{Unsigned5(jdk_feature_version)};
  FieldFinder find(structs);
  reader.const_method_ = find.Offset("Method", "_constMethod");
  reader.access_flags_ = find.Offset("Method", "_access_flags");
  reader.access_flags_size_ = find.Size("AccessFlags");
  reader.constants_ = find.Offset("ConstMethod", "_constants");
  reader.name_index_ = find.Offset("ConstMethod", "_name_index");
  reader.signature_index_ = find.Offset("ConstMethod", "_signature_index");
  reader.code_size_ = find.Offset("ConstMethod", "_code_size");
  reader.const_method_size_ = find.Size("ConstMethod");
  reader.const_method_words_ = find.Offset("ConstMethod", "_constMethod_size");
  const bool flags_are_a_class = structs.Find("ConstMethod", "_flags._flags") != nullptr;
  reader.flags_ = find.Offset("ConstMethod", flags_are_a_class ? "_flags._flags" : "_flags");
  reader.pool_holder_ = find.Offset("ConstantPool", "_pool_holder");
  reader.source_file_index_ = find.FindSourceFileIndex();
  reader.pool_length_ = find.Offset("ConstantPool", "_length");
  reader.pool_size_ = find.Size("ConstantPool");
  reader.class_name_ = find.Offset("Klass", "_name");
  reader.loader_data_ = find.Offset("Klass", "_class_loader_data");
  reader.class_loader_ = find.Offset("ClassLoaderData", "_class_loader");
  reader.symbol_length_ = find.Offset("Symbol", "_length");
  reader.symbol_body_ = find.Offset("Symbol", "_body");
  if (Status found = find.status(); !found) return found;
  return reader;
}

const void* MethodReader::ConstMethod(const void* method) const {
  return Load<const void*>(method, const_method_);
}

const void* MethodReader::Constants(const void* method) const {
  return Load<const void*>(ConstMethod(method), constants_);
}

std::string_view MethodReader::Text(const void* symbol) const {
  if (symbol == nullptr) return {};
  return {static_cast<const char*>(symbol) + symbol_body_, Load<uint16_t>(symbol, symbol_length_)};
}

// The pool's entries follow its fixed part, a word each; index 0 is no entry.
std::string_view MethodReader::SymbolAt(const void* constants, uint16_t index) const {
  if (index == 0 || index >= Load<int32_t>(constants, pool_length_)) return {};
  return Text(Load<const void*>(constants,
                                pool_size_ + static_cast<int64_t>(sizeof(void*)) * int64_t{index}));
}

std::string_view MethodReader::ClassName(const void* method) const {
  return Text(Load<const void*>(Load<const void*>(Constants(method), pool_holder_), class_name_));
}

std::string_view MethodReader::Name(const void* method) const {
  return SymbolAt(Constants(method), Load<uint16_t>(ConstMethod(method), name_index_));
}

std::string_view MethodReader::Descriptor(const void* method) const {
  return SymbolAt(Constants(method), Load<uint16_t>(ConstMethod(method), signature_index_));
}

std::string_view MethodReader::SourceFile(const void* method) const {
  const void* constants = Constants(method);
  const void* holder =
      source_file_index_.is_in_class ? Load<const void*>(constants, pool_holder_) : constants;
  return SymbolAt(constants, Load<uint16_t>(holder, source_file_index_.offset));
}

uint32_t MethodReader::AccessFlags(const void* method) const {
  return access_flags_size_ == 2 ? Load<uint16_t>(method, access_flags_)
                                 : Load<uint32_t>(method, access_flags_);
}

// The boot loader is no object: its data has no handle of one.
bool MethodReader::IsOfBootLoader(const void* method) const {
  const void* holder = Load<const void*>(Constants(method), pool_holder_);
  const void* data = Load<const void*>(holder, loader_data_);
  return data != nullptr && Load<const void*>(data, class_loader_) == nullptr;
}

// Behind the fixed part.
std::span<const uint8_t> MethodReader::Bytecode(const void* method) const {
  const void* const_method = ConstMethod(method);
  return {static_cast<const uint8_t*>(const_method) + const_method_size_,
          Load<uint16_t>(const_method, code_size_)};
}

// Behind the bytecode.
std::vector<Method::Line> MethodReader::Lines(const void* method) const {
  const void* const_method = ConstMethod(method);
  if ((Load<uint16_t>(const_method, flags_) & kHasLineNumberTable) == 0) return {};
  const std::span<const uint8_t> code = Bytecode(method);
  const auto* end =
      static_cast<const uint8_t*>(const_method) +
      Load<int32_t>(const_method, const_method_words_) * static_cast<int64_t>(sizeof(void*));
  if (end < code.data() + code.size()) return {};
  return ReadLineTable({code.data() + code.size(), end}, code.size(), numbers_);
}

}  // namespace yp::hotspot
