#include "core/advice/trial.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/graph/distributions.h"

namespace yp {
namespace {

constexpr double kLooks = static_cast<double>(kTrialLooks.size());

// Logarithms by round.
using Column = std::vector<double>;

double MeanOf(const Column& column) {
  return std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
}

// The square of the mean's standard error.
double SquaredErrorOf(const Column& column) {
  const double n = static_cast<double>(column.size());
  const double mean = MeanOf(column);
  double sum = 0;
  for (const double value : column) sum += (value - mean) * (value - mean);
  return sum / (n * (n - 1));
}

// How many values count to each side as if they were the next ones.
size_t TrimmedOf(size_t rounds) { return rounds < 8 ? 0 : rounds / 5; }

// How many are left, less one.
double DegreesOfFreedom(size_t rounds) {
  return static_cast<double>(rounds - 2 * TrimmedOf(rounds) - 1);
}

struct Estimate {
  double mean = 0;
  double squared_error = 0;
};

// Trimmed mean, and Yuen's variance of it.
Estimate EstimateOf(Column column) {
  std::ranges::sort(column);
  const size_t trimmed = TrimmedOf(column.size());
  const auto at = [&](size_t i) { return column.begin() + static_cast<std::ptrdiff_t>(i); };
  const double mean = MeanOf(Column(at(trimmed), column.end() - (at(trimmed) - at(0))));
  std::fill(at(0), at(trimmed), column[trimmed]);
  std::fill(at(column.size() - trimmed), column.end(), column[column.size() - trimmed - 1]);
  const double n = static_cast<double>(column.size());
  const double left = DegreesOfFreedom(column.size()) + 1;
  return {mean, SquaredErrorOf(column) * n * (n - 1) / (left * (left - 1))};
}

struct LogInterval {
  double value = 0;
  double low = 0;
  double high = 0;
};

// By how many standard errors an interval of so many rounds reaches to each side.
// `contrasts` have a part in the common error.
double DeviationsFor(double tail, size_t rounds, size_t contrasts) {
  return StudentsTExceeded(tail,
                           (1 + static_cast<double>(contrasts) / 2) * DegreesOfFreedom(rounds));
}

LogInterval IntervalOf(const Estimate& estimate, double floor, double deviations) {
  const double margin = deviations * std::sqrt(std::max(estimate.squared_error, floor));
  return {estimate.mean, estimate.mean - margin, estimate.mean + margin};
}

RatioInterval AsRatio(const LogInterval& interval, size_t rounds) {
  return {std::exp(interval.value), std::exp(interval.low), std::exp(interval.high), rounds};
}

Column Minus(const Column& a, const Column& b) {
  Column differences(a.size());
  std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
  return differences;
}

// What the first rounds took, as logarithms.
struct Logarithms {
  Column defaults, control;
  Column baseline;                 // The mean of both.
  std::vector<Column> candidates;  // Shorter where a candidate was dropped.
};

Logarithms LogarithmsOf(std::span<const TrialRound> rounds) {
  Logarithms logs;
  logs.candidates.resize(rounds.front().candidates.size());
  for (const TrialRound& round : rounds) {
    logs.defaults.push_back(std::log(round.defaults));
    logs.control.push_back(std::log(round.control));
    logs.baseline.push_back((logs.defaults.back() + logs.control.back()) / 2);
    for (size_t i = 0; i < round.candidates.size(); ++i) {
      if (round.candidates[i]) logs.candidates[i].push_back(std::log(*round.candidates[i]));
    }
  }
  return logs;
}

Column FirstOf(const Column& column, size_t rounds) {
  return Column(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(rounds));
}

// The mean squared error of a candidate's log ratio, and of how many contrasts it is the mean.
struct CommonError {
  double squared = 0;
  size_t contrasts = 0;
};

// By all contrasts with the same baseline over the
// first `rounds`. The control over the defaults has 4/3 of a candidate's.
CommonError CommonErrorOf(const Logarithms& logs, size_t rounds) {
  double sum =
      0.75 * EstimateOf(Minus(FirstOf(logs.control, rounds), FirstOf(logs.defaults, rounds)))
                 .squared_error;
  size_t count = 1;
  for (const Column& column : logs.candidates) {
    if (column.size() < rounds) continue;
    sum += EstimateOf(Minus(FirstOf(column, rounds), FirstOf(logs.baseline, rounds))).squared_error;
    ++count;
  }
  return {sum / static_cast<double>(count), count};
}

class Look {
 public:
  Look(std::span<const TrialRound> rounds, const TrialRules& rules)
      : rules_(rules), logs_(LogarithmsOf(rounds)) {
    look_.rounds = rounds.size();
    look_.candidates.resize(logs_.candidates.size());
    common_ = CommonErrorOf(logs_, look_.rounds);
    const double count = static_cast<double>(logs_.candidates.size());
    ratio_tail_ = rules.error / 2 / kLooks / count;
    pair_deviations_ = DeviationsFor(rules.dropping_error / 2 / kLooks / ((count + 1) * count / 2),
                                     look_.rounds, common_.contrasts);
  }

  TrialLook Take() {
    const LogInterval control =
        IntervalOf(EstimateOf(Minus(logs_.control, logs_.defaults)), 4 * common_.squared / 3,
                   DeviationsFor(rules_.error / 2 / kLooks, look_.rounds, common_.contrasts));
    look_.control = AsRatio(control, look_.rounds);
    look_.control_differs = control.low > 0 || control.high < 0;
    EstimateRatios();
    FindBest();
    DropLosers();
    look_.is_decided = IsDecided();
    return std::move(look_);
  }

 private:
  bool IsLeft(size_t i) const { return logs_.candidates[i].size() == look_.rounds; }

  // The candidate's log ratio to the defaults, by round.
  Column Over(size_t i) const {
    const Column& own = logs_.candidates[i];
    return Minus(own, FirstOf(logs_.baseline, own.size()));
  }

  void EstimateRatios() {
    for (size_t i = 0; i < logs_.candidates.size(); ++i) {
      const size_t rounds = logs_.candidates[i].size();
      RatioInterval& ratio = look_.candidates[i].ratio;
      ratio.high = std::numeric_limits<double>::infinity();
      if (rounds < kTrialLooks.front()) continue;
      const CommonError common = IsLeft(i) ? common_ : CommonErrorOf(logs_, rounds);
      const double deviations = DeviationsFor(ratio_tail_, rounds, common.contrasts);
      ratio = AsRatio(IntervalOf(EstimateOf(Over(i)), common.squared, deviations), rounds);
    }
  }

  void FindBest() {
    if (look_.control_differs) return;
    for (size_t i = 0; i < look_.candidates.size(); ++i) {
      const RatioInterval& ratio = look_.candidates[i].ratio;
      if (ratio.high >= 1 || !IsShorterWithOutliers(i)) continue;
      if (!look_.best || ratio.value < look_.candidates[*look_.best].ratio.value) look_.best = i;
    }
  }

  // The mean of all rounds, none trimmed: what is faster mostly, and sometimes far slower, is not.
  bool IsShorterWithOutliers(size_t i) const {
    const Column ratios = Over(i);
    const double degrees = static_cast<double>(ratios.size() - 1);
    return MeanOf(ratios) +
               StudentsTExceeded(rules_.error / 5, degrees) * std::sqrt(SquaredErrorOf(ratios)) <
           0;
  }

  // Log of what is left over that candidate, in the rounds that both have.
  LogInterval PairInterval(size_t i, size_t j) const {
    const Column& other = logs_.candidates[j];
    return IntervalOf(EstimateOf(Minus(FirstOf(logs_.candidates[i], other.size()), other)),
                      4 * common_.squared / 3, pair_deviations_);
  }

  void DropLosers() {
    for (size_t i = 0; i < logs_.candidates.size(); ++i) {
      if (!IsLeft(i)) continue;
      CandidateStanding& own = look_.candidates[i];
      if (IntervalOf(EstimateOf(Over(i)), common_.squared, pair_deviations_).low > 0) {
        own.standing = Standing::kWorseThanDefaults;
        continue;
      }
      for (size_t j = 0; j < logs_.candidates.size(); ++j) {
        if (j == i || !IsLeft(j) || PairInterval(i, j).low <= 0) continue;
        own.standing = Standing::kWorseThanAnother;
        if (!own.better || MeanOf(logs_.candidates[j]) < MeanOf(logs_.candidates[*own.better])) {
          own.better = j;
        }
      }
    }
  }

  // Whether none that stays is perhaps better than what would be recommended, and worth it.
  bool IsDecided() const {
    const double indifferent = std::log1p(-rules_.indifference);
    for (size_t i = 0; i < logs_.candidates.size(); ++i) {
      const CandidateStanding& candidate = look_.candidates[i];
      if (!IsLeft(i) || candidate.standing != Standing::kInTrial || look_.best == i) continue;
      const double low =
          look_.best ? PairInterval(i, *look_.best).low : std::log(candidate.ratio.low);
      if (low < indifferent) return false;
    }
    return true;
  }

  const TrialRules rules_;
  const Logarithms logs_;
  CommonError common_;
  double ratio_tail_ = 0;
  double pair_deviations_ = 0;
  TrialLook look_;
};

}  // namespace

size_t LookWithin(size_t rounds) {
  const auto after = std::ranges::upper_bound(kTrialLooks, rounds);
  return after == kTrialLooks.begin() ? 0 : *(after - 1);
}

std::optional<size_t> NextLook(size_t rounds) {
  const auto next = std::ranges::upper_bound(kTrialLooks, rounds);
  return next == kTrialLooks.end() ? std::nullopt : std::optional(*next);
}

std::vector<size_t> OrderOfTrialRound(size_t count, size_t round) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  if (count == 0) return order;
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(round % count),
              order.end());
  if (round / count % 2 == 1) std::ranges::reverse(order);
  return order;
}

TrialLook LookAt(std::span<const TrialRound> rounds, const TrialRules& rules) {
  return Look(rounds, rules).Take();
}

}  // namespace yp
