#ifndef YP_COMPILER_DIFFERENTIAL_CODE_BUILDER_H_
#define YP_COMPILER_DIFFERENTIAL_CODE_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace yp::compiler {

// Bytecode with labels. Jumps reach 32 KiB.
class CodeBuilder {
 public:
  struct Label {
    uint32_t id;
  };

  uint32_t size() const { return static_cast<uint32_t>(code_.size()); }
  Label NewLabel();
  void Bind(Label label);
  void Op(uint8_t opcode) { code_.push_back(opcode); }
  void Op(uint8_t opcode, uint8_t operand) { code_.insert(code_.end(), {opcode, operand}); }
  void Op2(uint8_t opcode, uint16_t operand);
  // invokeinterface, multianewarray: two bytes of index, then these.
  void Op2(uint8_t opcode, uint16_t operand, std::initializer_list<uint8_t> more);
  void Jump(uint8_t opcode, Label target);
  // iload to aload, istore to astore, in the shortest form.
  void Local(uint8_t opcode, uint16_t index);
  void Increment(uint16_t index, int16_t amount);
  void TableSwitch(int32_t low, const std::vector<Label>& targets, Label otherwise);
  // Keys ascend.
  void LookupSwitch(const std::vector<std::pair<int32_t, Label>>& cases, Label otherwise);
  // Type 0 catches everything. Handlers are asked in the order in which they are added.
  void Catch(Label start, Label end, Label handler, uint16_t type);

  std::vector<uint8_t> Code() const;
  // start, end, handler, type of each.
  std::vector<uint16_t> Exceptions() const;

 private:
  struct Fixup {
    uint32_t at;
    uint32_t from;
    uint32_t label;
    bool wide;
  };
  struct Range {
    Label start, end, handler;
    uint16_t type;
  };
  void Wide(uint32_t from, Label target);

  std::vector<uint8_t> code_;
  std::vector<uint32_t> labels_;
  std::vector<Fixup> fixups_;
  std::vector<Range> ranges_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_DIFFERENTIAL_CODE_BUILDER_H_
