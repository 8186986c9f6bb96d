#include "compiler/backend/constraints.h"

#include "compiler/runtime/leaf_code.h"
#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

using enum x64::Reg;
using ir::Node;
using ir::Op;
using How = InputConstraint::How;
using x64::Xmm;

namespace {

// What HeapCode's functions and ChangeMonitor lose, r10 and r11 apart.
constexpr RegisterSet kLostBySecondaryCheck = SetOf(r9);
constexpr RegisterSet kLostByMonitors = SetOf(rax, rcx);
constexpr RegisterSet kLostInC = kAllocatable & ~SetOf(rbx, r13, r14);

InputConstraint InRegister(bool is_late = false) { return {How::kRegister, is_late, kNoRegister}; }
InputConstraint Anywhere(bool is_late = false) { return {How::kAnywhere, is_late, kNoRegister}; }
InputConstraint Fixed(x64::Reg reg) { return {How::kAnywhere, false, NumberOf(reg)}; }
InputConstraint Fixed(Xmm reg) { return {How::kAnywhere, false, NumberOf(reg)}; }

// The second operand of an instruction that may be in memory, or part of it.
InputConstraint Operand(const Node* node) {
  if (IsImmediate(node)) return {How::kNowhere, false, kNoRegister};
  if (ir::IsConstant(node) && IsFloatingPoint(node->kind))
    return {How::kNowhere, false, kNoRegister};
  return ir::IsFree(node) ? InRegister() : Anywhere();
}

InputConstraint RegisterOrImmediate(const Node* node, bool is_late = false) {
  return IsImmediate(node) ? InputConstraint{How::kNowhere, false, kNoRegister}
                           : InRegister(is_late);
}

RegisterNumber ResultOfCall(Kind kind) {
  if (kind == Kind::kDead) return kNoRegister;
  return IsFloatingPoint(kind) ? NumberOf(Xmm::xmm0) : NumberOf(rax);
}

void ConstrainCall(const Node& node, Constraints& c) {
  x64::ArgumentPlaces places;
  for (const Node* const in : node.in) {
    const auto place = places.Next(IsFloatingPoint(in->kind));
    using Place = x64::ArgumentPlaces::Place;
    if (place.place == Place::kRegister) {
      c.in.push_back(Fixed(place.reg));
    } else if (place.place == Place::kXmm) {
      c.in.push_back(Fixed(place.xmm));
    } else {
      c.in.push_back(Anywhere());
    }
  }
  c.clobbers = kAllocatable;
  c.result = ResultOfCall(node.kind);
  c.is_site = true;
}

void ConstrainLeafCall(const Node& node, Constraints& c) {
  size_t integers = 0, doubles = 0;
  for (const Node* const in : node.in) {
    c.in.push_back(IsFloatingPoint(in->kind) ? Fixed(static_cast<Xmm>(doubles++))
                                             : Fixed(kLeafInputs[integers++]));
  }
  c.clobbers = kLostInC;
  c.result = ResultOfCall(node.kind);
}

void ConstrainStore(const Node& node, const VmLayout& vm, Constraints& c) {
  const bool is_element = node.op == Op::kStoreElement;
  const char type = is_element ? node.type : node.field->type;
  // Between the barrier's calls they are looked at again.
  c.saves = KindOf(type) == Kind::kReference && vm.collector == Collector::kG1;
  c.in = {InRegister(c.saves)};
  if (is_element) c.in.push_back(RegisterOrImmediate(node.in[1], c.saves));
  const Node* const value = node.in.back();
  c.in.push_back(IsFloatingPoint(value->kind) ? InRegister() : RegisterOrImmediate(value, c.saves));
}

// What HeapCode's allocation loses.
void ConstrainAllocation(const Node& node, const VmLayout& vm, Constraints& c) {
  if (node.op == Op::kNewArray) c.in = {Fixed(rdx)};
  if (node.op == Op::kNewMulti) c.in.assign(node.in.size(), Anywhere());
  c.saves = AllocatesInLine(node, vm);
  c.clobbers = kAllocatable;
  if (c.saves) c.clobbers = SetOf(rax, rcx, rdx, rsi);
  if (c.saves && node.op == Op::kNewArray) c.clobbers |= SetOf(r8, r9);
  c.result = NumberOf(rax);
  c.is_site = true;
}

// By Klass::_super_check_offset, which guards that compare classes have as well.
void ConstrainTypeCheck(int32_t check_offset, const VmLayout& vm, Constraints& c) {
  // Of a guard, it is looked at again behind that.
  c.in = {InRegister(true)};
  if (check_offset == vm.secondary_super_cache) c.clobbers = kLostBySecondaryCheck;
}

void ConstrainArithmetic(const Node& node, Constraints& c) {
  if (node.kind == Kind::kVector) {  // In memory it would have to be aligned.
    c.in = {InRegister(), ir::IsConstant(node.in[1])
                              ? InputConstraint{How::kNowhere, false, kNoRegister}
                              : InRegister()};
    return;
  }
  const bool is_float = IsFloatingPoint(node.kind);
  switch (node.op) {
    case Op::kDiv:
    case Op::kRem:
      if (is_float && node.op == Op::kRem) {
        c.in = {Fixed(Xmm::xmm0), Fixed(Xmm::xmm1)};
        c.clobbers = kAllocatable;
        c.result = NumberOf(Xmm::xmm0);
      } else if (is_float) {
        c.in = {InRegister(), Operand(node.in[1])};
      } else {
        c.in = {Fixed(rax), InRegister(true)};
        c.clobbers = SetOf(rax, rdx);
        c.result = NumberOf(node.op == Op::kDiv ? rax : rdx);
      }
      return;
    case Op::kMultiplyHigh:
      c.in = {Fixed(rax), InRegister(true)};
      c.clobbers = SetOf(rax, rdx);
      c.result = NumberOf(rdx);
      return;
    case Op::kShl:
    case Op::kShr:
    case Op::kUshr:
      if (ir::IsConstant(node.in[1])) {
        c.in = {InRegister(), {How::kNowhere, false, kNoRegister}};
      } else {
        c.in = {InRegister(true), Fixed(rcx)};
        c.clobbers = SetOf(rcx);
      }
      return;
    default:
      c.in = {InRegister(), Operand(node.in[1])};
  }
}

}  // namespace

bool IsImmediate(const Node* node) {
  if (!ir::IsConstant(node) || IsFloatingPoint(node->kind)) return false;
  return node->bits == static_cast<int32_t>(node->bits);
}

bool AllocatesInLine(const Node& node, const VmLayout& vm) {
  if (!vm.use_tlab || node.op == Op::kNewMulti) return false;
  // Else only the VM can allocate it.
  return node.op == Op::kNewArray || (node.link.layout_helper & 1) == 0;
}

Constraints ConstraintsOf(const Node& node, const VmLayout& vm) {
  Constraints c;
  switch (node.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kRem:
    case Op::kShl:
    case Op::kShr:
    case Op::kUshr:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kMultiplyHigh:
      ConstrainArithmetic(node, c);
      break;
    case Op::kCurrentThread:
      break;
    case Op::kIsInstanceOf:
      c.in = {InRegister(), InRegister()};
      c.clobbers = kLostBySecondaryCheck;
      break;
    case Op::kLoadPlace:
      c.in = {InRegister(), InRegister()};
      // It may be the referent of a java.lang.ref.Reference.
      c.saves = node.type == 'L' && vm.collector == Collector::kG1;
      break;
    case Op::kStorePlace:
      c.saves = node.type == 'L' && vm.collector == Collector::kG1;
      c.in.assign(3, InRegister(c.saves));
      break;
    case Op::kCompareAndSet:
      c.in = {InRegister(true), InRegister(true), Fixed(rax), InRegister(true)};
      c.clobbers = SetOf(rax);
      c.saves = node.type == 'L' && vm.collector == Collector::kG1;
      c.result = NumberOf(rax);
      break;
    case Op::kCopyArray:
      c.in = {Fixed(rdi), Fixed(rsi), Fixed(rdx), Fixed(rcx), Fixed(r8)};
      c.clobbers = kAllocatable;
      c.result = NumberOf(rax);
      break;
    case Op::kLeafValue:
    case Op::kLeafCall:
      ConstrainLeafCall(node, c);
      break;
    case Op::kMaterialized:
      c.in = {{How::kNowhere, false, kNoRegister}};
      break;
    case Op::kCompare:
    case Op::kLimitCheck:
      c.in = {InRegister(), Operand(node.in[1])};
      break;
    case Op::kIf:
    case Op::kHolds:
      c.in = {IsImmediate(node.in[1]) ? Anywhere() : InRegister(), Operand(node.in[1])};
      break;
    case Op::kBoundsCheck:
      c.in = {RegisterOrImmediate(node.in[0]), Operand(node.in[1])};
      if (IsImmediate(node.in[0])) c.in[1] = InRegister();
      break;
    case Op::kInstanceOf:
    case Op::kCastCheck:
    case Op::kIfInstance:
      ConstrainTypeCheck(node.link.super_check_offset, vm, c);
      break;
    case Op::kGuard:
      ConstrainTypeCheck(node.guard->super_check_offset, vm, c);
      break;
    case Op::kStoreCheck:
      c.in = {InRegister(), InRegister()};
      c.clobbers = kLostBySecondaryCheck;
      break;
    case Op::kLoadField:
      c.in = {InRegister()};
      c.saves = node.field->is_referent && vm.collector == Collector::kG1;
      break;
    case Op::kLoadElement:
      c.in = {InRegister(), RegisterOrImmediate(node.in[1])};
      break;
    case Op::kStoreField:
    case Op::kStoreElement:
      ConstrainStore(node, vm, c);
      break;
    case Op::kNew:
    case Op::kNewArray:
    case Op::kNewMulti:
      ConstrainAllocation(node, vm, c);
      break;
    case Op::kCall:
    case Op::kTry:
      ConstrainCall(node, c);
      break;
    case Op::kMonitorEnter:
    case Op::kMonitorExit:
      for (size_t i = 0; i < node.in.size(); ++i) c.in.push_back(Fixed(rsi));
      c.clobbers = SetOf(rsi, rdx) | kLostByMonitors;
      c.is_site = true;
      c.saves = true;
      break;
    case Op::kRegisterFinalizer:
      c.in = {Fixed(rsi)};
      c.clobbers = kAllocatable;
      c.is_site = true;
      break;
    case Op::kPoll:
      c.is_site = true;
      break;
    case Op::kOsrEnd:
      c.in = {Fixed(rdi)};
      c.clobbers = kAllocatable;
      break;
    case Op::kReturn:
      for (const Node* const in : node.in) {
        c.in.push_back(IsFloatingPoint(in->kind) ? Fixed(Xmm::xmm0) : Fixed(rax));
      }
      c.clobbers = kAllocatable;
      break;
    case Op::kUnwind:
      c.in = {Fixed(rax)};
      c.clobbers = kAllocatable;
      break;
    case Op::kNullCheck:
    case Op::kZeroCheck:
    case Op::kNegativeCheck:
      c.in.assign(node.in.size(), Anywhere());
      break;
    default:
      c.in.assign(node.in.size(), InRegister());
  }
  return c;
}

}  // namespace yp::compiler
