#include "compiler/backend/linear_scan.h"

#include <algorithm>
#include <array>
#include <deque>
#include <queue>

namespace yp::compiler {

using ir::Block;
using ir::Node;

class LinearScan {
 public:
  LinearScan(const ir::Graph& graph, Allocation& out) : graph_(graph), out_(out) {}

  bool Run() {
    hint_of_.assign(Life().values.size(), kNoRegister);
    last_.assign(Life().values.size(), kNoRegister);
    for (Interval& interval : Life().intervals) Wait(std::move(interval));
    Life().intervals.clear();
    while (!waiting_.empty()) {
      Interval* const current = waiting_.top();
      waiting_.pop();
      Expire(current->from());
      Allocate(*current);
    }
    out_.parts_.resize(Life().values.size());
    for (Interval& interval : all_) {
      out_.parts_[IndexOf(interval.value)].push_back(std::move(interval));
    }
    for (std::vector<Interval>& parts : out_.parts_) {
      std::ranges::sort(parts, {}, [](const Interval& part) { return part.from(); });
    }
    return !failed_;
  }

 private:
  struct IsLater {
    bool operator()(const Interval* a, const Interval* b) const { return a->from() > b->from(); }
  };

  Lifetimes& Life() { return out_.lifetimes_; }
  size_t IndexOf(const Node* value) { return static_cast<size_t>(Life().index[value->id]); }

  void Wait(Interval interval) {
    all_.push_back(std::move(interval));
    waiting_.push(&all_.back());
  }

  void Expire(Position at) {
    std::erase_if(in_registers_, [at](const Interval* one) { return one->to() <= at; });
  }

  // The part from `at` on becomes an interval of its own, and waits.
  void Split(Interval& interval, Position at) {
    Interval rest;
    rest.value = interval.value;
    rest.is_first = false;
    rest.hint = interval.reg;
    std::vector<Range> before;
    for (const Range& range : interval.ranges) {
      if (range.from < at) before.push_back({range.from, std::min(range.to, at)});
      if (range.to > at) rest.ranges.push_back({std::max(range.from, at), range.to});
    }
    const auto move_uses = [at](std::vector<Position>& from, std::vector<Position>& to) {
      const auto first = std::ranges::lower_bound(from, at);
      to.assign(first, from.end());
      from.erase(first, from.end());
    };
    move_uses(interval.register_uses, rest.register_uses);
    move_uses(interval.other_uses, rest.other_uses);
    interval.ranges = std::move(before);
    Wait(std::move(rest));
  }

  const Block* BlockAt(Position at) {
    const auto from = [this](const Block* block) { return Life().PlaceOf(*block).from; };
    return *std::prev(std::ranges::upper_bound(graph_.order, at, {}, from));
  }

  // In its slot until shortly before a register is needed: before the outermost loop around that
  // place that begins behind `current`'s start.
  void Spill(Interval& current, Position next_use) {
    if (next_use == kNever) return;
    Position at = GapBefore(next_use);
    for (const Block* loop = BlockAt(at)->loop; loop != nullptr; loop = loop->outer_loop) {
      const Position header = Life().PlaceOf(*loop).from;
      if (header > current.from() && header < at && current.Covers(header)) at = header;
    }
    if (at > current.from()) Split(current, at);
  }

  void Allocate(Interval& current) {
    const Position from = current.from();
    if (!current.is_first && from % kPositions != 0) {  // Only in a gap can it come to a register.
      const Position gap = GapBefore(from) + kPositions;
      if (current.to() > gap) Split(current, gap);
      return;
    }
    const Position use = current.NextRegisterUse(from);
    if (use != kNever && TryFree(current, use)) return;
    // What begins here comes from registers, as a rule, and would have to be stored first. Later
    // parts would have to be loaded, which costs as much as a use in the slot.
    if (current.is_first) {
      const Position any_use = current.NextUse(from);
      if (any_use < use && TryFree(current, any_use)) return;
    }
    if (use == kNever) return;
    if (use >= GapBefore(from) + kPositions) return Spill(current, use);
    Evict(current, use);
  }

  RegisterSet ClassOf(const Interval& interval) const {
    const RegisterSet xmm = ~RegisterSet{0} << kFirstXmm;
    return kAllocatable & (IsInXmm(interval.value->kind) ? xmm : ~xmm);
  }

  // Where the register is lost first while the interval lives.
  Position Lost(RegisterNumber reg, const Interval& interval) {
    const std::vector<Position>& lost = Life().lost[static_cast<size_t>(reg)];
    for (const Range& range : interval.ranges) {
      const auto found = std::ranges::lower_bound(lost, range.from);
      if (found == lost.end()) return kNever;
      if (*found < range.to) return *found;
    }
    return kNever;
  }

  // Registers that save a move, the best one first, or kNoRegister.
  std::array<RegisterNumber, 3> Hints(const Interval& current) {
    if (!current.is_first) return {current.hint, kNoRegister, kNoRegister};
    const Node& node = *current.value;
    const RegisterNumber wanted = hint_of_[IndexOf(&node)];
    if (node.op == ir::Op::kParameter) return {current.hint, wanted, kNoRegister};
    RegisterNumber from = Life().constraints[node.id].result;
    for (const Node* const in : node.in) {
      if (from != kNoRegister) break;
      if (!ir::IsFree(in)) from = last_[IndexOf(in)];
      if (node.op != ir::Op::kPhi) break;
    }
    return {wanted, current.hint, from};
  }

  void Take(Interval& current, RegisterNumber reg) {
    current.reg = reg;
    in_registers_.push_back(&current);
    const size_t index = IndexOf(current.value);
    last_[index] = reg;
    // A value that comes back to a loop's phi is best where that one is.
    if (current.is_first && current.value->op == ir::Op::kPhi) {
      for (const Node* const in : current.value->in) {
        if (!ir::IsFree(in)) hint_of_[IndexOf(in)] = reg;
      }
    }
  }

  bool TryFree(Interval& current, Position use) {
    std::array<Position, kRegisters> free{};
    const RegisterSet all = ClassOf(current);
    for (RegisterNumber reg = 0; reg < kRegisters; ++reg) {
      if ((all & SetOf(reg)) != 0) free[static_cast<size_t>(reg)] = Lost(reg, current);
    }
    for (const Interval* const other : in_registers_) {
      if ((all & SetOf(other->reg)) == 0) continue;
      Position& until = free[static_cast<size_t>(other->reg)];
      until = std::min(until, other->Meets(current, current.from()));
    }
    RegisterNumber best = kNoRegister;
    for (RegisterNumber reg = 0; reg < kRegisters; ++reg) {
      if ((all & SetOf(reg)) == 0) continue;
      const Position until = free[static_cast<size_t>(reg)];
      if (best == kNoRegister || until > free[static_cast<size_t>(best)]) best = reg;
    }
    for (const RegisterNumber hint : Hints(current)) {
      if (hint == kNoRegister || (all & SetOf(hint)) == 0) continue;
      const Position until = free[static_cast<size_t>(hint)];
      if (until < current.to() && until != free[static_cast<size_t>(best)]) continue;
      best = hint;
      break;
    }
    const Position until = free[static_cast<size_t>(best)];
    if (until <= use) return false;
    Take(current, best);
    SplitAt(current, until, use);
    return true;
  }

  // Before `until`, in the gap if the register is not needed behind it.
  void SplitAt(Interval& current, Position until, Position use) {
    if (until >= current.to()) return;
    const Position gap = GapBefore(until);
    Split(current, gap > std::max(current.from(), use) ? gap : until);
  }

  // Of all that is in the way in a register, what is needed last goes to its slot.
  void Evict(Interval& current, Position use) {
    std::array<Position, kRegisters> needed{};
    const RegisterSet all = ClassOf(current);
    for (RegisterNumber reg = 0; reg < kRegisters; ++reg) {
      const bool is_kept = Lost(reg, current) > use;
      if ((all & SetOf(reg)) != 0 && is_kept) needed[static_cast<size_t>(reg)] = kNever;
    }
    for (const Interval* const other : in_registers_) {
      Position& next = needed[static_cast<size_t>(other->reg)];
      if (other->Meets(current, current.from()) == kNever) continue;
      next = std::min(next, other->NextRegisterUse(current.from()));
    }
    const auto best =
        static_cast<RegisterNumber>(std::ranges::max_element(needed) - needed.begin());
    if (needed[static_cast<size_t>(best)] <= use) {
      failed_ = true;
      return;
    }
    std::vector<Interval*> in_the_way;
    for (Interval* const other : in_registers_) {
      if (other->reg == best && other->Meets(current, current.from()) != kNever) {
        in_the_way.push_back(other);
      }
    }
    for (Interval* const other : in_the_way) Release(*other, current.from());
    const Position until = Lost(best, current);
    Take(current, best);
    SplitAt(current, until, use);
  }

  void Release(Interval& other, Position at) {
    if (other.from() < at) {
      Split(other, at);
      return;
    }
    // It has begun at the same place.
    std::erase(in_registers_, &other);
    other.reg = kNoRegister;
    Spill(other, other.NextRegisterUse(at));
  }

  const ir::Graph& graph_;
  Allocation& out_;
  bool failed_ = false;
  std::deque<Interval> all_;
  std::priority_queue<Interval*, std::vector<Interval*>, IsLater> waiting_;
  std::vector<Interval*> in_registers_;  // Those that end behind the current place, in holes too.
  std::vector<RegisterNumber> hint_of_;
  std::vector<RegisterNumber> last_;  // By value: the register that it was given last.
};

Result<Allocation> Allocation::Of(const ir::Graph& graph, const VmLayout& vm) {
  Allocation allocation;
  allocation.lifetimes_ = Lifetimes::Of(graph, vm);
  if (!LinearScan(graph, allocation).Run()) return Status::Error("no register for a value");
  allocation.PlaceSlots();
  allocation.FindSaved();
  allocation.FindMoves(graph);
  return allocation;
}

// Values that do not live at the same time share one. A vector has two.
void Allocation::PlaceSlots() {
  slot_.assign(parts_.size(), -1);
  struct Whole {
    size_t value;
    size_t slots;
    Position from;
    Position to;
  };
  std::vector<Whole> wholes;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const bool needs_slot = std::ranges::any_of(
        parts_[i], [](const Interval& part) { return part.reg == kNoRegister; });
    if (!needs_slot) continue;
    const size_t slots = lifetimes_.values[i]->kind == Kind::kVector ? 2 : 1;
    wholes.push_back({i, slots, parts_[i].front().from(), parts_[i].back().to()});
  }
  std::ranges::sort(wholes, {}, &Whole::from);
  std::vector<Position> ends;
  for (const Whole& whole : wholes) {
    // The first ones that are free, or behind all.
    const auto free =
        std::search_n(ends.begin(), ends.end(), static_cast<ptrdiff_t>(whole.slots), whole.from,
                      [](Position end, Position from) { return end <= from; });
    const auto slot = static_cast<size_t>(free - ends.begin());
    slot_[whole.value] = static_cast<int32_t>(slot);
    ends.resize(std::max(ends.size(), slot + whole.slots));
    std::fill_n(ends.begin() + static_cast<ptrdiff_t>(slot), whole.slots, whole.to);
  }
  value_slots_ = static_cast<uint32_t>(ends.size());
}

void Allocation::FindSaved() {
  for (const auto& [node, values] : lifetimes_.live_at) {
    if (!ConstraintsOf(*node).saves) continue;
    std::vector<Saved>& saved = saved_[node];
    uint32_t added = 0;
    for (const Node* const value : values) {
      const Location place = At(value, PositionOf(*node) + kLate);
      if (!place.is_register()) continue;
      Location slot = SlotOf(value);
      const bool is_there = slot.where != Location::Where::kNowhere;
      if (!is_there) {
        slot = {Location::Where::kSlot, static_cast<int32_t>(value_slots_ + added++), nullptr};
      }
      saved.push_back({place, slot, value->kind, is_there});
    }
    saved_slots_ = std::max(saved_slots_, added);
  }
}

const std::vector<Allocation::Saved>& Allocation::SavedAt(const Node& node) const {
  static const std::vector<Saved> kNone;
  const auto found = saved_.find(&node);
  return found == saved_.end() ? kNone : found->second;
}

const Interval& Allocation::PartAt(const Node* value, Position at) const {
  const std::vector<Interval>& parts = parts_[static_cast<size_t>(lifetimes_.index[value->id])];
  size_t i = parts.size() - 1;
  while (i > 0 && parts[i].from() > at) --i;
  return parts[i];
}

Location Allocation::SlotOf(const Node* value) const {
  const int32_t slot = slot_[static_cast<size_t>(lifetimes_.index[value->id])];
  if (slot < 0) return {};
  return {Location::Where::kSlot, slot, nullptr};
}

Location Allocation::At(const Node* value, Position at) const {
  if (ir::IsFree(value)) return {Location::Where::kConstant, 0, value};
  const Interval& part = PartAt(value, at);
  if (part.reg == kNoRegister) return SlotOf(value);
  return {Location::Where::kRegister, part.reg, nullptr};
}

Location Allocation::Input(const Node& node, size_t i) const {
  const Constraints& constraints = ConstraintsOf(node);
  const Position at = PositionOf(node) + (constraints.in[i].is_late ? kLate : kEarly);
  return At(node.in[i], at);
}

Location Allocation::ResultOf(const Node& node) const {
  return At(&node, PositionOf(node) + kResult);
}

// Where a part begins in a gap, and not at the start of a block, it is moved there.
void Allocation::FindMoves(const ir::Graph& graph) {
  std::vector<Position> starts;
  for (const Block* const block : graph.order) starts.push_back(lifetimes_.PlaceOf(*block).from);
  for (size_t i = 0; i < parts_.size(); ++i) {
    for (size_t j = 1; j < parts_[i].size(); ++j) {
      const Interval &before = parts_[i][j - 1], &part = parts_[i][j];
      if (part.reg == kNoRegister || before.to() != part.from() || before.reg == part.reg ||
          std::ranges::binary_search(starts, part.from())) {
        continue;
      }
      const Node* const value = part.value;
      moves_[part.from()].push_back(
          {At(value, before.from()), At(value, part.from()), value->kind});
    }
  }
}

const std::vector<Move>* Allocation::MovesBefore(const Node& node) const {
  const auto found = moves_.find(PositionOf(node));
  return found == moves_.end() ? nullptr : &found->second;
}

std::vector<Move> Allocation::MovesBetween(const Block& from, const Block& to) const {
  const Position end = lifetimes_.PlaceOf(from).to - 1, start = lifetimes_.PlaceOf(to).from;
  std::vector<Move> moves;
  const auto add = [&](const Node* value, const Location& target, Kind kind) {
    const Location source = At(value, end);
    if (source != target) moves.push_back({source, target, kind});
  };
  lifetimes_.live_in[to.id].Visit([&](size_t i) {
    const Node* const value = lifetimes_.values[i];
    const Location target = At(value, start);
    if (target.is_register()) add(value, target, value->kind);  // Its slot holds it already.
  });
  const auto edge = static_cast<size_t>(std::ranges::find(to.preds, &from) - to.preds.begin());
  for (const Node* const phi : to.phis) add(phi->in[edge], At(phi, start), phi->kind);
  return moves;
}

std::vector<Location> Allocation::References(const Node& site) const {
  std::vector<Location> places;
  for (const Saved& saved : SavedAt(site)) {
    if (saved.kind == Kind::kReference) places.push_back(saved.slot);
  }
  for (const Node* const value : lifetimes_.live_at.at(&site)) {
    if (value->kind != Kind::kReference) continue;
    const Location place = At(value, PositionOf(site) + kLate);
    if (ConstraintsOf(site).saves && place.is_register()) continue;
    places.push_back(place);
    // It may be loaded from its slot again behind a collection.
    const Location slot = SlotOf(value);
    if (place.is_register() && slot.where != Location::Where::kNowhere) places.push_back(slot);
  }
  return places;
}

}  // namespace yp::compiler
