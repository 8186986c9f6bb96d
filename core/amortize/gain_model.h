#ifndef YP_CORE_AMORTIZE_GAIN_MODEL_H_
#define YP_CORE_AMORTIZE_GAIN_MODEL_H_

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "core/amortize/pay_off.h"

namespace yp {

// What was seen of a recompilation of a version j, `before`, to a version i, `after`.
struct ObservedRecompilation {
  int32_t from = 0;  // Levels.
  int32_t to = 0;
  double compile_ns = 0;
  Execution before;
  Execution after;
  // The program's CPU time in the whole run, which neither version can have executed longer; 0: not
  // known.
  double run_ns = 0;
};

// A number that differs from method to method, by its logarithm: normal.
struct LogNormal {
  double mean = 0;
  double deviation = 1;
  double error = 0;    // Of the mean, as far as it could be learnt.
  double support = 0;  // So many methods of which all is known would tell as much.
};

// What recompilations gained, each judged by its own samples and by what all of a run have in
// common.
//
// A version that was soon replaced has few samples or none, and then it cannot be told from these
// alone what its calls would have cost afterwards. But all methods are made faster by the same
// compilers, and what is known of many says what to expect of one. So each recompilation's two
// unknowns are drawn from distributions that are learnt from the run itself (empirical Bayes;
// Efron, Large-Scale Inference, 2010, chapter 1):
//
//   log t_i ~ N(nu, sigma^2)             the time of a call of the new version, by its level
//   log (t_j / t_i) ~ N(mu, tau^2)       how much faster it became, by both levels
//   samples ~ Poisson(N t / t_unit)      of each version (equation 6: T = N t)
//
// nu, sigma, mu and tau maximise the likelihood of all samples, by Fisher's scoring; weak priors
// hold them where little was seen (mu ~ N(0, 2^2): that code became twice as slow is as likely as
// that it became twice as fast). Calls that were sampled are uncertain themselves, by the normal
// approximation of their logarithm. Where the calls of the new version are not known, the logarithm
// of its whole time takes the place of that of a call's; where those of either are not, only mu and
// tau say how much faster it became.
//
// The gain is that of the diagrams of the paper:
//
//   gain = N_i t_j - N_i t_i - C_i = T_i (t_j / t_i - 1) - C_i
//
// Every call of one version is taken to last equally long: see Drift.
class GainModel {
 public:
  // Learns. `unit_ns`: t_unit of equation 4, above 0.
  GainModel(std::span<const ObservedRecompilation> comparisons, double unit_ns);

  // The medians of what is believed afterwards, and the limits between which it lies with 95 %.
  PayOff Classify(const ObservedRecompilation& comparison) const;

  // The logarithm of how much faster code of level `to` is than that of `from`: learnt, or by way
  // of level 3, or else a weak belief.
  LogNormal Speedup(int32_t from, int32_t to) const;

 private:
  // Which new versions' times are alike.
  struct TimeClass {
    int32_t level = 0;
    bool is_per_call = false;
    auto operator<=>(const TimeClass&) const = default;
  };
  using LevelPair = std::pair<int32_t, int32_t>;
  struct Item;

  Item ItemOf(const ObservedRecompilation& comparison, const LogNormal& speedup) const;
  // Without a way by another level.
  LogNormal DirectSpeedup(int32_t from, int32_t to) const;
  // One step of the scoring; the largest change of a parameter.
  double Step(std::span<const ObservedRecompilation> comparisons);

  const double unit_ns_;
  std::map<TimeClass, LogNormal> times_;  // Of a call or of all, in t_unit.
  std::map<LevelPair, LogNormal> speedups_;
};

// What several recompilations gained together: how uncertain each is adds up in squares, but for
// what is not known of all of the same levels.
class TotalGain {
 public:
  void Add(const ObservedRecompilation& comparison, const PayOff& pay_off) {
    mean_ += pay_off.mean_ns;
    variance_ += pay_off.own_ns * pay_off.own_ns;
    common_[{comparison.from, comparison.to}] += pay_off.common_ns;
  }
  Uncertain Sum() const;

 private:
  double mean_ = 0, variance_ = 0;
  std::map<std::pair<int32_t, int32_t>, double> common_;
};

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_GAIN_MODEL_H_
