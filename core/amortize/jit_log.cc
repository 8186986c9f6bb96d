#include "core/amortize/jit_log.h"

#include <utility>

namespace yp {

JitMethodId JitLog::Intern(const JitMethod& method) {
  const auto [known, is_new] =
      ids_.try_emplace(method, JitMethodId{static_cast<uint32_t>(methods_.size())});
  if (is_new) methods_.push_back(method);
  return known->second;
}

void JitLog::On(JitCompilation event) {
  compilations.push_back(WithMethods(std::move(event), interner()));
}
void JitLog::On(JitInlining event) {
  inlinings.push_back(WithMethods(std::move(event), interner()));
}
void JitLog::On(JitDeoptimization event) {
  deoptimizations.push_back(WithMethods(std::move(event), interner()));
}
void JitLog::On(JitCodeEnd event) {
  code_ends.push_back(WithMethods(std::move(event), interner()));
}

}  // namespace yp
