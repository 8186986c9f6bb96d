// What each instruction but calls does to the values of a frame.
#include <array>
#include <bit>
#include <optional>

#include "classfile/bytes.h"
#include "compiler/bytecode/array_types.h"
#include "compiler/bytecode/stack_effects.h"
#include "compiler/bytecode/switch_cases.h"
#include "compiler/ir/body_builder.h"

namespace yp::compiler::ir {

namespace op = classfile::op;

namespace {

// In the order of the opcodes: eq, ne, lt, ge, gt, le.
constexpr std::array kConditions = {Condition::kEqual,   Condition::kNotEqual,
                                    Condition::kLess,    Condition::kGreaterOrEqual,
                                    Condition::kGreater, Condition::kLessOrEqual};
// What a class has decided for good (a static final field) opens no way that is never taken:
// nothing is made of what lies there.
std::optional<bool> HoldsAlways(Condition condition, const Node& left, const Node& right) {
  if (left.op == Op::kObject && IsConstant(&right)) return condition == Condition::kNotEqual;
  if (!IsConstant(&left) || !IsConstant(&right)) return std::nullopt;
  return Holds(condition, left.bits, right.bits);
}

constexpr std::array kKinds = {Kind::kInt, Kind::kLong, Kind::kFloat, Kind::kDouble};

}  // namespace

void BodyBuilder::Follow() {
  if (FollowConstant() || FollowLocal() || FollowArithmetic() || FollowConversion() ||
      FollowControl() || FollowMemory() || FollowObject()) {
    return;
  }
  if (classfile::IsInvoke(at_.opcode)) return FollowCall();
  FollowShuffle();
}

bool BodyBuilder::FollowConstant() {
  constexpr uint8_t kAconstNull = 1, kIconst0 = 3, kIconst5 = 8, kLconst0 = 9, kLconst1 = 10,
                    kFconst0 = 11, kFconst2 = 13, kDconst0 = 14, kDconst1 = 15, kBipush = 16;
  const uint8_t opcode = at_.opcode;
  if (opcode == op::kNop) return true;
  if (opcode >= op::kLdc && opcode <= op::kLdc2W) {
    PushConstant(body_.linkage->Constant(ConstantOperand(method_.bytes(), at_)));
    return true;
  }
  if (opcode > op::kSipush) return false;
  if (opcode == kAconstNull) {
    Push(graph_.Constant(Kind::kReference, 0));
  } else if (opcode <= kIconst5) {
    Push(graph_.Int(opcode - kIconst0));
  } else if (opcode <= kLconst1) {
    Push(graph_.Constant(Kind::kLong, opcode - kLconst0));
  } else if (opcode <= kFconst2) {
    Push(graph_.Constant(Kind::kFloat,
                         std::bit_cast<int32_t>(static_cast<float>(opcode - kFconst0))));
  } else if (opcode <= kDconst1) {
    Push(graph_.Constant(Kind::kDouble,
                         std::bit_cast<int64_t>(static_cast<double>(opcode - kDconst0))));
  } else {
    const uint8_t* const operand = &method_.code[at_.bci + 1];
    Push(graph_.Int(opcode == kBipush ? static_cast<int8_t>(*operand)
                                      : static_cast<int16_t>(classfile::LoadU2(operand))));
  }
  return true;
}

void BodyBuilder::PushConstant(const ConstantLink& constant) {
  if (constant.kind != Kind::kReference || constant.is_null) {
    return Push(graph_.Constant(constant.kind, constant.is_null ? 0 : constant.bits));
  }
  Node* const object = graph_.Object(constant.object);
  if (constant.length >= 0) object->bits = int64_t{constant.length} + 1;
  Push(object);
}

bool BodyBuilder::FollowLocal() {
  constexpr uint8_t kAload3 = 45, kAstore = 58, kAstore3 = 78;
  const bool is_load = at_.opcode >= op::kIload && at_.opcode <= kAload3;
  const bool is_store = at_.opcode >= op::kIstore && at_.opcode <= kAstore3;
  if (!is_load && !is_store && at_.opcode != op::kIinc && at_.opcode != op::kWide) return false;
  const LocalAccess access = DecodeLocal(method_.bytes(), at_);
  if (access.opcode >= op::kIstore && access.opcode <= kAstore) {
    SetLocalTo(access.index, PopAny());
    return true;
  }
  Node* const value = slots_.locals[access.index];
  if (value == nullptr) {
    failed_ = true;
  } else if (access.opcode == op::kIinc) {
    const bool wide = at_.opcode == op::kWide;
    const int32_t amount = wide
                               ? static_cast<int16_t>(classfile::LoadU2(&method_.code[at_.bci + 4]))
                               : static_cast<int8_t>(method_.code[at_.bci + 2]);
    SetLocalTo(access.index, Add(Op::kAdd, Kind::kInt, {value, graph_.Int(amount)}));
  } else {
    Push(value);
  }
  return true;
}

bool BodyBuilder::FollowArithmetic() {
  constexpr uint8_t kIadd = 96, kIneg = 116, kIshl = 120, kIand = 126, kLxor = 131;
  const uint8_t opcode = at_.opcode;
  if (opcode < kIadd || opcode > kLxor) return false;
  if (opcode < kIneg) {
    const auto operation = static_cast<Op>(static_cast<uint8_t>(Op::kAdd) + (opcode - kIadd) / 4);
    const Kind kind = kKinds[(opcode - kIadd) % 4];
    Node* const right = Pop(kind);
    Node* const left = Pop(kind);
    const bool divides = operation == Op::kDiv || operation == Op::kRem;
    if (divides && !IsFloatingPoint(kind)) TrapUnless(Op::kZeroCheck, {right}, Trap::kDivision);
    Push(Add(operation, kind, {left, right}));
  } else if (opcode < kIshl) {
    const Kind kind = kKinds[opcode - kIneg];
    Push(Add(Op::kNeg, kind, {Pop(kind)}));
  } else {
    const bool shifts = opcode < kIand;
    const uint8_t first = shifts ? kIshl : kIand;
    const auto base = static_cast<uint8_t>(shifts ? Op::kShl : Op::kAnd);
    const Kind kind = kKinds[(opcode - first) % 2];
    Node* const right = Pop(shifts ? Kind::kInt : kind);
    Node* const left = Pop(kind);
    Push(Add(static_cast<Op>(base + (opcode - first) / 2), kind, {left, right}));
  }
  return true;
}

bool BodyBuilder::FollowConversion() {
  constexpr uint8_t kI2l = 133, kI2b = 145, kI2s = 147, kLcmp = 148, kFcmpg = 150, kDcmpl = 151,
                    kDcmpg = 152;
  const uint8_t opcode = at_.opcode;
  if (opcode < kI2l || opcode > kDcmpg) return false;
  if (opcode >= kLcmp) {
    const Kind kind = opcode == kLcmp    ? Kind::kLong
                      : opcode >= kDcmpl ? Kind::kDouble
                                         : Kind::kFloat;
    Node* const right = Pop(kind);
    Node* const left = Pop(kind);
    Node* const node = Add(Op::kCompare, Kind::kInt, {left, right});
    node->type = opcode == kFcmpg || opcode == kDcmpg ? 'G' : 'L';
    Push(node);
  } else if (opcode >= kI2b) {
    Node* const node = Add(Op::kNarrow, Kind::kInt, {Pop(Kind::kInt)});
    node->type = "BCS"[opcode - kI2b];
    Push(node);
  } else {
    static_assert(kI2s == kI2b + 2);
    const std::string_view effect = StackEffect(opcode);
    Node* const from = Pop(EffectKind(effect[0]));
    Push(Add(Op::kConvert, EffectKind(effect[2]), {from}));
  }
  return true;
}

bool BodyBuilder::FollowControl() {
  constexpr uint8_t kIfIcmpeq = 159, kIfAcmpeq = 165, kIfAcmpne = 166, kAthrow = 191;
  const uint8_t opcode = at_.opcode;
  if (classfile::IsReturn(opcode)) {
    FollowReturn();
    return true;
  }
  if (opcode == kAthrow) {
    FollowThrow();
    return true;
  }
  const bool jumps = (opcode >= op::kIfeq && opcode <= op::kGoto) || classfile::IsSwitch(opcode) ||
                     opcode == op::kIfnull || opcode == op::kIfnonnull || opcode == op::kGotoW;
  if (!jumps) return false;
  bool backwards = false;
  classfile::VisitJumps(method_.bytes(), at_, [&](uint32_t, bool, int64_t target) {
    backwards |= target <= int64_t{at_.bci};
    return true;
  });
  if (backwards) {
    Add(Op::kPoll, Kind::kDead)->state = Before();
    if (yieldpoints_) Add(Op::kYieldpoint, Kind::kDead)->yield = YieldKind::kBackwards;
  }
  if (classfile::IsSwitch(opcode)) {
    FollowSwitch();
  } else if (opcode == op::kGoto || opcode == op::kGotoW) {
    Jump();
  } else if (opcode == op::kIfnull || opcode == op::kIfnonnull) {
    Node* const value = Pop(Kind::kReference);
    JumpOnCondition(opcode == op::kIfnull ? Condition::kEqual : Condition::kNotEqual, value,
                    graph_.Constant(Kind::kReference, 0));
  } else if (opcode == kIfAcmpeq || opcode == kIfAcmpne) {
    Node* const right = Pop(Kind::kReference);
    Node* const left = Pop(Kind::kReference);
    JumpOnCondition(opcode == kIfAcmpeq ? Condition::kEqual : Condition::kNotEqual, left, right);
  } else if (opcode >= kIfIcmpeq) {
    Node* const right = Pop(Kind::kInt);
    Node* const left = Pop(Kind::kInt);
    JumpOnCondition(kConditions[opcode - kIfIcmpeq], left, right);
  } else {
    JumpOnCondition(kConditions[opcode - op::kIfeq], Pop(Kind::kInt), graph_.Int(0));
  }
  return true;
}

void BodyBuilder::Jump() {
  Block* const from = block_;
  classfile::VisitJumps(method_.bytes(), at_, [&](uint32_t, bool, int64_t target) {
    GoTo(from, static_cast<uint32_t>(target), true);
    return true;
  });
  block_ = nullptr;
}

void BodyBuilder::JumpOnCondition(Condition condition, Node* left, Node* right) {
  const uint32_t next = at_.bci + at_.length;
  uint32_t target = next;
  classfile::VisitJumps(method_.bytes(), at_, [&](uint32_t, bool, int64_t to) {
    target = static_cast<uint32_t>(to);
    return true;
  });
  Block* const from = block_;
  if (target == next) {
    GoTo(from, target, true);
    block_ = nullptr;
    return;
  }
  if (const std::optional<bool> holds = HoldsAlways(condition, *left, *right)) {
    GoTo(from, *holds ? target : next, true);
    block_ = nullptr;
    return;
  }
  Node* const node = graph_.NewNode(Op::kIf, Kind::kDead, {left, right});
  node->condition = condition;
  End(node);
  GoTo(from, target, false);
  GoTo(from, next, false);
}

void BodyBuilder::FollowSwitch() {
  auto [cases, otherwise] = SwitchCasesOf(method_.bytes(), at_);
  // clang 14 has no captures of structured bindings.
  std::erase_if(cases, [to = otherwise](const auto& one) { return one.second == to; });
  Node* const value = Pop(Kind::kInt);
  Block* const from = block_;
  if (cases.empty()) {
    GoTo(from, otherwise, true);
    block_ = nullptr;
    return;
  }
  Node* const node = graph_.NewNode(Op::kSwitch, Kind::kDead, {value});
  End(node);
  std::map<uint32_t, uint32_t> successors;
  for (const auto& [match, to] : cases) {
    const auto [known, is_new] =
        successors.try_emplace(to, static_cast<uint32_t>(from->succs.size()));
    if (is_new) GoTo(from, to, false);
    node->cases.emplace_back(match, known->second);
  }
  GoTo(from, otherwise, false);
}

bool BodyBuilder::FollowMemory() {
  const uint8_t opcode = at_.opcode;
  if (LoadsElement(opcode)) {
    const char type = ElementTypeOf(opcode);
    Node* const index = Pop(Kind::kInt);
    Node* const array = Pop(Kind::kReference);
    CheckNull(array);
    Node* const length = Add(Op::kArrayLength, Kind::kInt, {array});
    TrapUnless(Op::kBoundsCheck, {index, length}, Trap::kBounds);
    Node* const load = Add(Op::kLoadElement, KindOf(type), {array, index});
    load->type = type;
    Push(load);
  } else if (StoresElement(opcode)) {
    const char type = ElementTypeOf(opcode);
    Node* const value = Pop(KindOf(type));
    Node* const index = Pop(Kind::kInt);
    Node* const array = Pop(Kind::kReference);
    CheckNull(array);
    Node* const length = Add(Op::kArrayLength, Kind::kInt, {array});
    TrapUnless(Op::kBoundsCheck, {index, length}, Trap::kBounds);
    const bool is_null = IsConstant(value) && value->bits == 0;
    if (type == 'L' && !is_null) TrapUnless(Op::kStoreCheck, {array, value}, Trap::kArrayStore);
    Add(Op::kStoreElement, Kind::kDead, {array, index, value})->type = type;
  } else if (opcode >= op::kGetstatic && opcode <= op::kPutfield) {
    FollowField();
  } else if (opcode == op::kArraylength) {
    Node* const array = Pop(Kind::kReference);
    CheckNull(array);
    Push(Add(Op::kArrayLength, Kind::kInt, {array}));
  } else {
    return false;
  }
  return true;
}

void BodyBuilder::FollowField() {
  constexpr uint8_t kPutstatic = 179, kGetfield = 180;
  const FieldLink& field = *body_.linkage->Field(ConstantOperand(method_.bytes(), at_), at_.opcode);
  const Kind kind = KindOf(field.type);
  const bool is_put = at_.opcode == kPutstatic || at_.opcode == op::kPutfield;
  Node* const value = is_put ? Pop(kind) : nullptr;
  if (!is_put && field.constant.resolved) return PushConstant(field.constant);
  Node* object;
  if (at_.opcode >= kGetfield) {
    object = Pop(Kind::kReference);
    CheckNull(object);
  } else {
    if (field.uninitialized) {
      TrapUnless(Op::kInitCheck, {}, Unresolved());
      block_->nodes.back()->constant = *field.uninitialized;
    }
    object = graph_.Object(field.holder);
  }
  if (is_put) {
    Add(Op::kStoreField, Kind::kDead, {object, value})->field = &field;
    return;
  }
  Node* const load = Add(Op::kLoadField, kind, {object});
  load->field = &field;
  Push(load);
}

bool BodyBuilder::FollowObject() {
  constexpr uint8_t kNewarray = 188, kMonitorenter = 194, kMonitorexit = 195;
  const uint8_t opcode = at_.opcode;
  const auto type = [&] {
    return body_.linkage->Type(ConstantOperand(method_.bytes(), at_), at_.opcode);
  };
  const auto allocate = [&](Op operation, Inputs in, const TypeLink& link) {
    Node* const node = Add(operation, Kind::kReference, std::move(in));
    node->link = link;
    node->state = Before();
    node->type = 'L';
    Push(node);
    return node;
  };
  switch (opcode) {
    case op::kNew: {
      const TypeLink link = type();
      if (link.is_uninitialized) {
        TrapUnless(Op::kInitCheck, {}, Unresolved());
        block_->nodes.back()->constant = link.klass;
      }
      allocate(Op::kNew, {}, link);
      return true;
    }
    case kNewarray:
    case op::kAnewarray: {
      Node* const length = Pop(Kind::kInt);
      TrapUnless(Op::kNegativeCheck, {length}, Trap::kInterpreter);
      const uint8_t code = method_.code[at_.bci + 1];
      Node* const node =
          allocate(Op::kNewArray, {length},
                   opcode == kNewarray ? body_.linkage->PrimitiveArray(code) : type());
      if (opcode == kNewarray) node->type = PrimitiveType(code);
      return true;
    }
    case op::kMultianewarray: {
      const uint8_t dimensions = method_.code[at_.bci + 3];
      std::vector<Node*> lengths(dimensions);
      for (size_t i = dimensions; i-- > 0;) lengths[i] = Pop(Kind::kInt);
      for (Node* const length : lengths) {
        TrapUnless(Op::kNegativeCheck, {length}, Trap::kInterpreter);
      }
      allocate(Op::kNewMulti, std::move(lengths), type());
      return true;
    }
    case op::kCheckcast:
    case op::kInstanceof:
      FollowTypeCheck(type(), opcode == op::kCheckcast);
      return true;
    case kMonitorenter:
    case kMonitorexit:
      FollowMonitor(opcode == kMonitorenter);
      return true;
    default:
      return false;
  }
}

// Null can be cast to what is not resolved, and is no instance of it.
void BodyBuilder::FollowTypeCheck(const TypeLink& type, bool is_cast) {
  Node* const object = Pop(Kind::kReference);
  if (!type.resolved) {
    Node* const node =
        graph_.NewNode(Op::kIf, Kind::kDead, {object, graph_.Constant(Kind::kReference, 0)});
    node->condition = Condition::kEqual;
    Block* const from = block_;
    const State* const before = Before();
    End(node);
    Block* const is_null = graph_.NewBlock();
    Graph::Connect(from, is_null);
    Block* const other = graph_.NewBlock();
    other->is_cold = true;
    Graph::Connect(from, other);
    Node* const trap = graph_.NewNode(Op::kTrap, Kind::kDead);
    trap->trap = Unresolved();
    trap->state = before;
    Graph::Append(other, trap);
    block_ = is_null;
    return Push(is_cast ? object : graph_.Int(0));
  }
  if (is_cast) {
    TrapUnless(Op::kCastCheck, {object}, Trap::kClassCast);
    block_->nodes.back()->link = type;
    return Push(object);
  }
  Node* const node = Add(Op::kInstanceOf, Kind::kInt, {object});
  node->link = type;
  Push(node);
}

void BodyBuilder::FollowMonitor(bool enters) {
  const uint32_t own_locks = method_.is_synchronized ? 1 : 0;
  const State* const before = Before();
  if (!enters && slots_.locks <= own_locks) return TrapHere(Trap::kInterpreter);
  Node* const object = Pop(Kind::kReference);
  if (enters) CheckNull(object);
  if (!enters) --slots_.locks;
  Node* const node = Add(enters ? Op::kMonitorEnter : Op::kMonitorExit, Kind::kDead, {object});
  node->bits = body_.first_lock + slots_.locks;
  if (enters) ++slots_.locks;
  if (!enters) node->state_before = before;
  node->state = During();
}

void BodyBuilder::FollowReturn() {
  const bool is_inlined = entry_.caller != nullptr;
  const uint32_t own_locks = method_.is_synchronized ? 1 : 0;
  if (!is_inlined) Add(Op::kPoll, Kind::kDead)->state = Before();
  if (yieldpoints_ && body_.has_calls) {
    Add(Op::kYieldpoint, Kind::kDead)->yield = YieldKind::kEpilogue;
  }
  if (slots_.locks != own_locks) return TrapHere(Trap::kInterpreter);
  if (method_.registers_finalizer) RegisterFinalizer(slots_.locals[0]);
  if (method_.is_synchronized) {
    Node* const node = Add(Op::kMonitorExit, Kind::kDead);
    node->bits = body_.first_lock;
    node->state = Before();
  }
  const Kind kind = method_.signature.return_kind();
  Node* value = kind == Kind::kDead ? nullptr : Pop(kind);
  const char type = method_.signature.return_type;
  if (kind == Kind::kInt && type != 'I') {
    value = Add(Op::kNarrow, Kind::kInt, {value});
    value->type = type;
  }
  if (is_inlined) {
    returns_.emplace_back(block_, value);
    block_ = nullptr;
    return;
  }
  Node* const node = graph_.NewNode(Op::kReturn, Kind::kDead);
  if (value != nullptr) node->in = {value};
  End(node);
}

void BodyBuilder::FollowThrow() {
  Add(Op::kPoll, Kind::kDead)->state = Before();
  Node* const exception = Pop(Kind::kReference);
  CheckNull(exception);
  TrapUnless(Op::kPostCheck, {}, Trap::kInterpreter);
  Dispatch(exception);
}

void BodyBuilder::FollowShuffle() {
  const StackShuffle shuffle = *ShuffleOf(at_.opcode);
  std::vector<Node*>& stack = slots_.stack;
  if (shuffle.swaps) return std::swap(stack[stack.size() - 1], stack[stack.size() - 2]);
  stack.resize(stack.size() - shuffle.popped);
  const std::vector<Node*> copied(stack.end() - static_cast<ptrdiff_t>(shuffle.copied),
                                  stack.end());
  stack.insert(stack.end() - static_cast<ptrdiff_t>(shuffle.copied + shuffle.skipped),
               copied.begin(), copied.end());
}

}  // namespace yp::compiler::ir
