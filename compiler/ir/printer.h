#ifndef YP_COMPILER_IR_PRINTER_H_
#define YP_COMPILER_IR_PRINTER_H_

#include <string>

#include "compiler/ir/graph.h"

namespace yp::compiler::ir {

const char* NameOf(Op op);

// A line for each block and node, in the graph's order: "v7 = add int v3, 1". For people and tests.
std::string Print(const Graph& graph);

}  // namespace yp::compiler::ir

#endif  // YP_COMPILER_IR_PRINTER_H_
