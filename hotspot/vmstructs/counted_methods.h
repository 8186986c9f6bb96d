#ifndef YP_HOTSPOT_VMSTRUCTS_COUNTED_METHODS_H_
#define YP_HOTSPOT_VMSTRUCTS_COUNTED_METHODS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "hotspot/vmstructs/class_reader.h"
#include "hotspot/vmstructs/guarded_blocks.h"
#include "hotspot/vmstructs/vm_structs.h"

namespace yp::hotspot {

// Finds the methods in which the VM has counted something, among those of all classes that it has
// loaded: by the list of its class loaders, and each loader's list of classes.
//
// Guarantees:
//  - Loaders, classes and methods may be unloaded meanwhile: everything is read through guarded
//    memory, and lists that make no sense end. Whoever uses an answer checks it: a method that is
//    gone has no profile and no names.
//  - From any thread, one at a time; calls nothing of the VM, holds nothing of it alive.
//
// Not found: old versions of methods that were redefined.
class CountedMethods {
 public:
  struct Method {
    const void* address = nullptr;
    const void* const_method = nullptr;
    const void* klass = nullptr;  // That declares it.
    bool has_data = false;        // It has a MethodData.
    int64_t interpreted = 0;      // Calls before it had one, while it was interpreted.
    int64_t loops = 0;            // Branches back to an earlier bci, the same.
  };

  // An error names what is missing from the tables. `memory` must live as long.
  static Result<CountedMethods> Create(const VmStructs& structs, GuardedBlocks& memory);

  // 2 to 4 ms of CPU time, 9 for jython's 2,700 classes (2026-11, twelve programs, 2-core x86-64
  // virtual machine).
  // `with_boot_loader`: those of the JDK's own classes, most of all, as well.
  std::vector<Method> Find(bool with_boot_loader = true) const;

 private:
  CountedMethods(GuardedBlocks& memory, ClassReader classes)
      : memory_(&memory), class_reader_(classes) {}

  struct Classes {
    std::vector<const void*> classes;
    std::vector<const void*> methods;  // Of each, an Array.
  };
  Classes LinkedClasses(bool with_boot_loader) const;
  // Looks at methods, of which only address and klass are set: adds those to `found` in which
  // something was counted.
  void Look(std::span<const Method> methods, std::vector<Method>* found) const;
  void ReadInterpreted(std::span<const void* const> counters, std::span<Method> methods) const;

  GuardedBlocks* memory_;
  ClassReader class_reader_;
  const void* head_ = nullptr;  // Where the VM keeps its first loader.
  int64_t next_loader_ = 0, classes_ = 0, next_class_ = 0;
  int64_t const_method_ = 0, data_ = 0, counters_ = 0;
  size_t method_words_ = 0;
  int64_t interpreted_ = 0, loops_ = 0, count_shift_ = 0;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_COUNTED_METHODS_H_
