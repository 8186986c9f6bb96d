#ifndef YP_CORE_ADAPTIVE_LEVELS_FOR_TEST_H_
#define YP_CORE_ADAPTIVE_LEVELS_FOR_TEST_H_

#include <map>
#include <optional>

#include "core/adaptive/levels.h"
#include "core/adaptive/organizers.h"

namespace yp {

// Jikes RVM's on IA-32 (its VM_CompilerDNA, 2.4).
inline Levels JikesLevels() {
  return {{.name = "BASE", .compile_bytes_per_ms = 909.46, .speedup = 1},
          {.name = "OPT0", .compile_bytes_per_ms = 39.53, .speedup = 4.03},
          {.name = "OPT1", .compile_bytes_per_ms = 18.48, .speedup = 5.88, .inlines = true},
          {.name = "OPT2", .compile_bytes_per_ms = 17.28, .speedup = 5.93, .inlines = true}};
}
inline constexpr int32_t kBase = 0, kOpt0 = 1, kOpt1 = 2, kOpt2 = 3;

// Methods of a program.
inline constexpr MethodId kMain{0}, kGet{1}, kHash{2};

struct SizesForTest final : MethodSizes {
  std::map<MethodId, int32_t> bytes;
  std::optional<int32_t> BytesOf(MethodId method) const override {
    const auto it = bytes.find(method);
    return it == bytes.end() ? std::nullopt : std::optional(it->second);
  }
};

}  // namespace yp

#endif  // YP_CORE_ADAPTIVE_LEVELS_FOR_TEST_H_
