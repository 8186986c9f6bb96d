// Calls of methods that the VM's own compilers have instructions for: else each would be one of
// native code.
#include "compiler/baseline/emitter.h"
#include "compiler/runtime/leaf_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::At;
using x64::Condition;
using x64::Label;
using x64::Xmm;

// The receiver, if there is one, is not null. False: there is no instruction for the call, or its
// edge is to be told.
bool Emitter::EmitIntrinsic(const CallLink& call, size_t popped) {
  if (places_.targets) return false;
  using Kind_ = Intrinsic::Kind;
  const Intrinsic& intrinsic = call.intrinsic;
  switch (intrinsic.kind) {
    case Kind_::kNone:
      return false;
    case Kind_::kLoad:
      LoadPlace(intrinsic);
      return true;
    case Kind_::kStore:
      StorePlace(intrinsic);
      return true;
    case Kind_::kCompareAndSet:
      CompareAndSet(intrinsic);
      return true;
    case Kind_::kSquareRoot: {
      const Xmm value = stack_.TakeXmm(2);
      const Xmm result = stack_.AllocateXmm();
      a_.SquareRoot(result, value);
      stack_.Push(Kind::kDouble, result);
      return true;
    }
    case Kind_::kBits:
      MoveBits(KindOf(intrinsic.type));
      return true;
    case Kind_::kGetClass: {
      const Reg object = stack_.Take(1);
      const Reg result = stack_.Allocate();
      heap_.LoadClass(result, object);
      stack_.Push(Kind::kReference, result);
      stack_.SetNotNull(0);
      return true;
    }
    case Kind_::kIsInstance: {
      const Label no = a_.NewLabel(), done = a_.NewLabel();
      stack_.Reserve(SetOf(r9));
      const Reg type = stack_.Use(1);
      heap_.CheckInstance(type, stack_.Use(0), no);
      a_.MovImmediate(rax, 1);
      a_.Jump(done);
      a_.Bind(no);
      a_.MovImmediate(rax, 0);
      a_.Bind(done);
      stack_.Pop(2);
      PushResult(Kind::kInt);
      return true;
    }
    case Kind_::kCurrentThread: {
      const Reg result = stack_.Allocate();
      a_.Load(k64, result, HeapCode::Thread(vm_.current_thread));
      a_.Load(k64, result, At(result));
      stack_.Push(Kind::kReference, result);
      return true;
    }
    case Kind_::kArrayCopy:
      CopyArray(call, popped);
      return true;
    case Kind_::kRefersTo: {
      const LazyStack::Operand object = stack_.At(0);
      heap_.LoadOop(rax, At(stack_.Use(1), intrinsic.offset));
      Do(x64::Alu::kCmp, k64, rax, object);
      a_.Set(Condition::kEqual, rax);
      a_.ZeroExtend(k8, rax, rax);
      stack_.Pop(2);
      PushResult(Kind::kInt);
      return true;
    }
    case Kind_::kLeafCall:
      CallLeaf(call, popped);
      return true;
    case Kind_::kAbsolute:
      DropSign();
      return true;
  }
  return false;
}

// Of a double.
void Emitter::DropSign() {
  const Xmm value = stack_.OwnXmm(1);
  a_.MovImmediate(rax, INT64_MAX);
  a_.MovBits(k64, Xmm::xmm1, rax);
  a_.And(value, Xmm::xmm1);
  stack_.Pop(2);
  stack_.Push(Kind::kDouble, value);
}

// The same bits as another type.
void Emitter::MoveBits(Kind to) {
  const bool wide = IsWide(to);
  const size_t slots = wide ? 2 : 1;
  const x64::Width width = wide ? k64 : k32;
  if (IsFloatingPoint(to)) {
    const Reg value = stack_.Take(slots);
    const Xmm result = stack_.AllocateXmm();
    a_.MovBits(width, result, value);
    return stack_.Push(to, result);
  }
  const Xmm value = stack_.TakeXmm(slots);
  const Reg result = stack_.Allocate();
  a_.MovBits(width, result, value);
  stack_.Push(to, result);
}

// Of Unsafe's methods: the Unsafe, an object or null, and an offset, which is a long, lie below so
// many slots.
x64::Mem Emitter::UnsafePlace(size_t below) {
  const Reg object = stack_.Use(below + 2);
  return At(object, stack_.Use(below + 1), 0, 0);
}

namespace {

constexpr size_t kPlaceSlots = 4;

}  // namespace

void Emitter::LoadPlace(const Intrinsic& intrinsic) {
  const Mem from = UnsafePlace(0);
  stack_.Pop(kPlaceSlots);
  // It may be the referent of a Reference.
  if (intrinsic.type != 'L' || vm_.collector != Collector::kG1) {
    return PushLoaded(intrinsic.type, from);
  }
  PushReferent(from);
}

void Emitter::StorePlace(const Intrinsic& intrinsic) {
  const size_t value_slots = SlotsOf(KindOf(intrinsic.type));
  const Mem to = UnsafePlace(value_slots);
  StoreTop(intrinsic.type, to, kPlaceSlots + value_slots);
  if (intrinsic.is_volatile) a_.Fence();
}

void Emitter::CompareAndSet(const Intrinsic& intrinsic) {
  const bool wide = intrinsic.type == 'J';
  const bool is_reference = intrinsic.type == 'L';
  const size_t value_slots = wide ? 2 : 1;
  const size_t popped = kPlaceSlots + 2 * value_slots;
  if (is_reference && !heap_.StoresInLine()) stack_.Reserve(SetOf(rbx));
  const Mem at = UnsafePlace(2 * value_slots);
  stack_.Load(2 * value_slots - 1, rax);
  if (is_reference && !heap_.StoresInLine()) {
    stack_.Load(0, rbx);
    stack_.Pop(popped);
    a_.Lea(rdx, at);
    stack_.Forget(LazyStack::kVolatile);
    heap_.CompareAndSetOop();
    return PushResult(Kind::kInt);
  }
  const Reg desired = stack_.Use(value_slots - 1);
  if (is_reference) {
    heap_.CompareAndSetOopInLine(at, desired);
  } else {
    a_.LockedCompareExchange(wide ? k64 : k32, at, desired);
    a_.Set(Condition::kEqual, rax);
    a_.ZeroExtend(k8, rax, rax);
  }
  stack_.Pop(popped);
  PushResult(Kind::kInt);
}

// Where it cannot be copied as it is, the method itself does what it does then: it throws, or
// copies again what has been copied.
void Emitter::CopyArray(const CallLink& call, size_t popped) {
  const Label fails = a_.NewLabel(), done = a_.NewLabel();
  stack_.Flush();
  stack_.Pass({{LazyStack::Index(rdi), 4},
               {LazyStack::Index(rsi), 3},
               {LazyStack::Index(rdx), 2},
               {LazyStack::Index(rcx), 1},
               {LazyStack::Index(r8), 0}});
  stack_.Forget(LazyStack::kAll);
  heap_.CallLeaf(vm_.array_copy);
  a_.Test(k32, rax, rax);
  a_.Jump(Condition::kNotEqual, fails);
  a_.Bind(done);
  CallElsewhere(call, popped, fails, done);
  stack_.Pop(popped);
}

// Without the receiver, if there is one.
void Emitter::CallLeaf(const CallLink& call, size_t popped) {
  const Leaf leaf = call.intrinsic.leaf;
  std::vector<std::pair<unsigned, size_t>> inputs;
  size_t integers = 0, doubles = 0;
  const auto next_register = [&](bool is_floating_point) {
    return is_floating_point ? LazyStack::Index(static_cast<Xmm>(doubles++))
                             : LazyStack::Index(kLeafInputs[integers++]);
  };
  size_t slot = 0;
  for (const Kind kind : call.signature.parameters) slot += SlotsOf(kind);
  for (const Kind kind : call.signature.parameters) {
    slot -= SlotsOf(kind);
    inputs.emplace_back(next_register(IsFloatingPoint(kind)), slot + SlotsOf(kind) - 1);
  }
  const bool takes_state = FunctionOf(leaf).takes_state;
  if (takes_state) inputs.emplace_back(next_register(false), popped - 1);
  stack_.Flush(popped);
  stack_.Pass(inputs);
  if (takes_state) {
    const Reg state = kLeafInputs[integers - 1];
    heap_.LoadOop(state, At(state, call.intrinsic.offset));
  }
  stack_.Pop(popped);
  stack_.Forget(LazyStack::kVolatile);
  EmitLeafCall(a_, heap_, vm_, leaf, call.signature.return_kind());
  PushResult(call.signature.return_kind());
}

}  // namespace yp::compiler
