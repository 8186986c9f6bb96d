#ifndef YP_COMPILER_INSTALL_SITE_WRITER_H_
#define YP_COMPILER_INSTALL_SITE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/install/placed_state.h"
#include "compiler/install/vm_layout.h"

namespace yp::compiler {

// Of a compiled method's frame.
struct FramePlan {
  int32_t frame_bytes = 0;  // from rsp to the caller's: with the return address
  int32_t rescue_slot = 0;  // for the VM's use in deoptimization; bytes from rsp, up
};

// Where the parts of a Java frame are in it: bytes from rsp, up.
struct VirtualFramePlan {
  std::optional<MethodNumber> method;  // none: the one that is compiled
  int32_t locals = 0;
  int32_t stack = 0;
  int32_t locks = 0;  // of each: the object, then the BasicLock
};

// What is known of the frames at a site: kinds of values that have a slot each, or where they are.
class SiteState {
 public:
  SiteState(const FrameState& state) : plain_(&state) {}    // NOLINT: as either of them.
  SiteState(const PlacedState& state) : placed_(&state) {}  // NOLINT
  const FrameState* plain() const { return plain_; }
  const PlacedState* placed() const { return placed_; }

 private:
  const FrameState* plain_ = nullptr;
  const PlacedState* placed_ = nullptr;
};

// Writes what the VM must know about machine code beside it: places, calls, frames at them. The
// bridge (Sites.java) makes JVMCI's objects of it.
//
// A stream of 32-bit numbers: the frame's plan in the order of its members, then sites, each with
// its kind, its offset in the code, and by kind:
//   kFrame      a virtual frame, the next by number: method or -1, offsets of locals, stack and
//               locks, then 0, or 1 and the state of the caller. It stands before all sites in it.
//   kMark       the VM's number of the mark
//   kCall       method, bytes of the instruction, state
//   kForeign    address (low, high), bytes of the instruction, then what is known of the frame: 0
//               nothing, 1 a state, which follows, 2 that it holds no references
//   kPoll       state
//   kConstant   constant: the eight bytes at the offset + 2 are its address
//   kHandler    where an exception of the call that ends at the offset is handled
// A state is: virtual frame, bci, flags (1: during a call, 2: rethrow), numbers of locals, of stack
// slots and of locks, then the kinds of locals and stack, eight to a number, the first in the
// lowest four bits. Or, of a PlacedState: -1, the number of frames, and of each: method or -1, bci,
// flags, numbers of locals, of stack slots and of locks, then their values and the offsets of
// locks; then the number of references, and where they are. A value is a number: its kind in the
// lowest four bits, its place in the next four, its number in the rest; behind a constant are its
// lower and its upper half.
class SiteWriter {
 public:
  enum class Site : int32_t {
    kMark = 1,
    kCall = 2,
    kForeign = 3,
    kPoll = 4,
    kConstant = 5,
    kHandler = 6,
    kFrame = 7,
  };

  explicit SiteWriter(const VmLayout& vm) : vm_(vm), numbers_(kPlanNumbers) {}

  void SetPlan(const FramePlan& plan);
  // The first is the method's own. `caller`: its state during the call that is inlined.
  VirtualFrame AddFrame(const VirtualFramePlan& plan, const FrameState* caller);
  // Nothing where the VM has no such mark.
  void AddMark(size_t at, Mark mark);
  void AddCall(size_t at, size_t bytes, MethodNumber callee, const SiteState& state);
  // A call or jump to code of the VM's, which needs to know nothing of the frame, or a state.
  void AddForeign(size_t at, size_t bytes, uint64_t address, const FrameState* state);
  void AddForeign(size_t at, size_t bytes, uint64_t address, const PlacedState& state);
  // The same from a frame of the compiler's own that holds no references.
  void AddForeignFromStub(size_t at, size_t bytes, uint64_t address);
  void AddPoll(size_t at, const SiteState& state);
  void AddConstant(size_t at, ConstantId constant);
  void AddHandler(size_t call_end, size_t handler);

  std::vector<int32_t> Take() { return std::move(numbers_); }

 private:
  static constexpr size_t kPlanNumbers = 2;
  void Begin(Site site, size_t at);
  void Add(int64_t number) { numbers_.push_back(static_cast<int32_t>(number)); }
  void AddForeign(size_t at, size_t bytes, uint64_t address, int32_t known);
  void AddState(const SiteState& state);
  void AddPlain(const FrameState& state);
  void AddPlaced(const PlacedState& state);
  void AddValue(const PlacedValue& value);

  const VmLayout& vm_;
  std::vector<int32_t> numbers_;
  VirtualFrame frames_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_INSTALL_SITE_WRITER_H_
