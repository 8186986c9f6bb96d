#ifndef YP_COMPILER_OPT_KNOWN_MEMORY_H_
#define YP_COMPILER_OPT_KNOWN_MEMORY_H_

#include <cstdint>
#include <vector>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// What fields and array elements hold while a graph's nodes are visited in its order: what was
// loaded from there or stored there, by the same object and index, on every way that leads to the
// node.
//
// - A store to a field ends what is known of all fields at the same offset. One to an element ends
//   what is known of all elements of its type. That is all that may be the same place.
// - A call, a monitor, a volatile access and an access of Unsafe's end all: behind them, this
//   thread may see what others have stored.
// - So does the start of a loop: what is read again in each iteration is not read but once before.
class KnownMemory {
 public:
  explicit KnownMemory(const ir::Graph& graph) : at_end_(graph.block_count()) {}

  void Enter(const ir::Block& block);
  void Leave(const ir::Block& block) { at_end_[block.id] = {true, std::move(now_)}; }
  // The value that the load gives, or nullptr.
  ir::Node* Find(const ir::Node& load) const;
  // The node, which stays, is executed.
  void Execute(ir::Node& node);

 private:
  // Of a field: its offset, and no index.
  struct Place {
    bool is_element = false;
    char type = 0;
    int32_t offset = 0;
    const ir::Node* object = nullptr;
    const ir::Node* index = nullptr;

    bool operator==(const Place&) const = default;
  };
  struct Known {
    Place place;
    ir::Node* value;
  };
  struct End {
    bool is_visited = false;
    std::vector<Known> known;
  };
  static Place PlaceOf(const ir::Node& node);
  static ir::Node* Look(const std::vector<Known>& in, const Place& place);
  void Add(const Place& place, ir::Node* value);

  std::vector<Known> now_;
  std::vector<End> at_end_;  // By block.
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_KNOWN_MEMORY_H_
