#include "hotspot/support/options.h"

#include <unistd.h>

#include <string>
#include <utility>

#include "core/options/option_string.h"
#include "core/options/option_table_parts.h"
#include "recorder/part_files.h"

namespace yp::hotspot {
namespace {

using Mode = RecordingOptions::Mode;
using Probe = RecordingOptions::Probe;
using Stacks = RecordingOptions::Stacks;
using Trigger = RecordingOptions::Trigger;

Status Check(const AgentOptions& options) {
  if (options.mode == Mode::kPatching && options.probe != Probe::kPatch) {
    return Status::Error("mode=patching patches entries: give probe=patch");
  }
  if (options.mode == Mode::kEdges && options.probe != Probe::kBytecode) {
    return Status::Error("mode=edges sees inlined calls, too, and takes probe=bytecode");
  }
  if (options.probe == Probe::kNone &&
      (options.mode != Mode::kTimer || options.stacks == Stacks::kNone)) {
    return Status::Error("probe=none takes mode=timer and stacks: else there is nothing to see");
  }
  if (options.trigger == Trigger::kIntervalTimer && options.stacks != Stacks::kNone) {
    return Status::Error(
        "trigger=setitimer and stacks both take the profiling signal: leave one out");
  }
  if (options.context_tree && !options.CountsContexts() && !options.SamplesContexts()) {
    return Status::Error(
        "context=tree is of mode=exact with probe=bytecode, or of sampled calls; stacks are "
        "whole anyway");
  }
  if (options.mode == Mode::kExact && options.probe == Probe::kBarrier) {
    return Status::Error(
        "the entry barrier does not see every call, as mode=exact needs: probe=patch sees all "
        "that "
        "are not inlined, probe=bytecode all");
  }
  // Whoever waits for a reply may want another recording like the last one.
  if (options.spool.empty() && options.reply.empty()) {
    return Status::Error("spool is missing: where should the data go?");
  }
  if (options.loop_ns && !options.spool.empty()) {
    if (!option_table::CanLoop(options)) {
      return Status::Error(
          "loop is for mode=cbs, timer or exact, without jit and contexts of "
          "counted calls, which are told in one spool: leave loop out");
    }
    if (Status named = PartFiles(options.spool, getpid()).Check(); !named) return named;
  }
  if (options.max_bytes && !options.loop_ns)
    return Status::Error("maxsize is of several spools: give loop as well");
  return options.SeesEveryCall() ? Status::Ok() : Validate(options.policy);
}

}  // namespace

Result<AgentOptions> AgentOptions::Parse(std::string_view text) {
  Result<RecordingOptions> parsed = ParseOptionString(text);
  if (!parsed) return parsed.status();
  AgentOptions options{std::move(*parsed)};
  // A recording that goes on and on is one for production, unless it was said which.
  const bool is_usual = !options.probe_is_given && !options.policy_is_given;
  if (options.loop_ns && options.mode == Mode::kCbs && is_usual) {
    options.probe = Probe::kAuto;
    options.policy.kind = PolicyOptions::Kind::kCountdown;
  }
  options.skip_trivial = !options.trivial.value_or(options.SeesEveryCall());
  if (options.mode == Mode::kTimer) options.policy.kind = PolicyOptions::Kind::kTimer;
  if (options.command == Command::kStart) {
    if (Status valid = Check(options); !valid) return valid;
  }
  return options;
}

PerfEvent AgentOptions::CallEvent() const {
  PerfEvent result{.name = ""};
  if (call_counter) {
    result.name = call_counter->name;
    result.Count(call_counter->code);
  }
  return result;
}

}  // namespace yp::hotspot
