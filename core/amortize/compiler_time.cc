#include "core/amortize/compiler_time.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace yp {
namespace {

// One compilation, and what is known of it so far.
struct Part {
  JitLog::Compilation* compilation = nullptr;
  int64_t seen_ns = 0;  // Of its time, between readings.
  double cpu_ns = 0;    // In that.

  int64_t Overlap(int64_t begin_ns, int64_t end_ns) const {
    return std::min(compilation->end_ns, end_ns) - std::max(compilation->start_ns, begin_ns);
  }
};

// `parts`: of one thread, one after the other.
void Share(std::span<const ClockReading> readings, std::vector<Part> parts) {
  size_t first = 0;  // That has not ended before the readings.
  for (size_t i = 1; i < readings.size(); ++i) {
    const int64_t begin_ns = readings[i - 1].time_ns, end_ns = readings[i].time_ns;
    while (first < parts.size() && parts[first].compilation->end_ns <= begin_ns) ++first;
    int64_t busy_ns = 0;
    for (size_t p = first; p < parts.size(); ++p) {
      if (parts[p].compilation->start_ns >= end_ns) break;
      busy_ns += std::max<int64_t>(0, parts[p].Overlap(begin_ns, end_ns));
    }
    if (busy_ns <= 0) continue;
    const auto used_ns = static_cast<double>(readings[i].cpu_ns - readings[i - 1].cpu_ns);
    const double share = std::clamp(used_ns / static_cast<double>(busy_ns), 0.0, 1.0);
    for (size_t p = first; p < parts.size(); ++p) {
      if (parts[p].compilation->start_ns >= end_ns) break;
      const int64_t overlap_ns = std::max<int64_t>(0, parts[p].Overlap(begin_ns, end_ns));
      parts[p].seen_ns += overlap_ns;
      parts[p].cpu_ns += share * static_cast<double>(overlap_ns);
    }
  }
  for (Part& part : parts) {
    const int64_t all_ns = part.compilation->end_ns - part.compilation->start_ns;
    if (part.seen_ns <= 0) continue;
    part.compilation->cpu_ns = std::llround(part.cpu_ns) + all_ns - part.seen_ns;
  }
}

}  // namespace

void ShareCompilerTime(const CompilerClocks& clocks, JitLog* log) {
  std::map<int64_t, std::vector<Part>> threads;
  for (JitLog::Compilation& compilation : log->compilations) {
    if (compilation.thread_id && !compilation.is_earlier) {
      threads[*compilation.thread_id].push_back({.compilation = &compilation});
    }
  }
  for (auto& [thread, parts] : threads) {
    const auto readings = clocks.find(thread);
    if (readings == clocks.end()) continue;
    std::ranges::stable_sort(parts, {}, [](const Part& p) { return p.compilation->start_ns; });
    Share(readings->second, std::move(parts));
  }
}

}  // namespace yp
