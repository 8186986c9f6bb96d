#include "compiler/opt/carried_memory.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/opt/counter.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;
using Place = KnownMemory::Place;

namespace {

// Each takes a register all through the loop.
constexpr size_t kMostInLoop = 4;

// Calls visit(Node&) with what is in the loop and in none within it.
template <typename Visitor>
void VisitOwn(const Loop& loop, Visitor&& visit) {
  for (const Block* const block : loop.blocks) {
    if (block->loop != loop.header) continue;
    for (Node* const node : block->nodes) visit(*node);
  }
}

// What the place at the header is called at the end of the way that comes by the edge.
std::optional<Place> BeforeEdge(const Loop& loop, const Place& place, size_t edge) {
  Place before = place;
  const Node* const base = place.index.base;
  if (base == nullptr || loop.IsInvariant(base)) return before;
  if (base->op != Op::kPhi || base->block != loop.header) return std::nullopt;
  before.index = IndexOf(base->in[edge]).Plus(place.index.added);
  return before;
}

// The places that are loaded and may be known at the header.
std::vector<Place> PlacesOf(const Loop& loop) {
  std::vector<Place> stored, places;
  VisitOwn(loop, [&](const Node& node) {
    if (KnownMemory::IsPlainStore(node)) stored.push_back(KnownMemory::PlaceOf(node));
  });
  if (stored.empty()) return places;
  VisitOwn(loop, [&](const Node& node) {
    if (!KnownMemory::IsPlainLoad(node) || !loop.IsInvariant(node.in[0])) return;
    const Place place = KnownMemory::PlaceOf(node);
    const bool is_stored = std::ranges::any_of(stored, [&place](const Place& one) {
      return one.is_element == place.is_element && one.type == place.type &&
             one.offset == place.offset && one.object == place.object;
    });
    if (!is_stored || !BeforeEdge(loop, place, loop.entry_edge)) return;
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  });
  return places;
}

// Whether a branch or a check in the loop may be what says that the object has such a field, or is
// such an array.
bool FindsOutClass(const Loop& loop, const Node* object) {
  return std::ranges::any_of(loop.blocks, [object](const Block* block) {
    return std::ranges::any_of(block->nodes, [object](const Node* node) {
      switch (node->op) {
        case Op::kCastCheck:
        case Op::kInstanceOf:
        case Op::kGuard:
          return node->in[0] == object;
        case Op::kIf:
          return node->in[0]->op == Op::kInstanceOf && node->in[0]->in[0] == object;
        default:
          return false;
      }
    });
  });
}

KnownMemory AtEnds(const ir::Graph& graph) {
  KnownMemory memory(graph);
  for (const Block* const block : graph.order) {
    memory.Enter(*block);
    for (Node* const node : block->nodes) memory.Execute(*node);
    memory.Leave(*block);
  }
  return memory;
}

// How many loads of the place the loop has that nothing separates from the header.
size_t CountLoads(const ir::Graph& graph, const Loop& loop, const Place& place, Node* value) {
  const KnownMemory::AtHeaders at_header = {{loop.header, {{place, value, true}}}};
  KnownMemory memory(graph, &at_header);
  size_t loads = 0;
  for (const Block* const block : loop.blocks) {
    memory.Enter(*block);
    for (Node* const node : block->nodes) {
      if (memory.Find(*node) == value) {
        ++loads;
      } else {
        memory.Execute(*node);
      }
    }
    memory.Leave(*block);
  }
  return loads;
}

class Carrier {
 public:
  Carrier(ir::Graph& graph, const KnownMemory& memory, const Loop& loop,
          const std::vector<Place>& places)
      : graph_(graph), memory_(memory), loop_(loop), places_(places) {}

  // What is known at the header then.
  std::vector<KnownMemory::Known> Run() {
    std::vector<KnownMemory::Known> known;
    for (const Place& place : places_) {
      if (known.size() == kMostInLoop) break;
      within_ = nullptr;
      if (Node* const phi = Carried(place)) known.push_back({place, phi, true, within_});
    }
    return known;
  }

 private:
  Node* Carried(const Place& place) {
    Block* const header = loop_.header;
    const Kind kind = KindOf(place.type);
    Node* const phi = graph_.NewNode(Op::kPhi, kind);
    for (size_t edge = 0; edge < header->preds.size(); ++edge) {
      Node* value = nullptr;
      if (edge != loop_.entry_edge) {
        const KnownMemory::Known* const stored = Before(place, edge);
        if (stored == nullptr || !stored->is_stored) return nullptr;
        value = stored->value;
      }
      phi->in.push_back(value);
    }
    phi->block = header;
    if (CountLoads(graph_, loop_, place, phi) == 0) return nullptr;
    phi->in[loop_.entry_edge] = First(place);
    if (phi->in[loop_.entry_edge] == nullptr) return nullptr;
    header->phis.push_back(phi);
    return phi;
  }

  const KnownMemory::Known* Before(const Place& place, size_t edge) const {
    const std::optional<Place> before = BeforeEdge(loop_, place, edge);
    // The entry's edge may come from a block of this pass by now.
    const Block& from = edge == loop_.entry_edge ? *loop_.entry : *loop_.header->preds[edge];
    return before ? memory_.FindAtEnd(from, *before) : nullptr;
  }

  // In the first iteration; nullptr where it is not known and cannot be loaded.
  Node* First(const Place& place) {
    if (const KnownMemory::Known* const known = Before(place, loop_.entry_edge)) {
      return known->value;
    }
    if (FindsOutClass(loop_, place.object)) return nullptr;
    return place.is_element ? FirstElement(place) : FirstField(place);
  }

  Node* FirstField(const Place& place) {
    const Node* load = nullptr;
    VisitOwn(loop_, [&](const Node& node) {
      if (KnownMemory::IsPlainLoad(node) && KnownMemory::PlaceOf(node) == place) load = &node;
    });
    // A class that is not initialized yet has other values soon.
    if (load->field->uninitialized || !IsNotNull(load->in[0])) return nullptr;
    Node* const first = graph_.NewNode(Op::kLoadField, load->kind, {load->in[0]});
    first->field = load->field;
    graph_.InsertLast(loop_.entry, first);
    return first;
  }

  bool IsNotNull(const Node* object) const {
    return graph_.IsReceiver(*object) || loop_.IsKnownNotToBeNull(object);
  }

  Node* FirstElement(const Place& place) {
    const auto is_it = [&place](const Loop::Checked& one) {
      const Node* const length = ir::Resolve(one.length);
      return ir::Resolve(one.counter) == place.index.base && one.added == place.index.added &&
             length->op == Op::kArrayLength && length->in[0] == place.object;
    };
    const std::optional<Counter> counter = CounterOf(loop_);
    const bool is_checked = std::ranges::any_of(loop_.checked, is_it);
    if (!counter || counter->phi != place.index.base || !is_checked) return nullptr;
    if (tested_ == nullptr) TestFirst(*counter);
    const Kind kind = KindOf(place.type);
    Node* index = counter->first;
    const Index first = IndexOf(index).Plus(place.index.added);
    if (first.base == nullptr) {
      index = graph_.Int(first.added);
    } else if (place.index.added != 0) {
      index = graph_.NewNode(Op::kAdd, Kind::kInt, {index, graph_.Int(place.index.added)});
      graph_.InsertLast(tested_, index);
    }
    Node* const load = graph_.NewNode(Op::kLoadElement, kind, {place.object, index});
    load->type = place.type;
    graph_.InsertLast(tested_, load);
    // Nothing was loaded where there is no first iteration: only the body may use it.
    Node* const phi = graph_.NewNode(Op::kPhi, kind, {load, graph_.Constant(kind, 0)});
    phi->block = joined_;
    joined_->phis.push_back(phi);
    within_ = counter->body;
    return phi;
  }

  // In front of the loop asks what the header asks in the first iteration.
  void TestFirst(const Counter& counter) {
    Block* const entry = loop_.entry;
    Block* const other = NewBlock();
    tested_ = NewBlock();
    joined_ = NewBlock();
    Node* const end = entry->end();
    end->op = Op::kIf;
    end->condition = counter.stays;
    end->in = {counter.first, counter.limit};
    entry->succs.clear();
    for (Block* const way : {tested_, other}) ir::Graph::Connect(entry, way);
    for (Block* const way : {tested_, other}) ir::Graph::Connect(way, joined_);
    joined_->succs = {loop_.header};
    loop_.header->preds[loop_.entry_edge] = joined_;
  }

  // That leads to one other.
  Block* NewBlock() {
    Block* const block = graph_.NewBlock();
    ir::Graph::Append(block, graph_.NewNode(Op::kGoto, Kind::kDead));
    block->loop = loop_.entry->loop;
    block->is_cold = loop_.entry->is_cold;
    return block;
  }

  ir::Graph& graph_;
  const KnownMemory& memory_;
  const Loop& loop_;
  const std::vector<Place>& places_;
  // Where the first iteration is about to come, and where that and the other way join.
  Block *tested_ = nullptr, *joined_ = nullptr;
  const Block* within_ = nullptr;  // Of the place that is looked at: see KnownMemory::Known.
};

}  // namespace

KnownMemory::AtHeaders CarryMemory(ir::Graph& graph, const std::vector<Loop>& loops) {
  std::optional<KnownMemory> memory;
  KnownMemory::AtHeaders at_headers;
  for (const Loop& loop : loops) {
    if (loop.header->is_cold) continue;
    const std::vector<Place> places = PlacesOf(loop);
    if (places.empty()) continue;
    if (!memory) memory = AtEnds(graph);
    std::vector<KnownMemory::Known> known = Carrier(graph, *memory, loop, places).Run();
    if (!known.empty()) at_headers[loop.header] = std::move(known);
  }
  if (!at_headers.empty()) static_cast<void>(graph.Analyze());  // Loops keep their single entries.
  return at_headers;
}

}  // namespace yp::compiler
