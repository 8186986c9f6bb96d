#ifndef YP_CLI_PROFILING_FLAGS_H_
#define YP_CLI_PROFILING_FLAGS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/flags.h"
#include "cli/profiling_options.h"

namespace yp {

// The options of a command line that make a ProfilingOptions.
class ProfilingFlags {
 public:
  enum class Set {
    kRun,
    kAttach,     // The duration has the short name -d, too.
    kSelfcheck,  // Without those that selfcheck varies itself: mode and duration.
  };
  ProfilingFlags(Flags app, Set set);
  ProfilingFlags(const ProfilingFlags&) = delete;
  ProfilingFlags& operator=(const ProfilingFlags&) = delete;

  // After the command line was parsed: an error for values that are out of range, belong to a later
  // version or contradict each other.
  Result<ProfilingOptions> Get() const;

 private:
  // Whether windows are asked for, or an option is given that only they have.
  bool AsksForWindows() const;
  // Where --probe is not given.
  ProfilingOptions::Probe UsualProbe(ProfilingOptions::Mode mode) const;
  Status ReadStacks(ProfilingOptions* options) const;
  Status ReadCallCounter(ProfilingOptions* options) const;
  Status ReadChoices(ProfilingOptions* options) const;
  Status CheckPolicyFlags(const ProfilingOptions& options) const;
  bool Given(std::string_view flag) const;

  const Flags app_;
  std::string mode_ = "cbs";
  std::string policy_ = "cbs";
  std::string probe_ = "auto";
  std::string trigger_ = "auto";
  std::string mechanism_ = "polling";
  std::string context_ = "edge";
  std::string correct_{ToString(kDefaultBiasCorrection)};
  std::string call_counter_ = "auto";
  std::string event_;
  uint64_t period_ = 1'000'000;
  std::string skip_ = "random";
  std::string stride_kind_ = "random";
  std::string scope_ = "app";
  std::string trivial_;
  std::string tick_;
  std::string duration_;
  uint64_t seed_ = 0;
  uint32_t stack_every_ = 0;
  ProfilingOptions parsed_;
};

}  // namespace yp

#endif  // YP_CLI_PROFILING_FLAGS_H_
