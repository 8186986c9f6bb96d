#ifndef YP_COMPILER_INLINE_INLINE_TREE_H_
#define YP_COMPILER_INLINE_INLINE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compiler/bytecode/linkage.h"
#include "compiler/bytecode/method.h"
#include "compiler/bytecode/type_flow.h"
#include "core/adaptive/call_weights.h"
#include "core/adaptive/inline_oracle.h"

namespace yp::compiler {

// What decides. It must outlive what is decided.
struct InlineRules {
  InlinePolicy policy;
  // None: the oracle is asked without weights.
  const CallWeights* weights = nullptr;
  bool binds = false;  // Fills Body::bound.
};

struct Body;

// One way on of an inlined call: a callee's body, and when it is the right one.
struct InlinedCallee {
  GuardLink guard;
  std::unique_ptr<Body> body;
};

// The code of one method where it is compiled: the method itself, or a callee's in its caller.
// Addresses in it are kept, so it does not move.
struct Body {
  const Method* method = nullptr;
  Linkage* linkage = nullptr;
  OpenedMethod opened;                 // Of a callee: what the two point to.
  std::optional<MethodNumber> number;  // Of a callee.
  std::optional<TypeFlow> flow;
  std::vector<bool> reached;       // ReachableCode
  std::vector<bool> is_only_trap;  // IsOnlyTrap of what is reached, by bci.
  bool has_calls = false;          // Of what is reached.
  // Where its locals begin, among all slots of the physical frame; its stack lies behind them. The
  // arguments of an inlined call are where the caller's stack has them: they are not moved.
  uint32_t first_slot = 0;
  // The first of its monitors, among all that the physical frame has room for.
  uint32_t first_lock = 0;
  // Inlined calls by bytecode index. Behind guards, the call itself remains.
  std::map<uint32_t, std::vector<InlinedCallee>> inlined;
  // The same of virtual calls that are not inlined, and can lead to one method only as classes are
  // now: that is called.
  std::map<uint32_t, CallLink> bound;

  uint32_t StackSlot(uint32_t i) const { return first_slot + method->max_locals + i; }
};

// What was decided about a call, and why.
struct InlineRecord {
  std::optional<MethodNumber> caller;  // None: the method that is compiled.
  uint32_t bci = 0;
  std::optional<MethodNumber> callee;  // None: it is not known.
  uint32_t reason = 0;                 // Of InlineReasonTexts().
  bool is_inlined = false;
  bool is_guarded = false;
};

// In words, by number: those of the oracle first, then why it was not asked.
const std::vector<std::string_view>& InlineReasonTexts();

struct InlineTree {
  std::unique_ptr<Body> root;
  uint32_t slots = 0;  // That all bodies need, in words of eight bytes; some lie above others.
  uint32_t locks = 0;
  std::vector<InlineRecord> records;
};

// Follows the method's code, and that of callees where the rules say so; none: nothing is inlined.
// All of it must outlive the tree. Refuses what TypeFlow refuses of the method itself, and an entry
// on the stack that is no loop or has values on the expression stack; a callee that is refused is
// called.
//
// A callee is inlined
// - without a guard where the class hierarchy has no other, or no dispatch is made;
// - behind a guard where the weights say that the site's calls go to it. Of the site's targets each
//   is asked about that the oracle may take.
Result<InlineTree> PlanInlining(const Method& method, Linkage& linkage, const InlineRules* rules);

}  // namespace yp::compiler

#endif  // YP_COMPILER_INLINE_INLINE_TREE_H_
