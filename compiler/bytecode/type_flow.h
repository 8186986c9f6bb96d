#ifndef YP_COMPILER_BYTECODE_TYPE_FLOW_H_
#define YP_COMPILER_BYTECODE_TYPE_FLOW_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "classfile/instructions.h"
#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/bytecode/method.h"

namespace yp::compiler {

// How an instruction leaves its frame.
enum class Leaves : uint8_t {
  kNext,       // to the next instruction, perhaps also to a jump's target
  kElsewhere,  // never to the next instruction
};

// Which instructions end with a jump, a return or a throw for good.
Leaves HowItLeaves(uint8_t opcode);

// The opcode and the index of an instruction on a local, wide or short; `length` as decoded.
struct LocalAccess {
  uint8_t opcode;  // kIload to 25 (aload), kIstore to 58 (astore), kIinc or kRet
  uint32_t index;
};
LocalAccess DecodeLocal(classfile::Bytes code, const classfile::Instruction& at);

// The operand of an instruction that names a constant: an index, as it stands in the code.
uint32_t ConstantOperand(classfile::Bytes code, const classfile::Instruction& at);

// The kinds of values in a method's frame, found by following its code (JVMS 4.10.2.2 without the
// types of references). It relies on nothing that the VM resolves while the program runs, so its
// frames are those of the interpreter at every place, also behind code that has never run.
class TypeFlow {
 public:
  // Method and linkage must outlive the result. Refuses what BASE cannot compile: jsr and ret,
  // monitors that do not nest where paths join, and code that is not well formed.
  static Result<TypeFlow> Analyze(const Method& method, Linkage& linkage);

  // What holds before the first instruction of a block that can be reached; nullptr inside blocks.
  const Frame* At(uint32_t bci) const { return frames_[bci].get(); }
  bool IsTarget(uint32_t bci) const { return is_target_[bci]; }
  // Changes `frame` from what holds before `at` to what holds behind it.
  Status Step(const classfile::Instruction& at, Frame& frame) const;
  // Whether an exception at an instruction with so many monitors can enter the handler: elsewhere
  // it is entered with another number.
  bool CanEnter(const Handler& handler, uint32_t locks) const;

 private:
  TypeFlow(const Method& method, Linkage& linkage) : method_(&method), linkage_(&linkage) {}
  Status FindTargets();
  Status Run();
  Status RunBlock(uint32_t bci);
  Status Join(uint32_t bci, const Frame& frame, bool is_handler);
  Status JoinHandlers(uint32_t bci, const Frame& frame);
  Status StepLocal(const classfile::Instruction& at, Frame& frame) const;
  Status StepMember(const classfile::Instruction& at, Frame& frame) const;

  const Method* method_;
  Linkage* linkage_;
  std::vector<bool> is_target_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<uint32_t> work_;
};

// Makes a local hold a value, and what it cuts in half dead.
void SetLocal(std::vector<Kind>& locals, uint32_t index, Kind kind);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_TYPE_FLOW_H_
