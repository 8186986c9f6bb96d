#ifndef YP_CORE_AMORTIZE_VERSIONS_H_
#define YP_CORE_AMORTIZE_VERSIONS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/amortize/jit_log.h"

namespace yp {

// A time in which calls of a method went to one version of it: [begin_ns, end_ns).
struct VersionLife {
  // Index of JitLog::compilations; nothing where it was interpreted.
  std::optional<size_t> compilation;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  // It ended because the code was made not entrant, not because better code came: what its compiler
  // had assumed did not hold (index of JitLog::deoptimizations), or a class was loaded (nothing).
  bool was_made_not_entrant = false;
  std::optional<size_t> deoptimization;
};

// A method's versions, one after the other, without gaps: from the run's start to its end.
struct MethodVersions {
  JitMethodId method{};
  std::vector<VersionLife> lives;
  // Compilations of its loops (on-stack replacement): entered in the middle of calls that had begun
  // in another version, so that no call goes to them. By the end of their compilation.
  std::vector<size_t> loops;
};

// Every method that was compiled, or was tried to be, in the order of ids. `end_ns`: the run's end.
//
// A method is interpreted until its first compilation has ended, and after its code was made not
// entrant until the next one has. HotSpot makes code not entrant where a deoptimisation's action is
// "reinterpret", "make_not_entrant" or "make_not_compilable", or where it tells so (JitCodeEnd),
// but for what ends without a trap while its successor is being made: that is how HotSpot replaces
// it. A compilation that failed changes nothing.
std::vector<MethodVersions> VersionsOf(const JitLog& log, int64_t end_ns);

// Whether a deoptimisation's action makes the code not entrant.
bool MakesNotEntrant(std::string_view action);

// What a compilation cost: CPU time where that is known, else how long it took; 0 where its clock
// went backwards.
int64_t CompileNs(const JitLog::Compilation& compilation);

}  // namespace yp

#endif  // YP_CORE_AMORTIZE_VERSIONS_H_
