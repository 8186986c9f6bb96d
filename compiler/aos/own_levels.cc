#include "compiler/aos/own_levels.h"

#include "compiler/aos/trained_levels.h"

namespace yp::compiler {
namespace {

Level Trained(const char* name, const TrainedLevel& trained, bool inlines = false) {
  return {.name = name,
          .compile_bytes_per_ms = trained.compile_bytes_per_ms,
          .speedup = trained.speedup,
          .inlines = inlines};
}

}  // namespace

Levels OwnLevels(OwnInlining inlining, bool optimizes) {
  const bool inlines = inlining == OwnInlining::kOnline;
  Levels levels = {Trained("BASE", kTrainedBase)};
  if (inlining != OwnInlining::kNone) {
    levels.push_back(Trained("OPT1", kTrainedOpt1, inlines));
  } else if (optimizes) {
    levels.push_back(Trained("OPT1", kTrainedBase));  // The same code.
  }
  if (optimizes) levels.push_back(Trained("OPT2", kTrainedOpt2, inlines));
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
