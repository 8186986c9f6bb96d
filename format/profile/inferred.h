#ifndef YP_FORMAT_PROFILE_INFERRED_H_
#define YP_FORMAT_PROFILE_INFERRED_H_

#include <cstdint>
#include <map>
#include <vector>

#include "core/inference/infer.h"
#include "format/profile/profile.h"
#include "format/spool/records.h"

namespace yp {

// What a recording at compiled entries tells of calls that were inlined. Ids of methods and edges
// are the profile's.
struct InlineEvidence {
  struct Call {
    EdgeId edge{};
    CompilationId caller = kNoCompilation;
    uint32_t caller_node = 0;
    CompilationId callee = kNoCompilation;
    bool is_caller_profiled = false;  // As spool::CompiledCall has it.
    uint64_t samples = 0;
    uint32_t steps = 1;  // As spool::EdgeDefinition has it.
    // Of its samples, the part that stands for calls while entries of the callee were counted at
    // other times, EntryCount::uncounted_calls; and the part that stands for calls before that.
    double uncounted_part = 0, earlier_part = 1;
  };
  struct EntryCount {
    double calls = 0;
    // While it was in use and not counted, if it was called as often as where it was; and how many
    // samples of calls then are worth as much.
    double uncounted_calls = 0, weight = 1;
  };
  std::map<CompilationId, spool::Compilation> compilations;
  std::map<CompiledCallId, Call> calls;
  MethodProfiles method_profiles;
  // How often compilations were entered, where that was counted (entry_counts.h).
  std::map<CompilationId, EntryCount> entry_counts = {};
};

// The compilations that were sampled, each with its calls as estimated from samples and counts of
// entries. After EstimateCalls.
std::vector<Root> RootsOf(const Profile& profile, const InlineEvidence& evidence);

// Adds the calls that were inlined, by core/inference, to the edges as estimated from samples, and
// has the calls into a compilation be as many as were counted of its entries.
// Edges whose callee is not observed, which were sampled for what it inlines, are left out of the
// profile. All intervals are widened by the error of the total that comes with inlined calls.
// Nothing without compilations. After EstimateCalls. Returns what was inlined where.
std::vector<InlinedRoot> AddInferredCalls(const InlineEvidence& evidence, Profile* profile);

// Contexts of sampled calls become those of all calls (core/inference/call_contexts.h). `roots` is
// what AddInferredCalls has returned. After all else is estimated.
void EstimateContexts(const std::vector<InlinedRoot>& roots, Profile* profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_INFERRED_H_
