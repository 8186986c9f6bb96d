#include "compiler/bytecode/type_flow.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "classfile/bytes.h"
#include "compiler/bytecode/stack_effects.h"

namespace yp::compiler {
namespace {

using classfile::Bytes;
using classfile::Instruction;
namespace op = classfile::op;

Status Malformed(uint32_t bci) {
  return Status::Error("malformed code at bci " + std::to_string(bci));
}

// The kinds of i, l, f, d, a in the order of the opcodes of loads and stores.
constexpr std::array kLocalKinds = {Kind::kInt, Kind::kLong, Kind::kFloat, Kind::kDouble,
                                    Kind::kReference};
constexpr uint8_t kAload = 25;
constexpr uint8_t kIload0 = 26;
constexpr uint8_t kAload3 = 45;
constexpr uint8_t kAstore = 58;
constexpr uint8_t kIstore0 = 59;
constexpr uint8_t kAstore3 = 78;

bool AccessesLocal(uint8_t opcode) {
  return (opcode >= op::kIload && opcode <= kAload3) ||
         (opcode >= op::kIstore && opcode <= kAstore3) || opcode == op::kIinc ||
         opcode == op::kWide;
}

bool PopKind(std::vector<Kind>& stack, Kind kind) {
  if (IsWide(kind)) {
    if (stack.empty() || stack.back() != Kind::kUpper) return false;
    stack.pop_back();
  }
  if (stack.empty() || stack.back() != kind) return false;
  stack.pop_back();
  return true;
}

void PushKind(std::vector<Kind>& stack, Kind kind) {
  stack.push_back(kind);
  if (IsWide(kind)) stack.push_back(Kind::kUpper);
}

// Of two frames' kinds, what may be read after both.
bool MergeLocals(std::vector<Kind>& into, const std::vector<Kind>& from) {
  bool changed = false;
  const auto kill = [&](size_t i) {
    changed |= into[i] != Kind::kDead;
    into[i] = Kind::kDead;
  };
  for (size_t i = 0; i < into.size(); ++i) {
    if (into[i] != from[i]) kill(i);
  }
  for (size_t i = 0; i < into.size(); ++i) {  // Halves of what is no longer whole.
    if (IsWide(into[i]) && (i + 1 == into.size() || into[i + 1] != Kind::kUpper)) kill(i);
    if (into[i] == Kind::kUpper && (i == 0 || !IsWide(into[i - 1]))) kill(i);
  }
  return changed;
}

}  // namespace

Leaves HowItLeaves(uint8_t opcode) {
  constexpr uint8_t kAthrow = 191;
  const bool ends = opcode == op::kGoto || opcode == op::kGotoW || opcode == kAthrow ||
                    classfile::IsReturn(opcode) || classfile::IsSwitch(opcode);
  return ends ? Leaves::kElsewhere : Leaves::kNext;
}

LocalAccess DecodeLocal(Bytes code, const Instruction& at) {
  const uint8_t opcode = code[at.bci];
  if (opcode == op::kWide) return {code[at.bci + 1], classfile::LoadU2(&code[at.bci + 2])};
  if (opcode >= kIload0 && opcode <= kAload3) {
    return {static_cast<uint8_t>(op::kIload + (opcode - kIload0) / 4), (opcode - kIload0) % 4u};
  }
  if (opcode >= kIstore0 && opcode <= kAstore3) {
    return {static_cast<uint8_t>(op::kIstore + (opcode - kIstore0) / 4), (opcode - kIstore0) % 4u};
  }
  return {opcode, code[at.bci + 1]};
}

uint32_t ConstantOperand(Bytes code, const Instruction& at) {
  if (at.opcode == op::kLdc) return code[at.bci + 1];
  if (at.opcode == op::kInvokedynamic) return classfile::LoadU4(&code[at.bci + 1]);
  return classfile::LoadU2(&code[at.bci + 1]);
}

void SetLocal(std::vector<Kind>& locals, uint32_t index, Kind kind) {
  const auto cut = [&](uint32_t i) {
    if (locals[i] == Kind::kUpper && i > 0) locals[i - 1] = Kind::kDead;
    if (IsWide(locals[i]) && i + 1 < locals.size()) locals[i + 1] = Kind::kDead;
  };
  cut(index);
  locals[index] = kind;
  if (IsWide(kind)) {
    cut(index + 1);
    locals[index] = kind;
    locals[index + 1] = Kind::kUpper;
  }
}

Result<TypeFlow> TypeFlow::Analyze(const Method& method, Linkage& linkage) {
  TypeFlow flow(method, linkage);
  if (Status s = flow.FindTargets(); !s) return s;
  if (Status s = flow.Run(); !s) return s;
  return flow;
}

Status TypeFlow::FindTargets() {
  const Bytes code = method_->bytes();
  is_target_.resize(code.size());
  frames_.resize(code.size());
  std::vector<bool> begins(code.size());
  for (uint32_t bci = 0; bci < code.size();) {
    const auto at = classfile::DecodeInstruction(code, bci);
    if (!at) return Malformed(bci);
    if (at->opcode == op::kJsr || at->opcode == op::kJsrW || at->opcode == op::kRet ||
        (at->opcode == op::kWide && code[bci + 1] == op::kRet)) {
      return Status::Error("jsr or ret");
    }
    begins[bci] = true;
    const bool inside = classfile::VisitJumps(code, *at, [&](uint32_t, bool, int64_t target) {
      if (target < 0 || target >= static_cast<int64_t>(code.size())) return false;
      is_target_[static_cast<size_t>(target)] = true;
      return true;
    });
    if (!inside) return Malformed(bci);
    bci += at->length;
  }
  for (const Handler& handler : method_->handlers) {
    if (handler.target >= code.size()) return Malformed(handler.target);
    is_target_[handler.target] = true;
  }
  for (uint32_t bci = 0; bci < code.size(); ++bci) {
    if (is_target_[bci] && !begins[bci]) return Malformed(bci);
  }
  return Status::Ok();
}

Status TypeFlow::Run() {
  Frame entry;
  entry.locals.assign(method_->max_locals, Kind::kDead);
  entry.locks = method_->is_synchronized ? 1 : 0;
  uint32_t next = 0;
  const auto add = [&](Kind kind) {
    if (next + SlotsOf(kind) > method_->max_locals) return false;
    SetLocal(entry.locals, next, kind);
    next += SlotsOf(kind);
    return true;
  };
  if (method_->code.empty() || (!method_->is_static && !add(Kind::kReference))) return Malformed(0);
  for (const Kind kind : method_->signature.parameters) {
    if (!add(kind)) return Malformed(0);
  }
  if (Status s = Join(0, entry, false); !s) return s;
  while (!work_.empty()) {
    const uint32_t bci = work_.back();
    work_.pop_back();
    if (Status s = RunBlock(bci); !s) return s;
  }
  return Status::Ok();
}

Status TypeFlow::RunBlock(uint32_t bci) {
  const Bytes code = method_->bytes();
  Frame frame = *frames_[bci];
  bool locals_changed = true;
  for (;;) {
    const auto at = classfile::DecodeInstruction(code, bci);
    if (!at) return Malformed(bci);
    if (locals_changed || at->opcode == 194 || at->opcode == 195) {
      if (Status s = JoinHandlers(bci, frame); !s) return s;
    } else {  // The ranges of handlers may begin anywhere.
      for (const Handler& handler : method_->handlers) {
        if (handler.start == bci) {
          if (Status s = JoinHandlers(bci, frame); !s) return s;
          break;
        }
      }
    }
    if (Status s = Step(*at, frame); !s) return s;
    locals_changed = AccessesLocal(at->opcode) || at->opcode == 194 || at->opcode == 195;
    Status joined;
    classfile::VisitJumps(code, *at, [&](uint32_t, bool, int64_t target) {
      joined = Join(static_cast<uint32_t>(target), frame, false);
      return joined.ok();
    });
    if (!joined) return joined;
    if (HowItLeaves(at->opcode) == Leaves::kElsewhere) return Status::Ok();
    bci += at->length;
    if (bci >= code.size()) return Malformed(bci);
    if (is_target_[bci]) return Join(bci, frame, false);
  }
}

Status TypeFlow::JoinHandlers(uint32_t bci, const Frame& frame) {
  for (const Handler& handler : method_->handlers) {
    if (bci < handler.start || bci >= handler.end) continue;
    Frame caught{frame.locals, {Kind::kReference}, frame.locks};
    if (Status s = Join(handler.target, caught, true); !s) return s;
    if (handler.catches_all) break;
  }
  return Status::Ok();
}

Status TypeFlow::Join(uint32_t bci, const Frame& frame, bool is_handler) {
  std::unique_ptr<Frame>& known = frames_[bci];
  if (known == nullptr) {
    known = std::make_unique<Frame>(frame);
    work_.push_back(bci);
    return Status::Ok();
  }
  if (known->stack != frame.stack) return Malformed(bci);
  if (known->locks != frame.locks) {
    // An exception at such a place leaves compiled code: see CanEnter.
    if (is_handler) return Status::Ok();
    return Status::Error("monitors that do not nest");
  }
  if (MergeLocals(known->locals, frame.locals)) work_.push_back(bci);
  return Status::Ok();
}

bool TypeFlow::CanEnter(const Handler& handler, uint32_t locks) const {
  const Frame* const frame = At(handler.target);
  return frame != nullptr && frame->locks == locks;
}

Status TypeFlow::Step(const Instruction& at, Frame& frame) const {
  constexpr uint8_t kMonitorenter = 194, kMonitorexit = 195;
  std::vector<Kind>& stack = frame.stack;
  if (AccessesLocal(at.opcode)) {
    if (Status s = StepLocal(at, frame); !s) return s;
  } else if (const std::optional<StackShuffle> shuffle = ShuffleOf(at.opcode)) {
    if (!Shuffle(*shuffle, stack)) return Malformed(at.bci);
  } else if (const char* const effect = StackEffect(at.opcode)) {
    const std::string_view text = effect;
    const size_t arrow = text.find('>');
    for (size_t i = arrow; i-- > 0;) {
      if (!PopKind(stack, EffectKind(text[i]))) return Malformed(at.bci);
    }
    for (size_t i = arrow + 1; i < text.size(); ++i) PushKind(stack, EffectKind(text[i]));
    if (at.opcode == kMonitorenter) ++frame.locks;
    if (at.opcode == kMonitorexit) {
      if (frame.locks == 0) return Status::Error("monitors that do not nest");
      --frame.locks;
    }
  } else if (Status s = StepMember(at, frame); !s) {
    return s;
  }
  return stack.size() <= method_->max_stack ? Status::Ok() : Malformed(at.bci);
}

Status TypeFlow::StepLocal(const Instruction& at, Frame& frame) const {
  const LocalAccess access = DecodeLocal(method_->bytes(), at);
  const bool is_store = access.opcode >= op::kIstore && access.opcode <= kAstore;
  const Kind kind = access.opcode == op::kIinc
                        ? Kind::kInt
                        : kLocalKinds[access.opcode - (is_store ? op::kIstore : op::kIload)];
  if (access.index + SlotsOf(kind) > frame.locals.size()) return Malformed(at.bci);
  if (is_store) {
    if (!PopKind(frame.stack, kind)) return Malformed(at.bci);
    SetLocal(frame.locals, access.index, kind);
    return Status::Ok();
  }
  if (frame.locals[access.index] != kind) return Malformed(at.bci);
  if (access.opcode != op::kIinc) PushKind(frame.stack, kind);
  return Status::Ok();
}

Status TypeFlow::StepMember(const Instruction& at, Frame& frame) const {
  constexpr uint8_t kPutstatic = 179, kGetfield = 180;
  std::vector<Kind>& stack = frame.stack;
  const Bytes code = method_->bytes();
  const uint32_t index = ConstantOperand(code, at);
  if (at.opcode >= op::kLdc && at.opcode <= op::kLdc2W) {
    const ConstantLink constant = linkage_->Constant(index);
    if (constant.kind == Kind::kDead) return Status::Error("a constant of unknown type");
    PushKind(stack, constant.kind);
    return Status::Ok();
  }
  if (at.opcode >= op::kGetstatic && at.opcode <= op::kPutfield) {
    const FieldLink* const field = linkage_->Field(index, at.opcode);
    if (field == nullptr) return Malformed(at.bci);
    const Kind kind = KindOf(field->type);
    const bool is_put = at.opcode == kPutstatic || at.opcode == op::kPutfield;
    if (is_put && !PopKind(stack, kind)) return Malformed(at.bci);
    if (at.opcode >= kGetfield && !PopKind(stack, Kind::kReference)) return Malformed(at.bci);
    if (!is_put) PushKind(stack, kind);
    return Status::Ok();
  }
  if (classfile::IsInvoke(at.opcode)) {
    const CallLink* const call = linkage_->Call(index, at.opcode);
    if (call == nullptr) return Malformed(at.bci);
    const std::vector<Kind>& parameters = call->signature.parameters;
    for (size_t i = parameters.size(); i-- > 0;) {
      if (!PopKind(stack, parameters[i])) return Malformed(at.bci);
    }
    const bool has_receiver = at.opcode != op::kInvokestatic && at.opcode != op::kInvokedynamic;
    if (has_receiver && !PopKind(stack, Kind::kReference)) return Malformed(at.bci);
    if (call->signature.return_kind() != Kind::kDead) {
      PushKind(stack, call->signature.return_kind());
    }
    return Status::Ok();
  }
  if (at.opcode == op::kMultianewarray) {
    for (uint8_t i = 0; i < code[at.bci + 3]; ++i) {
      if (!PopKind(stack, Kind::kInt)) return Malformed(at.bci);
    }
    PushKind(stack, Kind::kReference);
    return Status::Ok();
  }
  return Malformed(at.bci);
}

}  // namespace yp::compiler
