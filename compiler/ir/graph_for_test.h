#ifndef YP_COMPILER_IR_GRAPH_FOR_TEST_H_
#define YP_COMPILER_IR_GRAPH_FOR_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/bytecode/fake_linkage_for_test.h"
#include "compiler/ir/graph_builder.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verifier.h"

namespace yp::compiler::ir {

// The graph of a static method, with all that it refers to.
struct GraphForTest {
  GraphForTest(const char* descriptor, std::vector<uint8_t> code, FakeLinkage with = {},
               std::vector<Handler> handlers = {})
      : linkage(std::move(with)) {
    method.signature = *Signature::Parse(descriptor);
    method.is_static = true;
    method.code = std::move(code);
    method.handlers = std::move(handlers);
    method.max_locals = 12;
    method.max_stack = 12;
    Build();
  }
  void Build() {
    auto planned = PlanInlining(method, linkage, nullptr);
    EXPECT_TRUE(planned) << planned.message();
    tree = std::make_unique<InlineTree>(std::move(planned).value());
    auto built = BuildGraph(*tree, false);
    EXPECT_TRUE(built) << built.message();
    graph = std::move(built).value();
    Check();
  }
  void Check() const {
    const Status status = Verify(*graph);
    EXPECT_TRUE(status) << status.message() << '\n' << Print(*graph);
  }
  // Of what can be reached.
  size_t Count(Op op) const {
    size_t count = 0;
    for (const Block* const block : graph->order) {
      const auto is_it = [op](const Node* node) { return node->op == op; };
      count += static_cast<size_t>(std::ranges::count_if(block->phis, is_it) +
                                   std::ranges::count_if(block->nodes, is_it));
    }
    return count;
  }
  // Nodes of that kind within loops.
  size_t CountInLoops(Op op) const {
    size_t count = 0;
    for (const Block* const block : graph->order) {
      for (const Node* const node : block->nodes) {
        count += node->op == op && block->loop_depth > 0 ? 1 : 0;
      }
    }
    return count;
  }

  FakeLinkage linkage;
  Method method;
  std::unique_ptr<InlineTree> tree;
  std::unique_ptr<Graph> graph;
};

// static int sum(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
inline std::vector<uint8_t> SumLoop() {
  return {3,  61, 3,  62,  29, 27, 162, 0,   15,  28, 42, 29,
          46, 96, 61, 132, 3,  1,  167, 255, 242, 28, 172};
}

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_GRAPH_FOR_TEST_H_
