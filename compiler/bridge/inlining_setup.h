#ifndef YP_COMPILER_BRIDGE_INLINING_SETUP_H_
#define YP_COMPILER_BRIDGE_INLINING_SETUP_H_

#include <memory>
#include <string>

#include "base/status.h"
#include "compiler/inline/inline_tree.h"

namespace yp::compiler {

// How calls are inlined in this JVM.
class InliningSetup {
 public:
  // Null for "none". "static" is the oracle without weights, "all" for tests nearly everything that
  // can be; else a file with CallWeights::Text, an error where that cannot be read.
  static Result<std::unique_ptr<InliningSetup>> From(const std::string& how);

  const InlineRules* rules() const { return &rules_; }

 private:
  CallWeights weights_;
  InlineRules rules_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_INLINING_SETUP_H_
