#ifndef YP_CORE_GRAPH_CODE_LEVEL_H_
#define YP_CORE_GRAPH_CODE_LEVEL_H_

#include <cstdint>

// HotSpot's levels of code, as it numbers them (compilerDefinitions.hpp, CompLevel).
namespace yp::code_level {

inline constexpr int32_t kInterpreted = 0;
// C1's without counters: trivial methods, or all where there is no C2.
inline constexpr int32_t kTrivial = 1;
// C1's that counts invocations and loops only.
inline constexpr int32_t kLimited = 2;
// C1's that counts all that it calls.
inline constexpr int32_t kProfiled = 3;
// C2's.
inline constexpr int32_t kOptimized = 4;

// The levels of the project's own compiler follow from here on: BASE first, then OPT1, OPT2, ...
// HotSpot's own number for all of them would be that of C2.
inline constexpr int32_t kFirstOwn = 10;

}  // namespace yp::code_level

#endif  // YP_CORE_GRAPH_CODE_LEVEL_H_
