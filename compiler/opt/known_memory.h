#ifndef YP_COMPILER_OPT_KNOWN_MEMORY_H_
#define YP_COMPILER_OPT_KNOWN_MEMORY_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compiler/ir/graph.h"
#include "compiler/opt/index.h"

namespace yp::compiler {

// What fields and array elements hold while a graph's nodes are visited in its order: what was
// loaded from there or stored there, by the same object and index, on every way that leads to the
// node.
//
// - A store to a field ends what is known of all fields at the same offset. One to an element ends
//   what is known of elements of its type, but for those whose index is another one in any case:
//   the same value with another constant added. That is all that may be the same place.
// - A call, a monitor, a volatile access and an access of Unsafe's end all: behind them, this
//   thread may see what others have stored. So does a store of a vector, of several elements. A
//   poll is none of these, as in HotSpot's compilers.
// - The start of a loop ends all but what it is told to be known there (CarryMemory): what is read
//   again in each iteration is not read but once before.
class KnownMemory {
 public:
  // Of a field: its offset, and no index.
  struct Place {
    bool is_element = false;
    char type = 0;
    int32_t offset = 0;
    ir::Node* object = nullptr;
    Index index;

    bool operator==(const Place&) const = default;
  };
  struct Known {
    Place place;
    ir::Node* value = nullptr;
    bool is_stored = false;  // This thread has stored it there.
    // Known only in the blocks that this one dominates; nullptr: in all that the way comes to.
    const ir::Block* within = nullptr;
  };
  using AtHeaders = std::map<const ir::Block*, std::vector<Known>>;

  // `at_headers`, which must outlive it: what is known at the starts of loops.
  explicit KnownMemory(const ir::Graph& graph, const AtHeaders* at_headers = nullptr)
      : at_headers_(at_headers), at_end_(graph.block_count()) {}

  void Enter(const ir::Block& block);
  void Leave(const ir::Block& block) { at_end_[block.id] = {true, std::move(now_)}; }
  // The value that the load gives, or nullptr.
  ir::Node* Find(const ir::Node& load) const;
  // The node, which stays, is executed.
  void Execute(ir::Node& node);
  // Of a block that was left; nullptr: nothing.
  const Known* FindAtEnd(const ir::Block& block, const Place& place) const;

  // Whether it loads from, or stores to, a place whose contents may be known.
  static bool IsPlainLoad(const ir::Node& node);
  static bool IsPlainStore(const ir::Node& node);
  static Place PlaceOf(const ir::Node& node);

 private:
  struct End {
    bool is_visited = false;
    std::vector<Known> known;
  };
  static const Known* Look(const std::vector<Known>& in, const Place& place);
  void Add(const Known& known);

  const AtHeaders* at_headers_;
  const ir::Block* block_ = nullptr;  // That was entered.
  std::vector<Known> now_;
  std::vector<End> at_end_;  // By block.
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_KNOWN_MEMORY_H_
