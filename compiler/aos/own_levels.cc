#include "compiler/aos/own_levels.h"

namespace yp::compiler {

Levels OwnLevels() {
  return {
      {.name = "BASE", .compile_bytes_per_ms = 240, .speedup = 1},
  };
}

Levels LevelsWithBaseAgain() {
  Levels levels = OwnLevels();
  levels.push_back({.name = "BASE again",
                    .compile_bytes_per_ms = levels[0].compile_bytes_per_ms,
                    .speedup = 2 * levels[0].speedup});
  return levels;
}

}  // namespace yp::compiler
