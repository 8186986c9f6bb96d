// Checks, conditions, jumps, calls, returns.
#include "compiler/backend/code_emitter.h"
#include "compiler/runtime/instruction_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using ir::Node;
using ir::Op;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;

namespace {

// By ir::Condition.
constexpr Condition kSigned[] = {Condition::kEqual,   Condition::kNotEqual,
                                 Condition::kLess,    Condition::kGreaterOrEqual,
                                 Condition::kGreater, Condition::kLessOrEqual};
// Of floating-point numbers, by the flags that ucomisd sets.
constexpr Condition kFloating[] = {Condition::kEqual, Condition::kNotEqual,
                                   Condition::kBelow, Condition::kAboveOrEqual,
                                   Condition::kAbove, Condition::kBelowOrEqual};

// Of what a kIf or kHolds compares.
Condition FlagsOf(const Node& node) {
  const auto i = static_cast<size_t>(node.condition);
  return IsFloatingPoint(node.in[0]->kind) ? kFloating[i] : kSigned[i];
}

Condition Inverse(Condition condition) {
  return static_cast<Condition>(static_cast<uint8_t>(condition) ^ 1);
}

}  // namespace

// Everything else computes a value or stores one.
bool CodeEmitter::EmitControl(const Node& node) {
  if (ir::IsCheck(node.op)) {
    EmitCheck(node);
    return true;
  }
  switch (node.op) {
    case Op::kPoll:
      code_.Poll(SiteStateOf(node));
      return true;
    case Op::kYieldpoint:
      EmitYieldpoint(node);
      return true;
    case Op::kCall:
    case Op::kTry:
      EmitCall(node);
      return true;
    case Op::kGoto:
      EmitEdge(*node.block, *node.block->succs[0]);
      return true;
    case Op::kIf:
      EmitBranch(node);
      return true;
    case Op::kHolds:
      Compare(node, 0, 1);
      a_.Set(FlagsOf(node), r10);
      a_.ZeroExtend(k8, OutReg(node), r10);
      return true;
    case Op::kIfInstance:
      EmitIfInstance(node);
      return true;
    case Op::kGuard:
      EmitGuard(node);
      return true;
    case Op::kSwitch:
      EmitSwitch(node);
      return true;
    case Op::kReturn:
      EmitReturn(node);
      return true;
    case Op::kUnwind:
      a_.Jump(unwind_);
      return true;
    case Op::kTrap:
      a_.Jump(TrapLabel(node));
      return true;
    default:
      return false;
  }
}

void CodeEmitter::EmitCheck(const Node& node) {
  const auto compare_with_zero = [&](x64::Width width) {
    const Location place = In(node, 0);
    if (place.is_register()) return a_.Test(width, RegOf(place), RegOf(place));
    a_.Do(Alu::kCmp, width, MemoryOf(place), 0);
  };
  if (node.op == Op::kPostCheck) {
    if (!vm_.posts_exceptions) return;
    a_.Do(Alu::kCmp, k32, HeapCode::Thread(*vm_.posts_exceptions), 0);
    return a_.Jump(Condition::kNotEqual, TrapLabel(node));
  }
  const Label trap = TrapLabel(node);
  switch (node.op) {
    case Op::kNullCheck:
      compare_with_zero(k64);
      return a_.Jump(Condition::kEqual, trap);
    case Op::kZeroCheck:
      compare_with_zero(node.in[0]->kind == Kind::kLong ? k64 : k32);
      return a_.Jump(Condition::kEqual, trap);
    case Op::kNegativeCheck:
      compare_with_zero(k32);
      return a_.Jump(Condition::kLess, trap);
    case Op::kBoundsCheck:
      if (allocation_.ConstraintsOf(node).in[0].how == InputConstraint::How::kNowhere) {
        a_.Do(Alu::kCmp, k32, InReg(node, 1), static_cast<int32_t>(node.in[0]->bits));
        return a_.Jump(Condition::kBelowOrEqual, trap);
      }
      Do(Alu::kCmp, k32, InReg(node, 0), OperandOf(node, 1));
      return a_.Jump(Condition::kAboveOrEqual, trap);
    case Op::kLimitCheck:
      Compare(node, 0, 1);
      return a_.Jump(Condition::kGreater, trap);
    case Op::kInitCheck:
      return heap_.CheckInitialized(node.constant, trap);
    case Op::kCastCheck: {
      const Label passed = a_.NewLabel();
      const Reg object = InReg(node, 0);
      a_.Test(k64, object, object);
      a_.Jump(Condition::kEqual, passed);
      if (heap_.CompareWithClass(object, node.link.klass, node.link.super_check_offset, passed)) {
        a_.Jump(Condition::kNotEqual, trap);
      } else {
        a_.Jump(trap);
      }
      return a_.Bind(passed);
    }
    default: {
      const Label passed = a_.NewLabel();
      const Reg object = InReg(node, 1);
      a_.Test(k64, object, object);
      a_.Jump(Condition::kEqual, passed);
      heap_.CheckArrayStore(InReg(node, 0), object, trap);
      return a_.Bind(passed);
    }
  }
}

void CodeEmitter::Branch(Condition condition, const ir::Block* yes, const ir::Block* no) {
  if (yes == next_) {
    a_.Jump(Inverse(condition), LabelOf(no));
    return;
  }
  a_.Jump(condition, LabelOf(yes));
  if (no != next_) a_.Jump(LabelOf(no));
}

void CodeEmitter::EmitBranch(const Node& node) {
  const ir::Block *const yes = node.block->succs[0], *const no = node.block->succs[1];
  const Condition condition = FlagsOf(node);
  Compare(node, 0, 1);
  if (!IsFloatingPoint(node.in[0]->kind)) return Branch(condition, yes, no);
  // What the condition says where one is no number.
  const bool says_yes = condition == Condition::kEqual || condition == Condition::kBelow ||
                        condition == Condition::kBelowOrEqual;
  if (says_yes != node.nan_holds) {
    a_.Jump(Condition::kUnordered, LabelOf(node.nan_holds ? yes : no));
  }
  Branch(condition, yes, no);
}

void CodeEmitter::EmitIfInstance(const Node& node) {
  const ir::Block *const yes = node.block->succs[0], *const no = node.block->succs[1];
  const Reg object = InReg(node, 0);
  a_.Test(k64, object, object);
  a_.Jump(Condition::kEqual, LabelOf(no));
  if (heap_.CompareWithClass(object, node.link.klass, node.link.super_check_offset, LabelOf(yes))) {
    return Branch(Condition::kEqual, yes, no);
  }
  if (no != next_) a_.Jump(LabelOf(no));
}

void CodeEmitter::EmitGuard(const Node& node) {
  const GuardLink& guard = *node.guard;
  const ir::Block *const holds = node.block->succs[0], *const fails = node.block->succs[1];
  if (!heap_.CompareWithGuard(InReg(node, 0), guard, LabelOf(fails))) {
    if (holds != next_) a_.Jump(LabelOf(holds));
    return;
  }
  Branch(Condition::kEqual, holds, fails);
}

void CodeEmitter::EmitSwitch(const Node& node) {
  const Reg value = InReg(node, 0);
  const int64_t low = node.cases.front().first, high = node.cases.back().first;
  constexpr size_t kFewest = 6;
  constexpr int64_t kSparsest = 3;
  const auto count = static_cast<int64_t>(node.cases.size());
  const Label otherwise = LabelOf(node.block->succs.back());
  if (node.cases.size() < kFewest || high - low >= kSparsest * count) {
    std::vector<std::pair<int32_t, Label>> cases;
    for (const auto& [match, succ] : node.cases) {
      cases.emplace_back(match, LabelOf(node.block->succs[succ]));
    }
    return JumpByCases(a_, value, cases, otherwise);
  }
  a_.Lea(k32, r10, At(value, static_cast<int32_t>(-low)));
  a_.Do(Alu::kCmp, k32, r10, static_cast<int32_t>(high - low));
  a_.Jump(Condition::kAbove, otherwise);
  std::vector<Label> labels(static_cast<size_t>(high - low + 1), otherwise);
  for (const auto& [match, succ] : node.cases) {
    labels[static_cast<size_t>(match - low)] = LabelOf(node.block->succs[succ]);
  }
  JumpByTable(a_, r10, r11, labels);
}

// The value is in rax or xmm0.
void CodeEmitter::EmitReturn(const Node&) {
  code_.Leave(layout_.bytes());
  if (method_.uses_reserved_stack && vm_.reserved_stack) {
    const Label overflowed = a_.NewLabel();
    code_.CheckReservedStack(overflowed);
    slow_paths_.emplace_back([this, overflowed] { code_.ReservedStackOverflow(overflowed); });
  }
  a_.Return();
}

void CodeEmitter::EmitCall(const Node& node) {
  code_.LinkedCall(*node.call, SiteStateOf(node));
  thrown_.push_back({a_.size(), node.op == Op::kTry ? node.block->succs[1] : nullptr});
  if (vm_.post_call_nops) a_.Nop(8);
  if (places_.yieldpoints) code_.MarkCall(node.call_site);
}

}  // namespace yp::compiler
