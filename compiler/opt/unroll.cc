#include "compiler/opt/unroll.h"

#include <algorithm>
#include <optional>

#include "compiler/opt/counter.h"
#include "compiler/opt/iteration_copier.h"
#include "compiler/opt/known_memory.h"
#include "compiler/opt/vectorize.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;

namespace {

constexpr int64_t kCopies = 4;
// Of an iteration. Larger ones spend little of their time on what is saved.
constexpr size_t kMostNodes = 20;

// Whether it is a call, beside which the end of an iteration costs little.
bool Calls(const Node& node) { return node.op == Op::kLeafValue; }

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

bool HasFewIterations(const Counter& counter, int64_t copies) {
  if (!ir::IsConstant(counter.first) || !ir::IsConstant(counter.limit)) return false;
  return (counter.limit->bits - counter.first->bits) / counter.step < 2 * copies;
}

class Unroller {
 public:
  Unroller(ir::Graph& graph, const Loop& loop, const Counter& counter)
      : graph_(graph),
        header_(*loop.header),
        edge_(loop.entry_edge),
        counter_(counter),
        body_(graph.NewBlock()),
        copier_(graph, body_) {}

  // `vectors`: nullptr where iterations stay single.
  void Run(const VectorLoop* vectors) {
    Block* const entry = header_.preds[edge_];
    Block* const first = graph_.NewBlock();
    Block* const behind = graph_.NewBlock();
    for (const Node* const phi : header_.phis) {
      Node* const copy = graph_.NewNode(Op::kPhi, phi->kind, {phi->in[edge_]});
      copy->block = first;
      first->phis.push_back(copy);
      copier_.Set(phi, copy);
    }
    Test(*first, *entry, vectors == nullptr ? kCopies : vectors->iterations());
    if (vectors != nullptr) {
      vectors->AppendTo(copier_);
      CountOn();
    } else {
      for (int64_t i = 1; i <= kCopies; ++i) CopyIteration(i == kCopies);
    }
    for (size_t i = 0; i < header_.phis.size(); ++i) {
      first->phis[i]->in.push_back(copier_.Now(header_.phis[i]));
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
  void Test(Block& first, Block& entry, int64_t copies) {
    const int64_t less = (copies - 1) * counter_.step;
    Node* limit = nullptr;
    if (ir::IsConstant(counter_.limit)) {
      limit = graph_.Constant(Kind::kLong, counter_.limit->bits - less);
    } else {
      Node* const wide = graph_.NewNode(Op::kConvert, Kind::kLong, {counter_.limit});
      graph_.InsertLast(&entry, wide);
      limit = graph_.NewNode(Op::kAdd, Kind::kLong, {wide, graph_.Constant(Kind::kLong, -less)});
      graph_.InsertLast(&entry, limit);
    }
    Node* const wide = graph_.NewNode(Op::kConvert, Kind::kLong, {copier_.Now(counter_.phi)});
    ir::Graph::Append(&first, wide);
    Node* const end = graph_.NewNode(Op::kIf, Kind::kDead, {wide, limit});
    end->condition = counter_.stays;
    ir::Graph::Append(&first, end);
  }

  void CopyIteration(bool is_last) {
    for (const Block* const block : {&header_, counter_.body}) {
      for (const Node* const node : block->nodes) {
        if (node == block->end() || (IsOncePerJump(*node) && !is_last)) continue;
        copier_.Copy(*node);
      }
    }
    CountOn();
  }

  // To the next iteration.
  void CountOn() {
    std::vector<Node*> next;
    for (const Node* const phi : header_.phis) next.push_back(copier_.Now(phi->in[1 - edge_]));
    for (size_t i = 0; i < next.size(); ++i) copier_.Set(header_.phis[i], next[i]);
  }

  ir::Graph& graph_;
  Block& header_;
  const size_t edge_;  // Of the loop's entry; there is one more.
  const Counter counter_;
  Block* const body_;  // Of the new loop.
  IterationCopier copier_;
};

}  // namespace

size_t UnrollLoops(ir::Graph& graph, const std::vector<Loop>& loops) {
  size_t unrolled = 0;
  for (const Loop& loop : loops) {
    if (loop.header->is_cold || loop.blocks.size() != 2 || loop.back_edges.size() != 1) continue;
    const std::optional<Counter> counter = CounterOf(loop);
    if (!counter || counter->body != loop.back_edges[0]) continue;
    const std::optional<VectorLoop> vectors = VectorLoop::Of(loop, *counter);
    if (vectors && !HasFewIterations(*counter, vectors->iterations())) {
      Unroller(graph, loop, *counter).Run(&*vectors);
    } else if (!HasFewIterations(*counter, kCopies) && IsSmall(*loop.header, *counter->body)) {
      Unroller(graph, loop, *counter).Run(nullptr);
    } else {
      continue;
    }
    ++unrolled;
  }
  if (unrolled > 0) static_cast<void>(graph.Analyze());  // Loops keep their single entries.
  return unrolled;
}

}  // namespace yp::compiler
