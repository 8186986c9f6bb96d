#ifndef YP_COMPILER_BACKEND_INTERVALS_H_
#define YP_COMPILER_BACKEND_INTERVALS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/backend/constraints.h"
#include "compiler/backend/value_set.h"
#include "compiler/ir/graph.h"

namespace yp::compiler {

// A place in the code, in the graph's order. Each node has four: the gap before it, where moves may
// be; where its early inputs are read; where its late ones are, and registers are lost; where its
// result is written. A block begins with the gap before its first node.
using Position = uint32_t;
inline constexpr Position kNever = UINT32_MAX;
inline constexpr Position kEarly = 1, kLate = 2, kResult = 3, kPositions = 4;
constexpr Position GapBefore(Position at) { return at & ~(kPositions - 1); }

struct Range {
  Position from = 0;
  Position to = 0;  // exclusive
};

// A value, or a part of its life, which is in one place: a register, or else the value's slot.
struct Interval {
  ir::Node* value = nullptr;
  std::vector<Range> ranges;            // ascending, apart
  std::vector<Position> register_uses;  // where a register is needed, ascending
  std::vector<Position> other_uses;     // where a slot does, but is slower: the same
  RegisterNumber reg = kNoRegister;
  RegisterNumber hint = kNoRegister;  // Where it comes from or goes to.
  bool is_first = true;               // It begins with the definition.

  Position from() const { return ranges.front().from; }
  Position to() const { return ranges.back().to; }
  bool Covers(Position at) const;
  Position NextRegisterUse(Position from) const;
  // Of either kind.
  Position NextUse(Position from) const;
  // The first place where both are alive, at or behind `from`.
  Position Meets(const Interval& other, Position from) const;
};

// Where each value lives, by the data flow of the graph.
struct Lifetimes {
  struct Place {
    Position from = 0;
    Position to = 0;
  };
  std::vector<ir::Node*> values;         // That are allocated.
  std::vector<int32_t> index;            // Of a node, among values; -1
  std::vector<Place> blocks;             // By block id; of those in the graph's order.
  std::vector<Position> positions;       // By node: the gap before it.
  std::vector<Interval> intervals;       // By value.
  std::vector<Constraints> constraints;  // By node.
  std::vector<ValueSet> live_in;         // By block id, then value.
  // By register: where it is lost, ascending.
  std::vector<std::vector<Position>> lost;
  // By node, of sites and of nodes that save registers: what lives on, or is in the node's states.
  // Of a site that saves nothing, references only.
  std::map<const ir::Node*, std::vector<ir::Node*>> live_at;

  const Place& PlaceOf(const ir::Block& block) const { return blocks[block.id]; }

  static Lifetimes Of(const ir::Graph& graph, const VmLayout& vm);
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BACKEND_INTERVALS_H_
