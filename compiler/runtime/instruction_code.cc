#include "compiler/runtime/instruction_code.h"

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Alu;
using x64::Assembler;
using x64::Condition;
using x64::Label;
using x64::Reg;

// The least number divided by -1 traps in the processor, and wraps in Java.
void Divide(Assembler& a, x64::Width width, Reg divisor, bool wants_remainder) {
  const Label divide = a.NewLabel(), done = a.NewLabel();
  a.Do(Alu::kCmp, width, divisor, -1);
  a.Jump(Condition::kNotEqual, divide);
  if (wants_remainder) {
    a.MovImmediate(rdx, 0);
  } else {
    a.Negate(width, rax);
  }
  a.Jump(done);
  a.Bind(divide);
  a.Divide(width, divisor);
  a.Bind(done);
}

// The processor gives the least integer for what does not fit; Java gives the nearest, and 0 for
// what is not a number.
void CorrectTruncated(Assembler& a, x64::Precision precision, x64::Width width, Reg result,
                      x64::Xmm in, x64::Xmm zero, Label done) {
  const Label nan = a.NewLabel();
  a.Compare(precision, in, in);
  a.Jump(Condition::kUnordered, nan);
  a.Clear(zero);
  a.Compare(precision, in, zero);
  a.Jump(Condition::kBelowOrEqual, done);
  a.Do(Alu::kSub, width, result, 1);  // From the least to the greatest.
  a.Jump(done);
  a.Bind(nan);
  a.MovImmediate(result, 0);
}

void SetOrder(Assembler& a, Condition greater, Condition less, Reg result, Reg scratch) {
  a.Set(greater, result);
  a.Set(less, scratch);
  a.ZeroExtend(k8, result, result);
  a.ZeroExtend(k8, scratch, scratch);
  a.Do(Alu::kSub, k32, result, scratch);
}

// By halves.
void JumpByCases(Assembler& a, Reg value, std::span<const std::pair<int32_t, Label>> cases,
                 Label otherwise) {
  constexpr size_t kFew = 4;
  if (cases.size() <= kFew) {
    for (const auto& [match, label] : cases) {
      a.Do(Alu::kCmp, k32, value, match);
      a.Jump(Condition::kEqual, label);
    }
    a.Jump(otherwise);
    return;
  }
  const size_t middle = cases.size() / 2;
  const Label upper = a.NewLabel();
  a.Do(Alu::kCmp, k32, value, cases[middle].first);
  a.Jump(Condition::kGreaterOrEqual, upper);
  JumpByCases(a, value, cases.first(middle), otherwise);
  a.Bind(upper);
  JumpByCases(a, value, cases.subspan(middle), otherwise);
}

void JumpByTable(Assembler& a, Reg index, Reg scratch, const std::vector<Label>& labels) {
  const Label table = a.NewLabel();
  a.LeaLabel(scratch, table);
  a.Load(k32, index, x64::At(scratch, index, 2, 0));
  a.SignExtend(k32, index, index);
  a.Do(Alu::kAdd, k64, index, scratch);
  a.Jump(index);
  a.Align(4);
  a.Bind(table);
  for (const Label label : labels) a.Distance(table, label);
}

}  // namespace yp::compiler
