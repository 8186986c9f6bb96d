#include "core/amortize/gain_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace yp {
namespace {

// More than these tell nothing more of what they have in common.
constexpr size_t kLearnFrom = 3000;
constexpr int kMaxSteps = 60;
constexpr double kPrecision = 1e-3;
// The weak priors: of a mean and of the logarithm of a deviation.
constexpr LogNormal kTimeBelief{.mean = -8, .deviation = 2, .error = 6};
constexpr LogNormal kSpeedupBelief{.mean = 0, .deviation = 0.7, .error = 2};
constexpr double kFew = 10;
constexpr double kDeviationError = 0.5;

// Nodes and weights of the Gauss-Hermite rule for a standard normal variable.
struct Node {
  double at = 0, weight = 0;
};
constexpr std::array<Node, 5> kNormal = {{{-2.8569700138728, 0.0112574113277},
                                          {-1.3556261799743, 0.2220759220057},
                                          {0, 0.5333333333333},
                                          {1.3556261799743, 0.2220759220057},
                                          {2.8569700138728, 0.0112574113277}}};
constexpr std::array<Node, 1> kCertain = {{{0, 1}}};
// Steps of a grid to either side.
constexpr int kToLearn = 6, kToJudge = 8;

double Square(double x) { return x * x; }

}  // namespace

// A comparison, ready for the posterior of its unknowns: z, the logarithm of the new version's time
// in samples, and r, that of how much faster it became, with the error of both numbers of calls.
struct GainModel::Item {
  TimeClass time_class;
  LevelPair levels;
  double after = 0;   // Samples.
  double before = 0;  // Likewise; they say nothing unless is_compared.
  bool is_compared = false;
  double offset = 0;      // log(N_j / N_i).
  double time_calls = 0;  // log N_i, where it is known.
  double call_variance = 0;
  double ratio_variance = 0;
  LogNormal time, speedup;

  double time_variance() const {
    return Square(time.deviation) + Square(time.error) + call_variance;
  }
  double speedup_variance() const {
    return Square(speedup.deviation) + Square(speedup.error) + ratio_variance;
  }
  double time_mean() const { return time.mean + time_calls; }

  double LogPosterior(double z, double r) const {
    double log = after * z - std::exp(z) - Square(z - time_mean()) / (2 * time_variance()) -
                 Square(r - speedup.mean) / (2 * speedup_variance());
    if (is_compared) log += before * (z + r + offset) - std::exp(z + r + offset);
    return log;
  }

  // Calls visit(z, r, weight) over a grid around the most probable values; weights add up to 1.
  template <typename Visit>
  void Integrate(int half, Visit visit) const;
};

template <typename Visit>
void GainModel::Item::Integrate(int half, Visit visit) const {
  // Newton's method on what is concave.
  double z = std::min(time_mean(), std::log(after + 0.5)), r = speedup.mean;
  double zz = 1, zr = 0, rr = 1;  // Minus the second derivatives.
  for (int i = 0; i < 100; ++i) {
    const double now = std::exp(z);
    const double then = is_compared ? std::exp(z + r + offset) : 0;
    const double seen = is_compared ? before : 0;
    const double dz = after - now + seen - then - (z - time_mean()) / time_variance();
    const double dr = seen - then - (r - speedup.mean) / speedup_variance();
    zz = now + then + 1 / time_variance();
    zr = then;
    rr = then + 1 / speedup_variance();
    const double determinant = zz * rr - zr * zr;
    const double step_z = (rr * dz - zr * dr) / determinant;
    const double step_r = (zz * dr - zr * dz) / determinant;
    const double length = std::max(std::abs(step_z), std::abs(step_r));
    const double part = length > 1 ? 1 / length : 1;
    z += part * step_z;
    r += part * step_r;
    if (length < 1e-6) break;
  }
  // (z, r) = mode + L u with L L' the inverse of the second derivatives.
  const double determinant = zz * rr - zr * zr;
  const double l11 = std::sqrt(rr / determinant);
  const double l21 = -zr / determinant / l11;
  const double l22 = std::sqrt(zz / determinant - l21 * l21);
  const double step = 5.5 / half;
  const double highest = LogPosterior(z, r);
  struct Point {
    double z, r, weight;
  };
  std::vector<Point> points;
  points.reserve(static_cast<size_t>((2 * half + 1) * (2 * half + 1)));
  double total = 0;
  for (int i = -half; i <= half; ++i) {
    for (int j = -half; j <= half; ++j) {
      const double u = i * step, v = j * step;
      const double at_z = z + l11 * u, at_r = r + l21 * u + l22 * v;
      const double weight = std::exp(LogPosterior(at_z, at_r) - highest);
      if (weight < 1e-9) continue;
      points.push_back({at_z, at_r, weight});
      total += weight;
    }
  }
  for (const Point& point : points) visit(point.z, point.r, point.weight / total);
}

GainModel::Item GainModel::ItemOf(const ObservedRecompilation& comparison,
                                  const LogNormal& speedup) const {
  const Execution& before = comparison.before;
  const Execution& after = comparison.after;
  Item item;
  item.time_class = {comparison.to, after.calls.has_value()};
  item.levels = {comparison.from, comparison.to};
  item.after = after.samples;
  item.before = before.samples;
  if (after.calls) {
    item.time_calls = std::log(after.calls->number);
    item.call_variance = after.calls->variance;
  }
  item.is_compared = before.calls.has_value() && after.calls.has_value();
  if (item.is_compared) {
    item.offset = std::log(before.calls->number / after.calls->number);
    item.ratio_variance = before.calls->variance + after.calls->variance;
  }
  const auto time = times_.find(item.time_class);
  item.time = time == times_.end() ? kTimeBelief : time->second;
  item.speedup = speedup;
  return item;
}

namespace {

// Level 3 counts what its code does, and level 2 only how often: about 30 % faster, says HotSpot's
// compilationPolicy.hpp. Level 1 counts nothing.
std::optional<LogNormal> KnownOf(int32_t from, int32_t to) {
  if (from != 3) return std::nullopt;
  if (to == 2) return LogNormal{.mean = std::log(1.3), .deviation = 0.3, .error = 0.2};
  if (to == 1) return LogNormal{.mean = std::log(1.6), .deviation = 0.3, .error = 0.25};
  return std::nullopt;
}

LogNormal Reversed(LogNormal spread) {
  spread.mean = -spread.mean;
  return spread;
}

}  // namespace

LogNormal GainModel::DirectSpeedup(int32_t from, int32_t to) const {
  if (from == to) return {.mean = 0, .deviation = 0.1, .error = 0};
  LogNormal best = kSpeedupBelief;
  const auto consider = [&](const LogNormal& spread) {
    if (spread.error < best.error) best = spread;
  };
  if (const auto known = KnownOf(from, to)) consider(*known);
  if (const auto known = KnownOf(to, from)) consider(Reversed(*known));
  const auto learnt = speedups_.find({from, to});
  if (learnt != speedups_.end()) consider(learnt->second);
  const auto reversed = speedups_.find({to, from});
  if (reversed != speedups_.end()) consider(Reversed(reversed->second));
  return best;
}

LogNormal GainModel::Speedup(int32_t from, int32_t to) const {
  const LogNormal direct = DirectSpeedup(from, to);
  if (from == 3 || to == 3 || from == to) return direct;
  const LogNormal up = DirectSpeedup(from, 3), down = DirectSpeedup(3, to);
  const LogNormal by_way{.mean = up.mean + down.mean,
                         .deviation = std::hypot(up.deviation, down.deviation),
                         .error = std::hypot(up.error, down.error),
                         .support = std::min(up.support, down.support)};
  return by_way.error < direct.error ? by_way : direct;
}

GainModel::GainModel(std::span<const ObservedRecompilation> comparisons, double unit_ns)
    : unit_ns_(unit_ns) {
  std::vector<ObservedRecompilation> chosen;
  const size_t stride = (comparisons.size() + kLearnFrom - 1) / kLearnFrom;
  for (size_t i = 0; i < comparisons.size(); i += stride) chosen.push_back(comparisons[i]);
  for (const ObservedRecompilation& comparison : chosen) {
    const Item item = ItemOf(comparison, kSpeedupBelief);
    times_.try_emplace(item.time_class,
                       LogNormal{.mean = kTimeBelief.mean, .deviation = kTimeBelief.deviation});
    speedups_.try_emplace(
        item.levels, LogNormal{.mean = kSpeedupBelief.mean, .deviation = kSpeedupBelief.deviation});
  }
  for (int i = 0; i < kMaxSteps; ++i) {
    if (Step(chosen) < kPrecision) break;
  }
  // Of few, the deviation is hardly known, and the mean less than it seems.
  for (auto& [levels, speedup] : speedups_) {
    speedup.error = std::min(kSpeedupBelief.error,
                             speedup.error * std::sqrt(1 + kFew / std::max(speedup.support, 1e-3)));
  }
}

namespace {

// The first derivatives of the log likelihood by a mean and by the logarithm of a deviation, and
// how much is known of both, from posteriors of what is spread (Fisher's identity).
class Score {
 public:
  // `variance`: with what else makes it uncertain; `posterior_mean`, `posterior_variance`: of one
  // method's.
  void Add(const LogNormal& spread, double variance, double posterior_mean,
           double posterior_variance) {
    const double own = Square(spread.deviation);
    const double distance = posterior_mean - spread.mean;
    mean_ += distance / variance;
    mean_information_ += 1 / variance - posterior_variance / Square(variance);
    support_ += 1 - posterior_variance / variance;
    const double part = own / variance;
    deviation_ += (Square(distance) + posterior_variance - variance) * part / variance;
    deviation_information_ += 2 * Square((1 - posterior_variance / variance) * part);
  }

  // The next estimate, towards the belief where little is known.
  LogNormal Next(const LogNormal& now, const LogNormal& belief) const {
    const double mean_belief = 1 / Square(belief.error);
    const double deviation_belief = 1 / Square(kDeviationError);
    const double mean_information = std::max(0.0, mean_information_) + mean_belief;
    const double mean = mean_ - (now.mean - belief.mean) * mean_belief;
    const double deviation =
        deviation_ - std::log(now.deviation / belief.deviation) * deviation_belief;
    LogNormal next = now;
    next.mean += std::clamp(mean / mean_information, -1.0, 1.0);
    next.deviation *=
        std::exp(std::clamp(deviation / (deviation_information_ + deviation_belief), -0.5, 0.5));
    next.error = 1 / std::sqrt(mean_information);
    next.support = support_;
    return next;
  }

 private:
  double mean_ = 0, mean_information_ = 0;
  double deviation_ = 0, deviation_information_ = 0;
  double support_ = 0;
};

double Change(const LogNormal& before, const LogNormal& after) {
  return std::max(std::abs(after.mean - before.mean),
                  std::abs(std::log(after.deviation / before.deviation)));
}

}  // namespace

double GainModel::Step(std::span<const ObservedRecompilation> comparisons) {
  std::map<TimeClass, Score> of_times;
  std::map<LevelPair, Score> of_speedups;
  for (const ObservedRecompilation& comparison : comparisons) {
    Item item = ItemOf(comparison, speedups_.at({comparison.from, comparison.to}));
    item.time.error = item.speedup.error = 0;  // They are what is being learnt.
    double z1 = 0, z2 = 0, r1 = 0, r2 = 0;
    item.Integrate(kToLearn, [&](double z, double r, double weight) {
      z1 += weight * z;
      z2 += weight * z * z;
      r1 += weight * r;
      r2 += weight * r * r;
    });
    LogNormal time = item.time;
    time.mean = item.time_mean();
    of_times[item.time_class].Add(time, item.time_variance(), z1, z2 - z1 * z1);
    if (item.is_compared) {
      of_speedups[item.levels].Add(item.speedup, item.speedup_variance(), r1, r2 - r1 * r1);
    }
  }
  double change = 0;
  for (auto& [key, spread] : times_) {
    const LogNormal next = of_times[key].Next(spread, kTimeBelief);
    change = std::max(change, Change(spread, next));
    spread = next;
  }
  for (auto& [key, spread] : speedups_) {
    const LogNormal next = of_speedups[key].Next(spread, kSpeedupBelief);
    change = std::max(change, Change(spread, next));
    spread = next;
  }
  return change;
}

namespace {

// Values with weights.
class Weighted {
 public:
  void Add(double value, double weight) {
    values_.emplace_back(value, weight);
    total_ += weight;
  }
  // The median, and what 95 % lie between.
  Uncertain Summarize() {
    std::ranges::sort(values_);
    return {Quantile(0.5), Quantile(0.025), Quantile(0.975)};
  }

 private:
  double Quantile(double part) const {
    double sum = 0;
    for (const auto& [value, weight] : values_) {
      sum += weight;
      if (sum >= part * total_) return value;
    }
    return values_.empty() ? 0 : values_.back().first;
  }
  std::vector<std::pair<double, double>> values_;
  double total_ = 0;
};

}  // namespace

PayOff GainModel::Classify(const ObservedRecompilation& comparison) const {
  const Item item = ItemOf(comparison, Speedup(comparison.from, comparison.to));
  // Of r, what is the speed-up's and not the error of the calls.
  const double part = 1 - item.ratio_variance / item.speedup_variance();
  const double rest = std::sqrt(part * item.ratio_variance);
  const std::span<const Node> nodes = rest > 0 ? std::span<const Node>(kNormal) : kCertain;
  Weighted gain, before, after;
  double mean = 0, square = 0, spared = 0, r1 = 0, r2 = 0, possible = 0;
  // Of a time that the run did not have, nothing is believed.
  const double most_ns =
      comparison.run_ns > 0 ? comparison.run_ns : std::numeric_limits<double>::infinity();
  // What the old version's calls took, in parts of what the new one's would have taken in it: of
  // one call, where it is not known how many there were.
  const double before_part = item.is_compared         ? std::exp(item.offset)
                             : comparison.after.calls ? 1 / comparison.after.calls->number
                                                      : 0;
  item.Integrate(kToJudge, [&](double z, double r, double weight) {
    const double time_ns = std::exp(z) * unit_ns_;
    if (time_ns > most_ns) return;
    after.Add(time_ns, weight);
    r1 += weight * r;
    r2 += weight * r * r;
    for (const Node& node : nodes) {
      const double speedup = item.speedup.mean + part * (r - item.speedup.mean) + rest * node.at;
      const double old_ns = time_ns * std::exp(speedup);
      if (old_ns * before_part > most_ns) continue;
      const double gain_ns = old_ns - time_ns - comparison.compile_ns;
      const double of_both = weight * node.weight;
      possible += of_both;
      before.Add(old_ns, of_both);
      gain.Add(gain_ns, of_both);
      spared += of_both * old_ns;
      mean += of_both * gain_ns;
      square += of_both * gain_ns * gain_ns;
    }
  });
  PayOff result;
  result.gain_ns = gain.Summarize();
  if (result.gain_ns.low > 0) result.verdict = Verdict::kPaidOff;
  if (result.gain_ns.high < 0) result.verdict = Verdict::kDidNot;
  if (possible > 0) {
    mean /= possible;
    square /= possible;
    spared /= possible;
  }
  result.mean_ns = mean;
  // As far as it is believed of this method what is learnt of all.
  const double common = (r2 - r1 * r1) / item.speedup_variance();
  result.common_ns = spared * common * item.speedup.error;
  result.own_ns = std::sqrt(std::max(0.0, square - mean * mean - Square(result.common_ns)));
  if (comparison.after.calls) {
    const double calls = comparison.after.calls->number;
    result.before_ns = Times(before.Summarize(), 1 / calls);
    result.after_ns = Times(after.Summarize(), 1 / calls);
    const double per_call = result.before_ns->value - result.after_ns->value;
    if (per_call > 0) result.calls_to_pay = comparison.compile_ns / per_call;
  }
  return result;
}

Uncertain TotalGain::Sum() const {
  double variance = variance_;
  for (const auto& [levels, deviation] : common_) variance += deviation * deviation;
  const double width = 1.96 * std::sqrt(variance);
  return {mean_, mean_ - width, mean_ + width};
}

}  // namespace yp
