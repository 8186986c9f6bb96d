#ifndef YP_CORE_SAMPLING_EXPANSION_H_
#define YP_CORE_SAMPLING_EXPANSION_H_

#include <cstddef>
#include <span>
#include <vector>

namespace yp {

// How many calls a program made in all, from calls that were counted in ticks only: parts of its
// run, at random places. For ticks i:
//
//   w(i)  period / own time, the inverse of the chance that a moment like those of the tick was
//         observed; period: 1 / the rate of ticks when this one was due (tick_places.h); own time:
//         as long as the tick was open, without the share that observing took of its CPU time, in
//         which the program did not go on
//   y(i)  calls that were counted in the tick, whichever threads made them
//   a(i)  CPU time of the program's threads in the tick, without what observing cost them
//   A     CPU time of the program's threads in the whole run, likewise
//
//   N = g * sum w(i) y(i),   g = A / sum w(i) a(i)
//
// The ratio estimator over an unequal-probability sample of the run's time (Cochran, "Sampling
// Techniques", 3rd edition, 1977, sections 6.1 and 9A; Särndal, Swensson and Wretman, "Model
// Assisted Survey Sampling", 1992, section 7.3). A call that was counted in tick i stands for
// g w(i) calls.
//
// What it assumes: a tick's place does not depend on what the program does at that moment; the rate
// of ticks may depend on all that it did before. It does
// not matter which thread makes a call, when that thread was born, whether it waits, is descheduled
// or stopped meanwhile: without g each call has the chance 1 / w(i) of being counted. No thread's
// clock is in it. CPU time, of all threads together, only says how much of what the program did lay
// within ticks: a wait that happens to lie in one then counts for nothing.
//
// The variance is the linearised one of a ratio, with ticks as the independent units,
//
//   var(N) = g^2 n / (n - 1) sum (w(i) (y(i) - R a(i)))^2,   R = sum w y / sum w a
//
// It holds the chance of which calls of a tick were sampled, since that is in y(i).
struct TickMeasures {
  double weight = 1;  // w(i), at least 1.
  double calls = 0;   // y(i).
  double cpu_ns = 0;  // a(i).
};

struct Expansion {
  // g: how many times what ticks stand for by their weights alone the program's CPU time says.
  double calibration = 1;
  double calls = 0;     // N.
  double variance = 0;  // Of N. Of no meaning with fewer than two units.
  size_t units = 0;     // Ticks in which the program ran.
  // As many of equal weight w(i) a(i) would tell as much: (sum w a)^2 / sum (w a)^2 (Kish, "Survey
  // Sampling", 1965, section 11.7). With few of them the variance is itself uncertain.
  double effective_units = 0;
};

// `program_cpu_ns`: A; 0 when it is not known: then g is 1.
Expansion Expand(std::span<const TickMeasures> ticks, double program_cpu_ns);

}  // namespace yp

#endif  // YP_CORE_SAMPLING_EXPANSION_H_
