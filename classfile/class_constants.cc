#include "classfile/class_constants.h"

namespace yp::classfile {

uint16_t ClassConstants::IndexOf(std::string_view name) {
  if (indices_.empty()) {  // At the first look-up: every class file has a constant for its class.
    for (uint32_t i = 1; i < pool_.count(); ++i) {
      const auto index = static_cast<uint16_t>(i);
      if (const auto known = pool_.ClassName(index)) indices_.emplace(*known, index);
    }
  }
  const auto found = indices_.find(name);
  if (found != indices_.end()) return found->second;
  const uint16_t index = extension_.AddClass(name);
  if (index == 0) return 0;
  indices_.emplace(name, index);
  added_.push_back(name);
  return index;
}

void ClassConstants::Reset(PoolExtension::Mark mark) {
  while (!added_.empty() && indices_.at(added_.back()) >= mark.next_index) {
    indices_.erase(added_.back());
    added_.pop_back();
  }
}

}  // namespace yp::classfile
