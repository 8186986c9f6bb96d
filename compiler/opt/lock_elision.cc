#include "compiler/opt/lock_elision.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace yp::compiler {

using ir::Block;
using ir::Node;
using ir::Op;
using ir::State;

namespace {

bool IsMonitor(const Node& node) {
  return node.op == Op::kMonitorEnter || node.op == Op::kMonitorExit;
}

// Whether the node does not make its input `i` known to anybody.
bool KeepsToItself(const Node& node, size_t i) {
  switch (node.op) {
    case Op::kLoadField:
    case Op::kNullCheck:
    case Op::kCastCheck:
    case Op::kInstanceOf:
    case Op::kGetClass:
    case Op::kHasFinalizer:
    case Op::kGuard:
    case Op::kIf:
    case Op::kMonitorEnter:
    case Op::kMonitorExit:
      return true;
    case Op::kStoreField:
      return i == 0;
    default:
      return false;
  }
}

class Elider {
 public:
  explicit Elider(ir::Graph& graph) : graph_(graph) {}

  size_t Run() {
    FindObjects();
    if (objects_.empty()) return 0;
    DropWhatIsPassedOn();
    while (!objects_.empty() && DropWhatIsSeenLocked()) {
    }
    if (objects_.empty()) return 0;
    size_t entries = 0;
    for (Block* const block : graph_.order) {
      std::erase_if(block->nodes, [&](const Node* node) {
        if (!IsMonitor(*node) || !IsUnseen(PlaceOf(*node))) return false;
        entries += node->op == Op::kMonitorEnter ? 1 : 0;
        return true;
      });
    }
    return entries;
  }

 private:
  // One of a body's monitors.
  using Place = std::pair<const Body*, int64_t>;

  static Place PlaceOf(const Node& monitor) { return {monitor.state->body, monitor.bits}; }
  bool IsUnseen(const Place& place) const {
    const auto found = at_.find(place);
    return found != at_.end() && objects_.contains(found->second);
  }

  // New objects that are locked, and which object is locked in each place.
  void FindObjects() {
    const auto visit_monitors = [this](auto&& visit) {
      for (const Block* const block : graph_.order) {
        for (const Node* const node : block->nodes) {
          if (IsMonitor(*node)) visit(*node);
        }
      }
    };
    visit_monitors([this](const Node& node) {
      if (node.op != Op::kMonitorEnter) return;
      const Node* const object = ir::Resolve(node.in[0]);
      if (object->op == Op::kNew) objects_.insert(object);
      at_.try_emplace(PlaceOf(node), object);
    });
    // One place for several objects. The exit of a synchronized method does not name its object.
    visit_monitors([this](const Node& node) {
      const auto found = at_.find(PlaceOf(node));
      const Node* const named = node.in.empty() ? nullptr : ir::Resolve(node.in[0]);
      if (found == at_.end()) {
        objects_.erase(named);
      } else if (named != nullptr && named != found->second) {
        objects_.erase(named);
        objects_.erase(found->second);
      }
    });
  }

  void DropWhatIsPassedOn() {
    for (const Block* const block : graph_.order) {
      for (const std::vector<Node*>* nodes : {&block->phis, &block->nodes}) {
        for (const Node* const node : *nodes) {
          for (size_t i = 0; i < node->in.size(); ++i) {
            if (!KeepsToItself(*node, i)) objects_.erase(ir::Resolve(node->in[i]));
          }
        }
      }
    }
  }

  // Where an object is dropped, the states of its entries and exits stay.
  bool DropWhatIsSeenLocked() {
    const size_t before = objects_.size();
    const auto see = [this](const State* state) {
      for (; state != nullptr; state = state->caller) {
        for (uint32_t i = 0; i < state->locks; ++i) {
          const auto found = at_.find({state->body, state->body->first_lock + int64_t{i}});
          if (found != at_.end()) objects_.erase(found->second);
        }
      }
    };
    for (const Block* const block : graph_.order) {
      see(block->entry_state);
      for (const Node* const node : block->nodes) {
        if (IsMonitor(*node) && IsUnseen(PlaceOf(*node))) continue;
        see(node->state);
        see(node->state_before);
      }
    }
    return objects_.size() != before;
  }

  ir::Graph& graph_;
  std::set<const Node*> objects_;  // Those that nobody may see, so far.
  std::map<Place, const Node*> at_;
};

}  // namespace

size_t ElideLocks(ir::Graph& graph) { return Elider(graph).Run(); }

}  // namespace yp::compiler
