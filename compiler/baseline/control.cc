// Jumps, switches, returns, throws.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "classfile/bytes.h"
#include "compiler/baseline/emitter.h"
#include "compiler/bytecode/stack_effects.h"
#include "compiler/bytecode/switch_cases.h"
#include "compiler/runtime/instruction_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Precision;
using x64::Xmm;
namespace op = classfile::op;

namespace {

constexpr uint8_t kIfIcmpeq = 159, kIfAcmpeq = 165, kIfAcmpne = 166, kAthrow = 191;
// In the order of the opcodes: eq, ne, lt, ge, gt, le.
constexpr std::array kConditions = {Condition::kEqual,   Condition::kNotEqual,
                                    Condition::kLess,    Condition::kGreaterOrEqual,
                                    Condition::kGreater, Condition::kLessOrEqual};

}  // namespace

bool Emitter::EmitControl() {
  const uint8_t opcode = at_.opcode;
  if (std::exchange(branched_, false)) {
    stack_.Pop(1);
    return true;
  }
  if (classfile::IsReturn(opcode)) {
    EmitReturn();
    return true;
  }
  if (opcode == kAthrow) {
    Poll();  // A handler before it makes a loop, also one of a method around an inlined one.
    stack_.Load(0, rax);
    if (!stack_.IsNotNull(0)) CheckNull(rax);
    if (vm_.posts_exceptions) {  // By the interpreter.
      a_.Do(Alu::kCmp, k32, HeapCode::Thread(*vm_.posts_exceptions), 0);
      a_.Jump(Condition::kNotEqual, TrapLabel(Trap::kInterpreter));
    }
    const uint32_t chain = ChainOf(StateBefore());
    a_.Jump(chains_[chain].from_code);
    return true;
  }
  const bool jumps = (opcode >= op::kIfeq && opcode <= op::kGoto) || classfile::IsSwitch(opcode) ||
                     opcode == op::kIfnull || opcode == op::kIfnonnull || opcode == op::kGotoW;
  if (!jumps) return false;
  bool backwards = false;
  classfile::VisitJumps(method().bytes(), at_, [&](uint32_t, bool, int64_t target) {
    backwards |= target <= int64_t{at_.bci};
    return true;
  });
  if (backwards) {
    Poll();
    Yieldpoint(OtherYieldpoint::kBackwards);
  }
  const char* const effect = StackEffect(opcode);
  const auto operands = static_cast<size_t>(std::string_view(effect).find('>'));
  stack_.Flush(operands);
  if (classfile::IsSwitch(opcode)) {
    stack_.Load(0, rax);
    stack_.Pop(1);
    EmitSwitch();
  } else if (opcode == op::kGoto || opcode == op::kGotoW) {
    Branch(Condition::kEqual);
  } else if (opcode == op::kIfnull || opcode == op::kIfnonnull) {
    CompareWithZero(k64);
    Branch(opcode == op::kIfnull ? Condition::kEqual : Condition::kNotEqual);
  } else if (opcode == kIfAcmpeq || opcode == kIfAcmpne) {
    Compare(k64, 1, 0);
    stack_.Pop(2);
    Branch(opcode == kIfAcmpeq ? Condition::kEqual : Condition::kNotEqual);
  } else if (opcode >= kIfIcmpeq) {
    Compare(k32, 1, 0);
    stack_.Pop(2);
    Branch(kConditions[opcode - kIfIcmpeq]);
  } else {
    CompareWithZero(k32);
    Branch(kConditions[opcode - op::kIfeq]);
  }
  return true;
}

// The branch behind a comparison that has its result, where nothing else leads to it and it needs
// no poll: it can go by the flags.
std::optional<classfile::Instruction> Emitter::BranchOnResult() {
  constexpr uint8_t kIfle = 158;
  const auto next = classfile::DecodeInstruction(method().bytes(), at_.bci + at_.length);
  if (!next || next->opcode < op::kIfeq || next->opcode > kIfle) return std::nullopt;
  if (flow().IsTarget(next->bci) || method().osr_bci == next->bci) return std::nullopt;
  return TargetOf(*next) > next->bci ? next : std::nullopt;
}

// Of a jump with one.
int64_t Emitter::TargetOf(const Instruction& jump) const {
  int64_t found = 0;
  classfile::VisitJumps(method().bytes(), jump, [&](uint32_t, bool, int64_t target) {
    found = target;
    return true;
  });
  return found;
}

void Emitter::BranchOn(const Instruction& branch) {
  a_.Jump(kConditions[branch.opcode - op::kIfeq], LabelAt(TargetOf(branch)));
}

// By the flags of a comparison of floating-point numbers, which are those of below and of equal
// where one is no number. The result that the branch asks for would be greater or less then.
void Emitter::BranchOnFloats(const Instruction& branch, bool greater_for_nan) {
  struct Case {
    Condition condition;
    bool holds_for_nan;
    bool for_less, for_greater;  // Whether it is asked for then.
  };
  // In the order of the opcodes: eq, ne, lt, ge, gt, le.
  constexpr std::array<Case, 6> kCases = {{{Condition::kEqual, true, false, false},
                                           {Condition::kNotEqual, false, true, true},
                                           {Condition::kBelow, true, true, false},
                                           {Condition::kAboveOrEqual, false, false, true},
                                           {Condition::kAbove, false, false, true},
                                           {Condition::kBelowOrEqual, true, true, false}}};
  const Case& asked = kCases[branch.opcode - op::kIfeq];
  const bool jumps_for_nan = greater_for_nan ? asked.for_greater : asked.for_less;
  const Label target = LabelAt(TargetOf(branch)), next = a_.NewLabel();
  if (jumps_for_nan != asked.holds_for_nan) {
    a_.Jump(Condition::kUnordered, jumps_for_nan ? target : next);
  }
  a_.Jump(asked.condition, target);
  a_.Bind(next);
}

void Emitter::CompareWithZero(x64::Width width) {
  const LazyStack::Operand value = stack_.At(0);
  if (const Mem* const slot = std::get_if<Mem>(&value)) {
    a_.Do(Alu::kCmp, width, *slot, 0);
  } else {
    const Reg reg = stack_.Use(0);
    a_.Test(width, reg, reg);
  }
  stack_.Pop(1);
}

// To the instruction's target; always for goto.
void Emitter::Branch(Condition condition) {
  const Label target = LabelAt(TargetOf(at_));
  if (HowItLeaves(at_.opcode) == Leaves::kElsewhere) {
    a_.Jump(target);
  } else {
    a_.Jump(condition, target);
  }
}

// By rax.
void Emitter::EmitSwitch() {
  const SwitchCases found = SwitchCasesOf(method().bytes(), at_);
  const Label otherwise = LabelAt(found.otherwise);
  if (at_.opcode == op::kLookupswitch) {
    std::vector<std::pair<int32_t, Label>> cases;
    for (const auto& [match, target] : found.cases) cases.emplace_back(match, LabelAt(target));
    return JumpByCases(a_, rax, cases, otherwise);
  }
  std::vector<Label> labels;
  for (const auto& [match, target] : found.cases) labels.push_back(LabelAt(target));
  a_.Do(Alu::kSub, k32, rax, found.cases.front().first);
  // Unsigned, so that what is less is out of range too. A table of 2^32 fits in no method.
  a_.Do(Alu::kCmp, k32, rax, static_cast<int32_t>(labels.size()));
  a_.Jump(Condition::kAboveOrEqual, otherwise);
  JumpByTable(a_, rax, rcx, labels);
}

// java.lang.Object.<init>
void Emitter::RegisterFinalizer() {
  const Label has_one = a_.NewLabel(), done = a_.NewLabel();
  stack_.Flush();
  stack_.Forget(LazyStack::kAll);
  a_.Load(k64, rsi, LocalSlot(0));
  heap_.FindFinalizer(rcx, rsi);
  a_.Jump(Condition::kNotEqual, has_one);
  a_.Bind(done);
  slow_paths_.emplace_back([=, this, state = StateBefore()] {
    a_.Bind(has_one);
    CallStub(Stub::kRegisterFinalizer, state);
    a_.Jump(done);
  });
}

// Into rax or xmm0.
void Emitter::LoadResult() {
  switch (at_.opcode) {
    case 172:  // ireturn
      stack_.Load(0, rax);
      switch (method().signature.return_type) {
        case 'Z':
          a_.Do(Alu::kAnd, k32, rax, 1);
          break;
        case 'B':
          a_.SignExtend(k8, rax, rax);
          break;
        case 'C':
          a_.ZeroExtend(k16, rax, rax);
          break;
        case 'S':
          a_.SignExtend(k16, rax, rax);
          break;
        default:
          break;
      }
      break;
    case 173:  // lreturn
      return stack_.Load(1, rax);
    case 174:  // freturn
      return stack_.Load(0, Xmm::xmm0);
    case 175:  // dreturn
      return stack_.Load(1, Xmm::xmm0);
    case 176:  // areturn
      return stack_.Load(0, rax);
    default:
      break;
  }
}

void Emitter::EmitReturn() {
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  Yieldpoint(OtherYieldpoint::kEpilogue);
  if (frame_.locks != own_locks) return TrapHere(Trap::kInterpreter);
  if (method().registers_finalizer) RegisterFinalizer();
  if (method().is_synchronized) {
    stack_.Forget(SetOf(rsi));
    a_.Load(k64, rsi, LockObject(0));
    EmitMonitor(Stub::kMonitorExit, 0, StateBefore());
  }
  LoadResult();
  if (is_inlined()) return ReturnFromInlined();
  code_.Leave(layout_.bytes());
  if (method().uses_reserved_stack && vm_.reserved_stack) {
    const Label overflowed = a_.NewLabel();
    code_.CheckReservedStack(overflowed);
    slow_paths_.emplace_back([this, overflowed] { code_.ReservedStackOverflow(overflowed); });
  }
  code_.PollAtReturn();
  a_.Return();
}

}  // namespace yp::compiler
