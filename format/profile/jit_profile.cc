#include "format/profile/jit_profile.h"

#include <algorithm>
#include <utility>

namespace yp {
namespace {

// Adds up the entries of one key.
template <typename T, typename KeyOf, typename Merge>
void MergeEqual(std::vector<T>* entries, KeyOf key_of, Merge merge) {
  std::ranges::stable_sort(*entries, {}, key_of);
  size_t kept = 0;
  for (const T& entry : *entries) {
    if (kept > 0 && key_of((*entries)[kept - 1]) == key_of(entry)) {
      merge((*entries)[kept - 1], entry);
    } else {
      (*entries)[kept++] = entry;
    }
  }
  entries->resize(kept);
}

void Append(const CodePeriod& later, CodePeriod* period) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(period->samples, later.samples);
  append(period->calls, later.calls);
  append(period->counted, later.counted);
  period->end_ns = later.end_ns;
  period->open_samples += later.open_samples;
  MergeEqual(
      &period->samples, [](const auto& s) { return std::pair(s.method, s.code.Packed()); },
      [](auto& kept, const auto& more) { kept.samples += more.samples; });
  MergeEqual(
      &period->calls, [](const auto& c) { return std::pair(c.method, c.compile_id); },
      [](auto& kept, const auto& more) {
        kept.samples += more.samples;
        kept.calls += more.calls;
      });
  MergeEqual(
      &period->counted, [](const auto& c) { return c.method; },
      [](auto& kept, const auto& more) {
        kept.invocations = std::max(kept.invocations, more.invocations);
        kept.interpreted = std::max(kept.interpreted, more.interpreted);
      });
}

}  // namespace

uint64_t CodePeriod::stacks() const {
  uint64_t sum = 0;
  for (const Samples& each : samples) sum += each.samples;
  return sum;
}

void Coalesce(size_t at_most, std::vector<CodePeriod>* periods) {
  while (periods->size() > std::max<size_t>(at_most, 1)) {
    std::vector<CodePeriod> halved;
    for (size_t i = 0; i < periods->size(); i += 2) {
      halved.push_back(std::move((*periods)[i]));
      if (i + 1 < periods->size()) Append((*periods)[i + 1], &halved.back());
    }
    *periods = std::move(halved);
  }
}

void CoalesceUntilSampled(uint64_t at_least, std::vector<CodePeriod>* periods) {
  std::vector<CodePeriod> together;
  uint64_t of_last = at_least;
  for (CodePeriod& period : *periods) {
    const uint64_t samples = period.stacks();
    if (of_last < at_least) {
      Append(period, &together.back());
      of_last += samples;
    } else {
      together.push_back(std::move(period));
      of_last = samples;
    }
  }
  *periods = std::move(together);
}

}  // namespace yp
