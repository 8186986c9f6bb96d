#ifndef YP_COMPILER_CTB_CODE_TARGETS_H_
#define YP_COMPILER_CTB_CODE_TARGETS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/ctb/executable_memory.h"
#include "compiler/ctb/shadow.h"
#include "compiler/ctb/vm_classes.h"
#include "compiler/install/vm_layout.h"
#include "compiler/runtime/code_targets.h"
#include "core/graph/method.h"

namespace yp::compiler {

// Who is told of edges. Called in compiled code, which the VM cannot stop meanwhile, and with locks
// held: it must not wait for anyone who waits for the VM.
class EdgeListener {
 public:
  virtual ~EdgeListener() = default;
  virtual MethodId IdOf(const yp::Method& method) = 0;
  // Of each edge once or, when threads find it at the same time or code is compiled anew, more
  // often. `site` is what CodeTargets::Add was given.
  virtual void OnNewEdge(uint32_t site, MethodId callee) = 0;
};

// Caller-indexed code targets (Qian and Hendren's CTBs) for the VM's own classes: for each class,
// dispatch slot and caller the code to go on with.
//
// A code target is a thunk, which loads the method from the VM's own table at each call: what is
// redefined is found, and never is a compiled method's address kept. Until the first call it is the
// profiling stub, which tells of the edge and puts the thunk in its place. Virtual methods have the
// slot of their vtable entry. Interface methods share kInterfaceSlots, which lie over the Klass's
// own fields; as each caller has an index of its own there, none meets another's method.
//
// One in a process: code goes to it by its address. Thread-safe by one mutex; nobody who holds it
// waits for the VM, so that compiled code may come here, which the VM cannot stop meanwhile.
class CodeTargets {
 public:
  // Inlined in each dispatch slot, at most: with the array's address they fill eight words.
  static constexpr unsigned kMostInlined = 7;

  // Refuses what it does not know, in words. `vm` and the listener outlive it. `object` is
  // the Klass of java.lang.Object.
  static Result<std::unique_ptr<CodeTargets>> Make(const VmLayout& vm,
                                                   const VmClasses::LoaderList& loaders,
                                                   uint64_t object, unsigned inlined,
                                                   EdgeListener& listener);
  ~CodeTargets();

  CodeTargetPlaces places() const;

  // Where a call is to go that is compiled now. `method` is the Method that the call names. `site`
  // is the call site; 0: its edges are not told (the VM's glue), and virtual calls have index 0.
  CallTarget Add(uint32_t site, uint64_t method, Dispatch dispatch, bool is_interface_method);

  // At a safepoint, behind a collection: forgets the classes that have gone.
  void OnCollection();

  // Of what there is: numbered virtual and interface calls, arrays, thunks, classes; and calls that
  // have no index of their own because too many have one.
  struct Counts {
    uint64_t calls = 0;
    uint64_t arrays = 0;
    uint64_t thunks = 0;
    uint64_t classes = 0;
    uint64_t without_index = 0;
  };
  Counts counts();

 private:
  struct Call {
    uint32_t site = 0;
    int32_t slot = 0;
    uint32_t index = 0;
    uint32_t family = 0;
    uint64_t interface = 0;  // 0: a virtual call.
    int32_t interface_index = 0;
  };
  struct DirectCall {
    uint32_t site = 0;
    MethodId callee{};
  };
  // The callers of one dispatch slot of the classes under a root; of all classes for interfaces.
  struct Family {
    uint64_t root_loader = 0;
    uint32_t next_index = 0;
    uint32_t capacity = 0;  // Of each array.
    struct Array {
      uint64_t klass = 0;
      std::atomic<uint64_t>* word = nullptr;  // In the shadow, which has its address.
    };
    std::vector<Array> arrays;
  };
  struct KnownClass {
    uint64_t loader = 0;
    std::vector<int32_t> slots;           // That have been written to.
    std::map<uint64_t, uint8_t*> thunks;  // By the address of the VM's entry.
  };

  CodeTargets(const VmLayout& vm, const VmClasses::LoaderList& loaders, unsigned inlined,
              EdgeListener& listener);
  Status Prepare(uint64_t object);

  static uint64_t OnCall(uint64_t receiver, const uint8_t* return_address);
  static void OnDirectCall(uint32_t number, uint8_t* jump);
  uint64_t Find(uint64_t receiver, uint32_t number);
  // All the following with the mutex.
  uint32_t AddCall(Call call, std::pair<uint64_t, int32_t> of);
  CallTarget Indexed(uint32_t number) const;
  void Grow(Family& family);
  uint64_t* NewArray(uint32_t capacity) const;
  std::atomic<uint64_t>& ArrayWord(uint64_t klass, int32_t slot) const;
  uint8_t* ThunkFor(KnownClass& known, uint64_t entry);
  std::atomic<uint64_t>* ElementOf(uint64_t klass, KnownClass& known, const Call& call);
  KnownClass& Know(uint64_t klass);

  const VmLayout& vm_;
  const VmClasses classes_;
  const unsigned inlined_;
  EdgeListener& listener_;
  Shadow shadow_;
  ExecutableMemory code_;
  uint64_t profiling_stub_ = 0;

  std::mutex mutex_;
  std::vector<Call> calls_ = std::vector<Call>(1);  // By number, from 1.
  std::vector<DirectCall> direct_calls_ = std::vector<DirectCall>(1);
  std::map<std::pair<uint32_t, MethodId>, uint32_t> direct_call_numbers_;
  // Site, family, interface, its method.
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, int32_t>, uint32_t> call_numbers_;
  std::map<std::pair<uint64_t, int32_t>, uint32_t> family_numbers_;  // Root or 0, slot.
  std::unordered_map<uint32_t, Family> families_;
  uint32_t next_family_ = 0;
  std::unordered_map<uint64_t, KnownClass> known_;
  std::vector<uint64_t*> replaced_;  // Arrays that a thread may still have loaded the address of.
  uint64_t without_index_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_CTB_CODE_TARGETS_H_
