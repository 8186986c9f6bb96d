#ifndef YP_HOTSPOT_VMSTRUCTS_PLACED_CALLS_H_
#define YP_HOTSPOT_VMSTRUCTS_PLACED_CALLS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "classfile/instructions.h"
#include "hotspot/vmstructs/invoke_sites.h"

namespace yp::hotspot {

// A call site, and what the bytecode around it says of how often it is executed.
struct PlacedCall {
  InvokeSite site;
  // An invocation comes there once, unless it throws an exception before: no branch leads past it,
  // none leads back before it, and nothing returns before it.
  bool is_unconditional = false;
  // A branch behind it leads back to it or before it.
  bool is_in_loop = false;
  // Whether the interpreter has come there, as far as the code tells.
  enum class Executed : uint8_t { kUnknown, kNo, kYes };
  Executed executed = Executed::kUnknown;
};

// Finds the calls of an executed method of a linked class, in the VM's copy of its bytecode.
//
// The interpreter leaves traces there. When it executes a getfield, a putfield, an aload_0 or an
// iload for the first time, or the second time where it waits for the next instruction, it puts an
// opcode of its own in its place (HotSpot's templateTable, JDK 11 to 25, x86-64 and AArch64). So
// each such instruction tells whether it was executed, and with it those that are executed whenever
// it is: those before it, from where branches last join, and those behind it, up to the next
// branch. In the same way, what is executed whenever another instruction is has not been where that
// one has not been.
//
// The VM does not do so where a debugger wants to see each instruction, nor in classes of an
// archive, whose opcodes say so. In the code to which every invocation comes there would be
// instructions without a trace: then the whole method tells nothing.
class PlacedCalls {
 public:
  // An instruction that the VM resolves at its first execution: a call, getstatic, putstatic, new
  // or anewarray.
  struct Use {
    uint8_t opcode = 0;  // As in the class file.
    // Its operand: of calls and fields in native order, as the VM's copy has it; of classes that of
    // the class file.
    uint16_t index = 0;
    std::optional<InvokeSite> call = {};
  };
  // Whether an instruction is known not to have been executed.
  using Unexecuted = std::function<bool(const Use&)>;

  // By bci. None when the bytecode makes no sense, as that of a method that is gone, or has a
  // breakpoint.
  std::span<const PlacedCall> Find(std::span<const uint8_t> code, const Unexecuted& unexecuted);
  // Of the same method, the other instructions at which a class may be initialized: getstatic,
  // putstatic and new.
  struct PlacedUse {
    uint32_t bci = 0;
    Use use;
    bool is_unconditional = false;  // As of a call.
    PlacedCall::Executed executed = PlacedCall::Executed::kUnknown;
  };
  std::span<const PlacedUse> uses() const { return uses_; }

 private:
  using Executed = PlacedCall::Executed;
  // An instruction that tells something, or behind which the flow of control may go on elsewhere.
  struct Step {
    uint32_t bci = 0;
    Executed executed = Executed::kUnknown;
    bool divides = false;
    bool is_trace = false;  // Of itself.
    bool is_unconditional = false;
    uint32_t call = kNone;  // Of calls_.
    uint32_t use = kNone;   // Of uses_.
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  bool ReadSteps(std::span<const uint8_t> code, const Unexecuted& unexecuted);
  void AddStep(std::span<const uint8_t> code, const classfile::Instruction& at,
               bool is_unconditional, const Unexecuted& unexecuted);
  void AddJumps(const classfile::Instruction& at, int64_t* furthest);
  bool LeavesTraces() const;
  // What follows from where it was executed, and from where it was not.
  void SpreadExecuted();
  void SpreadUnexecuted();
  // Of the call or the use that the step is.
  void SetExecuted(const Step& step, Executed executed);
  void FindJoins();

  // Kept from one method to the next for their room.
  std::vector<uint8_t> java_;
  std::vector<uint32_t> joins_;  // By bci.
  std::vector<Step> steps_;
  // Of steps_: whether the flow of control joins at it, or between it and the one before.
  std::vector<bool> joins_at_;
  std::vector<PlacedCall> calls_;
  std::vector<PlacedUse> uses_;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_VMSTRUCTS_PLACED_CALLS_H_
