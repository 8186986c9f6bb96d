#ifndef YP_COMPILER_BASELINE_BASE_COMPILER_H_
#define YP_COMPILER_BASELINE_BASE_COMPILER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/bytecode/method.h"
#include "compiler/inline/inline_tree.h"
#include "compiler/install/vm_layout.h"
#include "compiler/runtime/stubs.h"

namespace yp::compiler {

struct CompiledCode {
  std::vector<uint8_t> code;
  std::vector<int32_t> sites;  // of SiteWriter
  size_t verified_entry = 0;   // where callers enter that know the method
  // How many places give up for each reason, by Trap.
  std::array<uint32_t, kTraps> traps{};
  // Instructions that were left out because nothing compiled leads to them.
  uint32_t unreached = 0;
};

// BASE, the lowest level: one pass over the bytecode, each instruction by itself. Locals are in the
// frame at every instruction's edge, and so is the expression stack at the edges of basic blocks
// and where the VM may look at it; elsewhere its values wait (LazyStack). Independent of all else
// that is compiled at the same time. What it refuses, in words: jsr and ret, monitors that do not
// nest, an entry on the stack with values on the expression stack, malformed code.
Result<CompiledCode> CompileBase(const Method& method, Linkage& linkage, const VmLayout& vm,
                                 const RuntimePlaces& places);

// BASE or, where something is inlined in the tree, OPT1: BASE's code, with that of inlined callees
// where they are called, in the same physical frame.
Result<CompiledCode> Compile(const InlineTree& tree, const VmLayout& vm,
                             const RuntimePlaces& places);

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_BASE_COMPILER_H_
