#include "hotspot/vmstructs/call_resolver.h"

#include <algorithm>
#include <array>

#include "classfile/class_file.h"
#include "classfile/instructions.h"
#include "hotspot/vmstructs/load.h"

namespace yp::hotspot {
namespace {

namespace op = classfile::op;
using Kind = InvokeSite::Kind;

constexpr int32_t kNotInVtable = ClassReader::MethodInfo::kNotInVtable;
constexpr int32_t kFirstInItable = ClassReader::MethodInfo::kFirstInItable;
// Deeper than any hierarchy of classes; what is read may go round in a ring.
constexpr int kMaxDepth = 200;
// ResolvedMethodEntry, of which the tables tell one field and the size: the method, the vtable
// index (or another's), the pool's index, the parameters, a type, flags, and the opcodes that are
// resolved.
constexpr int64_t kNewEntrySize = 24, kNewPoolIndex = 16;
constexpr int64_t kNewTableIndex = 8, kNewFlags = 21, kNewFirstOpcode = 22, kNewSecondOpcode = 23;
constexpr uint8_t kNewIsFinal = 1 << 0, kNewIsForcedVirtual = 1 << 2;
constexpr size_t kMaxEntryWords = 4;

// The opcode that an entry has when a call of that kind has been resolved.
uint8_t OpcodeOf(Kind kind) {
  switch (kind) {
    case Kind::kVirtual:
      return op::kInvokevirtual;
    case Kind::kSpecial:
      return op::kInvokespecial;
    case Kind::kStatic:
      return op::kInvokestatic;
    case Kind::kInterface:
      return op::kInvokeinterface;
    case Kind::kDynamic:
    case Kind::kHandle:
      break;
  }
  return 0;
}

}  // namespace

Result<CallResolver> CallResolver::Create(const VmStructs& structs, GuardedBlocks& memory) {
  const Result<ClassReader> classes = ClassReader::Create(structs, memory);
  if (!classes) return classes.status();
  CallResolver resolver(memory, *classes);
  FieldFinder find(structs);
  bool is_known = true;
  resolver.has_old_entries_ =
      structs.Find("ConstantPoolCache", "_resolved_method_entries") == nullptr;
  if (resolver.has_old_entries_) {
    resolver.cache_length_ = find.Offset("ConstantPoolCache", "_length");
    resolver.cache_size_ = find.Size("ConstantPoolCache");
    resolver.entry_size_ = find.Size("ConstantPoolCacheEntry");
    const auto word_of = [&](const char* field) {
      return static_cast<size_t>(find.Offset("ConstantPoolCacheEntry", field) / 8);
    };
    resolver.indices_ = word_of("_indices");
    resolver.f1_ = word_of("_f1");
    resolver.f2_ = word_of("_f2");
    resolver.flags_ = word_of("_flags");
    resolver.final_shift_ = find.Constant("ConstantPoolCacheEntry::is_vfinal_shift");
    resolver.forced_virtual_shift_ =
        find.Constant("ConstantPoolCacheEntry::is_forced_virtual_shift");
    is_known =
        resolver.entry_size_ == 8 * int64_t{kMaxEntryWords} &&
        std::max({resolver.indices_, resolver.f1_, resolver.f2_, resolver.flags_}) < kMaxEntryWords;
  } else {
    resolver.entries_ = find.Offset("ConstantPoolCache", "_resolved_method_entries");
    resolver.array_length_ = find.Offset("Array<int>", "_length");
    resolver.array_data_ = find.Offset("Array<ResolvedMethodEntry>", "_data");
    resolver.entry_size_ = find.Size("ResolvedMethodEntry");
    is_known = resolver.entry_size_ == kNewEntrySize &&
               find.Offset("ResolvedMethodEntry", "_cpool_index") == kNewPoolIndex;
  }
  if (Status found = find.status(); !found) return found;
  if (!is_known)
    return Status::Error("this JVM's resolved calls have a layout that is not known here");
  return {std::move(resolver)};
}

std::optional<CallResolver::Caller> CallResolver::Open(const void* method) const {
  const std::optional<ClassReader::MethodInfo> info = classes_.ReadMethod(method);
  if (!info) return std::nullopt;
  const std::optional<ClassReader::ClassInfo> holder = classes_.ReadClass(info->pool.holder);
  if (!holder || !holder->is_linked) return std::nullopt;
  Caller caller{.pool = info->pool, .code = classes_.ReadCode(*info)};
  const void* lengths = caller.pool.cache;
  int64_t length_offset = cache_length_;
  if (has_old_entries_) {
    caller.cache_entries = GuardedMemory::At(lengths, cache_size_);
  } else {
    lengths = memory_->Get<const void*>(caller.pool.cache, entries_).value_or(nullptr);
    length_offset = array_length_;
    caller.cache_entries = GuardedMemory::At(lengths, array_data_);
  }
  caller.cache_length = memory_->Get<int32_t>(lengths, length_offset).value_or(0);
  return caller;
}

std::optional<CallResolver::Entry> CallResolver::ReadEntry(const Caller& caller,
                                                           const InvokeSite& site) const {
  std::array<uint64_t, kMaxEntryWords> words{};
  if (site.cache_index >= caller.cache_length || OpcodeOf(site.kind) == 0 ||
      !memory_->Read(GuardedMemory::At(caller.cache_entries, entry_size_ * site.cache_index),
                     words.data(), static_cast<size_t>(entry_size_))) {
    return std::nullopt;
  }
  return has_old_entries_ ? ReadOldEntry(words.data(), site.kind)
                          : ReadNewEntry(words.data(), site.kind);
}

// HotSpot's cpCache.hpp: two opcodes above the pool's index tell what f1 and f2 are for.
CallResolver::Entry CallResolver::ReadOldEntry(const uint64_t* words, Kind kind) const {
  Entry entry{.pool_index = static_cast<uint16_t>(words[indices_])};
  const bool is_virtual = kind == Kind::kVirtual;
  const auto opcode = static_cast<uint8_t>(words[indices_] >> (is_virtual ? 24 : 16));
  entry.is_resolved = opcode == OpcodeOf(kind);
  const bool is_final = (words[flags_] >> final_shift_ & 1) != 0;
  const bool is_forced = (words[flags_] >> forced_virtual_shift_ & 1) != 0;
  if (kind == Kind::kStatic || kind == Kind::kSpecial) {
    entry.method = reinterpret_cast<const void*>(words[f1_]);
  } else if (is_final || (!is_virtual && !is_forced)) {
    entry.method = reinterpret_cast<const void*>(words[f2_]);
  } else {
    entry.vtable_index = static_cast<int32_t>(words[f2_]);
  }
  return entry;
}

CallResolver::Entry CallResolver::ReadNewEntry(const uint64_t* words, Kind kind) const {
  Entry entry{.pool_index = Load<uint16_t>(words, kNewPoolIndex)};
  const bool is_virtual = kind == Kind::kVirtual;
  entry.is_resolved =
      Load<uint8_t>(words, is_virtual ? kNewSecondOpcode : kNewFirstOpcode) == OpcodeOf(kind);
  const auto flags = Load<uint8_t>(words, kNewFlags);
  const bool is_direct =
      kind == Kind::kStatic || kind == Kind::kSpecial || (flags & kNewIsFinal) != 0;
  if (is_direct || (!is_virtual && (flags & kNewIsForcedVirtual) == 0)) {
    entry.method = Load<const void*>(words, 0);
  } else {
    entry.vtable_index = Load<uint16_t>(words, kNewTableIndex);
  }
  return entry;
}

std::optional<CallResolver::Target> CallResolver::Resolve(const Caller& caller,
                                                          const InvokeSite& site) const {
  const std::optional<Entry> entry = ReadEntry(caller, site);
  if (!entry) return std::nullopt;
  const std::optional<ClassReader::MethodRef> ref = classes_.RefAt(caller.pool, entry->pool_index);
  if (!ref) return std::nullopt;
  Target target;
  target.signature = ref->signature;
  if (entry->is_resolved && entry->vtable_index >= 0) {
    target.vtable_index = entry->vtable_index;
    return target;
  }
  target.method = entry->is_resolved ? entry->method : FindNamed(caller, site.kind, *ref);
  if (target.method == nullptr) return std::nullopt;
  const std::optional<ClassReader::MethodInfo> info = classes_.ReadMethod(target.method);
  if (!info || info->signature != target.signature) return std::nullopt;
  target.info = *info;
  target.vtable_index = info->vtable_index;
  const bool is_static = (info->access_flags & classfile::kAccStatic) != 0;
  if (is_static != (site.kind == Kind::kStatic)) return std::nullopt;
  // A virtual call has a method in its entry when it needs no vtable.
  target.is_bound = is_static || site.kind == Kind::kSpecial ||
                    (site.kind == Kind::kVirtual && entry->is_resolved) ||
                    target.vtable_index == kNotInVtable ||
                    (info->access_flags & classfile::kAccFinal) != 0;
  return target;
}

// A call that ran in compiled code only is resolved in the code, and nowhere else.
const void* CallResolver::FindNamed(const Caller& caller, Kind kind,
                                    const ClassReader::MethodRef& ref) const {
  const void* klass = classes_.ClassAt(caller.pool, ref.class_index);
  if (klass == nullptr) return nullptr;
  return kind == Kind::kSpecial ? FindSpecial(caller, klass, ref.signature)
                                : FindInherited(klass, ref.signature);
}

// A constructor, a method of the caller's own class, or one that its superclass has: what else
// invokespecial can name is not looked for.
const void* CallResolver::FindSpecial(const Caller& caller, const void* klass,
                                      const ClassReader::Signature& signature) const {
  if (classes_.IsText(signature.name, "<init>")) {
    const std::optional<ClassReader::ClassInfo> info = classes_.ReadClass(klass);
    return info ? classes_.FindDeclared(*info, signature) : nullptr;
  }
  const std::optional<ClassReader::ClassInfo> holder = classes_.ReadClass(caller.pool.holder);
  if (!holder || (klass != caller.pool.holder && klass != holder->super)) return nullptr;
  return FindInherited(klass, signature);
}

// Of the class, its superclasses, and then of interfaces: whichever method of an interface it is,
// the receiver's itable leads to the same.
const void* CallResolver::FindInherited(const void* klass,
                                        const ClassReader::Signature& signature) const {
  const void* interfaces = nullptr;
  for (int depth = 0; klass != nullptr && depth < kMaxDepth; ++depth) {
    const std::optional<ClassReader::ClassInfo> info = classes_.ReadClass(klass);
    if (!info) return nullptr;
    if (depth == 0) interfaces = info->interfaces;
    if (const void* method = classes_.FindDeclared(*info, signature)) return method;
    klass = info->super;
  }
  for (const void* interface : classes_.ReadPointers(interfaces)) {
    const std::optional<ClassReader::ClassInfo> info = classes_.ReadClass(interface);
    if (!info) return nullptr;
    if (const void* method = classes_.FindDeclared(*info, signature)) return method;
  }
  return nullptr;
}

bool CallResolver::CanBeCalled(const ClassReader::MethodInfo& info,
                               const ClassReader::Signature& named) const {
  return info.signature == named && (info.access_flags & classfile::kAccAbstract) == 0;
}

std::optional<CallResolver::Resolved> CallResolver::ResolvedCall(const Caller& caller,
                                                                 const InvokeSite& site) const {
  const std::optional<Entry> entry = ReadEntry(caller, site);
  if (!entry || !entry->is_resolved) return std::nullopt;
  return Resolved{entry->pool_index, entry->method, entry->vtable_index};
}

std::optional<ClassReader::Signature> CallResolver::SignatureAt(const Caller& caller,
                                                                uint16_t pool_index) const {
  const std::optional<ClassReader::MethodRef> ref = classes_.RefAt(caller.pool, pool_index);
  return ref ? std::optional(ref->signature) : std::nullopt;
}

const void* CallResolver::ClassOfCallAt(const Caller& caller, uint16_t pool_index) const {
  const std::optional<ClassReader::MethodRef> ref = classes_.RefAt(caller.pool, pool_index);
  return ref ? classes_.ClassAt(caller.pool, ref->class_index) : nullptr;
}

std::optional<CallResolver::StaticField> CallResolver::StaticAt(const Caller& caller,
                                                                uint8_t opcode,
                                                                uint16_t index) const {
  std::array<uint64_t, kMaxEntryWords> words{};
  if (!has_old_entries_ || index >= caller.cache_length ||
      !memory_->Read(GuardedMemory::At(caller.cache_entries, entry_size_ * index), words.data(),
                     static_cast<size_t>(entry_size_))) {
    return std::nullopt;
  }
  const uint64_t indices = words[indices_];
  StaticField field;
  field.klass = classes_.ClassOfFieldAt(caller.pool, static_cast<uint16_t>(indices));
  if (field.klass != caller.pool.holder) {
    field.is_resolved =
        static_cast<uint8_t>(indices >> (opcode == op::kPutstatic ? 24 : 16)) == opcode;
  }
  return field;
}

const void* CallResolver::BoundCallee(const Caller& caller, const InvokeSite& site) const {
  const std::optional<Target> target = Resolve(caller, site);
  return target && target->is_bound && CanBeCalled(target->info, target->signature) ? target->method
                                                                                    : nullptr;
}

const void* CallResolver::Callee(const Caller& caller, const InvokeSite& site,
                                 const void* receiver) const {
  const std::optional<Target> target = Resolve(caller, site);
  if (!target) return nullptr;
  if (target->is_bound) {
    return CanBeCalled(target->info, target->signature) ? target->method : nullptr;
  }
  const std::optional<ClassReader::ClassInfo> klass = classes_.ReadClass(receiver);
  if (!klass) return nullptr;
  const void* selected = nullptr;
  if (target->vtable_index >= 0) {
    selected = classes_.VtableEntry(receiver, *klass, target->vtable_index);
  } else if (target->vtable_index <= kFirstInItable) {
    selected = classes_.ItableEntry(receiver, *klass, target->info.pool.holder,
                                    kFirstInItable - target->vtable_index);
  }
  const std::optional<ClassReader::MethodInfo> info = classes_.ReadMethod(selected);
  return info && CanBeCalled(*info, target->signature) ? selected : nullptr;
}

}  // namespace yp::hotspot
