#include "hotspot/vmstructs/vm_structs.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace yp::hotspot {
namespace {

// One of the exported tables: an array of entries of `stride` bytes, ended by an entry without a
// name.
class Table {
 public:
  Table(VmStructs::SymbolLookup lookup, const char* array_symbol, const std::string& entry_prefix)
      : lookup_(lookup), entry_prefix_(entry_prefix) {
    if (const void* array = lookup(array_symbol)) array_ = Load<const char*>(array, 0);
    stride_ = Word("ArrayStride");
  }

  bool ok() const { return array_ != nullptr && stride_ > 0 && stride_ < 4096 && complete_; }
  // The offset of an entry's field, from the symbol "<prefix><name>".
  uint64_t Word(const std::string& name) {
    const void* symbol = lookup_((entry_prefix_ + name).c_str());
    if (symbol == nullptr) {
      complete_ = false;
      return 0;
    }
    return Load<uint64_t>(symbol, 0);
  }
  const char* entry(size_t i) const { return array_ + i * stride_; }

  template <typename T>
  static T Load(const void* base, uint64_t offset) {
    T value;
    std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof(value));
    return value;
  }

 private:
  VmStructs::SymbolLookup lookup_;
  std::string entry_prefix_;
  const char* array_ = nullptr;
  uint64_t stride_ = 0;
  bool complete_ = true;
};

void* vm_library = RTLD_DEFAULT;

// Far above any real table (about 1,500 entries); a malformed one must not run away.
constexpr size_t kMaxEntries = 100'000;

// The loaded segment that holds an address; empty when there is none.
AddressRange SegmentOf(const void* address) {
  struct Search {
    const void* address;
    AddressRange found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = library->dlpi_phdr[i];
          const uintptr_t low = library->dlpi_addr + segment.p_vaddr;
          const AddressRange range{low, low + segment.p_memsz};
          if (segment.p_type != PT_LOAD || !range.Contains(wanted.address)) continue;
          wanted.found = range;
          return 1;
        }
        return 0;
      },
      &search);
  return search.found;
}

// The names and values of one of the two tables of constants, whose values are of type T; false
// when there is no such table.
template <typename T>
bool ReadConstants(VmStructs::SymbolLookup lookup, const char* array_symbol,
                   const std::string& entry_prefix,
                   std::unordered_map<std::string, int64_t>& values) {
  Table constants(lookup, array_symbol, entry_prefix);
  const uint64_t name_offset = constants.Word("NameOffset");
  const uint64_t value_offset = constants.Word("ValueOffset");
  if (!constants.ok()) return false;
  for (size_t i = 0; i < kMaxEntries; ++i) {
    const char* name = Table::Load<const char*>(constants.entry(i), name_offset);
    if (name == nullptr) break;
    values.emplace(name, Table::Load<T>(constants.entry(i), value_offset));
  }
  return true;
}

std::string Key(std::string_view type, std::string_view field) {
  std::string key(type);
  key += "::";
  key += field;
  return key;
}

}  // namespace

void VmStructs::UseLibraryOf(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return;
  if (void* library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD)) vm_library = library;
}

const void* VmStructs::LookupInProcess(const char* name) { return dlsym(vm_library, name); }

Result<VmStructs> VmStructs::Read(SymbolLookup lookup) {
  VmStructs result;

  Table structs(lookup, "gHotSpotVMStructs", "gHotSpotVMStructEntry");
  const uint64_t type_name = structs.Word("TypeNameOffset");
  const uint64_t field_name = structs.Word("FieldNameOffset");
  const uint64_t is_static = structs.Word("IsStaticOffset");
  const uint64_t offset = structs.Word("OffsetOffset");
  const uint64_t address = structs.Word("AddressOffset");
  Table types(lookup, "gHotSpotVMTypes", "gHotSpotVMTypeEntry");
  const uint64_t type_entry_name = types.Word("TypeNameOffset");
  const uint64_t type_entry_size = types.Word("SizeOffset");
  if (!structs.ok() || !types.ok() ||
      !ReadConstants<int32_t>(lookup, "gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntry",
                              result.values_) ||
      !ReadConstants<int64_t>(lookup, "gHotSpotVMLongConstants", "gHotSpotVMLongConstantEntry",
                              result.values_)) {
    return Status::Error("this JVM does not export HotSpot's layout tables (gHotSpotVMStructs)");
  }

  for (size_t i = 0; i < kMaxEntries; ++i) {
    const char* entry = structs.entry(i);
    const char* type = Table::Load<const char*>(entry, type_name);
    if (type == nullptr) break;
    if (i == 0) result.constants_ = SegmentOf(type);
    const char* field = Table::Load<const char*>(entry, field_name);
    if (field == nullptr) continue;
    Field value;
    if (Table::Load<int32_t>(entry, is_static) != 0) {
      value.address = Table::Load<const void*>(entry, address);
    } else {
      value.offset = Table::Load<int64_t>(entry, offset);
    }
    result.fields_.emplace(Key(type, field), value);
  }
  for (size_t i = 0; i < kMaxEntries; ++i) {
    const char* entry = types.entry(i);
    const char* type = Table::Load<const char*>(entry, type_entry_name);
    if (type == nullptr) break;
    result.sizes_.emplace(type, Table::Load<int64_t>(entry, type_entry_size));
  }
  return result;
}

const VmStructs::Field* VmStructs::Find(std::string_view type, std::string_view field) const {
  const auto it = fields_.find(Key(type, field));
  return it == fields_.end() ? nullptr : &it->second;
}

int64_t VmStructs::SizeOf(std::string_view type) const {
  const auto it = sizes_.find(std::string(type));
  return it == sizes_.end() ? -1 : it->second;
}

std::optional<int64_t> VmStructs::Constant(std::string_view name) const {
  const auto it = values_.find(std::string(name));
  return it == values_.end() ? std::nullopt : std::optional(it->second);
}

VmStructs::Field FieldFinder::Find(const char* type, const char* field) {
  if (const VmStructs::Field* found = structs_.Find(type, field)) return *found;
  AddMissing(Key(type, field));
  return {};
}

int64_t FieldFinder::NmethodOffset(const char* field) {
  const bool has_base_class = structs_.Find("CompiledMethod", field) != nullptr;
  return Offset(has_base_class ? "CompiledMethod" : "nmethod", field);
}

// The base class has another name on JDK 11.
int64_t FieldFinder::GrowableArrayLength() {
  const bool is_old = structs_.SizeOf("GenericGrowableArray") > 0;
  return Offset(is_old ? "GenericGrowableArray" : "GrowableArrayBase", "_len");
}

SourceFileIndex FieldFinder::FindSourceFileIndex() {
  constexpr const char* kName = "_source_file_name_index";
  const bool is_in_class = structs_.Find("InstanceKlass", kName) != nullptr;
  return {is_in_class, Offset(is_in_class ? "InstanceKlass" : "ConstantPool", kName)};
}

int64_t FieldFinder::Size(const char* type) {
  const int64_t size = structs_.SizeOf(type);
  if (size <= 0) AddMissing(type);
  return size;
}

int64_t FieldFinder::Constant(const char* name) {
  const std::optional<int64_t> value = structs_.Constant(name);
  if (!value) AddMissing(name);
  return value.value_or(0);
}

void FieldFinder::AddMissing(const std::string& name) {
  if (!missing_.empty()) missing_ += ", ";
  missing_ += name;
}

Status FieldFinder::status() const {
  if (missing_.empty()) return Status::Ok();
  return Status::Error("this JVM's layout tables lack " + missing_);
}

}  // namespace yp::hotspot
