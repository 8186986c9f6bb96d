#ifndef YP_CORE_AMORTIZE_COMPILER_TIME_H_
#define YP_CORE_AMORTIZE_COMPILER_TIME_H_

#include <cstdint>
#include <map>
#include <vector>

#include "core/amortize/jit_log.h"

namespace yp {

// A thread's CPU time since its start, as it was read at a time of the run.
struct ClockReading {
  int64_t time_ns = 0;
  int64_t cpu_ns = 0;
};

// Of the compilers' threads, by the kernel's ids.
using CompilerClocks = std::map<int64_t, std::vector<ClockReading>>;

// Sets the CPU time of compilations (BasicJitCompilation::cpu_ns).
//
// Compilers compete with the program for processors, so that from a compilation's start to its end
// passes more time than it costs, on a busy machine several times as much. What a compiler's thread
// has used between two readings of its clock belongs to the compilations that it made meanwhile, by
// how long each took of that time; none can have used more than that. Time before a thread's first
// reading and after its last counts whole, and nothing is known of a compilation that is all there.
void ShareCompilerTime(const CompilerClocks& clocks, JitLog* log);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_COMPILER_TIME_H_
