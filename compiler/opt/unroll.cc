#include "compiler/opt/unroll.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "compiler/opt/counter.h"
#include "compiler/opt/known_memory.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;
using ir::State;

namespace {

constexpr int64_t kCopies = 4;
// Of an iteration. Larger ones spend little of their time on what is saved.
constexpr size_t kMostNodes = 20;

// Whether it is a call, beside which the end of an iteration costs little.
bool Calls(const Node& node) { return node.op == Op::kLeafValue; }

// Whether a copy may be without it: the last one has it.
bool IsOncePerJump(const Node& node) {
  const bool yields = node.op == Op::kYieldpoint && node.yield == ir::YieldKind::kBackwards;
  return node.op == Op::kPoll || yields;
}

bool IsCopied(const Node& node) {
  const bool computes = ir::IsPure(node.op) && !Calls(node);
  return KnownMemory::IsPlainLoad(node) || KnownMemory::IsPlainStore(node) || computes ||
         IsOncePerJump(node);
}

bool IsSmall(const Block& header, const Block& body) {
  size_t nodes = 0;
  for (const Block* const block : {&header, &body}) {
    for (const Node* const node : block->nodes) {
      if (node == block->end()) continue;
      if (!IsCopied(*node)) return false;
      nodes += IsOncePerJump(*node) ? 0 : 1;
    }
  }
  return nodes <= kMostNodes;
}

bool HasFewIterations(const Counter& counter) {
  if (!ir::IsConstant(counter.first) || !ir::IsConstant(counter.limit)) return false;
  return (counter.limit->bits - counter.first->bits) / counter.step < 2 * kCopies;
}

class Unroller {
 public:
  Unroller(ir::Graph& graph, const Loop& loop, const Counter& counter)
      : graph_(graph), header_(*loop.header), edge_(loop.entry_edge), counter_(counter) {}

  void Run() {
    Block* const entry = header_.preds[edge_];
    Block* const first = graph_.NewBlock();
    body_ = graph_.NewBlock();
    Block* const behind = graph_.NewBlock();
    for (const Node* const phi : header_.phis) {
      Node* const copy = graph_.NewNode(Op::kPhi, phi->kind, {phi->in[edge_]});
      copy->block = first;
      first->phis.push_back(copy);
      now_[phi] = copy;
    }
    Test(*first, *entry);
    for (int64_t i = 1; i <= kCopies; ++i) CopyIteration(i == kCopies);
    for (size_t i = 0; i < header_.phis.size(); ++i) {
      first->phis[i]->in.push_back(now_.at(header_.phis[i]));
      header_.phis[i]->in[edge_] = first->phis[i];
    }
    for (Block* const block : {body_, behind}) {
      ir::Graph::Append(block, graph_.NewNode(Op::kGoto, Kind::kDead));
    }
    *std::ranges::find(entry->succs, &header_) = first;
    first->preds = {entry};
    ir::Graph::Connect(first, body_);
    ir::Graph::Connect(first, behind);
    ir::Graph::Connect(body_, first);
    behind->succs = {&header_};
    header_.preds[edge_] = behind;
  }

 private:
  // Whether there are so many iterations.
  void Test(Block& first, Block& entry) {
    const int64_t less = (kCopies - 1) * counter_.step;
    Node* limit = nullptr;
    if (ir::IsConstant(counter_.limit)) {
      limit = graph_.Constant(Kind::kLong, counter_.limit->bits - less);
    } else {
      Node* const wide = graph_.NewNode(Op::kConvert, Kind::kLong, {counter_.limit});
      graph_.InsertLast(&entry, wide);
      limit = graph_.NewNode(Op::kAdd, Kind::kLong, {wide, graph_.Constant(Kind::kLong, -less)});
      graph_.InsertLast(&entry, limit);
    }
    Node* const wide = graph_.NewNode(Op::kConvert, Kind::kLong, {now_.at(counter_.phi)});
    ir::Graph::Append(&first, wide);
    Node* const end = graph_.NewNode(Op::kIf, Kind::kDead, {wide, limit});
    end->condition = counter_.stays;
    ir::Graph::Append(&first, end);
  }

  void CopyIteration(bool is_last) {
    states_.clear();
    for (const Block* const block : {&header_, counter_.body}) {
      for (const Node* const node : block->nodes) {
        if (node == block->end() || (IsOncePerJump(*node) && !is_last)) continue;
        Node* const copy = graph_.NewNode(node->op, node->kind);
        const uint32_t id = copy->id;
        *copy = *node;
        copy->id = id;
        for (Node*& in : copy->in) in = Now(in);
        copy->state = Now(node->state);
        copy->state_before = Now(node->state_before);
        ir::Graph::Append(body_, copy);
        now_[node] = copy;
      }
    }
    std::vector<Node*> next;
    for (const Node* const phi : header_.phis) next.push_back(Now(phi->in[1 - edge_]));
    for (size_t i = 0; i < next.size(); ++i) now_[header_.phis[i]] = next[i];
  }

  Node* Now(Node* value) const {
    value = ir::Resolve(value);
    const auto found = now_.find(value);
    return found == now_.end() ? value : found->second;
  }

  const State* Now(const State* state) {
    if (state == nullptr) return nullptr;
    const State*& known = states_[state];
    if (known != nullptr) return known;
    State copy = *state;
    for (std::vector<Node*>* const values : {&copy.locals, &copy.stack}) {
      for (Node*& value : *values) value = Now(value);
    }
    copy.caller = Now(state->caller);
    return states_[state] = graph_.NewState(std::move(copy));
  }

  ir::Graph& graph_;
  Block& header_;
  const size_t edge_;  // Of the loop's entry; there is one more.
  const Counter counter_;
  Block* body_ = nullptr;                        // Of the new loop.
  std::map<const Node*, Node*> now_;             // In the copy that is made.
  std::map<const State*, const State*> states_;  // The same.
};

}  // namespace

size_t UnrollLoops(ir::Graph& graph, const std::vector<Loop>& loops) {
  size_t unrolled = 0;
  for (const Loop& loop : loops) {
    if (loop.header->is_cold || loop.blocks.size() != 2 || loop.back_edges.size() != 1) continue;
    const std::optional<Counter> counter = CounterOf(loop);
    if (!counter || counter->body != loop.back_edges[0] || HasFewIterations(*counter) ||
        !IsSmall(*loop.header, *counter->body)) {
      continue;
    }
    Unroller(graph, loop, *counter).Run();
    ++unrolled;
  }
  if (unrolled > 0) static_cast<void>(graph.Analyze());  // Loops keep their single entries.
  return unrolled;
}

}  // namespace yp::compiler
