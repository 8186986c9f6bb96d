#include "compiler/backend/intervals.h"

#include <algorithm>

#include "compiler/x64/calling_convention.h"

namespace yp::compiler {

using ir::Block;
using ir::Node;
using How = InputConstraint::How;

bool Interval::Covers(Position at) const {
  return std::ranges::any_of(
      ranges, [at](const Range& range) { return range.from <= at && at < range.to; });
}

namespace {

Position NextOf(const std::vector<Position>& uses, Position from) {
  const auto found = std::ranges::lower_bound(uses, from);
  return found == uses.end() ? kNever : *found;
}

}  // namespace

Position Interval::NextRegisterUse(Position from) const { return NextOf(register_uses, from); }

Position Interval::NextUse(Position from) const {
  return std::min(NextOf(register_uses, from), NextOf(other_uses, from));
}

Position Interval::Meets(const Interval& other, Position from) const {
  size_t i = 0, j = 0;
  while (i < ranges.size() && j < other.ranges.size()) {
    const Range &a = ranges[i], &b = other.ranges[j];
    const Position first = std::max({a.from, b.from, from});
    if (first < std::min(a.to, b.to)) return first;
    if (a.to < b.to) {
      ++i;
    } else {
      ++j;
    }
  }
  return kNever;
}

namespace {

// Follows the code backwards, as Wimmer and Franz do (Linear Scan Register Allocation on SSA Form,
// 2010), but with sets by data flow, so that blocks may be in any order in which definitions come
// first.
class LifetimeFinder {
 public:
  LifetimeFinder(const ir::Graph& graph, const VmLayout& vm, Lifetimes& out)
      : graph_(graph), vm_(vm), out_(out) {}

  void Run() {
    Number();
    FindLiveIn();
    for (size_t i = graph_.order.size(); i-- > 0;) FindRanges(*graph_.order[i]);
    for (Interval& interval : out_.intervals) {
      std::ranges::reverse(interval.ranges);
      std::ranges::sort(interval.register_uses);
      std::ranges::sort(interval.other_uses);
    }
    for (std::vector<Position>& places : out_.lost) std::ranges::reverse(places);
    HintArguments();
  }

 private:
  void Number() {
    out_.index.assign(graph_.node_count(), -1);
    out_.positions.assign(graph_.node_count(), 0);
    out_.constraints.resize(graph_.node_count());
    out_.lost.resize(kRegisters);
    out_.blocks.resize(graph_.block_count());
    Position at = 0;
    const auto add = [&](Node* node) {
      if (node->kind == Kind::kDead) return;
      out_.index[node->id] = static_cast<int32_t>(out_.values.size());
      out_.values.push_back(node);
      out_.intervals.emplace_back().value = node;
    };
    for (const Block* const block : graph_.order) {
      const Position from = at;
      for (Node* const phi : block->phis) add(phi);
      for (Node* const node : block->nodes) {
        out_.positions[node->id] = at;
        out_.constraints[node->id] = ConstraintsOf(*node, vm_);
        add(node);
        at += kPositions;
      }
      out_.blocks[block->id] = {from, at};
    }
  }

  size_t IndexOf(const Node* node) const { return static_cast<size_t>(out_.index[node->id]); }

  // Calls visit(value) for what the node's states read, which is late. `states`: of a block's nodes
  // one after the other, or from the last to the first. What one has read lives where the others
  // with the same frames are.
  template <typename Visitor>
  static void VisitStates(const Node& node, ir::StateVisitor& states, Visitor&& visit) {
    for (const ir::State* const state : {node.state, node.state_before}) {
      states.Visit(state, [&](const Node* value) {
        if (!ir::IsFree(value)) visit(value);
      });
    }
  }

  // Calls visit(value, how, is_late, fixed) for what the node itself reads.
  template <typename Visitor>
  void VisitInputs(const Node& node, Visitor&& visit) const {
    const Constraints& constraints = out_.constraints[node.id];
    for (size_t i = 0; i < node.in.size(); ++i) {
      const InputConstraint& in = constraints.in[i];
      if (in.how == How::kNowhere || ir::IsFree(node.in[i])) continue;
      visit(node.in[i], in.how, in.is_late, in.fixed);
    }
  }

  // What is live at a block's start: what it reads before it defines it, and what lives on behind
  // it and is not defined there.
  void FindLiveIn() {
    const size_t count = out_.values.size();
    out_.live_in.assign(graph_.block_count(), {});
    live_ = ValueSet(count);
    std::vector<ValueSet> defined(graph_.block_count());
    for (const Block* const block : graph_.order) {
      ValueSet& uses = out_.live_in[block->id] = ValueSet(count);
      ValueSet& defines = defined[block->id] = ValueSet(count);
      for (const Node* const phi : block->phis) defines.Add(IndexOf(phi));
      ir::StateVisitor states;
      for (const Node* const node : block->nodes) {
        const auto use = [&](const Node* value) {
          if (!defines.Has(IndexOf(value))) uses.Add(IndexOf(value));
        };
        VisitStates(*node, states, use);
        VisitInputs(*node, [&](const Node* value, How, bool, RegisterNumber) { use(value); });
        if (node->kind != Kind::kDead) defines.Add(IndexOf(node));
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = graph_.order.size(); b-- > 0;) {
        const Block& block = *graph_.order[b];
        FindLiveOut(block);
        changed |= out_.live_in[block.id].AddAll(live_, defined[block.id]);
      }
    }
  }

  // In live_.
  void FindLiveOut(const Block& block) {
    live_.Clear();
    for (const Block* const succ : block.succs) {
      live_.AddAll(out_.live_in[succ->id]);
      const auto edge =
          static_cast<size_t>(std::ranges::find(succ->preds, &block) - succ->preds.begin());
      for (const Node* const phi : succ->phis) {
        const Node* const value = phi->in[edge];
        if (!ir::IsFree(value)) live_.Add(IndexOf(value));
      }
    }
  }

  // Ranges are found from the last to the first.
  void AddRange(size_t value, Position from, Position to) {
    std::vector<Range>& ranges = out_.intervals[value].ranges;
    if (!ranges.empty() && ranges.back().from <= to) {
      ranges.back().from = std::min(ranges.back().from, from);
      ranges.back().to = std::max(ranges.back().to, to);
    } else {
      ranges.push_back({from, to});
    }
  }

  void FindRanges(const Block& block) {
    // clang 14 has no captures of structured bindings.
    const Position from = out_.PlaceOf(block).from, to = out_.PlaceOf(block).to;
    FindLiveOut(block);
    ValueSet& live = live_;
    live.Visit([&](size_t i) { AddRange(i, from, to); });
    UsePhiInputs(block, to - 1);
    ir::StateVisitor states;
    for (size_t n = block.nodes.size(); n-- > 0;) {
      const Node& node = *block.nodes[n];
      const Position at = out_.positions[node.id];
      const Constraints& constraints = out_.constraints[node.id];
      if (node.kind != Kind::kDead) {
        const size_t i = IndexOf(&node);
        Interval& interval = out_.intervals[i];
        if (interval.ranges.empty() || !live.Has(i)) AddRange(i, at + kResult, at + kPositions);
        interval.ranges.back().from = at + kResult;
        interval.register_uses.push_back(at + kResult);
        live.Remove(i);
      }
      const auto use = [&](const Node* value, Position place, How how, RegisterNumber fixed) {
        const size_t i = IndexOf(value);
        AddRange(i, from, place + 1);
        Interval& interval = out_.intervals[i];
        if (how == How::kRegister) interval.register_uses.push_back(place);
        if (how == How::kAnywhere) interval.other_uses.push_back(place);
        if (fixed != kNoRegister) interval.hint = fixed;
        live.Add(i);
      };
      VisitStates(node, states, [&](const Node* value) {
        const size_t i = IndexOf(value);
        if (live.Has(i)) return;  // To the end of the block, or to a later node.
        AddRange(i, from, at + kLate + 1);
        live.Add(i);
      });
      VisitInputs(node, [&](const Node* value, How how, bool is_late, RegisterNumber fixed) {
        if (is_late) use(value, at + kLate, how, fixed);
      });
      if (constraints.is_site || constraints.saves) FindLiveAt(node, live, constraints.saves);
      VisitInputs(node, [&](const Node* value, How how, bool is_late, RegisterNumber fixed) {
        if (!is_late) use(value, at + kEarly, how, fixed);
      });
      for (RegisterNumber reg = 0; reg < kRegisters; ++reg) {
        if ((constraints.clobbers & SetOf(reg)) != 0) {
          out_.lost[static_cast<size_t>(reg)].push_back(at + kLate);
        }
      }
    }
    for (const Node* const phi : block.phis) {
      const size_t i = IndexOf(phi);
      if (out_.intervals[i].ranges.empty() || !live.Has(i)) AddRange(i, from, from + 1);
      out_.intervals[i].ranges.back().from = from;
    }
  }

  // Of the block's successors: a register saves a load and a store on the edge.
  void UsePhiInputs(const Block& block, Position at) {
    for (const Block* const succ : block.succs) {
      const auto edge =
          static_cast<size_t>(std::ranges::find(succ->preds, &block) - succ->preds.begin());
      for (const Node* const phi : succ->phis) {
        const Node* const value = phi->in[edge];
        if (!ir::IsFree(value)) out_.intervals[IndexOf(value)].other_uses.push_back(at);
      }
    }
  }

  // They come in registers of the calling convention.
  void HintArguments() {
    if (graph_.tree->root->method->osr_bci) return;
    x64::ArgumentPlaces places;
    for (const Node* const parameter : graph_.entry->phis) {
      const auto place = places.Next(IsFloatingPoint(parameter->kind));
      using Place = x64::ArgumentPlaces::Place;
      RegisterNumber& hint = out_.intervals[IndexOf(parameter)].hint;
      if (place.place == Place::kRegister) hint = NumberOf(place.reg);
      if (place.place == Place::kXmm) hint = NumberOf(place.xmm);
    }
  }

  void FindLiveAt(const Node& node, const ValueSet& live, bool with_numbers) {
    std::vector<Node*>& values = out_.live_at[&node];
    live.Visit([&](size_t i) {
      Node* const value = out_.values[i];
      if (with_numbers || value->kind == Kind::kReference) values.push_back(value);
    });
  }

  const ir::Graph& graph_;
  const VmLayout& vm_;
  Lifetimes& out_;
  ValueSet live_;  // Of all values.
};

}  // namespace

Lifetimes Lifetimes::Of(const ir::Graph& graph, const VmLayout& vm) {
  Lifetimes lifetimes;
  LifetimeFinder(graph, vm, lifetimes).Run();
  return lifetimes;
}

}  // namespace yp::compiler
