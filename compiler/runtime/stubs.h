#ifndef YP_COMPILER_RUNTIME_STUBS_H_
#define YP_COMPILER_RUNTIME_STUBS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/install/vm_layout.h"
#include "compiler/runtime/code_targets.h"
#include "compiler/runtime/yieldpoints.h"

namespace yp::compiler {

// Code of our own that calls functions of the VM's in which a collection, a deoptimization or an
// exception can happen. What another thread has this one throw (Thread.stop, JVMTI's StopThread) is
// thrown by those that allocate or register; the other functions leave it for later. Arguments and
// results:
enum class Stub : uint8_t {
  kNewInstance,    // rsi: class; rax: the object, or null without memory
  kNewArray,       // rsi: class, edx: length; the same
  kNewMultiArray,  // rsi: class, edx: number of dimensions, rcx: their lengths; the same
  kMonitorEnter,   // rsi: object, rdx: its BasicLock
  kMonitorExit,    // the same
  // rsi: object, whose class has a finalizer. Where the VM makes its return stop, as an
  // interpreter's frame, that goes on behind the registration.
  kRegisterFinalizer,
  kException,  // rax: exception, rdx: where; returns to the handler instead
};
inline constexpr size_t kStubs = 7;

const char* NameOf(Stub stub);

// Where the VM has put them.
using StubAddresses = std::array<uint64_t, kStubs>;

// What compiled code refers to beside the VM.
struct RuntimePlaces {
  StubAddresses stubs{};
  // kTraps counters of eight bytes, which traps increment as they are taken; 0: nothing counts.
  uint64_t trap_counters = 0;
  // None: code has no yieldpoints.
  std::optional<YieldpointTargets> yieldpoints;
  // None: calls go as the VM links them.
  std::optional<CodeTargetPlaces> targets;

  uint64_t Of(Stub stub) const { return stubs[static_cast<size_t>(stub)]; }
};

struct StubCode {
  std::vector<uint8_t> code;
  std::vector<int32_t> sites;  // of SiteWriter
};

// Independent of its place.
StubCode AssembleStub(Stub stub, const VmLayout& vm);

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_STUBS_H_
