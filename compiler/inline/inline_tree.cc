#include "compiler/inline/inline_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "classfile/instructions.h"
#include "compiler/bytecode/reachable_code.h"

namespace yp::compiler {
namespace {

using classfile::Instruction;
namespace op = classfile::op;

// Behind those of the oracle.
enum class NotAsked : uint32_t {
  kSeveralTargets = kInlineReasons,  // And no profile says to which the calls go.
  kNoGuard,                          // The class of a target is not to be found.
  kNoCode,
  kNotInitialized,
  kForbidden,
  kNotCompiled,
};

uint32_t Number(NotAsked reason) { return static_cast<uint32_t>(reason); }

uint32_t Number(CalleeLink::Obstacle obstacle) {
  return Number(obstacle == CalleeLink::Obstacle::kNotInitialized ? NotAsked::kNotInitialized
                                                                  : NotAsked::kNoCode);
}

// "java.util.ArrayList" of "java.util.ArrayList.add(Ljava/lang/Object;)Z".
std::string_view ClassOf(std::string_view full_name) {
  const std::string_view before = full_name.substr(0, full_name.find('('));
  const size_t dot = before.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : before.substr(0, dot);
}

class Planner {
 public:
  Planner(const InlineRules* rules, InlineTree& tree) : rules_(rules), tree_(tree) {}

  // What is refused leaves no trace in the tree but its records.
  Status Plan(Body& body) {
    Result<TypeFlow> flow = TypeFlow::Analyze(*body.method, *body.linkage);
    if (!flow) return flow.status();
    body.flow.emplace(std::move(flow).value());
    if (body.method->osr_bci) {
      const Frame* const entry = body.flow->At(*body.method->osr_bci);
      if (entry == nullptr) return Status::Error("an entry on the stack that is no loop");
      if (!entry->stack.empty()) return Status::Error("an entry on the stack with values there");
    }
    body.is_only_trap.resize(body.method->code.size());
    body.reached = ReachableCode(*body.method, *body.flow, [&body](const Instruction& at) {
      const bool is_only_trap = IsOnlyTrap(*body.method, at, *body.linkage);
      body.is_only_trap[at.bci] = is_only_trap;
      return is_only_trap;
    });
    // One slot more: an exception needs one, whatever the method's own code does.
    Need(body.StackSlot(body.method->max_stack + 1), 0);
    within_.push_back(rules_ == nullptr ? std::string() : body.linkage->FullName());
    const Status visited = VisitCalls(body);
    within_.pop_back();
    return visited;
  }

 private:
  void Need(uint32_t slots, uint32_t locks) {
    tree_.slots = std::max(tree_.slots, slots);
    tree_.locks = std::max(tree_.locks, locks);
  }

  Status VisitCalls(Body& body) {
    const classfile::Bytes code = body.method->bytes();
    Frame frame;
    for (uint32_t bci = 0; bci < code.size();) {
      const Instruction at = *classfile::DecodeInstruction(code, bci);
      bci += at.length;
      if (!body.reached[at.bci]) continue;
      if (const Frame* const known = body.flow->At(at.bci)) frame = *known;
      Need(0, body.first_lock + frame.locks);
      if (classfile::IsInvoke(at.opcode)) {
        body.has_calls = true;
        if (rules_ != nullptr) VisitCall(body, at, frame);
      }
      if (Status s = body.flow->Step(at, frame); !s) return s;
      Need(0, body.first_lock + frame.locks);
    }
    return Status::Ok();
  }

  void VisitCall(Body& body, const Instruction& at, const Frame& frame) {
    const uint32_t index = ConstantOperand(body.method->bytes(), at);
    const CallLink& call = *body.linkage->Call(index, at.opcode);
    if (!call.resolved || call.appendix || at.opcode == op::kInvokedynamic) return;
    std::vector<CallWeights::Target> targets;
    if (rules_->weights != nullptr) {
      targets = rules_->weights->At(within_.back(), static_cast<int32_t>(at.bci));
    }
    const Site site{body, at, frame, call};
    if (const auto only = body.linkage->OnlyCallee(index, at.opcode, call)) {
      InlineCandidate candidate;
      const std::string name = only->name;
      for (const CallWeights::Target& target : targets) {
        if (target.callee == name) candidate.weight = target.weight;
      }
      Decide(site, *only, candidate);
      if (rules_->binds && !body.inlined.contains(at.bci)) Bind(site, *only);
      return;
    }
    if (targets.empty()) return Record(site, {}, Number(NotAsked::kSeveralTargets));
    for (const CallWeights::Target& target : targets) {
      // The others are asked about only to say why not; the first alone is enough for that.
      if (target.part <= rules_->policy.guarded_part && &target != targets.data()) break;
      const auto callee =
          body.linkage->CalleeOf(ClassOf(target.callee), at.bci, index, at.opcode, call);
      if (!callee || callee->name != target.callee) {
        Record(site, {}, Number(NotAsked::kNoGuard));
        continue;
      }
      InlineCandidate candidate;
      candidate.weight = target.weight;
      candidate.part = target.part;
      candidate.is_only_target = false;
      Decide(site, *callee, candidate);
    }
  }

  struct Site {
    Body& body;
    const Instruction& at;
    const Frame& frame;
    const CallLink& call;
  };

  void Record(const Site& site, std::optional<MethodNumber> callee, uint32_t reason,
              bool is_inlined = false, bool is_guarded = false) {
    tree_.records.push_back(
        {site.body.number, site.at.bci, callee, reason, is_inlined, is_guarded});
  }

  void Decide(const Site& site, const CalleeLink& callee, InlineCandidate candidate) {
    if (callee.obstacle != CalleeLink::Obstacle::kNone) {
      return Record(site, callee.method, Number(callee.obstacle));
    }
    candidate.bytes = callee.bytes;
    candidate.depth = static_cast<int32_t>(within_.size()) - 1;
    candidate.recursion = static_cast<int32_t>(std::ranges::count(within_, callee.name));
    candidate.inlined_bytes = inlined_bytes_;
    const InlineDecision decision = yp::Decide(rules_->policy, candidate);
    const auto reason = static_cast<uint32_t>(decision.reason);
    if (!decision.is_inlined) return Record(site, callee.method, reason);
    const size_t record = tree_.records.size();
    Record(site, callee.method, reason, true, callee.guard.kind != GuardLink::Kind::kNone);
    inlined_bytes_ += callee.bytes;
    if (const auto why_not = Inline(site, callee)) {
      inlined_bytes_ -= callee.bytes;
      tree_.records.resize(record);
      Record(site, callee.method, Number(*why_not));
    }
  }

  void Bind(const Site& site, const CalleeLink& callee) {
    const bool has_guard = callee.guard.kind != GuardLink::Kind::kNone;
    if (site.call.dispatch != Dispatch::kVirtual || has_guard || callee.is_abstract) return;
    site.body.linkage->Bind(callee.method);
    CallLink& bound = site.body.bound[site.at.bci] = site.call;
    bound.dispatch = Dispatch::kSpecial;
    bound.method = callee.method;
  }

  // Nothing where it is inlined.
  std::optional<NotAsked> Inline(const Site& site, const CalleeLink& callee) {
    std::optional<OpenedMethod> opened = site.body.linkage->Open(callee.method);
    if (!opened) return NotAsked::kForbidden;
    auto body = std::make_unique<Body>();
    body->opened = std::move(*opened);
    body->method = &body->opened.method;
    body->linkage = body->opened.linkage.get();
    body->number = callee.method;
    size_t stack = site.frame.stack.size();
    for (const Kind kind : site.call.signature.parameters) stack -= SlotsOf(kind);
    if (!body->method->is_static) --stack;
    body->first_slot = site.body.StackSlot(static_cast<uint32_t>(stack));
    body->first_lock = site.body.first_lock + site.frame.locks;
    if (!Plan(*body)) return NotAsked::kNotCompiled;
    site.body.inlined[site.at.bci].push_back({callee.guard, std::move(body)});
    return std::nullopt;
  }

  const InlineRules* const rules_;
  InlineTree& tree_;
  std::vector<std::string> within_;  // The names of the methods around a call, the outermost first.
  int32_t inlined_bytes_ = 0;
};

}  // namespace

const std::vector<std::string_view>& InlineReasonTexts() {
  static const auto* const texts = [] {
    auto* const all = new std::vector<std::string_view>;
    for (size_t i = 0; i < kInlineReasons; ++i) {
      all->push_back(ToString(static_cast<InlineReason>(i)));
    }
    for (const char* const text : {"several targets", "no guard", "no code", "not initialized",
                                   "forbidden", "not compiled"}) {
      all->emplace_back(text);
    }
    return all;
  }();
  return *texts;
}

Result<InlineTree> PlanInlining(const Method& method, Linkage& linkage, const InlineRules* rules) {
  InlineTree tree;
  tree.root = std::make_unique<Body>();
  tree.root->method = &method;
  tree.root->linkage = &linkage;
  if (Status s = Planner(rules, tree).Plan(*tree.root); !s) return s;
  return tree;
}

}  // namespace yp::compiler
