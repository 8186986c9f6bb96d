#ifndef YP_COMPILER_AOS_OWN_LEVELS_H_
#define YP_COMPILER_AOS_OWN_LEVELS_H_

#include "core/adaptive/levels.h"

namespace yp::compiler {

// The compiler's levels. The next one is a row here, and a case where the bridge compiles.
//
// BASE's rate is that of jython with a script of a few seconds: 108,274 bytes of bytecode in 451 ms
// of CPU time, installation included (the tables of a profile of --adaptive; JDK 17, 2-core x86-64
// virtual machine with other work on it, 2026-11-27).
Levels OwnLevels();

// The same, and BASE once more as a level that would run twice as fast: what recompiling does can
// be seen without another compiler.
Levels LevelsWithBaseAgain();

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_OWN_LEVELS_H_
