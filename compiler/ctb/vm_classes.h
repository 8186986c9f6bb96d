#ifndef YP_COMPILER_CTB_VM_CLASSES_H_
#define YP_COMPILER_CTB_VM_CLASSES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/status.h"
#include "compiler/install/vm_layout.h"
#include "core/graph/method.h"

namespace yp::compiler {

// Reads the VM's classes and methods where they are. Addresses are those of Klass and Method; the
// caller keeps them alive: by an object, a frame, or a handle of JVMCI's.
class VmClasses {
 public:
  // Where the VM keeps the list of its class loaders' data; see FindLoaderList.
  struct LoaderList {
    uint64_t head = 0;  // The address of the pointer to the first.
    int32_t next = 0;   // Where in each the pointer to the next one is.
  };
  VmClasses(const VmLayout& vm, const LoaderList& list) : vm_(vm), d_(*vm.dispatch), list_(list) {}

  // Refuses a VM whose names are laid out otherwise: `object` must be called java/lang/Object.
  Status Check(uint64_t object) const;

  uint64_t ClassOf(uint64_t object) const;
  uint64_t LoaderOf(uint64_t klass) const;
  // Where the class's entry for a virtual method is, in bytes behind the Klass; nullopt: the method
  // has none.
  std::optional<int32_t> VirtualSlot(uint64_t method) const;
  // Whether the method is called without dispatch.
  bool IsNonvirtual(uint64_t method) const;
  // The number of an interface's method in the tables of those that implement it.
  std::optional<int32_t> InterfaceIndex(uint64_t method) const;
  // The address of the entry by which objects of the class implement the interface's method; 0:
  // they do not.
  uint64_t InterfaceEntry(uint64_t klass, uint64_t interface, int32_t index) const;
  // The class that declares the method.
  uint64_t HolderOf(uint64_t method) const;
  // The uppermost class above this one that has the dispatch slot.
  uint64_t RootOf(uint64_t klass, int32_t slot) const;
  // As in a profile; without lines and source file.
  yp::Method Describe(uint64_t method) const;
  // At a safepoint: the data of all class loaders that live.
  std::unordered_set<uint64_t> LiveLoaders() const;

 private:
  template <typename T>
  static T Load(uint64_t address) {
    T value;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
  }
  template <typename T>
  static T Load(uint64_t base, int32_t offset) {
    return Load<T>(base + static_cast<uint64_t>(static_cast<int64_t>(offset)));
  }
  static std::string Text(uint64_t symbol);
  int32_t VtableIndex(uint64_t method) const;

  const VmLayout& vm_;
  const VmLayout::Dispatch& d_;
  const LoaderList list_;
};

// By the tables that HotSpot exports for its debuggers; `in_vm` is an address in its library.
Result<VmClasses::LoaderList> FindLoaderList(const void* in_vm);

}  // namespace yp::compiler

#endif  // YP_COMPILER_CTB_VM_CLASSES_H_
