#include "hotspot/support/drops.h"

namespace yp::hotspot {

std::vector<std::pair<std::string, uint64_t>> Drops::Totals() const {
  std::vector<std::pair<std::string, uint64_t>> totals;
  for (size_t i = 0; i < totals_.size(); ++i) {
    const uint64_t n = totals_[i].load(std::memory_order_relaxed);
    if (n != 0) totals.emplace_back(ToString(static_cast<Drop>(i)), n);
  }
  for (size_t i = 0; i < methods_.size(); ++i) {
    const auto outcome = static_cast<classfile::ProbeOutcome>(i);
    const uint64_t n = methods_[i].load(std::memory_order_relaxed);
    if (n != 0) totals.emplace_back("method left: " + std::string(classfile::ToString(outcome)), n);
  }
  return totals;
}

}  // namespace yp::hotspot
