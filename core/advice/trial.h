#ifndef YP_CORE_ADVICE_TRIAL_H_
#define YP_CORE_ADVICE_TRIAL_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Which of several ways to run a program is better than its defaults: successive elimination by
// rounds of paired runs. Pure; the caller runs the program and says what each run took.
//
// In each round the defaults run twice and every candidate that is left once, in the order of
// OrderOfTrialRound. Only logarithms of ratios within a round are looked at, so that what changes
// from round to round (load, frequency, temperature) cancels. Looks are taken after the rounds of
// kTrialLooks alone. All intervals of all candidates at all looks hold the true ratios together,
// with the probability 1 - TrialRules::error, by Bonferroni's inequality. So whatever is decided by
// them, such as to drop a candidate, to end at any look or to pick the best one, is no more often
// wrong than that.
namespace yp {

// What the runs of one round took, in one unit: nanoseconds or bytes. Finite and above zero.
struct TrialRound {
  double defaults = 0;
  double control = 0;  // The defaults once more: the A/A control.
  // By candidate, equally many in all rounds. None from the round on before which it was dropped.
  std::vector<std::optional<double>> candidates;
};

// After how many rounds looks are taken. Each look costs a part of the error: the fewer there are,
// the narrower are the intervals.
inline constexpr std::array<size_t, 12> kTrialLooks = {4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 60};

struct TrialRules {
  // Of any interval among those of all looks and candidates, not to hold the true ratio: one half
  // to each side. That some candidate which is no better than the defaults is recommended has half
  // of this probability at most.
  double error = 0.05;
  // That the best candidate is dropped in favour of another, or of the defaults.
  double dropping_error = 0.05;
  // A difference of which no one need know: a trial ends when no candidate can be this much better
  // than what would be recommended. A part of 1.
  double indifference = 0.02;
};

// A ratio to the defaults, as the geometric mean over the rounds, and its interval.
struct RatioInterval {
  double value = 1;
  double low = 0;
  double high = 0;  // Infinite where nothing is known.
  size_t rounds = 0;
};

enum class Standing {
  kInTrial,
  kWorseThanDefaults,  // By an interval of its own.
  kWorseThanAnother,
};

struct CandidateStanding {
  RatioInterval ratio;
  Standing standing = Standing::kInTrial;
  std::optional<size_t> better;  // With kWorseThanAnother: a candidate that it loses to.
};

struct TrialLook {
  size_t rounds = 0;
  RatioInterval control;
  // The defaults differ from themselves by more than the interval allows: the machine changed with
  // the order of the runs, or the rounds do not resemble each other. Nothing is recommended.
  bool control_differs = false;
  std::vector<CandidateStanding> candidates;
  // The one with the smallest ratio among those whose interval lies below 1. None: the defaults are
  // to be kept.
  std::optional<size_t> best;
  // More rounds cannot find what is better than that by more than TrialRules::indifference.
  bool is_decided = false;
};

// The last look that so many rounds allow; 0 before the first. The next one after so many rounds;
// none after the last.
size_t LookWithin(size_t rounds);
std::optional<size_t> NextLook(size_t rounds);

// The order of `count` runs in a round: rotated by one from round to round, and reversed in every
// other cycle. Over 2 * count rounds each stands at each place twice, and each neighbouring pair as
// often in one order as in the other.
std::vector<size_t> OrderOfTrialRound(size_t count, size_t round);

// What the rounds say; their number is one of kTrialLooks, and there is a candidate or more. Those
// that have no value in the last round are out: their ratios are of the rounds that they have, and
// their standing is kInTrial, as the caller knows better.
//
// With x_ir the logarithm of candidate i's time in round r over the geometric mean of both of the
// defaults', n rounds, of which g = n / 5 count to each side as the next ones do (none of fewer
// than eight), h = n - 2 g, K candidates from the start, L looks:
//
//   log ratio = m +- t(error / (2 K L), df) max(s, w)
//
// m is the trimmed mean of x_ir, s its standard error, s^2 = SSD / (h (h - 1)) with the sum of
// squared deviations of the winsorized sample (Yuen, Biometrika 61, 1974): other work on the
// machine makes some runs far longer. w^2 is the mean of the s^2 of all C contrasts with the same
// variance, those of the candidates that are left and 3/4 of the control's. s has h - 1 degrees of
// freedom, with which four rounds find nothing; w has many times as many, but one candidate may be
// noisier than the others. The larger of both with df = (1 + C / 2) (h - 1) is right for both:
// trial_unittest.cc has the false recommendations with equal and unequal noise, outliers and heavy
// tails, which were at most 3.2 % in 1,000 simulated trials each.
//
// What is mostly a little faster and sometimes far slower is trimmed away there. So nothing is
// recommended unless the mean of all rounds is below 0, too, by an ordinary one-sided t-test of the
// level error / 5.
//
// A candidate is worse than another when the interval of both's log ratio, formed likewise with
// dropping_error / L over all pairs (the defaults are one of them), lies above 0.
TrialLook LookAt(std::span<const TrialRound> rounds, const TrialRules& rules = {});

}  // namespace yp

#endif  // YP_CORE_ADVICE_TRIAL_H_
