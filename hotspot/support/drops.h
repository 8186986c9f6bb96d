#ifndef YP_HOTSPOT_SUPPORT_DROPS_H_
#define YP_HOTSPOT_SUPPORT_DROPS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "classfile/code_rewriter.h"
#include "format/spool/drop.h"

namespace yp::hotspot {

using spool::Drop;

// Counters that any thread may raise. Async-signal-safe: one atomic add.
class Drops {
 public:
  void Add(Drop reason, uint64_t n = 1) {
    totals_[static_cast<size_t>(reason)].fetch_add(n, std::memory_order_relaxed);
  }
  // A method that was left without its probe. Having no code is no loss: there is nothing to probe.
  void AddMethod(classfile::ProbeOutcome reason) {
    methods_[static_cast<size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
  }
  // The reasons that occurred, with their totals.
  std::vector<std::pair<std::string, uint64_t>> Totals() const;
  void Reset() {
    for (auto& total : totals_) total.store(0, std::memory_order_relaxed);
    for (auto& total : methods_) total.store(0, std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Drop::kCount)> totals_{};
  std::array<std::atomic<uint64_t>, classfile::kProbeOutcomes> methods_{};
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_DROPS_H_
