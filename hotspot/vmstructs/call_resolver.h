#ifndef YP_HOTSPOT_VMSTRUCTS_CALL_RESOLVER_H_
#define YP_HOTSPOT_VMSTRUCTS_CALL_RESOLVER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/class_reader.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/invoke_sites.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Finds what the calls of a method call, as the VM does: by what it has resolved in the constant
// pool's cache, and by the receiver's vtable and itable.
//
// Guarantees:
//  - Methods and classes may be gone: everything is read through guarded memory. A callee is given
//    only when it has the name and the descriptor that the call names, and is not abstract.
//  - From any thread, one at a time; calls nothing of the VM, holds nothing of it alive.
//
// What it has read is remembered by the blocks: let them forget after each pass over many calls.
//
// Not found: what invokedynamic and method handles call; methods of classes with breakpoints.
class CallResolver {
 public:
  // A method, as far as its calls go.
  struct Caller {
    ClassReader::Pool pool;
    const void* cache_entries = nullptr;
    int32_t cache_length = 0;
    std::vector<uint8_t> code;  // The VM's copy of its bytecode.

    std::optional<InvokeSite> SiteAt(int32_t bci) const { return InvokeSiteAt(code, bci); }
  };

  // What the interpreter has found a call to call when it executed it for the first time, or
  // another one of the class that names the same: C1's and C2's code keep what they find to
  // themselves.
  struct Resolved {
    uint16_t pool_index = 0;
    // What it calls, or the method of an interface that that implements; null: it has a place in
    // vtables only.
    const void* method = nullptr;
    int32_t vtable_index = -1;
  };

  // An error names what is missing from the tables. `memory` must live as long.
  static Result<CallResolver> Create(const VmStructs& structs, GuardedBlocks& memory);

  // Nothing for a method that is gone, or whose class is not linked.
  std::optional<Caller> Open(const void* method) const;
  // Null when it cannot be read. Another method may have come to the address.
  const void* ConstMethodOf(const void* method) const { return classes_.ConstMethodOf(method); }
  // Nothing for a method that is gone.
  std::optional<ClassReader::MethodNames> NamesOf(const void* method) const {
    return classes_.NamesOf(method);
  }
  std::optional<ClassReader::MethodNames> NamesIn(const ClassReader::ClassNames& of_class,
                                                  const void* method) const {
    return classes_.NamesIn(of_class, method);
  }
  std::optional<ClassReader::ClassNames> NamesOfClass(const void* klass) const {
    return classes_.NamesOfClass(klass);
  }
  ClassReader::Source SourceOf(const void* method, Unsigned5 numbers) const {
    return classes_.SourceOf(method, numbers);
  }
  // Nothing for a call that was not executed. What the method is has to be checked.
  std::optional<Resolved> ResolvedCall(const Caller& caller, const InvokeSite& site) const;
  // The method's name that a call of the pool has, and its class; null where the VM has not
  // resolved it.
  std::optional<ClassReader::Signature> SignatureAt(const Caller& caller,
                                                    uint16_t pool_index) const;
  const void* ClassOfCallAt(const Caller& caller, uint16_t pool_index) const;
  // What a class's use of a static field names, of a getstatic or putstatic of that operand.
  struct StaticField {
    const void* klass = nullptr;  // Null where the VM has not resolved it.
    // Whether the VM has resolved the use, as it does when it is executed. Nothing where that is
    // not known: of the class's own fields, which are not resolved while it is being initialized.
    std::optional<bool> is_resolved;
  };
  // Nothing on JDKs after 22 or so.
  std::optional<StaticField> StaticAt(const Caller& caller, uint8_t opcode, uint16_t index) const;
  bool KnowsStatics() const { return has_old_entries_; }
  // A class that the caller's names, and whether the VM has resolved it.
  const void* ClassAt(const Caller& caller, uint16_t index) const {
    return classes_.ClassAt(caller.pool, index);
  }
  std::optional<bool> IsClassResolved(const Caller& caller, uint16_t index) const {
    return classes_.IsClassResolved(caller.pool, index);
  }
  // The VM's Method that a call always calls: of static, special and final methods. Else null.
  const void* BoundCallee(const Caller& caller, const InvokeSite& site) const;
  // That which it calls on a receiver of that class, a Klass.
  const void* Callee(const Caller& caller, const InvokeSite& site, const void* receiver) const;

 private:
  // A resolved call: a method, or only its place in vtables.
  struct Target {
    const void* method = nullptr;
    ClassReader::MethodInfo info;  // Of the method.
    int32_t vtable_index = -1;
    bool is_bound = false;  // It is the method that is called, whatever the receiver.
    ClassReader::Signature signature;
  };
  struct Entry {
    uint16_t pool_index = 0;
    bool is_resolved = false;
    const void* method = nullptr;
    int32_t vtable_index = -1;
  };

  CallResolver(GuardedBlocks& memory, ClassReader classes) : memory_(&memory), classes_(classes) {}

  std::optional<Target> Resolve(const Caller& caller, const InvokeSite& site) const;
  // The cache's entry for the site; on JDKs up to 22 or so, and later.
  std::optional<Entry> ReadEntry(const Caller& caller, const InvokeSite& site) const;
  Entry ReadOldEntry(const uint64_t* words, InvokeSite::Kind kind) const;
  Entry ReadNewEntry(const uint64_t* words, InvokeSite::Kind kind) const;
  // The method that a call names, where the VM has resolved its class but not the call.
  const void* FindNamed(const Caller& caller, InvokeSite::Kind kind,
                        const ClassReader::MethodRef& ref) const;
  const void* FindSpecial(const Caller& caller, const void* klass,
                          const ClassReader::Signature& signature) const;
  const void* FindInherited(const void* klass, const ClassReader::Signature& signature) const;
  bool CanBeCalled(const ClassReader::MethodInfo& info, const ClassReader::Signature& named) const;

  GuardedBlocks* memory_;
  ClassReader classes_;
  bool has_old_entries_ = false;
  int64_t entry_size_ = 0;
  // Old entries follow the cache's fixed part; their fields, in words, and flags.
  int64_t cache_length_ = 0, cache_size_ = 0;
  size_t indices_ = 0, f1_ = 0, f2_ = 0, flags_ = 0;
  int64_t final_shift_ = 0, forced_virtual_shift_ = 0;
  // New entries are in an array of their own.
  int64_t entries_ = 0, array_length_ = 0, array_data_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_CALL_RESOLVER_H_
