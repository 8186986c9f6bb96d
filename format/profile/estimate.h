#ifndef YP_FORMAT_PROFILE_ESTIMATE_H_
#define YP_FORMAT_PROFILE_ESTIMATE_H_

#include "base/status.h"
#include "core/sampling/bias_correction.h"
#include "format/profile/profile.h"

namespace yp {

// From samples to numbers of calls. With windows w, edges e, and s(w,e) samples of e in w:
//
//   S(w) = sum over e of s(w,e)            samples in a window
//   N(w)                                   calls that the window stands for
//   calls(e)       = sum over w of N(w) x s(w,e) / S(w)
//   uncorrected(e) = sum over w of N(w)  x  sum over w of s(w,e) / sum over w of S(w)
//
// N(w), where samples come after equal numbers of calls (policy "countdown", of `interval` m):
//
// - Calls are counted all the time: m S(w). Where calls of seldom called methods count down several
//   steps each, their samples have windows of their own, and m is what one of them stands for
//   (core/sampling/countdown.h).
// - They are counted in ticks, for as much of the time as a budget allows: m S(w) g w(i), with the
//   tick's weight and the calibration of core/sampling/expansion.h. What observing costs is taken
//   off a tick's length and CPU time, since the calls between ticks do not have it: each call that
//   was counted down and each sample some time, and what remains of what samples took, the first
//   sample of each edge.
//
// Samples whose edge could not be told (drops) are taken to be of all edges alike: N is larger by
// so much.
//
// Where windows come at equal times (policy "cbs"), N(w) is the calls of the thread since its
// previous window, by the configuration's "correct" (core/sampling/bias_correction.h). calls(e)
// then undoes the bias of windows that do not come after equal numbers of calls; uncorrected(e)
// trusts that samples are uniform over calls, and takes only the scale from the densities. `yp
// overlap --correct` compares both with an exact profile. In mode "patching", where each window is
// one method's, N(w) is its invocation frequency times the time.
//
// What was sampled in one tick, or where there is none within 50 ms, in whatever thread, is one
// unit of the variation: a phase of the program.
//
// Intervals and variances are those of the edge's share of the weighted samples, with the weight
// N(w) / S(w), by core/graph/confidence.h, times the sum of N(w), and no lower than the samples of
// e, which were calls. How far the sum of N(w) may be off, which all edges have in common, is
// Profile::total_deviation; FinishIntervals adds it to the intervals of numbers. Not covered:
// - a bias of where windows begin: a window begins with a call, so programs that alternate between
//   calling and long loops are counted too high (policies "cbs" and "timer");
// - calls after a thread's last window (the same).
//
// Sets samples of every edge, the weight of every window (N(w) / S(w)), and the other numbers of
// edges that were not counted, from windows and the configuration's "stride" (1 when it is
// missing); what was estimated before is forgotten.
void EstimateCalls(Profile* profile);

// How many intervals a sample of a call stands for that counts down so many steps; 1 for one step.
double IntervalsPerSample(const Profile& profile, uint32_t steps);

// How far real recordings are from what the formulas assume, where calls are counted down: phases
// outlast a unit, so that units resemble their neighbours, and what a recording missed of the
// program's warm-up is no matter of chance. The intervals' ends are that much further away, in the
// logarithm. Chosen on 48 recordings of twelve programs (JDK 17 and 25, 60 iterations, G1,
// 2026-11), whose intervals then held 94 % of the edges with 0.01 % of the calls or more, not 90;
// of 20 recordings of five other programs it is 94 as well, not 92 (./yp eval accuracy says so of
// each).
inline constexpr double kIntervalFactor = 1.3;
// The same for windows. Chosen on 24 recordings of twelve programs (JDK 17, 5 iterations, windows
// of 128 samples, 2026-11), whose intervals then held 94 % in the mean, not 87.
inline constexpr double kIntervalFactorOfWindows = 1.5;

// Which of the two a profile's intervals are wider by; 1 where they are not.
double IntervalFactorOf(const Profile& profile);

// No program calls more often, in calls per ns of CPU time: no estimate of a number of calls has an
// interval beyond what that allows.
inline constexpr double kMostCallsPerNs = 2;

// That of the whole run; the largest number where its CPU time is not known.
double MostCalls(const Profile& profile);

// Makes the intervals of estimated edges wider by the factor of the configuration's "policy", if it
// has one; those of numbers of calls also by the total's deviation. Until then share_low and
// share_high are in calls; from then on they are shares. After EstimateCalls and AddInferredCalls;
// once.
void FinishIntervals(Profile* profile);

// Estimates the calls again, with another correction, which its configuration then has. An error,
// which says why, for a profile that has no sampled windows at equal times, or inferred calls.
Status Recorrect(BiasCorrection correction, Profile* profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_ESTIMATE_H_
