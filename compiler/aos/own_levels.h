#ifndef YP_COMPILER_AOS_OWN_LEVELS_H_
#define YP_COMPILER_AOS_OWN_LEVELS_H_

#include "core/adaptive/levels.h"
#include "core/options/recording_options.h"

namespace yp::compiler {

using OwnInlining = RecordingOptions::Inlining;

// The compiler's levels, by the numbers that Native.java has: BASE, OPT1 where something is
// inlined, and OPT2 where the program's user asks for it. The next level is a row here. Where
// nothing is inlined, OPT1 is below OPT2 all the same, for its number, and never worth it.
//
// Rates of compilation and speed-ups are those of trained_levels.h, which
// `./yp eval levels --jdk 17 --train compiler/aos/trained_levels.h` measures and writes.
Levels OwnLevels(OwnInlining inlining, bool optimizes = false);

// The same, and BASE once more as a level that would run twice as fast: what recompiling does can
// be seen without another compiler.
Levels LevelsWithBaseAgain();

}  // namespace yp::compiler

#endif  // YP_COMPILER_AOS_OWN_LEVELS_H_
