#ifndef YP_COMPILER_BACKEND_LINEAR_SCAN_H_
#define YP_COMPILER_BACKEND_LINEAR_SCAN_H_

#include <cstdint>
#include <map>
#include <vector>

#include "base/status.h"
#include "compiler/backend/intervals.h"
#include "compiler/backend/parallel_move.h"

namespace yp::compiler {

// Where every value is at every place.
class Allocation {
 public:
  // Linear scan with intervals that are split (Wimmer and Mössenböck, Optimized Interval Splitting
  // in a Linear Scan Register Allocator, 2005), on SSA form (Wimmer and Franz 2010). A value that
  // is not in a register somewhere has a slot, which is written once, where the value is defined:
  // so nothing is stored where it leaves a register, and the slot always holds the value. The graph
  // has no free value where a register is wanted. Refuses a node that needs more registers than
  // there are.
  static yp::Result<Allocation> Of(const ir::Graph& graph, const VmLayout& vm);

  // Of a value that lives at that place.
  Location At(const ir::Node* value, Position at) const;
  // Where its input `i` is read by the node.
  Location Input(const ir::Node& node, size_t i) const;
  Location ResultOf(const ir::Node& node) const;
  // kNowhere: it has none.
  Location SlotOf(const ir::Node* value) const;
  const Constraints& ConstraintsOf(const ir::Node& node) const {
    return lifetimes_.constraints[node.id];
  }
  Position PositionOf(const ir::Node& node) const { return lifetimes_.positions[node.id]; }
  // What lies before the node: reloads, and moves between registers.
  const std::vector<Move>* MovesBefore(const ir::Node& node) const;
  // On the edge between two blocks, all at once.
  std::vector<Move> MovesBetween(const ir::Block& from, const ir::Block& to) const;
  // A register that holds a value where a node calls out of line, and the slot where it is
  // meanwhile.
  struct Saved {
    Location place;
    Location slot;
    Kind kind = Kind::kDead;
    bool is_there = false;  // It is the value's own slot, which holds it already.
  };
  // None of a node that saves no registers.
  const std::vector<Saved>& SavedAt(const ir::Node& node) const;
  // Of a site: all places that hold a reference which is needed later or by a state there, when
  // what is to be saved is.
  std::vector<Location> References(const ir::Node& site) const;
  uint32_t slots() const { return value_slots_ + saved_slots_; }
  const Lifetimes& lifetimes() const { return lifetimes_; }

 private:
  friend class LinearScan;

  const Interval& PartAt(const ir::Node* value, Position at) const;
  void PlaceSlots();
  void FindSaved();
  void FindMoves(const ir::Graph& graph);

  Lifetimes lifetimes_;
  std::vector<std::vector<Interval>> parts_;  // By value, ascending.
  std::vector<int32_t> slot_;                 // By value; -1
  std::map<Position, std::vector<Move>> moves_;
  std::map<const ir::Node*, std::vector<Saved>> saved_;
  uint32_t value_slots_ = 0;
  uint32_t saved_slots_ = 0;  // Behind them.
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_LINEAR_SCAN_H_
