#include "compiler/ir/live_locals.h"

#include "classfile/instructions.h"
#include "compiler/bytecode/type_flow.h"

namespace yp::compiler::ir {
namespace {

namespace op = classfile::op;
using classfile::Instruction;

constexpr uint8_t kAload3 = 45, kAstore = 58, kAstore3 = 78, kLstore = 55, kDstore = 57;

bool AccessesLocal(uint8_t opcode) {
  return (opcode >= op::kIload && opcode <= kAload3) ||
         (opcode >= op::kIstore && opcode <= kAstore3) || opcode == op::kIinc ||
         opcode == op::kWide;
}

}  // namespace

LiveLocals::LiveLocals(const Method& method)
    : words_((method.max_locals + 63) / 64 + 1), live_((method.code.size() + 1) * words_) {
  const classfile::Bytes code = method.bytes();
  std::vector<Instruction> all;
  for (uint32_t bci = 0; bci < code.size();) {
    const auto at = classfile::DecodeInstruction(code, bci);
    if (!at) return;
    all.push_back(*at);
    bci += at->length;
  }
  std::vector<uint64_t> now(words_);
  bool goes_back = false;  // Else what is behind an instruction is known when that is looked at.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = all.size(); n-- > 0;) {
      const Instruction& at = all[n];
      std::fill(now.begin(), now.end(), 0);
      const auto join = [&](uint32_t bci) {
        goes_back |= bci <= at.bci;
        for (uint32_t w = 0; w < words_; ++w) now[w] |= live_[bci * words_ + w];
      };
      if (HowItLeaves(at.opcode) == Leaves::kNext) join(at.bci + at.length);
      classfile::VisitJumps(code, at, [&](uint32_t, bool, int64_t target) {
        join(static_cast<uint32_t>(target));
        return true;
      });
      if (AccessesLocal(at.opcode)) {
        const LocalAccess access = DecodeLocal(code, at);
        const auto bit = [&](uint32_t i) { return uint64_t{1} << i % 64; };
        if (access.opcode >= op::kIstore && access.opcode <= kAstore) {
          now[access.index / 64] &= ~bit(access.index);
          const bool wide = access.opcode == kLstore || access.opcode == kDstore;
          if (wide) now[(access.index + 1) / 64] &= ~bit(access.index + 1);
        } else {
          now[access.index / 64] |= bit(access.index);
        }
      }
      // The interpreter's return of java.lang.Object.<init> looks at the object's class.
      if (method.registers_finalizer && at.opcode == op::kReturn) now[0] |= 1;
      for (const Handler& handler : method.handlers) {
        if (at.bci < handler.start || at.bci >= handler.end) continue;
        join(handler.target);
        if (handler.catches_all) break;
      }
      for (uint32_t w = 0; w < words_; ++w) {
        uint64_t& known = live_[at.bci * words_ + w];
        changed |= (known | now[w]) != known;
        known |= now[w];
      }
    }
    if (!goes_back) break;
  }
}

}  // namespace yp::compiler::ir
