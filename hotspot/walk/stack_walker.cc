#include "hotspot/walk/stack_walker.h"

#include <utility>

namespace yp::hotspot {

void StackWalker::Forget(bool is_in_use) {
  const std::lock_guard lock(mutex_);
  of_before_.clear();
  if (is_in_use) of_before_ = std::move(places_);
  places_.clear();
}

StackWalker::InterpretedMemo::Key StackWalker::InterpretedKey(const DebugInfo::Scope& scope,
                                                              uint32_t epoch) const {
  return {reinterpret_cast<uint64_t>(scope.method),
          reinterpret_cast<uint64_t>(methods_.ConstMethod(scope.method)),
          reinterpret_cast<uint64_t>(methods_.ClassName(scope.method).data()),
          uint64_t{epoch} << 32 | static_cast<uint32_t>(scope.bci)};
}

const CodePlace* StackWalker::Keep(CodePlace place) {
  const std::lock_guard lock(mutex_);
  if (places_.size() >= max_places_) return nullptr;
  return places_.emplace_back(std::make_unique<const CodePlace>(std::move(place))).get();
}

}  // namespace yp::hotspot
