#ifndef YP_COMPILER_BASELINE_LAZY_STACK_H_
#define YP_COMPILER_BASELINE_LAZY_STACK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/stack_effects.h"
#include "compiler/runtime/frame_layout.h"
#include "compiler/x64/assembler.h"
#include "compiler/x64/registers.h"

namespace yp::compiler {

using x64::RegisterSet;
using x64::SetOf;

// The expression stack within a basic block, where values wait until something needs them. A value
// is in its slot of the frame, or it is a constant, a copy of a local, or in a register, and then
// its slot need not hold it. Locals are always in their slots; registers remember what they were
// loaded from or stored to.
//
// - rbx, r13, r14 and rsi, rdi, r8, r9 hold values, and xmm8 to xmm15. The other registers are the
//   templates'; r11 is lost wherever code is emitted here.
// - The upper half of a register with an int is cleared.
// - Values stay on the stack until they are popped: a trap finds what the instruction began with.
//   Until an instruction's last trap, it pops nothing and overwrites no register of Own().
// - What Use(), At(), Own() and Allocate() give is good until Unpin().
// - Where code jumps within an instruction, nothing may be asked of the stack between the jump and
//   its label: on one of the two ways it would not have happened.
class LazyStack {
 public:
  using Operand = std::variant<x64::Reg, x64::Mem, int32_t>;
  using XmmOperand = std::variant<x64::Xmm, x64::Mem>;

  // What calls of C++ functions lose, and HeapCode's longer sequences.
  static constexpr RegisterSet kVolatile =
      SetOf(x64::Reg::rsi, x64::Reg::rdi, x64::Reg::r8, x64::Reg::r9) | 0xffff0000u;
  static constexpr RegisterSet kAll = UINT32_MAX;

  struct Value {
    enum class Place : uint8_t { kSlot, kConstant, kLocal, kRegister };
    Kind kind = Kind::kDead;
    Place place = Place::kSlot;
    bool is_stored = true;  // Its slot holds it, wherever it is besides.
    bool is_not_null = false;
    unsigned reg = 0;    // kRegister
    uint32_t local = 0;  // kLocal: the slot
    int64_t bits = 0;    // kConstant

    bool operator==(const Value&) const = default;
  };
  // A value that its slot does not hold.
  struct Pending {
    uint32_t slot = 0;
    Value value;

    bool operator==(const Pending&) const = default;
  };
  // A register that holds what is in a slot, or will be when what is pending has been written.
  struct Held {
    unsigned reg = 0;
    uint32_t slot = 0;
    Kind kind = Kind::kDead;
  };
  // For a slow path that loses all registers.
  struct Saved {
    std::vector<Pending> pending;
    std::vector<Held> held;
  };

  // By which registers are named here: NumberOf().
  static constexpr unsigned Index(auto reg) { return static_cast<unsigned>(NumberOf(reg)); }

  LazyStack(x64::Assembler& assembler, const FrameLayout& layout) : a_(assembler), layout_(layout) {
    mirrors_.fill({0, kNoSlot, Kind::kDead});
  }

  // --- Blocks and bodies. Slots are those of FrameLayout::Value.
  // Nothing but the frame is known: the stack's first slot and what is on it.
  void BeginBlock(uint32_t first_slot, const std::vector<Kind>& kinds);
  // Another way comes in, on which everything is stored as well.
  void Join();
  // A local that is never null; kNoSlot: none.
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  void SetReceiver(uint32_t slot) { receiver_ = slot; }
  // A caller's stack, while an inlined callee is emitted.
  struct Caller {
    std::vector<Value> values;
    uint32_t first_slot = 0;
    uint32_t receiver = kNoSlot;
  };
  // Everything is stored. The topmost `arguments` slots become the callee's first locals.
  Caller EnterCallee(uint32_t first_slot, size_t arguments);
  void LeaveCallee(Caller caller);
  // `reg` holds what has just been stored there. Nothing happens if it is none that holds values.
  void Mirror(x64::Reg reg, uint32_t slot, Kind kind);

  // --- The stack. `i` counts slots from the top; a long or double is named by its lower one.
  size_t size() const { return values_.size(); }
  const Value& Top(size_t i) const { return values_[values_.size() - 1 - i]; }
  void Push(Kind kind, x64::Reg reg) { PushRegister(kind, Index(reg)); }
  void Push(Kind kind, x64::Xmm reg) { PushRegister(kind, Index(reg)); }
  void PushConstant(Kind kind, int64_t bits);
  void PushLocal(Kind kind, uint32_t slot);
  void Pop(size_t slots) { values_.resize(values_.size() - slots); }
  void Shuffle(const StackShuffle& shuffle);

  // --- Locals.
  // Pops the topmost value into the local.
  void StoreLocal(uint32_t slot);
  void IncrementLocal(uint32_t slot, int32_t amount);

  // --- Operands.
  x64::Reg Use(size_t i) { return static_cast<x64::Reg>(InRegister(ValueAt(i))); }
  x64::Xmm UseXmm(size_t i) { return static_cast<x64::Xmm>(InRegister(ValueAt(i)) - 16); }
  // Pops the topmost value, of so many slots. It is for the instruction that writes the result,
  // which may be in the same register.
  x64::Reg Take(size_t slots) {
    const x64::Reg reg = Use(slots - 1);
    Pop(slots);
    Unpin();
    return reg;
  }
  x64::Xmm TakeXmm(size_t slots) {
    const x64::Xmm reg = UseXmm(slots - 1);
    Pop(slots);
    Unpin();
    return reg;
  }
  // Wherever it is.
  Operand At(size_t i);
  XmmOperand XmmAt(size_t i);
  // A register of its own, to be overwritten.
  x64::Reg Own(size_t i) { return static_cast<x64::Reg>(Owned(i)); }
  x64::Xmm OwnXmm(size_t i) { return static_cast<x64::Xmm>(Owned(i) - 16); }
  // Into a register that holds no values.
  void Load(size_t i, x64::Reg to) { Move(Top(i), SlotAt(i), Index(to)); }
  void Load(size_t i, x64::Xmm to) { Move(Top(i), SlotAt(i), Index(to)); }
  // Arguments into registers, whichever they are: each with its place on the stack.
  void Pass(const std::vector<std::pair<unsigned, size_t>>& arguments);
  // A register for a result, which is written at once.
  x64::Reg Allocate() { return static_cast<x64::Reg>(AllocateFrom(kPool)); }
  x64::Xmm AllocateXmm() { return static_cast<x64::Xmm>(AllocateFrom(kXmmPool) - 16); }
  void Unpin() { pinned_ = 0; }

  bool IsNotNull(size_t i) const;
  void SetNotNull(size_t i);

  // --- Registers that something else needs.
  // Stores everything but the topmost slots. Flags stay as they are.
  void Flush(size_t but_topmost = 0);
  // These hold nothing any more. Flags stay as they are.
  void Forget(RegisterSet registers);
  // What the VM may have moved. Everything is stored.
  void ForgetReferences();
  // They hold nothing any more, and this instruction takes others.
  void Reserve(RegisterSet registers);
  std::vector<Pending> PendingValues() const;
  Saved Save() const { return {PendingValues(), HeldRegisters()}; }
  // In code that lies elsewhere, with the registers as they were. Leaves rax as it is.
  void Write(const std::vector<Pending>& pending);
  void Reload(const std::vector<Held>& held);

 private:
  using Place = Value::Place;
  static constexpr std::array<uint8_t, 7> kPool = {3, 13, 14, 6, 7, 8, 9};
  static constexpr std::array<uint8_t, 8> kXmmPool = {24, 25, 26, 27, 28, 29, 30, 31};

  Value& ValueAt(size_t i) { return values_[values_.size() - 1 - i]; }
  uint32_t SlotAt(size_t i) const {
    return first_slot_ + static_cast<uint32_t>(values_.size() - 1 - i);
  }
  x64::Mem Slot(uint32_t slot) const { return x64::At(x64::Reg::rsp, layout_.Value(slot)); }
  void PushRegister(Kind kind, unsigned reg);
  void PushValue(const Value& value);
  RegisterSet Used() const;
  std::vector<Held> HeldRegisters() const;
  template <size_t kSize>
  unsigned AllocateFrom(const std::array<uint8_t, kSize>& pool);
  unsigned AllocateFor(Kind kind);
  unsigned InRegister(Value& value);
  unsigned InRegister(Value& value, uint32_t slot);
  unsigned Owned(size_t i);
  unsigned MirrorOf(uint32_t slot) const;
  void DropMirror(uint32_t slot);
  void KeepCopiesOf(uint32_t local);
  bool KnowsNotNull(uint32_t local) const;
  // Emits the move of a value to a register or to a slot.
  void Move(const Value& value, uint32_t slot, unsigned to);
  void Store(const Value& value, uint32_t to);
  void LoadSlot(unsigned to, uint32_t slot, Kind kind);
  void MoveRegister(unsigned to, unsigned from, Kind kind);
  void StoreRegister(uint32_t slot, unsigned from, Kind kind);
  void LoadBits(unsigned to, int64_t bits, Kind kind);

  x64::Assembler& a_;
  const FrameLayout& layout_;
  uint32_t first_slot_ = 0;
  std::vector<Value> values_;
  // By register: the local whose slot holds the same.
  std::array<Held, 32> mirrors_;
  std::vector<uint32_t> not_null_;  // Locals, in this block.
  uint32_t receiver_ = kNoSlot;
  RegisterSet pinned_ = 0;
  unsigned next_victim_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_LAZY_STACK_H_
