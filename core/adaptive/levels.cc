#include "core/adaptive/levels.h"

#include <cmath>

namespace yp {

Status Validate(const Levels& levels) {
  if (levels.empty()) return Status::Error("there is no level of optimization");
  const auto is_positive = [](double number) { return std::isfinite(number) && number > 0; };
  for (const Level& level : levels) {
    if (!is_positive(level.compile_bytes_per_ms) || !is_positive(level.speedup)) {
      return Status::Error("level " + level.name +
                           ": its compile rate and its speed-up are to be positive numbers");
    }
  }
  if (levels.front().speedup != 1) {
    return Status::Error(
        "level " + levels.front().name +
        ": the speed-up of the lowest level is 1, as all others' are relative to it");
  }
  return Status::Ok();
}

}  // namespace yp
