// Where a thread looks whether it is to be sampled. Each is a comparison with the thread's word
// (YieldpointState says how) and a jump that is not taken; what is to be done lies behind the
// method's code.
#include "compiler/baseline/emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::At;
using x64::Condition;
using x64::Label;

// Behind the arguments, so that they are in the frame, and before the first place at which the VM
// could stop the thread: the return address is still the call's, not that of a handler by which a
// caller is deoptimized.
void Emitter::YieldpointAtEntry() {
  YieldpointOfCall([this] { a_.Load(k64, rdx, Slot(layout_.ReturnAddress())); });
}

// An inlined call is counted like another one. It returns nowhere: in place of a return address it
// has that of a mark that no thread comes to.
void Emitter::YieldpointAtInlinedEntry(uint32_t site) {
  const Label mark = a_.NewLabel();
  YieldpointOfCall([this, mark] { a_.LeaLabel(rdx, mark); });
  if (!places_.yieldpoints) return;
  slow_paths_.emplace_back([this, mark, site] {
    a_.Bind(mark);
    code_.MarkCall(site);
  });
}

void Emitter::YieldpointOfCall(const std::function<void()>& load_return_address) {
  if (!places_.yieldpoints) return;
  const Label taken = a_.NewLabel(), back = a_.NewLabel();
  a_.Do(Alu::kCmp, k64, rsp, HeapCode::Thread(vm_.yieldpoints->state));
  a_.Jump(Condition::kBelow, taken);
  a_.Bind(back);
  slow_paths_.emplace_back([=, this, callee = method().yieldpoint_id, saved = stack_.Save()] {
    const Label observed = a_.NewLabel();
    a_.Bind(taken);
    a_.Load(k64, r10, HeapCode::Thread(vm_.yieldpoints->record));
    a_.Jump(Condition::kLess, observed);  // In the state kAll.
    a_.Do(Alu::kSub, k64, At(r10), 1);
    a_.Jump(Condition::kGreater, back);
    a_.Bind(observed);
    a_.Mov(k64, rdi, r10);
    a_.MovImmediate(rsi, callee);
    load_return_address();
    heap_.CallLeaf(places_.yieldpoints->call);
    stack_.Reload(saved.held);
    a_.Jump(back);
  });
}

// A call is counted at its prologue: an epilogue that is taken in the state kCalls goes on at once.
// In a method without calls the epilogue would see what the prologue, or the loop, has just seen.
void Emitter::Yieldpoint(OtherYieldpoint place) {
  if (!places_.yieldpoints) return;
  const bool is_epilogue = place == OtherYieldpoint::kEpilogue;
  if (is_epilogue && !body().has_calls) return;
  const Label taken = a_.NewLabel(), back = a_.NewLabel();
  a_.Do(Alu::kCmp, k64, rsp, HeapCode::Thread(vm_.yieldpoints->state));
  a_.Jump(is_epilogue ? Condition::kBelow : Condition::kLess, taken);
  a_.Bind(back);
  slow_paths_.emplace_back([this, taken, back, is_epilogue, saved = stack_.Save()] {
    a_.Bind(taken);
    if (is_epilogue) a_.Jump(Condition::kGreaterOrEqual, back);
    stack_.Write(saved.pending);
    a_.Load(k64, rdi, HeapCode::Thread(vm_.yieldpoints->record));
    heap_.CallLeaf(places_.yieldpoints->tick);
    stack_.Reload(saved.held);
    a_.Jump(back);
  });
}

}  // namespace yp::compiler
