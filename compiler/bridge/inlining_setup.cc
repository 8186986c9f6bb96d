#include "compiler/bridge/inlining_setup.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace yp::compiler {

Result<std::unique_ptr<InliningSetup>> InliningSetup::From(const std::string& how) {
  if (how == "none") return std::unique_ptr<InliningSetup>();
  auto setup = std::make_unique<InliningSetup>();
  if (how == "static") return setup;
  if (how == "online") {
    setup->is_online_ = true;
    return setup;
  }
  if (how == "all") {
    // As much as leaves a short test the time to come to what is compiled.
    InlinePolicy& policy = setup->rules_.policy;
    policy.static_bytes = policy.most_bytes;
    policy.most_depth = 4;
    policy.most_recursion = 2;
    policy.most_total_bytes = 1500;
    return setup;
  }
  std::ifstream file(how, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Status::Error("cannot read " + how);
  Result<CallWeights> weights = CallWeights::Parse(text.view());
  if (!weights) return Status::Error(how + ": " + std::string(weights.message()));
  setup->UseWeights(std::move(weights).value());
  return setup;
}

void InliningSetup::UseWeights(CallWeights weights) {
  weights_ = std::move(weights);
  rules_.weights = weights_.sites() == 0 ? nullptr : &weights_;
}

}  // namespace yp::compiler
