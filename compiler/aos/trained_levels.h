#ifndef YP_COMPILER_AOS_TRAINED_LEVELS_H_
#define YP_COMPILER_AOS_TRAINED_LEVELS_H_

namespace yp::compiler {

// Made by a command; not to be edited:
//
//     python3 -m eval.workloads command jython --jdk 17 --iterations 7, and yp aos --statistics
//
// 2026-11-28; 2-core x86-64 virtual machine with other work on it; JDK 17.0.21.1.
struct TrainedLevel {
  double compile_bytes_per_ms;  // Of bytecode, installation included; CPU time.
  double speedup;               // To BASE, of warm code.
};
inline constexpr TrainedLevel kTrainedBase = {240, 1};
inline constexpr TrainedLevel kTrainedOpt1 = {93, 1.15};
inline constexpr TrainedLevel kTrainedOpt2 = {53, 1.9};

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_TRAINED_LEVELS_H_
