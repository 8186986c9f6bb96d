#ifndef YP_CORE_SAMPLING_EXPANSION_H_
#define YP_CORE_SAMPLING_EXPANSION_H_

#include <cstddef>
#include <span>
#include <vector>

namespace yp {

// How many calls a program made in all, from calls that were counted in ticks only: parts of its
// run, at random places. For ticks i and groups h of threads:
//
//   w(i)    period / own time, the inverse of the chance that a moment like those of the tick was
//           observed; period: 1 / the rate of ticks when this one was due (tick_places.h); own
//           time: as long as the tick was open, without the share that observing took of its CPU
//           time, in which the program did not go on
//   y(h,i)  calls that were counted in the tick in threads of the group
//   a(h,i)  CPU time of the group's threads in the tick, without what observing cost them
//   A(h)    CPU time of the group's threads in the whole run, likewise
//
//   N = sum over h of g(h) * sum w(i) y(h,i),   g(h) = A(h) / sum w(i) a(h,i)
//
// The separate ratio estimator over an unequal-probability sample of the run's time (Cochran,
// "Sampling Techniques", 3rd edition, 1977, sections 6.1, 6.10 and 9A; Särndal, Swensson and
// Wretman, "Model Assisted Survey Sampling", 1992, section 7.3). A call of the group that was
// counted in tick i stands for g(h) w(i) calls.
//
// What it assumes: a tick's place does not depend on what the program does at that moment, but by
// the rate of ticks, which may be in proportion to the CPU time that the program uses at that
// moment (recorder/pacer.h), and depend on all that it did before. It does not matter which thread
// makes a call, when that thread was born, whether it waits, is descheduled or stopped meanwhile:
// without g each call has the chance 1 / w(i) of being counted. CPU time only says how much of what
// the program did lay within ticks: a wait that happens to lie in one then counts for nothing. With
// groups, it is that of threads that do alike: of a busy thread that seldom calls, and of eight
// that make thousands of calls in short bursts, a few ticks see too many bursts or too few, but how
// much the eight have run is known.
//
// The ratio of a group that ran in few ticks says little, and its variance less: groups in which
// effective_units is below kLeastUnits are taken as one.
//
// The variance is the linearised one of a ratio, with ticks as the independent units,
//
//   var(N) = sum (sum over h of g(h) c(h) w(i) (y(h,i) - R(h) a(h,i)))^2
//   c(h)^2 = n(h) / (n(h) - 1),   R(h) = sum w y / sum w a
//
// It holds the chance of which calls of a tick were sampled, since that is in y(h,i).
struct TickActivity {
  double calls = 0;   // y(h,i).
  double cpu_ns = 0;  // a(h,i).
};

// Of threads that do alike.
struct GroupActivity {
  std::vector<TickActivity> ticks;  // Of each.
  double program_cpu_ns = 0;        // A(h); 0 when it is not known: then g is 1.
};

inline constexpr double kLeastUnits = 4;

struct Expansion {
  // g(h) of each group: how many times what ticks stand for by their weights alone the CPU time
  // says.
  std::vector<double> calibrations;
  double calls = 0;     // N.
  double variance = 0;  // Of N. Of no meaning with fewer than two units.
  size_t units = 0;     // Ticks in which the program ran.
  // As many of equal weight w(i) a(i) would tell as much: (sum w a)^2 / sum (w a)^2 (Kish, "Survey
  // Sampling", 1965, section 11.7), with a(i) that of all groups, each as far as its calls go with
  // it. With few of them the variance is itself uncertain.
  double effective_units = 0;
};

// `weights`: w(i), at least 1. Every group has as many ticks.
Expansion Expand(std::span<const double> weights, std::span<const GroupActivity> groups);

}  // namespace yp

#endif  // YP_CORE_SAMPLING_EXPANSION_H_
