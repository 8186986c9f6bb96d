#include "compiler/ir/graph.h"

#include <algorithm>
#include <set>

namespace yp::compiler::ir {

Condition Negated(Condition condition) {
  return static_cast<Condition>(static_cast<uint8_t>(condition) ^ 1);
}

Condition Swapped(Condition condition) {
  switch (condition) {
    case Condition::kLess:
      return Condition::kGreater;
    case Condition::kGreater:
      return Condition::kLess;
    case Condition::kLessOrEqual:
      return Condition::kGreaterOrEqual;
    case Condition::kGreaterOrEqual:
      return Condition::kLessOrEqual;
    default:
      return condition;
  }
}

bool Holds(Condition condition, int64_t left, int64_t right) {
  switch (condition) {
    case Condition::kEqual:
      return left == right;
    case Condition::kNotEqual:
      return left != right;
    case Condition::kLess:
      return left < right;
    case Condition::kGreaterOrEqual:
      return left >= right;
    case Condition::kGreater:
      return left > right;
    default:
      return left <= right;
  }
}

bool IsEnd(Op op) { return op >= Op::kGoto; }

bool IsPure(Op op) { return op >= Op::kAdd && op <= Op::kHasFinalizer; }

bool IsCheck(Op op) { return op >= Op::kNullCheck && op <= Op::kLimitCheck; }

Node* Graph::NewNode(Op op, Kind kind, Inputs in) {
  Node& node = nodes_.Add();
  node.op = op;
  node.kind = kind;
  node.id = static_cast<uint32_t>(nodes_.size() - 1);
  node.in = std::move(in);
  return &node;
}

Block* Graph::NewBlock() {
  Block& block = blocks_.Add();
  block.id = static_cast<uint32_t>(blocks_.size() - 1);
  return &block;
}

const State* Graph::NewState(State state) { return &states_.Add(std::move(state)); }

Node* Graph::Constant(Kind kind, int64_t bits) {
  if (kind == Kind::kInt || kind == Kind::kFloat) bits = static_cast<int32_t>(bits);
  Node*& known = constants_[{kind, bits}];
  if (known == nullptr) {
    known = NewNode(Op::kConstant, kind);
    known->bits = bits;
  }
  return known;
}

Node* Graph::Object(ConstantId constant) {
  Node*& known = objects_[constant];
  if (known == nullptr) {
    known = NewNode(Op::kObject, Kind::kReference);
    known->constant = constant;
  }
  return known;
}

void Graph::Append(Block* block, Node* node) {
  node->block = block;
  block->nodes.push_back(node);
}

void Graph::InsertLast(Block* block, Node* node) {
  node->block = block;
  block->nodes.insert(block->nodes.end() - 1, node);
}

bool Graph::IsReceiver(const Node& node) const {
  const Method& method = *tree->root->method;
  return node.op == Op::kParameter && node.bits == 0 && !method.is_static && !method.osr_bci;
}

void Graph::Connect(Block* from, Block* to) {
  from->succs.push_back(to);
  to->preds.push_back(from);
}

void Graph::RemovePred(Block* block, size_t at) {
  block->preds.erase(block->preds.begin() + static_cast<ptrdiff_t>(at));
  for (Node* const phi : block->phis) phi->in.erase(phi->in.begin() + at);
}

bool IsNeverNull(const Node& node) {
  return node.op == Op::kNew || node.op == Op::kNewArray || node.op == Op::kNewMulti ||
         node.op == Op::kObject;
}

bool Dominates(const Block* a, const Block* b) {
  while (b->dominator_depth > a->dominator_depth) b = b->dominator;
  return a == b;
}

bool Graph::Analyze() {
  // Depth first, without recursion: methods may have thousands of blocks in a row.
  std::vector<Block*> reverse_postorder;
  std::vector<uint8_t> seen(blocks_.size());
  std::vector<std::pair<Block*, size_t>> path = {{entry, 0}};
  seen[entry->id] = 1;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next < block->succs.size()) {
      Block* const succ = block->succs[next++];
      if (seen[succ->id] == 0) {
        seen[succ->id] = 1;
        path.emplace_back(succ, 0);
      }
    } else {
      reverse_postorder.push_back(block);
      path.pop_back();
    }
  }
  std::ranges::reverse(reverse_postorder);
  for (Block* const block : reverse_postorder) {
    for (size_t i = block->preds.size(); i-- > 0;) {
      if (seen[block->preds[i]->id] != 0) continue;
      RemovePred(block, i);
    }
  }
  if (!FindDominators(reverse_postorder) || !FindLoops(reverse_postorder)) return false;
  order = std::move(reverse_postorder);
  FindOrder();
  return true;
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
bool Graph::FindDominators(const std::vector<Block*>& reverse_postorder) {
  std::vector<uint32_t> number(blocks_.size());
  for (uint32_t i = 0; i < reverse_postorder.size(); ++i) {
    number[reverse_postorder[i]->id] = i;
    reverse_postorder[i]->dominator = nullptr;
  }
  entry->dominator = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (Block* const block : reverse_postorder) {
      if (block == entry) continue;
      Block* found = nullptr;
      for (Block* pred : block->preds) {
        if (pred->dominator == nullptr) continue;
        Block* other = found;
        found = pred;
        while (other != nullptr && found != other) {
          if (number[found->id] > number[other->id]) {
            found = found->dominator;
          } else {
            other = other->dominator;
          }
        }
      }
      changed |= block->dominator != found;
      block->dominator = found;
    }
  }
  entry->dominator_depth = 0;
  for (Block* const block : reverse_postorder) {
    if (block != entry) block->dominator_depth = block->dominator->dominator_depth + 1;
  }
  for (Block* const block : reverse_postorder) {
    for (Block* const succ : block->succs) {
      const bool goes_back = number[succ->id] <= number[block->id];
      if (goes_back && !Dominates(succ, block)) return false;
    }
  }
  return true;
}

// Inner loops first, which is from the end: a header is in front of its loop's blocks.
bool Graph::FindLoops(const std::vector<Block*>& reverse_postorder) {
  for (Block* const block : reverse_postorder) {
    block->loop = nullptr;
    block->outer_loop = nullptr;
    block->loop_depth = 0;
  }
  for (size_t i = reverse_postorder.size(); i-- > 0;) {
    Block* const header = reverse_postorder[i];
    std::vector<Block*> work;
    for (Block* const pred : header->preds) {
      if (Dominates(header, pred)) work.push_back(pred);
    }
    if (work.empty()) continue;
    // What is in an inner loop already is found by that loop's header.
    const auto outermost = [](Block* block) {
      while (block->loop != nullptr) {
        Block* const inner = block->loop;
        if (inner->outer_loop == nullptr) return inner;
        block = inner->outer_loop;
      }
      return block;
    };
    header->loop = header;
    while (!work.empty()) {
      Block* const block = outermost(work.back());
      work.pop_back();
      if (block == header) continue;
      if (block->is_header()) {
        block->outer_loop = header;
      } else {
        block->loop = header;
      }
      for (Block* const pred : block->preds) work.push_back(pred);
    }
  }
  for (Block* const block : reverse_postorder) {
    for (const Block* loop = block->loop; loop != nullptr; loop = loop->outer_loop) {
      ++block->loop_depth;
    }
  }
  return true;
}

// As C1 orders blocks: a block is ready when all its predecessors but those of back edges are done,
// and of the ready ones the deepest in loops is next.
void Graph::FindOrder() {
  std::vector<uint32_t> number(blocks_.size());
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]->id] = i;
  std::vector<size_t> waits(blocks_.size());
  for (Block* const block : order) {
    for (const Block* const pred : block->preds) waits[block->id] += Dominates(block, pred) ? 0 : 1;
  }
  const auto is_later = [&](const Block* a, const Block* b) {
    if (a->loop_depth != b->loop_depth) return a->loop_depth < b->loop_depth;
    return number[a->id] > number[b->id];
  };
  const auto is_sooner = [&](const Block* a, const Block* b) { return is_later(b, a); };
  std::set<Block*, decltype(is_sooner)> ready(is_sooner);
  ready.insert(entry);
  std::vector<Block*> ordered;
  while (!ready.empty()) {
    Block* const block = *ready.begin();
    ready.erase(ready.begin());
    ordered.push_back(block);
    for (Block* const succ : block->succs) {
      if (!Dominates(succ, block) && --waits[succ->id] == 0) ready.insert(succ);
    }
  }
  // Not std::ranges::stable_partition, which clang 14 does not compile.
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Block* block) { return !block->is_cold; });
  order = std::move(ordered);
}

}  // namespace yp::compiler::ir
