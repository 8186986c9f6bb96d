#ifndef YP_CORE_ADAPTIVE_LEVELS_H_
#define YP_CORE_ADAPTIVE_LEVELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace yp {

// A level of optimization, as data: what a virtual machine's training run measures of a compiler.
struct Level {
  std::string name;  // "BASE", "OPT1", ...
  // Bytecode bytes per millisecond, of the methods that are compiled: what it inlines makes it
  // slower (Buytaert et al. 2007, section 2.2: "as a function of the size of the method").
  // Positive.
  double compile_bytes_per_ms = 0;
  // How many times as fast as level 0's its code runs, in the mean of programs. Positive; 1 for
  // level 0.
  double speedup = 1;
  // Whether it inlines as the oracle says, so that compiling again with another profile helps.
  bool inlines = false;
};

// By number. A method is never compiled again at a level with a lower number.
using Levels = std::vector<Level>;

// An error when there is no level, or one has numbers that the model cannot work with.
Status Validate(const Levels& levels);

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_LEVELS_H_
