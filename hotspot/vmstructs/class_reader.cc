#include "hotspot/vmstructs/class_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <initializer_list>

#include "classfile/modified_utf8.h"
#include "hotspot/vmstructs/line_table.h"
#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

// The VM's constants that are those of the class file (JVMS 4.4).
constexpr uint8_t kTagClass = 7, kTagFieldref = 9, kTagMethodref = 10, kTagInterfaceMethodref = 11,
                  kTagUnresolvedClass = 100;  // The VM's own.
constexpr int32_t kMaxElements = 0xffff;
// Of bytecode of 64 KB with all its tables.
constexpr int32_t kMaxConstMethodWords = 1 << 17;

// The largest of the VM's objects of which all is read: a class without its tables.
using Words = std::array<uint64_t, 128>;

size_t WordsUpTo(std::initializer_list<int64_t> offsets) {
  return static_cast<size_t>(std::max(offsets)) / 8 + 1;
}

uint16_t Low(uint64_t entry) { return static_cast<uint16_t>(entry); }
uint16_t High(uint64_t entry) { return static_cast<uint16_t>(entry >> 16); }

}  // namespace

Result<ClassReader> ClassReader::Create(const VmStructs& structs, GuardedBlocks& memory) {
  ClassReader reader(memory);
  FieldFinder find(structs);
  reader.const_method_ = find.Offset("Method", "_constMethod");
  reader.access_flags_ = find.Offset("Method", "_access_flags");
  reader.vtable_index_ = find.Offset("Method", "_vtable_index");
  reader.method_words_ =
      WordsUpTo({reader.const_method_, reader.access_flags_, reader.vtable_index_});
  reader.constants_ = find.Offset("ConstMethod", "_constants");
  reader.name_index_ = find.Offset("ConstMethod", "_name_index");
  reader.signature_index_ = find.Offset("ConstMethod", "_signature_index");
  reader.code_size_ = find.Offset("ConstMethod", "_code_size");
  reader.const_method_words_ = WordsUpTo(
      {reader.constants_, reader.name_index_, reader.signature_index_, reader.code_size_});
  reader.const_method_size_ = find.Size("ConstMethod");
  reader.const_method_all_ = find.Offset("ConstMethod", "_constMethod_size");
  const bool flags_are_a_class = structs.Find("ConstMethod", "_flags._flags") != nullptr;
  reader.const_method_flags_ =
      find.Offset("ConstMethod", flags_are_a_class ? "_flags._flags" : "_flags");
  reader.source_file_index_ = find.FindSourceFileIndex();
  reader.pool_holder_ = find.Offset("ConstantPool", "_pool_holder");
  reader.pool_length_ = find.Offset("ConstantPool", "_length");
  reader.pool_cache_ = find.Offset("ConstantPool", "_cache");
  reader.pool_tags_ = find.Offset("ConstantPool", "_tags");
  reader.pool_classes_ = find.Offset("ConstantPool", "_resolved_klasses");
  reader.pool_words_ = WordsUpTo({reader.pool_holder_, reader.pool_length_, reader.pool_cache_,
                                  reader.pool_tags_, reader.pool_classes_});
  reader.pool_size_ = find.Size("ConstantPool");
  reader.layout_helper_ = find.Offset("Klass", "_layout_helper");
  reader.super_ = find.Offset("Klass", "_super");
  reader.vtable_length_ = find.Offset("Klass", "_vtable_len");
  reader.itable_length_ = find.Offset("InstanceKlass", "_itable_len");
  reader.methods_ = find.Offset("InstanceKlass", "_methods");
  reader.interfaces_ = find.Offset("InstanceKlass", "_transitive_interfaces");
  reader.init_state_ = find.Offset("InstanceKlass", "_init_state");
  reader.linked_ = find.Constant("InstanceKlass::linked");
  reader.class_name_ = find.Offset("Klass", "_name");
  reader.loader_data_ = find.Offset("Klass", "_class_loader_data");
  reader.class_loader_ = find.Offset("ClassLoaderData", "_class_loader");
  reader.class_words_ =
      WordsUpTo({reader.layout_helper_, reader.super_, reader.vtable_length_, reader.itable_length_,
                 reader.methods_, reader.interfaces_, reader.init_state_});
  reader.class_size_ = find.Size("InstanceKlass");
  reader.symbol_length_ = find.Offset("Symbol", "_length");
  reader.symbol_body_ = find.Offset("Symbol", "_body");
  reader.array_length_ = find.Offset("Array<int>", "_length");
  reader.pointers_data_ = find.Offset("Array<Method*>", "_data");
  reader.bytes_data_ = find.Offset("Array<u1>", "_data");
  if (Status found = find.status(); !found) return found;
  if (std::max({reader.method_words_, reader.const_method_words_, reader.pool_words_,
                reader.class_words_}) > std::tuple_size_v<Words>) {
    return Status::Error("this JVM's classes have a layout that is not known here");
  }
  return reader;
}

std::optional<ClassReader::Pool> ClassReader::ReadPool(const void* address) const {
  Words words;
  if (!memory_->Read(address, words.data(), pool_words_ * 8)) return std::nullopt;
  const Pool pool{.address = address,
                  .length = Load<int32_t>(words.data(), pool_length_),
                  .holder = Load<const void*>(words.data(), pool_holder_),
                  .cache = Load<const void*>(words.data(), pool_cache_),
                  .tags = Load<const void*>(words.data(), pool_tags_),
                  .resolved_classes = Load<const void*>(words.data(), pool_classes_)};
  if (pool.length <= 0 || pool.length > kMaxElements || pool.holder == nullptr) return std::nullopt;
  return pool;
}

// Entries follow the pool's fixed part, a word each; index 0 is none.
const void* ClassReader::EntryAddress(const Pool& pool, uint16_t index) const {
  if (index == 0 || index >= pool.length) return nullptr;
  return GuardedMemory::At(pool.address, pool_size_ + int64_t{8} * index);
}

std::optional<ClassReader::Signature> ClassReader::SignatureAt(const Pool& pool, uint16_t name,
                                                               uint16_t descriptor) const {
  const Signature signature{
      .name = memory_->Get<const void*>(EntryAddress(pool, name), 0).value_or(nullptr),
      .descriptor = memory_->Get<const void*>(EntryAddress(pool, descriptor), 0).value_or(nullptr)};
  if (signature.name == nullptr || signature.descriptor == nullptr) return std::nullopt;
  return signature;
}

std::optional<ClassReader::MethodInfo> ClassReader::ReadMethod(const void* method) const {
  MethodInfo info;
  Words words;
  if (!memory_->Read(method, words.data(), method_words_ * 8)) return std::nullopt;
  info.const_method = Load<const void*>(words.data(), const_method_);
  info.access_flags = Load<uint16_t>(words.data(), access_flags_);
  info.vtable_index = Load<int32_t>(words.data(), vtable_index_);
  if (!memory_->Read(info.const_method, words.data(), const_method_words_ * 8)) return std::nullopt;
  info.code_size = Load<uint16_t>(words.data(), code_size_);
  const std::optional<Pool> pool = ReadPool(Load<const void*>(words.data(), constants_));
  if (!pool) return std::nullopt;
  info.pool = *pool;
  const std::optional<Signature> signature =
      SignatureAt(*pool, Load<uint16_t>(words.data(), name_index_),
                  Load<uint16_t>(words.data(), signature_index_));
  if (!signature) return std::nullopt;
  info.signature = *signature;
  return info;
}

const void* ClassReader::ConstMethodOf(const void* method) const {
  return memory_->Get<const void*>(method, const_method_).value_or(nullptr);
}

std::optional<std::string> ClassReader::Text(const void* symbol) const {
  const auto length = memory_->Get<uint16_t>(symbol, symbol_length_);
  if (!length) return std::nullopt;
  std::string text(*length, '\0');
  if (!memory_->Read(GuardedMemory::At(symbol, symbol_body_), text.data(), text.size())) {
    return std::nullopt;
  }
  return text;
}

// Symbols that were freed may hold anything.
std::optional<std::string> ClassReader::Name(const void* symbol) const {
  std::optional<std::string> text = Text(symbol);
  if (!text || text->empty() || !classfile::IsModifiedUtf8(*text)) return std::nullopt;
  return text;
}

bool ClassReader::IsBootLoader(const void* loader_data) const {
  return memory_->Get<const void*>(loader_data, class_loader_) ==
         std::optional<const void*>(nullptr);
}

std::optional<ClassReader::ClassNames> ClassReader::NamesOfClass(const void* klass) const {
  const auto symbol = memory_->Get<const void*>(klass, class_name_);
  const auto loader_data = memory_->Get<const void*>(klass, loader_data_);
  if (!symbol || !loader_data) return std::nullopt;
  const auto loader = memory_->Get<const void*>(*loader_data, class_loader_);
  std::optional<std::string> name = Name(*symbol);
  if (!loader || !name) return std::nullopt;
  return ClassNames{*std::move(name), *loader == nullptr};
}

std::optional<ClassReader::MethodNames> ClassReader::NamesIn(const ClassNames& of_class,
                                                             const void* method) const {
  const std::optional<MethodInfo> info = ReadMethod(method);
  if (!info) return std::nullopt;
  std::optional<std::string> name = Name(info->signature.name),
                             descriptor = Name(info->signature.descriptor);
  if (!name || !descriptor || descriptor->front() != '(') return std::nullopt;
  return MethodNames{of_class.name, *std::move(name), *std::move(descriptor),
                     of_class.is_of_boot_loader, info->access_flags};
}

std::optional<ClassReader::MethodNames> ClassReader::NamesOf(const void* method) const {
  const std::optional<MethodInfo> info = ReadMethod(method);
  const std::optional<ClassInfo> declaring =
      info ? ReadClass(info->pool.holder) : std::optional<ClassInfo>();
  if (!declaring) return std::nullopt;
  const std::vector<const void*> methods = ReadPointers(declaring->methods);
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) return std::nullopt;
  const std::optional<ClassNames> of_class = NamesOfClass(info->pool.holder);
  return of_class ? NamesIn(*of_class, method) : std::nullopt;
}

ClassReader::Source ClassReader::SourceOf(const void* method, Unsigned5 numbers) const {
  Source source;
  const std::optional<MethodInfo> info = ReadMethod(method);
  if (!info) return source;
  const void* holder = source_file_index_.is_in_class ? info->pool.holder : info->pool.address;
  const auto file = memory_->Get<uint16_t>(holder, source_file_index_.offset).value_or(0);
  const void* symbol =
      memory_->Get<const void*>(EntryAddress(info->pool, file), 0).value_or(nullptr);
  source.file = Name(symbol).value_or("");
  const auto flags = memory_->Get<uint16_t>(info->const_method, const_method_flags_).value_or(0);
  const auto words = memory_->Get<int32_t>(info->const_method, const_method_all_).value_or(0);
  if ((flags & kHasLineNumberTable) == 0 || words <= 0 || words > kMaxConstMethodWords) {
    return source;
  }
  const int64_t before = const_method_size_ + info->code_size;
  if (before >= int64_t{8} * words) return source;
  std::vector<uint8_t> table(static_cast<size_t>(int64_t{8} * words - before));
  if (!memory_->Read(GuardedMemory::At(info->const_method, before), table.data(), table.size())) {
    return source;
  }
  source.lines = ReadLineTable(table, info->code_size, numbers);
  if (!std::ranges::is_sorted(source.lines, {}, &Method::Line::bci)) {
    std::ranges::stable_sort(source.lines, {}, &Method::Line::bci);
  }
  return source;
}

std::vector<uint8_t> ClassReader::ReadCode(const MethodInfo& info) const {
  std::vector<uint8_t> code(info.code_size);
  const void* from = GuardedMemory::At(info.const_method, const_method_size_);
  if (!memory_->Read(from, code.data(), code.size())) code.clear();
  return code;
}

std::optional<ClassReader::ClassInfo> ClassReader::ReadClass(const void* klass) const {
  Words words;
  if (!memory_->Read(klass, words.data(), class_words_ * 8)) return std::nullopt;
  ClassInfo info;
  // Its sign tells arrays (HotSpot's klass.hpp), which are no InstanceKlass.
  info.is_array = Load<int32_t>(words.data(), layout_helper_) < 0;
  info.super = Load<const void*>(words.data(), super_);
  info.vtable_length = Load<int32_t>(words.data(), vtable_length_);
  if (!info.is_array) {
    info.is_linked = Load<uint8_t>(words.data(), init_state_) >= linked_;
    info.itable_length = Load<int32_t>(words.data(), itable_length_);
    info.methods = Load<const void*>(words.data(), methods_);
    info.interfaces = Load<const void*>(words.data(), interfaces_);
  }
  const auto is_length = [](int32_t length) { return length >= 0 && length <= kMaxElements; };
  if (!is_length(info.vtable_length) || !is_length(info.itable_length)) return std::nullopt;
  return info;
}

std::optional<uint8_t> ClassReader::TagAt(const Pool& pool, uint16_t index) const {
  if (index == 0 || index >= pool.length) return std::nullopt;
  return memory_->Get<uint8_t>(pool.tags, bytes_data_ + index);
}

std::optional<ClassReader::MethodRef> ClassReader::RefAt(const Pool& pool, uint16_t index) const {
  const std::optional<uint8_t> tag = TagAt(pool, index);
  if (tag != kTagMethodref && tag != kTagInterfaceMethodref) return std::nullopt;
  const auto entry = memory_->Get<uint64_t>(EntryAddress(pool, index), 0);
  if (!entry) return std::nullopt;
  const auto name_and_type = memory_->Get<uint64_t>(EntryAddress(pool, High(*entry)), 0);
  if (!name_and_type) return std::nullopt;
  const std::optional<Signature> signature =
      SignatureAt(pool, Low(*name_and_type), High(*name_and_type));
  if (!signature) return std::nullopt;
  return MethodRef{.class_index = Low(*entry), .signature = *signature};
}

const void* ClassReader::ClassAt(const Pool& pool, uint16_t index) const {
  if (TagAt(pool, index) != kTagClass) return nullptr;
  const auto entry = memory_->Get<uint64_t>(EntryAddress(pool, index), 0);
  const auto length = memory_->Get<int32_t>(pool.resolved_classes, array_length_);
  if (!entry || !length || Low(*entry) >= *length) return nullptr;
  return memory_->Get<const void*>(pool.resolved_classes, pointers_data_ + int64_t{8} * Low(*entry))
      .value_or(nullptr);
}

std::optional<bool> ClassReader::IsClassResolved(const Pool& pool, uint16_t index) const {
  const std::optional<uint8_t> tag = TagAt(pool, index);
  if (tag == kTagClass) return true;
  return tag == kTagUnresolvedClass ? std::optional(false) : std::nullopt;
}

const void* ClassReader::ClassOfFieldAt(const Pool& pool, uint16_t index) const {
  if (TagAt(pool, index) != kTagFieldref) return nullptr;
  const auto entry = memory_->Get<uint64_t>(EntryAddress(pool, index), 0);
  return entry ? ClassAt(pool, Low(*entry)) : nullptr;
}

bool ClassReader::IsText(const void* symbol, std::string_view text) const {
  std::array<char, 16> body;
  return text.size() <= body.size() &&
         memory_->Get<uint16_t>(symbol, symbol_length_) == text.size() &&
         memory_->Read(GuardedMemory::At(symbol, symbol_body_), body.data(), text.size()) &&
         std::string_view(body.data(), text.size()) == text;
}

// The vtable follows an InstanceKlass's fixed part, and lies at the same place in array classes;
// the itable follows it.
const void* ClassReader::VtableEntry(const void* klass, const ClassInfo& info,
                                     int32_t index) const {
  if (index < 0 || index >= info.vtable_length) return nullptr;
  return memory_->Get<const void*>(klass, class_size_ + int64_t{8} * index).value_or(nullptr);
}

// It begins with pairs of an interface and the place of the methods for it, in bytes from the
// class; a pair without an interface ends them (HotSpot's klassVtable.hpp).
const void* ClassReader::ItableEntry(const void* klass, const ClassInfo& info,
                                     const void* interface, int32_t index) const {
  std::vector<uint64_t> words(static_cast<size_t>(info.itable_length));
  const int64_t begin = class_size_ + int64_t{8} * info.vtable_length;
  if (!memory_->Read(GuardedMemory::At(klass, begin), words.data(), words.size() * 8)) {
    return nullptr;
  }
  for (size_t i = 0; i + 1 < words.size() && words[i] != 0; i += 2) {
    if (reinterpret_cast<const void*>(words[i]) != interface) continue;
    const int64_t at = static_cast<int32_t>(words[i + 1]) - begin + int64_t{8} * index;
    if (at < 0 || at % 8 != 0 || static_cast<size_t>(at / 8) >= words.size()) return nullptr;
    return reinterpret_cast<const void*>(words[static_cast<size_t>(at / 8)]);
  }
  return nullptr;
}

std::vector<const void*> ClassReader::ReadPointers(const void* array) const {
  const auto length = memory_->Get<int32_t>(array, array_length_);
  if (!length || *length <= 0 || *length > kMaxElements) return {};
  std::vector<const void*> pointers(static_cast<size_t>(*length));
  if (!memory_->Read(GuardedMemory::At(array, pointers_data_), pointers.data(),
                     pointers.size() * 8)) {
    pointers.clear();
  }
  return pointers;
}

std::vector<std::vector<const void*>> ClassReader::ReadPointersOfEach(
    std::span<const void* const> arrays) const {
  std::vector<int32_t> lengths(arrays.size(), 0);
  std::vector<GuardedMemory::Piece> pieces;
  for (size_t i = 0; i < arrays.size(); ++i) {
    pieces.push_back({.from = GuardedMemory::At(arrays[i], array_length_),
                      .to = &lengths[i],
                      .bytes = sizeof(lengths[i])});
  }
  memory_->ReadEach(pieces);
  std::vector<std::vector<const void*>> pointers(arrays.size());
  std::vector<size_t> indices;
  std::vector<GuardedMemory::Piece> contents;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!pieces[i].is_read || lengths[i] <= 0 || lengths[i] > kMaxElements) continue;
    pointers[i].resize(static_cast<size_t>(lengths[i]));
    indices.push_back(i);
    contents.push_back({.from = GuardedMemory::At(arrays[i], pointers_data_),
                        .to = pointers[i].data(),
                        .bytes = pointers[i].size() * sizeof(const void*)});
  }
  memory_->ReadEach(contents);
  for (size_t i = 0; i < contents.size(); ++i) {
    if (!contents[i].is_read) pointers[indices[i]].clear();
  }
  return pointers;
}

// The VM keeps them sorted by the addresses of their names (HotSpot's Method::sort_methods).
const void* ClassReader::FindDeclared(const ClassInfo& info, const Signature& signature) const {
  const std::vector<const void*> methods = ReadPointers(info.methods);
  size_t first = 0, end = methods.size();
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    const std::optional<MethodInfo> found = ReadMethod(methods[middle]);
    if (!found) return nullptr;  // It is no class any more.
    if (std::less<>()(found->signature.name, signature.name)) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  for (; first < methods.size(); ++first) {
    const std::optional<MethodInfo> found = ReadMethod(methods[first]);
    if (!found || found->signature.name != signature.name) return nullptr;
    if (found->signature == signature) return methods[first];
  }
  return nullptr;
}

}  // namespace yp::hotspot
