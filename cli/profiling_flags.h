#ifndef YP_CLI_PROFILING_FLAGS_H_
#define YP_CLI_PROFILING_FLAGS_H_

#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/flags.h"
#include "cli/profiling_options.h"
#include "core/options/option_table.h"

namespace yp {

// The options of a command line that make a ProfilingOptions: those of core/options/option_table.h.
class ProfilingFlags {
 public:
  enum class Set {
    kRun,
    kAttach,     // The duration has the short name -d, too.
    kStart,      // With those of a recording that goes on without yp.
    kAos,        // Those of the project's own compiler, which has one probe.
    kSelfcheck,  // Without those that selfcheck varies itself: mode and duration.
  };
  ProfilingFlags(Flags flags, Set set);
  ProfilingFlags(const ProfilingFlags&) = delete;
  ProfilingFlags& operator=(const ProfilingFlags&) = delete;

  // After the command line was parsed: an error for values that are out of range, belong to a later
  // version or contradict each other.
  Result<ProfilingOptions> Get() const;
  // Whether any of them was given.
  bool AnyGiven() const;
  // Of yp aos: whether there is anything to record. An error when there is not, and options were
  // given.
  Result<bool> Records() const;

 private:
  void Add(const RecordingOption& option, Set set, Flags flags);
  // Whether windows are asked for, or an option is given that only they have.
  bool AsksForWindows(const ProfilingOptions& options) const;
  // Where --probe is not given.
  ProfilingOptions::Probe UsualProbe(const ProfilingOptions& options) const;
  Status ReadWords(ProfilingOptions* options) const;
  Status ReadTimes(ProfilingOptions* options) const;
  Status ReadStacks(ProfilingOptions* options) const;
  Status ReadCallCounter(ProfilingOptions* options) const;
  Status Decide(ProfilingOptions* options) const;
  Status CheckEffects(const ProfilingOptions& options) const;
  // With what the option has an effect.
  std::string NeedsOf(const RecordingOption& option) const;
  bool Given(std::string_view flag) const { return flags_.Given(flag); }
  const std::string& Text(std::string_view flag) const { return texts_.at(flag); }
  bool IsImmediate(const ProfilingOptions& options) const {
    return Text("--mechanism") == "immediate" || options.jit;
  }

  const Flags flags_;
  const Set set_;
  ProfilingOptions parsed_;  // Numbers and globs.
  // Words, times and names of events, by the flag, as they were given or are by default.
  std::map<std::string_view, std::string> texts_;
};

}  // namespace yp

#endif  // YP_CLI_PROFILING_FLAGS_H_
