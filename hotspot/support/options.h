#ifndef YP_HOTSPOT_SUPPORT_OPTIONS_H_
#define YP_HOTSPOT_SUPPORT_OPTIONS_H_

#include <string_view>

#include "base/status.h"
#include "core/options/recording_options.h"
#include "recorder/triggers/perf_events.h"

namespace yp::hotspot {

// What the agent was asked for, by an option string (core/options/option_string.h).
struct AgentOptions : RecordingOptions {
  // Whether methods without calls or loops of their own, like getters, go without the probe: unless
  // it was said, those of sampling do, where observing them costs more than it tells, and those of
  // exact counting do not. Those that are entered compiled are observed at entries whatever it
  // says.
  bool skip_trivial = false;

  // An error names the key and what it takes.
  static Result<AgentOptions> Parse(std::string_view text);

  // What the processor counts between windows; none where it has no name.
  PerfEvent CallEvent() const;
  // Whether a recording at compiled entries tells what inlined calls are to be inferred from.
  bool Infers() const { return infer && SamplesCalls(); }
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_SUPPORT_OPTIONS_H_
