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
  // can be, "online" the oracle with the weights that UseWeights has given last; else a file with
  // CallWeights::Text, an error where that cannot be read.
  static Result<std::unique_ptr<InliningSetup>> From(const std::string& how);

  const InlineRules* rules() const { return &rules_; }
  bool is_online() const { return is_online_; }
  // Not while a method is compiled by these rules.
  void UseWeights(CallWeights weights);

 private:
  bool is_online_ = false;
  CallWeights weights_;
  InlineRules rules_;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BRIDGE_INLINING_SETUP_H_
