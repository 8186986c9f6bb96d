// Jumps, switches, returns, throws.
#include <algorithm>
#include <array>

#include "classfile/bytes.h"
#include "compiler/baseline/emitter.h"

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
  if (classfile::IsReturn(opcode)) {
    EmitReturn();
    return true;
  }
  if (opcode == kAthrow) {
    Poll();  // A handler before it makes a loop, also one of a method around an inlined one.
    a_.Load(k64, rax, Top(0));
    CheckNull(rax);
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
  if (classfile::IsSwitch(opcode)) {
    EmitSwitch();
  } else if (opcode == op::kGoto || opcode == op::kGotoW) {
    Branch(Condition::kEqual);
  } else if (opcode == op::kIfnull || opcode == op::kIfnonnull) {
    a_.Do(Alu::kCmp, k64, Top(0), 0);
    Branch(opcode == op::kIfnull ? Condition::kEqual : Condition::kNotEqual);
  } else if (opcode == kIfAcmpeq || opcode == kIfAcmpne) {
    a_.Load(k64, rax, Top(1));
    a_.Do(Alu::kCmp, k64, rax, Top(0));
    Branch(opcode == kIfAcmpeq ? Condition::kEqual : Condition::kNotEqual);
  } else if (opcode >= kIfIcmpeq) {
    a_.Load(k32, rax, Top(1));
    a_.Do(Alu::kCmp, k32, rax, Top(0));
    Branch(kConditions[opcode - kIfIcmpeq]);
  } else {
    a_.Do(Alu::kCmp, k32, Top(0), 0);
    Branch(kConditions[opcode - op::kIfeq]);
  }
  return true;
}

// To the instruction's target; always for goto.
void Emitter::Branch(Condition condition) {
  classfile::VisitJumps(method().bytes(), at_, [&](uint32_t, bool, int64_t target) {
    if (HowItLeaves(at_.opcode) == Leaves::kElsewhere) {
      a_.Jump(LabelAt(target));
    } else {
      a_.Jump(condition, LabelAt(target));
    }
    return true;
  });
}

void Emitter::EmitSwitch() {
  const classfile::Bytes code = method().bytes();
  const uint32_t operands = at_.bci + 1 + classfile::SwitchPadding(at_.bci);
  const auto number = [&](uint32_t position) {
    return static_cast<int32_t>(classfile::LoadU4(&code[position]));
  };
  const auto target = [&](uint32_t position) {
    return static_cast<uint32_t>(static_cast<int64_t>(at_.bci) + number(position));
  };
  const uint32_t otherwise = target(operands);
  a_.Load(k32, rax, Top(0));
  if (at_.opcode == op::kLookupswitch) {
    std::vector<std::pair<int32_t, uint32_t>> cases;
    const auto pairs = static_cast<uint32_t>(number(operands + 4));
    for (uint32_t i = 0; i < pairs; ++i) {
      cases.emplace_back(number(operands + 8 + 8 * i), target(operands + 12 + 8 * i));
    }
    JumpIfEqual(cases, 0, cases.size(), otherwise);
    return;
  }
  const int32_t low = number(operands + 4);
  const uint32_t count =
      static_cast<uint32_t>(number(operands + 8)) - static_cast<uint32_t>(low) + 1;
  const Label table = a_.NewLabel();
  a_.Do(Alu::kSub, k32, rax, low);
  // Unsigned, so that what is less is out of range too. A table of 2^32 fits in no method.
  a_.Do(Alu::kCmp, k32, rax, static_cast<int32_t>(count));
  a_.Jump(Condition::kAboveOrEqual, LabelAt(otherwise));
  a_.LeaLabel(rcx, table);
  a_.Load(k32, rax, At(rcx, rax, 2, 0));
  a_.SignExtend(k32, rax, rax);
  a_.Do(Alu::kAdd, k64, rax, rcx);
  a_.Jump(rax);
  a_.Align(4);
  a_.Bind(table);
  for (uint32_t i = 0; i < count; ++i) a_.Distance(table, LabelAt(target(operands + 12 + 4 * i)));
}

// Compares eax with the cases, which are sorted, by halves.
void Emitter::JumpIfEqual(const std::vector<std::pair<int32_t, uint32_t>>& cases, size_t first,
                          size_t last, uint32_t otherwise) {
  constexpr size_t kFew = 4;
  if (last - first <= kFew) {
    for (size_t i = first; i < last; ++i) {
      a_.Do(Alu::kCmp, k32, rax, cases[i].first);
      a_.Jump(Condition::kEqual, LabelAt(cases[i].second));
    }
    a_.Jump(LabelAt(otherwise));
    return;
  }
  const size_t middle = first + (last - first) / 2;
  const Label upper = a_.NewLabel();
  a_.Do(Alu::kCmp, k32, rax, cases[middle].first);
  a_.Jump(Condition::kGreaterOrEqual, upper);
  JumpIfEqual(cases, first, middle, otherwise);
  a_.Bind(upper);
  JumpIfEqual(cases, middle, last, otherwise);
}

// java.lang.Object.<init>: an object whose class has a finalizer is registered by the interpreter.
void Emitter::CheckFinalizer() {
  a_.Load(k64, rax, LocalSlot(0));
  heap_.LoadKlass(rcx, rax);
  a_.TestImmediate(vm_.finalizer_flags_are_bytes ? k8 : k32, At(rcx, vm_.finalizer_flags),
                   vm_.finalizer_bit);
  a_.Jump(Condition::kNotEqual, TrapLabel(Trap::kInterpreter));
}

void Emitter::EmitReturn() {
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  if (!is_inlined()) Poll();
  Yieldpoint(OtherYieldpoint::kEpilogue);
  if (frame_.locks != own_locks) return TrapHere(Trap::kInterpreter);
  if (method().registers_finalizer) CheckFinalizer();
  if (method().is_synchronized) {
    a_.Load(k64, rsi, LockObject(0));
    a_.Lea(rdx, BasicLock(0));
    CallStub(Stub::kMonitorExit, StateBefore());
  }
  switch (at_.opcode) {
    case 172:  // ireturn
      a_.Load(k32, rax, Top(0));
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
      a_.Load(k64, rax, Top(1));
      break;
    case 174:  // freturn
      a_.Load(Precision::kSingle, Xmm::xmm0, Top(0));
      break;
    case 175:  // dreturn
      a_.Load(Precision::kDouble, Xmm::xmm0, Top(1));
      break;
    case 176:  // areturn
      a_.Load(k64, rax, Top(0));
      break;
    default:
      break;
  }
  if (is_inlined()) return ReturnFromInlined();
  code_.Leave(layout_.bytes());
  if (method().uses_reserved_stack && vm_.reserved_stack) {
    const Label overflowed = a_.NewLabel();
    code_.CheckReservedStack(overflowed);
    slow_paths_.emplace_back([this, overflowed] { code_.ReservedStackOverflow(overflowed); });
  }
  a_.Return();
}

}  // namespace yp::compiler
