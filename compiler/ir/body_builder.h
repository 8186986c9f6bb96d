#ifndef YP_COMPILER_IR_BODY_BUILDER_H_
#define YP_COMPILER_IR_BODY_BUILDER_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "classfile/instructions.h"
#include "compiler/ir/graph.h"
#include "compiler/ir/live_locals.h"

namespace yp::compiler::ir {

// The values of a Java frame while its code is followed: as in State.
struct Slots {
  std::vector<Node*> locals;
  std::vector<Node*> stack;
  uint32_t locks = 0;
};

// Where a body's code is entered.
struct BodyEntry {
  Block* block = nullptr;
  Slots slots;
  const State* caller = nullptr;  // Of an inlined callee: the state of its caller during the call.
  uint32_t call_site = 0;         // The same.
};

// Follows the bytecode of one body, the method's own or an inlined callee's.
class BodyBuilder {
 public:
  // Where it returns to its caller: the block, which has no end yet, and the value.
  using Return = std::pair<Block*, Node*>;

  BodyBuilder(Graph& graph, const Body& body, bool yieldpoints, BodyEntry entry);
  // False where a value is used that no path gives, or the graph grows too large.
  bool Build();
  // Of an inlined callee.
  const std::vector<Return>& returns() const { return returns_; }
  // The same of exceptions that it has no handler for.
  const std::vector<Return>& throws() const { return throws_; }

 private:
  using Instruction = classfile::Instruction;

  // A piece of code that is entered at its start only.
  struct Piece {
    Block* block = nullptr;  // Where paths join: made in advance.
    Slots entry;
    uint32_t edges = 0;
    bool merges = false;
    bool is_entered = false, is_followed = false;
    std::vector<uint32_t> succs;
    // Of a block with phis: which slot each is for; the stack's behind the locals'.
    std::vector<uint32_t> phi_slots;
  };

  // Control: body_builder.cc
  template <typename Visitor>
  void VisitHandlers(const Instruction& at, Visitor&& visit) const;
  void FindPieces();
  std::vector<uint32_t> ReversePostorder() const;
  void MakePhis(uint32_t bci, Piece& piece);
  void FollowPiece(uint32_t bci);
  void GoTo(Block* from, uint32_t bci, bool is_only_way);
  void Emit(Node* node) { Graph::Append(block_, node); }
  Node* Add(Op op, Kind kind, Inputs in = {});
  void End(Node* node);
  void TrapHere(Trap trap);
  void TrapUnless(Op check, Inputs in, Trap trap);
  Trap Unresolved() const;

  // Slots
  void Push(Node* node);
  Node* Pop(Kind kind);
  Node* PopAny();
  void SetLocalTo(uint32_t index, Node* node);
  State StateOf(const std::vector<Node*>& stack) const;
  const State* Before();
  // Of a call that has taken its arguments from the stack.
  const State* During() const;
  // Whether an exception at this instruction meets a handler or leaves a monitor, here or in a
  // caller.
  bool IsCaught() const;
  void CheckNull(Node* object);

  // Instructions: instructions.cc
  void Follow();
  bool FollowConstant();
  bool FollowLocal();
  bool FollowArithmetic();
  bool FollowConversion();
  bool FollowControl();
  bool FollowMemory();
  bool FollowObject();
  void PushConstant(const ConstantLink& constant);
  void FollowShuffle();
  void FollowField();
  void FollowTypeCheck(const TypeLink& type, bool is_cast);
  void FollowMonitor(bool enters);
  void FollowReturn();
  void FollowThrow();
  // exceptions.cc
  void Dispatch(Node* exception);
  void RethrowInInterpreter(Node* exception);
  void Join(const std::vector<Return>& ways, Kind kind);
  void Jump();
  void JumpOnCondition(Condition condition, Node* left, Node* right);
  void FollowSwitch();
  // intrinsics.cc: false where the call is none.
  bool FollowIntrinsic(const CallLink& call, const std::vector<Node*>& arguments);
  void CompareReferent(int32_t offset, Node* reference, Node* object);
  void CopyArray(const CallLink& call, const std::vector<Node*>& arguments);
  void CallLeaf(const CallLink& call, const std::vector<Node*>& arguments);
  Node* LoadReference(Node* object, int32_t offset);
  // calls.cc
  void EnterMethod();
  void RegisterFinalizer(Node* object);
  void FollowCall();
  Node* Call(const CallLink& call, const std::vector<Node*>& arguments, const State* during);
  void Inline(const CallLink& call, const std::vector<Node*>& arguments,
              const std::vector<InlinedCallee>& callees);

  Graph& graph_;
  const Body& body_;
  const Method& method_;
  const bool yieldpoints_;
  BodyEntry entry_;
  LiveLocals live_;
  std::map<uint32_t, Piece> pieces_;
  std::vector<Return> returns_;
  std::vector<Return> throws_;
  bool failed_ = false;

  Block* block_ = nullptr;  // nullptr: what follows is not reached.
  Slots slots_;
  Instruction at_;
  std::vector<Node*> stack_before_;
  const State* before_ = nullptr;
};

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_BODY_BUILDER_H_
