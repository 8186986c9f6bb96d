// Jumps, switches, returns, throws.
#include <algorithm>
#include <array>

#include "classfile/bytes.h"
#include "compiler/baseline/emitter.h"
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
  const SwitchCases found = SwitchCasesOf(method().bytes(), at_);
  const Label otherwise = LabelAt(found.otherwise);
  a_.Load(k32, rax, Top(0));
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

void Emitter::EmitReturn() {
  const uint32_t own_locks = method().is_synchronized ? 1 : 0;
  if (!is_inlined()) Poll();
  Yieldpoint(OtherYieldpoint::kEpilogue);
  if (frame_.locks != own_locks) return TrapHere(Trap::kInterpreter);
  if (method().registers_finalizer) RegisterFinalizer();
  if (method().is_synchronized) {
    a_.Load(k64, rsi, LockObject(0));
    EmitMonitor(Stub::kMonitorExit, 0, StateBefore());
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
