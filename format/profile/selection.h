#ifndef YP_FORMAT_PROFILE_SELECTION_H_
#define YP_FORMAT_PROFILE_SELECTION_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "format/profile/profile.h"

namespace yp {

// A stretch of a run, in some of its threads.
struct Selection {
  int64_t from_ns = 0;  // Of the run; the end is beyond.
  int64_t to_ns = std::numeric_limits<int64_t>::max();
  // Of the names of threads; a thread without one is "thread 7". Null: all.
  std::function<bool(std::string_view)> has_thread = {};
};

// Reduces a profile to a selection: calls, their intervals and samples of edges, and the contexts
// that are samples of time. What compilers did, and all other numbers of the run, stay.
//
// - Sampled calls are taken by when and where they were sampled; inferred calls go with those of
//   their callers (core/graph/selected_calls.h).
// - Calls that the VM counted itself know neither time nor thread: they are in no selection.
// - Where an edge has no sample, it may have had calls all the same: up to three times what a
//   sample stands for there (the rule of three). Edges without any are taken out.
// - Intervals hold, besides the whole run's, the chance of which calls were sampled there.
// - Stacks are known by parts of the run (stack_times.h): those whose middle is in the selection
//   are taken. Threads whose stacks were kept together with others' are taken if all are wanted.
// - Contexts of calls know neither time nor thread: none are left.
//
// Returns what a person should know of it, a sentence each. An error where nothing can be selected:
// exact counts and found edges have no times, profiles without samples have nothing; and where no
// thread is selected, which it names.
Result<std::vector<std::string>> Select(const Selection& selection, Profile* profile);

// How many calls of each edge are known how, for a selection by samples: `sampled` and `inferred`
// of EdgeToSelect, in the order of the edges; the rest was counted by the VM.
struct CallsByEvidence {
  double sampled = 0;
  double inferred = 0;
};
std::vector<CallsByEvidence> EvidenceOf(const Profile& profile);

}  // namespace yp

#endif  // YP_FORMAT_PROFILE_SELECTION_H_
