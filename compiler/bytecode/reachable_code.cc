#include "compiler/bytecode/reachable_code.h"

namespace yp::compiler {

namespace op = classfile::op;

bool ThrowsInCompiledCode(uint8_t opcode) {
  constexpr uint8_t kAthrow = 191;
  return classfile::IsInvoke(opcode) || opcode == kAthrow;
}

bool IsOnlyTrap(const Method& method, const classfile::Instruction& at, Linkage& linkage) {
  const classfile::Bytes code = method.bytes();
  if (at.opcode >= op::kLdc && at.opcode <= op::kLdc2W) {
    return !linkage.Constant(ConstantOperand(code, at)).resolved;
  }
  if (at.opcode >= op::kGetstatic && at.opcode <= op::kPutfield) {
    return !linkage.Field(ConstantOperand(code, at), at.opcode)->resolved;
  }
  if (classfile::IsInvoke(at.opcode)) {
    return !linkage.Call(ConstantOperand(code, at), at.opcode)->resolved;
  }
  if (at.opcode == op::kNew) {
    return !linkage.Type(ConstantOperand(code, at), at.opcode).can_instantiate;
  }
  if (at.opcode == op::kAnewarray || at.opcode == op::kMultianewarray) {
    return !linkage.Type(ConstantOperand(code, at), at.opcode).resolved;
  }
  return false;
}

std::vector<bool> ReachableCode(const Method& method, const TypeFlow& flow,
                                const std::function<bool(const classfile::Instruction& at)>& ends) {
  const classfile::Bytes code = method.bytes();
  std::vector<bool> reached(code.size());
  std::vector<uint32_t> work = {method.osr_bci.value_or(0)};
  while (!work.empty()) {
    uint32_t bci = work.back();
    work.pop_back();
    while (bci < code.size() && !reached[bci]) {
      const auto at = classfile::DecodeInstruction(code, bci);
      if (!at) break;
      reached[bci] = true;
      if (ends(*at)) break;
      if (ThrowsInCompiledCode(at->opcode)) {
        for (const Handler& handler : method.handlers) {
          if (bci < handler.start || bci >= handler.end) continue;
          if (flow.At(handler.target) != nullptr) work.push_back(handler.target);
          if (handler.catches_all) break;
        }
      }
      classfile::VisitJumps(code, *at, [&](uint32_t, bool, int64_t target) {
        work.push_back(static_cast<uint32_t>(target));
        return true;
      });
      if (HowItLeaves(at->opcode) == Leaves::kElsewhere) break;
      bci += at->length;
    }
  }
  return reached;
}

}  // namespace yp::compiler
