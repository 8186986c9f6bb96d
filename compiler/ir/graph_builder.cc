#include "compiler/ir/graph_builder.h"

#include <algorithm>
#include <utility>

#include "compiler/ir/body_builder.h"

namespace yp::compiler::ir {
namespace {

// The arguments, as values of the first block.
void AddParameters(Graph& graph, Slots& slots) {
  const Method& method = *graph.tree->root->method;
  std::vector<Kind> kinds = method.signature.parameters;
  if (!method.is_static) kinds.insert(kinds.begin(), Kind::kReference);
  uint32_t local = 0;
  for (const Kind kind : kinds) {
    Node* const node = graph.NewNode(Op::kParameter, kind);
    node->bits = static_cast<int64_t>(graph.entry->phis.size());
    node->block = graph.entry;
    graph.entry->phis.push_back(node);
    slots.locals[local] = node;
    local += SlotsOf(kind);
  }
}

// The interpreter has packed its frame into a buffer (SharedRuntime::OSR_migration_begin), which is
// the only argument: the locals, the last one first, then the monitors.
void AddOsrLocals(Graph& graph, const Frame& frame, Slots& slots) {
  const Method& method = *graph.tree->root->method;
  Node* const buffer = graph.NewNode(Op::kParameter, Kind::kLong);
  buffer->block = graph.entry;
  graph.entry->phis.push_back(buffer);
  for (uint32_t i = 0; i < method.max_locals; ++i) {
    const Kind kind = frame.locals[i];
    if (kind == Kind::kDead || kind == Kind::kUpper) continue;
    Node* const node = graph.NewNode(Op::kOsrLocal, kind, {buffer});
    node->bits = method.max_locals - i - SlotsOf(kind);
    Graph::Append(graph.entry, node);
    slots.locals[i] = node;
  }
  slots.locks = frame.locks;
  Graph::Append(graph.entry, graph.NewNode(Op::kOsrEnd, Kind::kDead, {buffer}));
}

// The only value that the phi can have, or nullptr.
Node* OnlyValue(const Node* phi) {
  Node* only = nullptr;
  for (Node* const in : phi->in) {
    Node* const value = Resolve(in);
    if (value == phi || value == only) continue;
    if (only != nullptr) return nullptr;
    only = value;
  }
  return only;
}

}  // namespace

void Simplify(Graph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block* const block : graph.order) {
      for (Node* const phi : block->phis) {
        if (phi->op != Op::kPhi || phi->same_as != nullptr) continue;
        phi->same_as = OnlyValue(phi);
        changed |= phi->same_as != nullptr;
      }
    }
  }
  for (Block* const block : graph.order) {
    std::erase_if(block->phis, [](const Node* phi) { return phi->same_as != nullptr; });
    std::erase_if(block->nodes, [](const Node* node) { return node->same_as != nullptr; });
    for (const std::vector<Node*>* nodes : {&block->phis, &block->nodes}) {
      for (Node* const node : *nodes) {
        for (Node*& in : node->in) in = Resolve(in);
      }
    }
  }
}

Result<std::unique_ptr<Graph>> BuildGraph(const InlineTree& tree, bool yieldpoints) {
  auto graph = std::make_unique<Graph>();
  graph->tree = &tree;
  graph->entry = graph->NewBlock();
  const Body& root = *tree.root;
  BodyEntry entry;
  entry.block = graph->entry;
  entry.slots.locals.resize(root.method->max_locals);
  if (root.method->osr_bci) {
    AddOsrLocals(*graph, *root.flow->At(*root.method->osr_bci), entry.slots);
  } else {
    AddParameters(*graph, entry.slots);
  }
  if (!BodyBuilder(*graph, root, yieldpoints, std::move(entry)).Build()) {
    return Status::Error("too large for SSA form");
  }
  if (!graph->Analyze()) return Status::Error("a loop with two entries");
  // None is known of, but reading the end of such a block would end the process.
  const auto has_no_end = [](const Block* block) { return block->nodes.empty(); };
  if (std::ranges::any_of(graph->order, has_no_end)) return Status::Error("a block without an end");
  for (bool changed = true; changed;) {  // Behind a cold block only, and so are those behind it.
    changed = false;
    for (Block* const block : graph->order) {
      const bool is_cold = block->end()->op == Op::kTrap || block->end()->op == Op::kUnwind ||
                           (block != graph->entry && block->dominator->is_cold);
      const bool leads_cold =
          !block->succs.empty() &&
          std::ranges::all_of(block->succs, [](const Block* succ) { return succ->is_cold; });
      if (block->is_cold || block == graph->entry || (!is_cold && !leads_cold)) continue;
      block->is_cold = true;
      changed = true;
    }
  }
  static_cast<void>(graph->Analyze());  // The order has cold blocks last; the loops are the same.
  Simplify(*graph);
  return graph;
}

}  // namespace yp::compiler::ir
