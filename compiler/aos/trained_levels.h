#ifndef YP_COMPILER_AOS_TRAINED_LEVELS_H_
#define YP_COMPILER_AOS_TRAINED_LEVELS_H_

namespace yp::compiler {

// Made by a command; not to be edited:
//
//     ./yp eval levels jython ecj --jdk 17 --rounds 2 --iterations 8 --config BASE:
//         --config 'OPT1:--inline static' --config 'OPT2:--optimize --inline static' --train
//         compiler/aos/trained_levels.h
//
// 2026-11-28 11:47 UTC; AMD EPYC, 2 CPUs, 24 GiB, Linux 6.18.44-fc-v669, load 2.0 at the start;
// JDK 17.0.21.1; commit ae35fb773a; jython, ecj.
struct TrainedLevel {
  double compile_bytes_per_ms;  // Of bytecode, installation included; CPU time.
  double speedup;               // To BASE, of warm code.
};
inline constexpr TrainedLevel kTrainedBase = {385, 1};
inline constexpr TrainedLevel kTrainedOpt1 = {227, 1.31};
inline constexpr TrainedLevel kTrainedOpt2 = {167, 1.41};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_TRAINED_LEVELS_H_
