#include "hotspot/vmstructs/placed_calls.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "classfile/bytes.h"
#include "classfile/instructions.h"

namespace yp::hotspot {
namespace {

namespace op = classfile::op;
using Executed = PlacedCall::Executed;

constexpr uint8_t kAload0 = 42, kGetfield = 180;
// The interpreter's own opcodes that it puts in the place of others when it executes them (see
// JavaOpcode); those of fields come first.
constexpr uint8_t kFirstTrace = 203, kLastTrace = 226;
constexpr uint8_t kFastIload = 224;

// Of the opcodes of two instructions in a row, whether the first was executed.
Executed TraceOf(uint8_t opcode, uint8_t next) {
  if (opcode >= kFirstTrace && opcode <= kLastTrace) return Executed::kYes;
  switch (opcode) {
    case kGetfield:
    case op::kPutfield:
      return Executed::kNo;
    case kAload0:  // Waits to make one of the pair.
      return JavaOpcode(next) == kGetfield ? Executed::kUnknown : Executed::kNo;
    case op::kIload:
      return next == op::kIload || next == kFastIload ? Executed::kUnknown : Executed::kNo;
    default:
      return Executed::kUnknown;
  }
}

// An instruction of the VM's copy.
std::optional<PlacedCalls::Use> UseAt(std::span<const uint8_t> code,
                                      const classfile::Instruction& at) {
  PlacedCalls::Use use{.opcode = at.opcode};
  if (classfile::IsInvoke(at.opcode)) {
    use.call = InvokeSiteAt(code, static_cast<int32_t>(at.bci));
    if (!use.call) return std::nullopt;
    use.index = use.call->cache_index;
    return use;
  }
  switch (at.opcode) {
    case op::kGetstatic:
    case op::kPutstatic:
      std::memcpy(&use.index, &code[at.bci + 1], sizeof(use.index));
      return use;
    case op::kNew:
    case op::kAnewarray:
      use.index = classfile::LoadU2(&code[at.bci + 1]);
      return use;
    default:
      return std::nullopt;
  }
}

bool EndsInvocation(uint8_t opcode) {
  return classfile::IsReturn(opcode) || opcode == op::kAthrow || opcode == op::kRet;
}

// What follows is executed only when something leads there, be it an exception.
bool NeverGoesOn(uint8_t opcode) {
  return EndsInvocation(opcode) || opcode == op::kGoto || opcode == op::kGotoW ||
         classfile::IsSwitch(opcode);
}

// The next instruction is not the only one that may follow.
bool Divides(uint8_t opcode) {
  const bool is_branch = (opcode >= op::kIfeq && opcode <= op::kJsr) || opcode == op::kIfnull ||
                         opcode == op::kIfnonnull || opcode == op::kGotoW || opcode == op::kJsrW;
  return is_branch || NeverGoesOn(opcode);
}

}  // namespace

void PlacedCalls::AddStep(std::span<const uint8_t> code, const classfile::Instruction& at,
                          bool is_unconditional, const Unexecuted& unexecuted) {
  Step step{.bci = at.bci, .is_unconditional = is_unconditional};
  const size_t next = at.bci + at.length;
  if (const std::optional<Use> use = UseAt(code, at)) {
    if (unexecuted(*use)) step.executed = Executed::kNo;
    if (use->call) {
      step.call = static_cast<uint32_t>(calls_.size());
      calls_.push_back({.site = *use->call, .is_unconditional = is_unconditional});
    } else if (use->opcode != op::kAnewarray) {
      step.use = static_cast<uint32_t>(uses_.size());
      uses_.push_back({.bci = at.bci, .use = *use, .is_unconditional = is_unconditional});
    }
  } else {
    step.is_trace = true;
    step.executed = TraceOf(code[at.bci], next < code.size() ? code[next] : uint8_t{op::kNop});
  }
  step.divides = Divides(at.opcode);
  const bool is_told = step.call != kNone || step.use != kNone;
  if (is_told || step.divides || step.executed != Executed::kUnknown) steps_.push_back(step);
}

void PlacedCalls::AddJumps(const classfile::Instruction& at, int64_t* furthest) {
  classfile::VisitJumps(java_, at, [&](uint32_t, bool, int64_t target) {
    *furthest = std::max(*furthest, target);
    if (target >= 0) joins_.push_back(static_cast<uint32_t>(target));
    for (auto call = calls_.rbegin(); call != calls_.rend() && call->site.bci >= target; ++call) {
      call->is_in_loop = true;
      call->is_unconditional = false;
    }
    return true;
  });
  if (NeverGoesOn(at.opcode)) joins_.push_back(at.bci + at.length);
}

bool PlacedCalls::ReadSteps(std::span<const uint8_t> code, const Unexecuted& unexecuted) {
  java_.assign(code.begin(), code.end());
  joins_.clear();
  steps_.clear();
  calls_.clear();
  uses_.clear();
  int64_t furthest = 0;      // That a branch up to here leads to.
  bool may_be_over = false;  // An invocation may have ended before.
  for (uint32_t bci = 0; bci < code.size();) {
    java_[bci] = JavaOpcode(code[bci]);
    const std::optional<classfile::Instruction> at = classfile::DecodeInstruction(java_, bci);
    if (!at) return false;
    AddStep(code, *at, !may_be_over && furthest <= bci, unexecuted);
    if (Divides(at->opcode)) AddJumps(*at, &furthest);
    may_be_over = may_be_over || EndsInvocation(at->opcode);
    bci += at->length;
  }
  return true;
}

void PlacedCalls::FindJoins() {
  std::ranges::sort(joins_);
  joins_at_.assign(steps_.size(), false);
  size_t join = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (; join < joins_.size() && joins_[join] <= steps_[i].bci; ++join) joins_at_[i] = true;
  }
}

bool PlacedCalls::LeavesTraces() const {
  return std::ranges::none_of(steps_, [](const Step& step) {
    return step.is_trace && step.is_unconditional && step.executed == Executed::kNo;
  });
}

void PlacedCalls::SetExecuted(const Step& step, Executed executed) {
  if (step.call != kNone) calls_[step.call].executed = executed;
  if (step.use != kNone) uses_[step.use].executed = executed;
}

// Behind it up to where the flow of control divides, and before it from where it last joins.
void PlacedCalls::SpreadExecuted() {
  bool is_known = false;
  const auto set = [&](const Step& step) {
    is_known = is_known || step.executed == Executed::kYes;
    if (is_known) SetExecuted(step, Executed::kYes);
  };
  for (const Step& step : steps_) {
    set(step);
    if (step.divides) is_known = false;
  }
  is_known = false;
  for (size_t i = steps_.size(); i-- > 0;) {
    set(steps_[i]);
    if (joins_at_[i]) is_known = false;
  }
}

// Behind it up to where the flow of control joins, and before it from where it last divides.
void PlacedCalls::SpreadUnexecuted() {
  bool is_known = false;
  const auto set = [&](const Step& step) {
    is_known = is_known || step.executed == Executed::kNo;
    if (is_known) SetExecuted(step, Executed::kNo);
  };
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (joins_at_[i]) is_known = false;
    set(steps_[i]);
  }
  is_known = false;
  for (size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].divides) is_known = false;
    set(steps_[i]);
  }
}

std::span<const PlacedCall> PlacedCalls::Find(std::span<const uint8_t> code,
                                              const Unexecuted& unexecuted) {
  if (!ReadSteps(code, unexecuted)) {
    uses_.clear();
    return {};
  }
  if ((calls_.empty() && uses_.empty()) || !LeavesTraces()) return calls_;
  FindJoins();
  // Where both can be said, an exception has come between: something was executed.
  SpreadUnexecuted();
  SpreadExecuted();
  return calls_;
}

}  // namespace yp::hotspot
