#ifndef YP_COMPILER_AOS_OWN_LEVELS_H_
#define YP_COMPILER_AOS_OWN_LEVELS_H_

#include "core/adaptive/levels.h"

namespace yp::compiler {

// What the levels above BASE inline by: nothing; static heuristics or a recorded profile, which do
// not change while the program runs, so that a method is compiled once; or the samples of the run.
enum class OwnInlining { kNone, kFixed, kOnline };

// The compiler's levels, by the numbers that Native.java has: BASE, OPT1 where something is
// inlined, and OPT2 where the program's user asks for it. The next level is a row here. Where
// nothing is inlined, OPT1 is below OPT2 all the same, for its number, and never worth it.
//
// BASE's rate is that of jython with a script of a few seconds: 108,274 bytes of bytecode in 451 ms
// of CPU time, installation included (the tables of a profile of --adaptive; JDK 17, 2-core x86-64
// virtual machine with other work on it, 2026-11-27).
//
// OPT1's are those of jython with static heuristics: its compilations took 3.1 s where BASE's took
// 1.2 s, and an iteration 0.87 of BASE's time once warm (yp aos --statistics; three runs, the same
// machine and day).
//
// OPT2's are those of jython in the same way: 144,708 bytes of bytecode in 2,707 ms, and 240 ms of
// CPU time for the best iteration where BASE's code took 450 (the same machine, 2026-11-28).
Levels OwnLevels(OwnInlining inlining, bool optimizes = false);

// The same, and BASE once more as a level that would run twice as fast: what recompiling does can
// be seen without another compiler.
Levels LevelsWithBaseAgain();

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_OWN_LEVELS_H_
