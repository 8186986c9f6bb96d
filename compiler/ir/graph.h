#ifndef YP_COMPILER_IR_GRAPH_H_
#define YP_COMPILER_IR_GRAPH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/small_vector.h"
#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/inline/inline_tree.h"
#include "compiler/install/vm_layout.h"
#include "compiler/ir/pool.h"

namespace yp::compiler::ir {

// What a node computes or does. Inputs in the order of `in`; S: it has a state.
enum class Op : uint8_t {
  // Values that belong to no block: a user makes them where it needs them.
  kConstant,  // `bits`
  kObject,    // `constant`; `bits`: of an array one more than its length, if that is known, else 0
  // Values
  kMaterialized,  // one of those, in a register
  kParameter,     // `bits`: which of the arguments, the receiver included
  kOsrLocal,      // buffer; `bits`: which word of the interpreter's packed frame, which is there
  kPhi,           // one input for each predecessor of the block, in their order
  // Arithmetic; of kind kVector: of elements of `type`, one by one; shifts by a constant only.
  kAdd,
  kSub,
  kMul,
  kDiv,  // Integers: behind a kZeroCheck of the divisor.
  kRem,
  kNeg,
  kShl,  // value, count (int)
  kShr,
  kUshr,
  kAnd,
  kOr,
  kXor,
  kMultiplyHigh,  // of longs: the upper half of the product
  kConvert,       // from the input's kind to the node's
  kSquareRoot,    // of a double
  kAbsolute,      // the same
  kLeafValue,     // arguments; `bits`: the Leaf, which has no effect
  kBits,          // the input's bits as the node's kind
  kNarrow,        // int to `type`: B, C, S, Z
  kCompare,       // -1, 0, 1; `type` is G where what is no number counts as greater
  // a, b; `condition`: 1 where it holds, else 0. Of floating-point numbers only what asks for less
  // holds where one is no number, and nothing asks whether they are equal.
  kHolds,
  kArrayLength,
  kGetClass,      // object, not null
  kInstanceOf,    // `link`
  kHasFinalizer,  // object, not null: not 0 where its class has one
  kIsInstanceOf,  // java.lang.Class, not null; object
  kCurrentThread,
  // object, which may be null; offset (long); `type`; `bits`: 1 where it is volatile
  kLoadPlace,
  kCompareAndSet,  // the same; expected, new value: whether it has been stored
  // from, position, to, position, length: not 0 where the method itself has to do it
  kCopyArray,
  kLeafCall,     // arguments, the state behind them; `bits`: the Leaf
  kLoadField,    // object, none for a static field; `field`
  kLoadElement,  // array, index; `type`
  // Vectors: elements one after the other, of `type`, the first `bits` from the index.
  kLoadVector,  // array, index
  kBroadcast,   // a value: in each element
  kNew,         // `link`; S before
  kNewArray,    // length; `link`, `type` of elements; S before
  kNewMulti,    // lengths; `link`; S before
  kCall,        // arguments with receiver and appendix; `call`; S during the call
  kException,   // the exception of the call that ends the only predecessor
  // Effects
  kOsrEnd,             // buffer: it has been read
  kStoreField,         // object, none for a static field; value; `field`
  kStoreElement,       // array, index, value; `type`
  kStoreVector,        // array, index, vector; as kLoadVector
  kStorePlace,         // object, offset, value; as kLoadPlace
  kMonitorEnter,       // object; `bits`: which of the frame's monitors; S behind it
  kMonitorExit,        // object; the same; `state_before` for its trap
  kRegisterFinalizer,  // object; S before the return of java.lang.Object.<init>
  kPoll,               // S
  kYieldpoint,         // `yield`; `bits`: callee and call site of an inlined call
  // Checks, which leave by a trap: `trap`, S before
  kNullCheck,
  kBoundsCheck,  // index, length
  kZeroCheck,
  kNegativeCheck,
  kInitCheck,   // `constant`: a class
  kCastCheck,   // object; `link`; null passes
  kStoreCheck,  // array, value
  kPostCheck,   // that no agent wants to know of the thread's exceptions: the interpreter tells it
  // a <= b, of longs: what has been moved out of a loop relies on it
  kLimitCheck,
  // Ends of blocks
  kGoto,
  kIf,  // a, b; `condition`; to the first successor where it holds
  // object; `link`: as kIf of kInstanceOf, when registers are to be allocated
  kIfInstance,
  kGuard,   // receiver; `guard`; the same
  kTry,     // a call as kCall; the second successor is where its exceptions go
  kSwitch,  // value; `cases`; the last successor is for all others
  kReturn,  // value, none for void; S
  kUnwind,  // exception, not null: to the caller
  kTrap,    // `trap`; S
};

enum class Condition : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kGreaterOrEqual,
  kGreater,
  kLessOrEqual
};
Condition Negated(Condition condition);
// a ? b as b ? a.
Condition Swapped(Condition condition);
bool Holds(Condition condition, int64_t left, int64_t right);

enum class YieldKind : uint8_t { kInlinedEntry, kBackwards, kEpilogue };

struct Block;
struct Node;
struct State;

// Most nodes have at most two.
using Inputs = SmallVector<Node*, 2>;

struct Node {
  Op op;
  Kind kind = Kind::kDead;  // of its value; kDead: none
  uint32_t id = 0;
  Block* block = nullptr;
  Inputs in;
  const State* state = nullptr;
  const State* state_before = nullptr;
  // Another node has the same value: every user means that one.
  Node* same_as = nullptr;
  int64_t bits = 0;
  char type = 0;
  Condition condition = Condition::kEqual;
  bool nan_holds = false;  // kIf, kHolds: the condition holds where one is no number.
  Trap trap = Trap::kInterpreter;
  YieldKind yield = YieldKind::kBackwards;
  ConstantId constant{};
  const FieldLink* field = nullptr;
  const CallLink* call = nullptr;
  const GuardLink* guard = nullptr;
  TypeLink link;
  uint32_t call_site = 0;                           // Of a call, where yieldpoints are taken.
  std::vector<std::pair<int32_t, uint32_t>> cases;  // value and successor
};

bool IsEnd(Op op);
inline bool IsCall(Op op) { return op == Op::kCall || op == Op::kTry; }
// Whether two with equal inputs and operands are one: no effect, no dependence on memory.
bool IsPure(Op op);
// A check without a result: where one has been passed, another one of the same is.
bool IsCheck(Op op);

// A Java frame where compiled code may be left or looked at. Slots as in Frame: a long or double is
// in the lower of its two; nullptr: nothing that will be read. Shared, and never changed but by
// Node::same_as.
struct State {
  const Body* body = nullptr;
  const State* caller = nullptr;  // Of an inlined callee: during the call.
  uint32_t bci = 0;
  bool during_call = false;
  bool rethrow = false;
  std::vector<Node*> locals;
  std::vector<Node*> stack;
  uint32_t locks = 0;
};

struct Block {
  uint32_t id = 0;
  std::vector<Block*> preds;
  std::vector<Block*> succs;
  std::vector<Node*> phis;
  std::vector<Node*> nodes;  // The last one is an end.
  // Where paths join: the state at the block's start, of the phis themselves.
  const State* entry_state = nullptr;
  // Of Analyze.
  Block* dominator = nullptr;
  uint32_t dominator_depth = 0;
  Block* loop = nullptr;        // The header of the innermost loop around it, itself if it is one.
  Block* outer_loop = nullptr;  // Of a header: that of the next loop around.
  uint32_t loop_depth = 0;
  bool is_cold = false;  // It ends in a trap, or is the way on of a guard that fails.

  Node* end() const { return nodes.back(); }
  bool is_header() const { return loop == this; }
};

// One method in SSA form: each value has one definition, which dominates its uses. It owns its
// nodes, blocks and states, and refers to the inline tree that it was made of.
class Graph {
 public:
  Node* NewNode(Op op, Kind kind, Inputs in = {});
  Block* NewBlock();
  const State* NewState(State state);
  Node* Constant(Kind kind, int64_t bits);
  Node* Int(int32_t value) { return Constant(Kind::kInt, value); }
  Node* Object(ConstantId constant);

  static void Append(Block* block, Node* node);
  // Before the block's end.
  static void InsertLast(Block* block, Node* node);
  static void Connect(Block* from, Block* to);
  // Takes the edge from the predecessor in that place, and what it brings, from the block.
  static void RemovePred(Block* block, size_t at);

  uint32_t node_count() const { return static_cast<uint32_t>(nodes_.size()); }
  size_t block_count() const { return blocks_.size(); }

  // The receiver of the method itself, which is never null. It may have another one in a loop that
  // is entered on the stack.
  bool IsReceiver(const Node& node) const;

  // Dominators, loops and the order of `order` for the blocks that can be reached; the others are
  // disconnected. False where a loop has two entries.
  bool Analyze();
  // Every block behind its dominator, each loop in one piece, cold blocks last.
  std::vector<Block*> order;

  Block* entry = nullptr;
  const InlineTree* tree = nullptr;
  std::vector<ConstantId> guarded;  // GuardLink::mirror

 private:
  bool FindDominators(const std::vector<Block*>& reverse_postorder);
  bool FindLoops(const std::vector<Block*>& reverse_postorder);
  void FindOrder();

  Pool<Node> nodes_;
  Pool<Block> blocks_;
  Pool<State> states_;
  std::map<std::pair<Kind, int64_t>, Node*> constants_;
  std::map<ConstantId, Node*> objects_;
};

// The node that stands for this one now.
inline Node* Resolve(Node* node) {
  while (node != nullptr && node->same_as != nullptr) node = node->same_as;
  return node;
}
inline bool IsConstant(const Node* node) { return node->op == Op::kConstant; }
// It belongs to no block.
inline bool IsFree(const Node* node) {
  return node->op == Op::kConstant || node->op == Op::kObject;
}
bool Dominates(const Block* a, const Block* b);
// By what it is: a new object, or a constant one.
bool IsNeverNull(const Node& node);

// Calls visit(Node*) with the value of each slot of the state, without its callers'.
template <typename Visitor>
void VisitFrame(const State& state, Visitor&& visit) {
  for (Node* node : state.locals) {
    if (node != nullptr) visit(Resolve(node));
  }
  for (Node* node : state.stack) {
    if (node != nullptr) visit(Resolve(node));
  }
}

// The same with its callers'.
template <typename Visitor>
void VisitState(const State* state, Visitor&& visit) {
  for (; state != nullptr; state = state->caller) VisitFrame(*state, visit);
}

// The same of one state after the other, but for frames that the one before has visited: for who
// need not see them again. Inlined code has many states with the same callers.
class StateVisitor {
 public:
  template <typename Visitor>
  void Visit(const State* state, Visitor&& visit) {
    for (const State* frame = state; frame != nullptr && !IsInLast(frame); frame = frame->caller) {
      VisitFrame(*frame, visit);
    }
    if (state != nullptr) last_ = state;
  }

 private:
  bool IsInLast(const State* frame) const {
    const State* last = last_;
    while (last != nullptr && last != frame) last = last->caller;
    return last != nullptr;
  }

  const State* last_ = nullptr;
};

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_GRAPH_H_
