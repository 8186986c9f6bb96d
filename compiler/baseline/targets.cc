// Calls by caller-indexed code targets; see compiler/ctb.
#include "compiler/baseline/emitter.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::At;
using x64::Condition;
using x64::Label;

// A jump that is made to lead nowhere when it has been taken.
void Emitter::TellFirstCall(const CallTarget& target) {
  const Label jump = a_.NewLabel(), taken = a_.NewLabel(), back = a_.NewLabel();
  a_.Bind(jump);
  a_.Jump(taken);
  a_.Bind(back);
  slow_paths_.emplace_back(
      [this, number = target.number, jump, taken, back, saved = stack_.Save()] {
        a_.Bind(taken);
        stack_.Write(saved.pending);
        a_.MovImmediate(rdi, number);
        a_.LeaLabel(rsi, jump);
        heap_.CallLeaf(places_.targets->first_direct_call);
        stack_.Reload(saved.held);
        a_.Jump(back);
      });
}

// The receiver, not null, is in rsi.
void Emitter::CallThroughTargets(const CallTarget& target, MethodNumber callee,
                                 const FrameState& state) {
  const CodeTargetPlaces& places = *places_.targets;
  const Label unknown = a_.NewLabel(), call = a_.NewLabel();
  const int32_t words = target.slot << places.words_log2;
  const auto element = static_cast<int32_t>(8 * target.index);
  const auto array = static_cast<int32_t>(8 * places.inlined);
  const bool is_inlined = element < array;
  a_.Load(k32, rax, At(rsi, vm_.klass_offset));
  if (vm_.klass_shift != 0) a_.DoShift(x64::Shift::kLeft, k64, rax, vm_.klass_shift);
  a_.MovImmediate(r11, static_cast<int64_t>(places.shadow));
  a_.Load(k64, rax, At(r11, rax, places.words_log2, words + (is_inlined ? element : array)));
  a_.Test(k64, rax, rax);
  a_.Jump(Condition::kEqual, unknown);
  if (!is_inlined) a_.Load(k64, rax, At(rax, element - array));
  a_.Bind(call);
  // HotSpot looks for an e8 five bytes before a return address, by which it knows its own calls.
  a_.Nop(3);
  sites_.AddMark(a_.size(), Mark::kInvokeInline);
  constexpr size_t kCallBytes = 2;
  sites_.AddCall(a_.size(), kCallBytes, callee, state);
  a_.Call(rax);
  slow_paths_.emplace_back([this, stub = places.profiling_stub, unknown, call] {
    a_.Bind(unknown);
    a_.MovImmediate(rax, static_cast<int64_t>(stub));
    a_.Jump(call);
  });
}

}  // namespace yp::compiler
