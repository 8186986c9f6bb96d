#include "classfile/check.h"

#include <string>

#include "classfile/code_tables.h"
#include "classfile/instructions.h"
#include "classfile/modified_utf8.h"

namespace yp::classfile {
namespace {

// JVMS 4.9.1: the kinds of constants that the instruction at the start of `bytes` takes.
bool IsOperandConstantOk(const ConstantPool& pool, Bytes bytes) {
  const uint8_t opcode = bytes[0];
  if (opcode == op::kLdc || opcode == op::kLdcW || opcode == op::kLdc2W) {
    const uint16_t index = opcode == op::kLdc ? bytes[1] : LoadU2(&bytes[1]);
    switch (pool.Tag(index).value_or(ConstantTag::kUtf8)) {
      case ConstantTag::kInteger:
      case ConstantTag::kFloat:
      case ConstantTag::kString:
      case ConstantTag::kClass:
      case ConstantTag::kMethodHandle:
      case ConstantTag::kMethodType:
        return opcode != op::kLdc2W;
      case ConstantTag::kLong:
      case ConstantTag::kDouble:
        return opcode == op::kLdc2W;
      case ConstantTag::kDynamic:
        return true;
      default:
        return false;
    }
  }
  if (opcode >= op::kGetstatic && opcode <= op::kPutfield) {
    return pool.Is(LoadU2(&bytes[1]), ConstantTag::kFieldref);
  }
  if (opcode == op::kNew || opcode == op::kAnewarray || opcode == op::kCheckcast ||
      opcode == op::kInstanceof || opcode == op::kMultianewarray) {
    return pool.Is(LoadU2(&bytes[1]), ConstantTag::kClass);
  }
  if (!IsInvoke(opcode)) {
    return true;
  }
  const uint16_t index = LoadU2(&bytes[1]);
  switch (opcode) {
    case op::kInvokevirtual:
      return pool.Is(index, ConstantTag::kMethodref);
    case op::kInvokeinterface:
      return pool.Is(index, ConstantTag::kInterfaceMethodref);
    case op::kInvokedynamic:
      return pool.Is(index, ConstantTag::kInvokeDynamic);
    default:
      return pool.Is(index, ConstantTag::kMethodref) ||
             pool.Is(index, ConstantTag::kInterfaceMethodref);
  }
}

class StackMapChecker final : public StackMapVisitor {
 public:
  StackMapChecker(Bytes code, const InstructionStarts& starts) : code_(code), starts_(starts) {}

  bool Frame(uint8_t, uint32_t bci) override { return IsStart(bci); }
  void Count(uint16_t) override {}
  bool Type(VerificationType type) override {
    return type.tag != VerificationType::kUninitialized ||
           (IsStart(type.operand) && code_[type.operand] == op::kNew);
  }
  // The offset that was looked at last.
  uint32_t bad_bci() const { return bad_bci_; }

 private:
  bool IsStart(uint32_t bci) {
    bad_bci_ = bci;
    return starts_.Contains(bci);
  }

  const Bytes code_;
  const InstructionStarts& starts_;
  uint32_t bad_bci_ = 0;
};

class CodeChecker final {
 public:
  CodeChecker(const ClassFile& file, const Method& method, InstructionStarts& starts)
      : file_(file), method_(method), code_(method.code->bytecode), starts_(starts) {}

  Status Run() {
    starts_.Reset(code_.size());
    Status status = CheckInstructions();
    if (status) {
      status = CheckJumps();
    }
    if (status) {
      status = CheckExceptionTable();
    }
    return status ? CheckStackMaps() : status;
  }

 private:
  Status CheckInstructions() {
    for (uint32_t bci = 0; bci < code_.size();) {
      const std::optional<Instruction> at = DecodeInstruction(code_, bci);
      if (!at) {
        return Error(bci, "no valid instruction");
      }
      if (!IsOperandConstantOk(file_.pool(), code_.subspan(bci))) {
        return Error(bci, "a constant of the wrong kind");
      }
      starts_.Add(bci);
      bci += at->length;
    }
    return Status::Ok();
  }

  Status CheckJumps() {
    for (uint32_t bci = 0; bci < code_.size();) {
      const Instruction at = *DecodeInstruction(code_, bci);
      if (!VisitJumps(code_, at, [this](uint32_t, bool, int64_t target) {
            return starts_.Contains(target);
          })) {
        return Error(bci, "a jump that leads to no instruction");
      }
      bci += at.length;
    }
    return Status::Ok();
  }

  Status CheckExceptionTable() {
    const Bytes table = method_.code->exception_table;
    for (size_t i = 0; i < table.size(); i += 8) {
      const uint16_t start = LoadU2(&table[i]);
      const uint16_t end = LoadU2(&table[i + 2]);
      const uint16_t handler = LoadU2(&table[i + 4]);
      if (!IsStart(start) || !IsStartOrEnd(end) || start >= end || !IsStart(handler)) {
        return Error(start, "a wrong range or handler in the exception table");
      }
    }
    return Status::Ok();
  }

  Status CheckStackMaps() {
    if (file_.major_version() < kNoOtherVerifierVersion) return Status::Ok();
    AttributeCursor cursor(file_.pool(), method_.code->attributes);
    for (Attribute attribute; cursor.Next(attribute);) {
      if (CodeTableOf(attribute.name) != CodeTable::kStackMap) continue;
      StackMapChecker checker(code_, starts_);
      if (!VisitStackMap(attribute.info, checker)) {
        return Error(checker.bad_bci(), "a wrong or malformed StackMapTable");
      }
    }
    return Status::Ok();
  }

  bool IsStart(uint32_t bci) const { return starts_.Contains(bci); }
  bool IsStartOrEnd(uint32_t bci) const { return IsStart(bci) || bci == code_.size(); }

  Status Error(uint32_t bci, const std::string& what) const {
    return Status::Error("class " + file_.DottedName() + ": method " + std::string(method_.name) +
                         std::string(method_.descriptor) + ": bytecode " + std::to_string(bci) +
                         ": " + what);
  }

  const ClassFile& file_;
  const Method& method_;
  const Bytes code_;
  InstructionStarts& starts_;
};

}  // namespace

Status CheckCode(const ClassFile& file, const Method& method, InstructionStarts& starts) {
  return CodeChecker(file, method, starts).Run();
}

bool IsSoundStackMap(const Method& method, Bytes info, const InstructionStarts& starts) {
  StackMapChecker checker(method.code->bytecode, starts);
  return VisitStackMap(info, checker);
}

Status CheckClass(const ClassFile& file) {
  for (uint32_t i = 1; i < file.pool().count(); ++i) {
    const std::optional<std::string_view> text = file.pool().Utf8(static_cast<uint16_t>(i));
    if (text && !IsModifiedUtf8(*text)) {
      return Status::Error("class " + file.DottedName() + ": constant " + std::to_string(i) +
                           ": not modified UTF-8");
    }
  }
  InstructionStarts starts;
  for (const Method& method : file.methods()) {
    if (method.code) {
      if (Status status = CheckCode(file, method, starts); !status) {
        return status;
      }
    }
  }
  return Status::Ok();
}

}  // namespace yp::classfile
