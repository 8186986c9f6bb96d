#ifndef YP_COMPILER_AOS_TRAINED_LEVELS_H_
#define YP_COMPILER_AOS_TRAINED_LEVELS_H_

namespace yp::compiler {

// Made by a command; not to be edited:
//
//     ./yp eval levels jython ecj --jdk 17 --rounds 2 --iterations 8 --config BASE:
//         --config 'OPT1:--inline static' --config 'OPT2:--optimize --inline static' --train
//         compiler/aos/trained_levels.h
//
// 2026-11-28 09:01 UTC; AMD EPYC, 2 CPUs, 24 GiB, Linux 6.18.44-fc-v669, load 1.2 at the start;
// JDK 17.0.21.1; commit 7fb7e87f9b; jython, ecj.
struct TrainedLevel {
  double compile_bytes_per_ms;  // Of bytecode, installation included; CPU time.
  double speedup;               // To BASE, of warm code.
};
inline constexpr TrainedLevel kTrainedBase = {291, 1};
inline constexpr TrainedLevel kTrainedOpt1 = {145, 1.11};
inline constexpr TrainedLevel kTrainedOpt2 = {131, 2.62};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_TRAINED_LEVELS_H_
