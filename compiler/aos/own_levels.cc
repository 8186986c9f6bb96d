#include "compiler/aos/own_levels.h"

namespace yp::compiler {

Levels OwnLevels(OwnInlining inlining, bool optimizes) {
  Levels levels = {{.name = "BASE", .compile_bytes_per_ms = 240, .speedup = 1}};
  if (inlining != OwnInlining::kNone) {
    levels.push_back({.name = "OPT1",
                      .compile_bytes_per_ms = 93,
                      .speedup = 1.15,
                      .inlines = inlining == OwnInlining::kOnline});
  } else if (optimizes) {
    levels.push_back({.name = "OPT1", .compile_bytes_per_ms = 240, .speedup = 1});
  }
  if (optimizes) {
    levels.push_back({.name = "OPT2",
                      .compile_bytes_per_ms = 53,
                      .speedup = 1.9,
                      .inlines = inlining == OwnInlining::kOnline});
  }
  return levels;
}

Levels LevelsWithBaseAgain() {
  Levels levels = OwnLevels(OwnInlining::kNone);
  levels.push_back({.name = "BASE again",
                    .compile_bytes_per_ms = levels[0].compile_bytes_per_ms,
                    .speedup = 2 * levels[0].speedup});
  return levels;
}

}  // namespace yp::compiler
