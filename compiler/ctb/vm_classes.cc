#include "compiler/ctb/vm_classes.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace yp::compiler {
namespace {

// Method::VtableIndexFlag: numbers of interface methods are counted down from the first. Others say
// that the class has not been linked yet.
constexpr int32_t kItableIndexMax = -10, kNonvirtual = -2;
// Of an itable, which lies behind the vtable: entries of two words, an interface and the offset of
// its methods from the Klass on, end with no interface; methods take a word each.
constexpr int32_t kWord = 8;
constexpr int32_t kOffsetEntryBytes = 16;
// Symbol: hash and reference count, a length of two bytes, then the text.
constexpr int32_t kSymbolLength = 4, kSymbolText = 6;
constexpr uint32_t kAccStatic = 0x8, kAccNative = 0x100, kAccAbstract = 0x400;

}  // namespace

Status VmClasses::Check(uint64_t object) const {
  const std::string_view expected = "java/lang/Object";
  const uint64_t name = Load<uint64_t>(object, d_.klass_name);
  if (Load<uint16_t>(name, kSymbolLength) == expected.size() && Text(name) == expected) {
    return Status::Ok();
  }
  return Status::Error("this JVM keeps names in another way");
}

std::string VmClasses::Text(uint64_t symbol) {
  const auto* const text = reinterpret_cast<const char*>(symbol + kSymbolText);
  return {text, Load<uint16_t>(symbol, kSymbolLength)};
}

uint64_t VmClasses::ClassOf(uint64_t object) const {
  if (!vm_.compressed_classes) return Load<uint64_t>(object, vm_.klass_offset);
  const uint64_t narrow = Load<uint32_t>(object, vm_.klass_offset);
  return vm_.klass_base + (narrow << vm_.klass_shift);
}

uint64_t VmClasses::LoaderOf(uint64_t klass) const {
  return Load<uint64_t>(klass, d_.klass_loader_data);
}

int32_t VmClasses::VtableIndex(uint64_t method) const {
  return Load<int32_t>(method, d_.method_vtable_index);
}

std::optional<int32_t> VmClasses::VirtualSlot(uint64_t method) const {
  const int32_t index = VtableIndex(method);
  if (index < 0) return std::nullopt;
  return d_.vtable_start + kWord * index;
}

bool VmClasses::IsNonvirtual(uint64_t method) const { return VtableIndex(method) == kNonvirtual; }

std::optional<int32_t> VmClasses::InterfaceIndex(uint64_t method) const {
  const int32_t index = VtableIndex(method);
  if (index > kItableIndexMax) return std::nullopt;
  return kItableIndexMax - index;
}

uint64_t VmClasses::InterfaceEntry(uint64_t klass, uint64_t interface, int32_t index) const {
  if (Load<int32_t>(klass, vm_.layout_helper) <= 0) return 0;  // An array.
  const int32_t entries = Load<int32_t>(klass, d_.vtable_length);
  uint64_t entry = klass + static_cast<uint64_t>(d_.vtable_start + kWord * entries);
  for (;; entry += kOffsetEntryBytes) {
    const uint64_t known = Load<uint64_t>(entry);
    if (known == 0) return 0;
    if (known == interface) break;
  }
  return klass + static_cast<uint64_t>(Load<int32_t>(entry, kWord) + kWord * index);
}

uint64_t VmClasses::HolderOf(uint64_t method) const {
  const uint64_t constants =
      Load<uint64_t>(Load<uint64_t>(method, d_.method_const), d_.const_constants);
  return Load<uint64_t>(constants, d_.pool_holder);
}

uint64_t VmClasses::RootOf(uint64_t klass, int32_t slot) const {
  const auto has_slot = [&](uint64_t of) {
    return d_.vtable_start + kWord * Load<int32_t>(of, d_.vtable_length) > slot;
  };
  for (;;) {
    const uint64_t super = Load<uint64_t>(klass, d_.klass_super);
    if (super == 0 || !has_slot(super)) return klass;
    klass = super;
  }
}

yp::Method VmClasses::Describe(uint64_t method) const {
  const uint64_t constant = Load<uint64_t>(method, d_.method_const);
  const uint64_t constants = Load<uint64_t>(constant, d_.const_constants);
  const auto text = [&](int32_t index_at) {
    const auto index = static_cast<uint64_t>(Load<uint16_t>(constant, index_at));
    return Text(Load<uint64_t>(constants + static_cast<uint64_t>(d_.pool_bytes) + 8 * index));
  };
  yp::Method described;
  described.class_name = Text(Load<uint64_t>(HolderOf(method), d_.klass_name));
  std::ranges::replace(described.class_name, '/', '.');
  // A hidden class, as signatures have it.
  if (const size_t plus = described.class_name.rfind("+0x"); plus != std::string::npos) {
    described.class_name[plus] = '.';
  }
  described.name = text(d_.const_name);
  described.descriptor = text(d_.const_descriptor);
  const uint32_t flags = Load<uint16_t>(method, d_.method_access_flags);
  described.flags = yp::Method::kObserved | ((flags & kAccStatic) != 0 ? yp::Method::kStatic : 0u) |
                    ((flags & kAccNative) != 0 ? yp::Method::kNative : 0u) |
                    ((flags & kAccAbstract) != 0 ? yp::Method::kAbstract : 0u);
  return described;
}

std::unordered_set<uint64_t> VmClasses::LiveLoaders() const {
  std::unordered_set<uint64_t> live;
  for (uint64_t data = Load<uint64_t>(list_.head); data != 0;
       data = Load<uint64_t>(data, list_.next)) {
    live.insert(data);
  }
  return live;
}

// gHotSpotVMStructs is an array of entries whose layout other symbols tell; it ends with one
// without a name.
Result<VmClasses::LoaderList> FindLoaderList(const void* in_vm) {
  Dl_info info{};
  void* const library = dladdr(in_vm, &info) == 0 || info.dli_fname == nullptr
                            ? nullptr
                            : dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  bool ok = library != nullptr;
  const auto word = [&](const char* symbol) {
    const void* const at = ok ? dlsym(library, symbol) : nullptr;
    ok = ok && at != nullptr;
    uint64_t value = 0;
    if (ok) std::memcpy(&value, at, sizeof value);
    return value;
  };
  const uint64_t entries = word("gHotSpotVMStructs");
  const uint64_t stride = word("gHotSpotVMStructEntryArrayStride");
  const uint64_t type_at = word("gHotSpotVMStructEntryTypeNameOffset");
  const uint64_t field_at = word("gHotSpotVMStructEntryFieldNameOffset");
  const uint64_t offset_at = word("gHotSpotVMStructEntryOffsetOffset");
  const uint64_t address_at = word("gHotSpotVMStructEntryAddressOffset");
  VmClasses::LoaderList list;
  bool has_next = false;
  const auto load = [](uint64_t at) {
    uint64_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    return value;
  };
  for (uint64_t entry = entries; ok && load(entry + type_at) != 0; entry += stride) {
    const std::string_view type(reinterpret_cast<const char*>(load(entry + type_at)));
    const auto* const name = reinterpret_cast<const char*>(load(entry + field_at));
    const std::string_view field(name == nullptr ? "" : name);
    if (type == "ClassLoaderDataGraph" && field == "_head") list.head = load(entry + address_at);
    if (type == "ClassLoaderData" && field == "_next") {
      list.next = static_cast<int32_t>(load(entry + offset_at));
      has_next = true;
    }
  }
  if (list.head != 0 && has_next) return list;
  return Status::Error("this JVM does not say where its class loaders are");
}

}  // namespace yp::compiler
