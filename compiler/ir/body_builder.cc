// The pieces of a body's code, how paths join, and the states of its frame.
#include "compiler/ir/body_builder.h"

#include <algorithm>
#include <utility>

#include "compiler/bytecode/reachable_code.h"

namespace yp::compiler::ir {

namespace op = classfile::op;

namespace {

// Of all bodies. HotSpot compiles no method with more than 8,000 bytes of bytecode.
constexpr uint32_t kMostNodes = 60'000;

bool IsConditional(uint8_t opcode) {
  return (opcode >= op::kIfeq && opcode < op::kGoto) || opcode == op::kIfnull ||
         opcode == op::kIfnonnull;
}

}  // namespace

BodyBuilder::BodyBuilder(Graph& graph, const Body& body, bool yieldpoints, BodyEntry entry)
    : graph_(graph),
      body_(body),
      method_(*body.method),
      yieldpoints_(yieldpoints),
      entry_(std::move(entry)),
      live_(*body.method) {}

bool BodyBuilder::Build() {
  FindPieces();
  const uint32_t start = method_.osr_bci.value_or(0);
  block_ = entry_.block;
  slots_ = entry_.slots;
  at_ = Instruction{start, 0, 0};
  EnterMethod();
  const std::vector<uint32_t> order = ReversePostorder();
  for (auto& [bci, piece] : pieces_) {
    if (piece.merges) MakePhis(bci, piece);
  }
  GoTo(block_, start, true);
  // The order is one in which each piece is entered before its turn, but for handlers: of the calls
  // that throw to them as far as bytecode tells, the first ones may throw nothing.
  for (bool follows = true; follows;) {
    follows = false;
    for (const uint32_t bci : order) {
      Piece& piece = pieces_[bci];
      if (!piece.is_entered || std::exchange(piece.is_followed, true)) continue;
      follows = true;
      FollowPiece(bci);
      if (failed_ || graph_.node_count() > kMostNodes) return false;
    }
  }
  return !failed_;
}

// Of an instruction whose exceptions compiled code hands to them: each is a place where paths join.
template <typename Visitor>
void BodyBuilder::VisitHandlers(const Instruction& at, Visitor&& visit) const {
  if (!ThrowsInCompiledCode(at.opcode)) return;
  for (const Handler& handler : method_.handlers) {
    if (at.bci < handler.start || at.bci >= handler.end) continue;
    if (body_.flow->At(handler.target) != nullptr) visit(handler.target);
    if (handler.catches_all) break;
  }
}

void BodyBuilder::FindPieces() {
  const classfile::Bytes code = method_.bytes();
  const uint32_t start = method_.osr_bci.value_or(0);
  pieces_[start].edges = 1;
  for (uint32_t bci = 0; bci < code.size();) {
    const Instruction at = *classfile::DecodeInstruction(code, bci);
    bci += at.length;
    if (!body_.reached[at.bci] || body_.is_only_trap[at.bci]) continue;
    VisitHandlers(at, [&](uint32_t target) { pieces_[target].merges = true; });
    classfile::VisitJumps(code, at, [&](uint32_t, bool, int64_t target) {
      pieces_.try_emplace(static_cast<uint32_t>(target));
      return true;
    });
    if (IsConditional(at.opcode)) pieces_.try_emplace(bci);
  }
  for (auto& [first, piece] : pieces_) {
    for (uint32_t bci = first;;) {
      const Instruction at = *classfile::DecodeInstruction(code, bci);
      if (body_.is_only_trap[bci]) break;
      const auto add = [&succs = piece.succs](uint32_t succ) {
        if (std::ranges::find(succs, succ) == succs.end()) succs.push_back(succ);
      };
      VisitHandlers(at, add);
      classfile::VisitJumps(code, at, [&](uint32_t, bool, int64_t target) {
        add(static_cast<uint32_t>(target));
        return true;
      });
      if (HowItLeaves(at.opcode) == Leaves::kElsewhere) break;
      bci += at.length;
      if (pieces_.contains(bci)) {
        add(bci);
        break;
      }
    }
  }
  for (auto& [bci, piece] : pieces_) {
    for (const uint32_t succ : piece.succs) ++pieces_[succ].edges;
  }
  for (auto& [bci, piece] : pieces_) piece.merges |= piece.edges > 1;
}

std::vector<uint32_t> BodyBuilder::ReversePostorder() const {
  std::vector<uint32_t> order;
  const uint32_t start = method_.osr_bci.value_or(0);
  std::map<uint32_t, bool> seen = {{start, true}};
  std::vector<std::pair<uint32_t, size_t>> path = {{start, 0}};
  while (!path.empty()) {
    auto& [bci, next] = path.back();
    const Piece& piece = pieces_.at(bci);
    if (next == piece.succs.size()) {
      order.push_back(bci);
      path.pop_back();
      continue;
    }
    const uint32_t succ = piece.succs[next++];
    if (seen.try_emplace(succ, true).second) path.emplace_back(succ, 0);
  }
  std::ranges::reverse(order);
  return order;
}

void BodyBuilder::MakePhis(uint32_t bci, Piece& piece) {
  piece.block = graph_.NewBlock();
  const Frame& frame = *body_.flow->At(bci);
  const auto add = [&](Kind kind, uint32_t slot, std::vector<Node*>& into) {
    Node* const phi = graph_.NewNode(Op::kPhi, kind);
    phi->block = piece.block;
    piece.block->phis.push_back(phi);
    piece.phi_slots.push_back(slot);
    into[slot < frame.locals.size() ? slot : slot - frame.locals.size()] = phi;
  };
  Slots& slots = piece.entry;
  slots.locks = frame.locks;
  slots.locals.resize(frame.locals.size());
  slots.stack.resize(frame.stack.size());
  const auto has_value = [](Kind kind) { return kind != Kind::kDead && kind != Kind::kUpper; };
  for (uint32_t i = 0; i < frame.locals.size(); ++i) {
    if (has_value(frame.locals[i]) && live_.IsLive(bci, i)) add(frame.locals[i], i, slots.locals);
  }
  for (uint32_t i = 0; i < frame.stack.size(); ++i) {
    if (!has_value(frame.stack[i])) continue;
    add(frame.stack[i], static_cast<uint32_t>(frame.locals.size()) + i, slots.stack);
  }
}

// From a block that has its end, or gets a jump where this is the only way on.
void BodyBuilder::GoTo(Block* from, uint32_t bci, bool is_only_way) {
  Piece& piece = pieces_[bci];
  piece.is_entered = true;
  if (is_only_way) Graph::Append(from, graph_.NewNode(Op::kGoto, Kind::kDead));
  if (!piece.merges) {
    piece.block = graph_.NewBlock();
    piece.entry = slots_;
    return Graph::Connect(from, piece.block);
  }
  Block* last = from;
  if (!is_only_way) {  // No edge leads from a block with other ways on to one with other ways to
                       // it.
    last = graph_.NewBlock();
    Graph::Append(last, graph_.NewNode(Op::kGoto, Kind::kDead));
    Graph::Connect(from, last);
  }
  Graph::Connect(last, piece.block);
  const auto locals = static_cast<uint32_t>(method_.max_locals);
  for (size_t i = 0; i < piece.block->phis.size(); ++i) {
    const uint32_t slot = piece.phi_slots[i];
    Node* const value = slot < locals ? slots_.locals[slot] : slots_.stack[slot - locals];
    if (value == nullptr || value->kind != piece.block->phis[i]->kind) {
      failed_ = true;
      return;
    }
    piece.block->phis[i]->in.push_back(value);
  }
}

void BodyBuilder::FollowPiece(uint32_t bci) {
  Piece& piece = pieces_[bci];
  block_ = piece.block;
  slots_ = piece.entry;
  const classfile::Bytes code = method_.bytes();
  if (piece.merges) {
    at_ = Instruction{bci, 0, 0};
    block_->entry_state = graph_.NewState(StateOf(slots_.stack));
  }
  for (bool is_first = true; block_ != nullptr && !failed_; is_first = false) {
    if (!is_first && pieces_.contains(bci)) return GoTo(block_, bci, true);
    at_ = *classfile::DecodeInstruction(code, bci);
    stack_before_ = slots_.stack;
    before_ = nullptr;
    if (body_.is_only_trap[bci]) return TrapHere(Unresolved());
    Follow();
    bci += at_.length;
  }
}

Node* BodyBuilder::Add(Op op, Kind kind, Inputs in) {
  Node* const node = graph_.NewNode(op, kind, std::move(in));
  Emit(node);
  return node;
}

void BodyBuilder::End(Node* node) {
  Emit(node);
  block_ = nullptr;
}

void BodyBuilder::TrapHere(Trap trap) {
  Node* const node = graph_.NewNode(Op::kTrap, Kind::kDead);
  node->trap = trap;
  node->state = Before();
  End(node);
}

void BodyBuilder::TrapUnless(Op check, Inputs in, Trap trap) {
  Node* const node = Add(check, Kind::kDead, std::move(in));
  node->trap = trap;
  node->state = Before();
}

Trap BodyBuilder::Unresolved() const {
  return graph_.tree->root->method->keeps_unresolved ? Trap::kUnresolvedKeep : Trap::kUnresolved;
}

void BodyBuilder::Push(Node* node) {
  slots_.stack.push_back(node);
  if (IsWide(node->kind)) slots_.stack.push_back(nullptr);
}

Node* BodyBuilder::Pop(Kind kind) {
  if (IsWide(kind)) slots_.stack.pop_back();
  Node* const node = slots_.stack.back();
  slots_.stack.pop_back();
  return node;
}

// Whatever is on top; the upper half of a long or double is nullptr.
Node* BodyBuilder::PopAny() {
  if (slots_.stack.back() == nullptr) slots_.stack.pop_back();
  Node* const node = slots_.stack.back();
  slots_.stack.pop_back();
  return node;
}

void BodyBuilder::SetLocalTo(uint32_t index, Node* node) {
  std::vector<Node*>& locals = slots_.locals;
  const auto cut = [&](uint32_t i) {  // A long or double of which this is the upper half.
    if (i > 0 && locals[i - 1] != nullptr && IsWide(locals[i - 1]->kind)) locals[i - 1] = nullptr;
  };
  cut(index);
  locals[index] = node;
  if (IsWide(node->kind)) locals[index + 1] = nullptr;
}

State BodyBuilder::StateOf(const std::vector<Node*>& stack) const {
  State state;
  state.body = &body_;
  state.caller = entry_.caller;
  state.bci = at_.bci;
  state.stack = stack;
  state.locks = slots_.locks;
  state.locals.resize(method_.max_locals);
  for (uint32_t i = 0; i < method_.max_locals; ++i) {
    if (live_.IsLive(at_.bci, i)) state.locals[i] = slots_.locals[i];
  }
  return state;
}

const State* BodyBuilder::Before() {
  if (before_ == nullptr) before_ = graph_.NewState(StateOf(stack_before_));
  return before_;
}

const State* BodyBuilder::During() const {
  State state = StateOf(slots_.stack);
  state.during_call = true;
  return graph_.NewState(std::move(state));
}

void BodyBuilder::CheckNull(Node* object) {
  if (graph_.IsReceiver(*object) || IsNeverNull(*object)) return;
  TrapUnless(Op::kNullCheck, {object}, Trap::kNullCheck);
}

}  // namespace yp::compiler::ir
