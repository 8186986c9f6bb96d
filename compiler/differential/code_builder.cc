#include "compiler/differential/code_builder.h"

#include "classfile/bytes.h"
#include "classfile/instructions.h"

namespace yp::compiler {

using classfile::AppendU2;
using classfile::AppendU4;
namespace op = classfile::op;

CodeBuilder::Label CodeBuilder::NewLabel() {
  labels_.push_back(UINT32_MAX);
  return {static_cast<uint32_t>(labels_.size() - 1)};
}

void CodeBuilder::Bind(Label label) { labels_[label.id] = size(); }

void CodeBuilder::Op2(uint8_t opcode, uint16_t operand) {
  Op(opcode);
  AppendU2(code_, operand);
}

void CodeBuilder::Op2(uint8_t opcode, uint16_t operand, std::initializer_list<uint8_t> more) {
  Op2(opcode, operand);
  code_.insert(code_.end(), more);
}

void CodeBuilder::Jump(uint8_t opcode, Label target) {
  fixups_.push_back({size() + 1, size(), target.id, false});
  Op2(opcode, 0);
}

void CodeBuilder::Wide(uint32_t from, Label target) {
  fixups_.push_back({size(), from, target.id, true});
  AppendU4(code_, 0);
}

void CodeBuilder::Local(uint8_t opcode, uint16_t index) {
  constexpr uint8_t kIload0 = 26, kIstore0 = 59;
  const bool store = opcode >= op::kIstore;
  if (index < 4) {
    const int kind = opcode - (store ? op::kIstore : op::kIload);
    Op(static_cast<uint8_t>((store ? kIstore0 : kIload0) + 4 * kind + index));
  } else if (index < 256) {
    Op(opcode, static_cast<uint8_t>(index));
  } else {
    Op(op::kWide);
    Op2(opcode, index);
  }
}

void CodeBuilder::Increment(uint16_t index, int16_t amount) {
  if (index < 256 && amount >= -128 && amount < 128) {
    Op(op::kIinc, static_cast<uint8_t>(index));
    Op(static_cast<uint8_t>(amount));
  } else {
    Op(op::kWide);
    Op2(op::kIinc, index);
    AppendU2(code_, static_cast<uint16_t>(amount));
  }
}

void CodeBuilder::TableSwitch(int32_t low, const std::vector<Label>& targets, Label otherwise) {
  const uint32_t from = size();
  Op(op::kTableswitch);
  code_.resize(code_.size() + classfile::SwitchPadding(from));
  Wide(from, otherwise);
  AppendU4(code_, static_cast<uint32_t>(low));
  AppendU4(code_, static_cast<uint32_t>(low) + static_cast<uint32_t>(targets.size()) - 1);
  for (const Label target : targets) Wide(from, target);
}

void CodeBuilder::LookupSwitch(const std::vector<std::pair<int32_t, Label>>& cases,
                               Label otherwise) {
  const uint32_t from = size();
  Op(op::kLookupswitch);
  code_.resize(code_.size() + classfile::SwitchPadding(from));
  Wide(from, otherwise);
  AppendU4(code_, static_cast<uint32_t>(cases.size()));
  for (const auto& [key, target] : cases) {
    AppendU4(code_, static_cast<uint32_t>(key));
    Wide(from, target);
  }
}

void CodeBuilder::Catch(Label start, Label end, Label handler, uint16_t type) {
  ranges_.push_back({start, end, handler, type});
}

std::vector<uint8_t> CodeBuilder::Code() const {
  std::vector<uint8_t> code = code_;
  for (const Fixup& fixup : fixups_) {
    const uint32_t distance = labels_[fixup.label] - fixup.from;
    if (fixup.wide) {
      classfile::StoreU4(&code[fixup.at], distance);
    } else {
      classfile::StoreU2(&code[fixup.at], distance);
    }
  }
  return code;
}

std::vector<uint16_t> CodeBuilder::Exceptions() const {
  std::vector<uint16_t> items;
  for (const Range& range : ranges_) {
    for (const Label label : {range.start, range.end, range.handler}) {
      items.push_back(static_cast<uint16_t>(labels_[label.id]));
    }
    items.push_back(range.type);
  }
  return items;
}

}  // namespace yp::compiler
