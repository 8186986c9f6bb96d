#ifndef YP_COMPILER_OPT_ITERATION_COPIER_H_
#define YP_COMPILER_OPT_ITERATION_COPIER_H_

#include <map>

#include "compiler/ir/graph.h"

namespace yp::compiler {

// Copies what an iteration of a loop does to a block elsewhere, one iteration after the other: the
// values of the loop are what they have become there last, all others themselves.
class IterationCopier {
 public:
  IterationCopier(ir::Graph& graph, ir::Block* to) : graph_(graph), to_(to) {}

  ir::Graph& graph() const { return graph_; }
  // What the loop's value is there now.
  void Set(const ir::Node* value, ir::Node* now);
  ir::Node* Now(ir::Node* value) const;
  // To the end of the block, with its states. Now(node) is the copy.
  void Copy(const ir::Node& node);
  void Append(ir::Node* node) { ir::Graph::Append(to_, node); }

 private:
  const ir::State* Now(const ir::State* state);

  ir::Graph& graph_;
  ir::Block* to_;
  std::map<const ir::Node*, ir::Node*> now_;
  // Of the values as they are now.
  std::map<const ir::State*, const ir::State*> states_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_OPT_ITERATION_COPIER_H_
