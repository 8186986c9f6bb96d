#include "core/amortize/pay_off.h"

#include <algorithm>
#include <cmath>

#include "core/graph/distributions.h"

namespace yp {

std::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPaidOff:
      return "paid off";
    case Verdict::kDidNot:
      return "did not";
    case Verdict::kUndecided:
      break;
  }
  return "undecided";
}

Uncertain Times(const Uncertain& a, double factor) {
  return {a.value * factor, a.low * factor, a.high * factor};
}

Calls Calls::Counted(double number) { return {std::max(number, 0.5), 0}; }

Calls Calls::Sampled(double number, double variance) { return {number, variance}; }

Uncertain Calls::interval() const {
  const double factor = std::exp(1.96 * std::sqrt(variance));
  return {number, number / factor, number * factor};
}

std::optional<int64_t> TimeOfCall(std::span<const Period> periods, int64_t begin_ns, double calls) {
  double before = 0;
  for (const Period& period : periods) {
    if (before + period.calls >= calls) {
      const double part = period.calls > 0 ? (calls - before) / period.calls : 0;
      return begin_ns + static_cast<int64_t>(part * static_cast<double>(period.end_ns - begin_ns));
    }
    before += period.calls;
    begin_ns = period.end_ns;
  }
  return std::nullopt;
}

std::optional<double> Drift(std::span<const Period> periods) {
  Period all;
  for (const Period& period : periods) {
    all.calls += period.calls;
    all.samples += period.samples;
  }
  Period first;
  for (const Period& period : periods) {
    if (first.calls + period.calls / 2 > all.calls / 2) break;
    first.calls += period.calls;
    first.samples += period.samples;
  }
  const Period second{all.calls - first.calls, all.samples - first.samples};
  if (first.calls <= 0 || second.calls <= 0 || all.samples < 1) return std::nullopt;
  const double part = first.calls / all.calls;
  const double samples = std::round(all.samples);
  const double in_first = std::min(std::round(first.samples), samples);
  const double at_most = BinomialAtMost(in_first, samples, part);
  const double at_least = in_first > 0 ? BinomialAbove(in_first - 1, samples, part) : 1;
  if (2 * std::min(at_most, at_least) > 0.05) return std::nullopt;
  // Half a sample more in each, so that none is not infinitely fast.
  return ((second.samples + 0.5) / second.calls) / ((first.samples + 0.5) / first.calls);
}

}  // namespace yp
