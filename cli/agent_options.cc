#include "cli/agent_options.h"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <system_error>

namespace yp {
namespace {

class OptionString {
 public:
  template <typename T>
  void Add(std::string_view key, const T& value) {
    if (!text_.empty()) text_ += ',';
    text_ += fmt::format("{}={}", key, EncodeAgentValue(fmt::format("{}", value)));
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string_view NameOf(ProfilingOptions::Mode mode) {
  switch (mode) {
    case ProfilingOptions::Mode::kExact:
      return "exact";
    case ProfilingOptions::Mode::kPatching:
      return "patching";
    case ProfilingOptions::Mode::kEdges:
      return "edges";
    case ProfilingOptions::Mode::kTimer:
      return "timer";
    case ProfilingOptions::Mode::kCbs:
      break;
  }
  return "cbs";
}

std::string_view NameOf(ProfilingOptions::Probe probe) {
  switch (probe) {
    case ProfilingOptions::Probe::kAuto:
      return "auto";
    case ProfilingOptions::Probe::kPatch:
      return "patch";
    case ProfilingOptions::Probe::kBarrier:
      return "barrier";
    case ProfilingOptions::Probe::kNone:
      return "none";
    case ProfilingOptions::Probe::kBytecode:
      break;
  }
  return "bytecode";
}

void AddPolicy(const ProfilingOptions& options, OptionString* out) {
  using Skip = CounterBasedSampling::InitialSkip;
  using Strides = CounterBasedSampling::Strides;
  const PolicyOptions& policy = options.policy;
  if (policy.kind == PolicyOptions::Kind::kCountdown) {
    out->Add("policy", "countdown");
    if (options.interval_is_given) out->Add("interval", policy.mean_interval);
    return;
  }
  out->Add("policy", "cbs");
  out->Add("stride", policy.stride);
  out->Add("samples", policy.samples);
  out->Add("skip", policy.initial_skip == Skip::kRandom ? "random" : "round-robin");
  out->Add("delay", policy.delay);
  out->Add("stride_kind", policy.strides == Strides::kRandomized ? "random" : "fixed");
}

// `key`: of its name, with which those of its numbers begin.
void AddEventCode(const std::string& key, const std::string& name, const PerfEventCode& code,
                  OptionString* out) {
  out->Add(key, name);
  out->Add(key + "_type", code.type);
  out->Add(key + "_config", code.config);
  if (code.config1 != 0) out->Add(key + "_config1", code.config1);
  if (code.config2 != 0) out->Add(key + "_config2", code.config2);
}

void AddEvent(const ProfilingOptions& options, OptionString* out) {
  if (!options.event) return out->Add("event_period", options.tick_ns);
  AddEventCode("event", options.event->name, options.event->code, out);
  out->Add("event_period", options.event->period);
}

}  // namespace

std::string EncodeAgentValue(std::string_view value) {
  constexpr std::string_view kSpecial = "%,=;\"'\\";
  std::string encoded;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f || kSpecial.find(c) != std::string_view::npos) {
      encoded += fmt::format("%{:02X}", byte);
    } else {
      encoded += c;
    }
  }
  return encoded;
}

std::string AgentOptions(const ProfilingOptions& options, std::string_view spool_pattern) {
  OptionString out;
  out.Add("spool", spool_pattern);
  out.Add("mode", NameOf(options.mode));
  if (options.mode == ProfilingOptions::Mode::kCbs) AddPolicy(options, &out);
  if (options.mode == ProfilingOptions::Mode::kPatching) out.Add("samples", options.policy.samples);
  if (options.HasTicks()) out.Add("tick_ns", options.tick_ns);
  if (options.HasTicks() && options.ticks_by_timer) out.Add("trigger", "setitimer");
  if (options.MayBeAtEntries()) {
    out.Add("probe", NameOf(options.probe));
    if (options.force) out.Add("force", "true");
  }
  if (options.IsPaced()) out.Add("budget_ppm", std::lround(options.budget_percent * 1e4));
  if (options.probe == ProfilingOptions::Probe::kNone) out.Add("probe", "none");
  if (options.stacks != ProfilingOptions::Stacks::kNone) {
    const bool is_hpm = options.stacks == ProfilingOptions::Stacks::kHpm;
    out.Add("stacks", is_hpm ? "hpm" : "setitimer");
    out.Add("stack_interval_ns", options.tick_ns);
    if (is_hpm) AddEvent(options, &out);
  }
  if (options.jit) out.Add("jit", "yes");
  if (options.context_tree) out.Add("context", "tree");
  if (options.stack_every) out.Add("stack_every", *options.stack_every);
  if (options.HasWindows()) out.Add("correct", ToString(options.correction));
  if (options.call_counter) {
    AddEventCode("call_event", options.call_counter->name, options.call_counter->code, &out);
    if (options.call_counter_is_wanted) out.Add("call_event_wanted", "true");
  }
  if (options.seed) out.Add("seed", *options.seed);
  out.Add("scope", options.scope == ProfilingOptions::Scope::kAll ? "all" : "app");
  for (const std::string& glob : options.include) out.Add("include", glob);
  for (const std::string& glob : options.exclude) out.Add("exclude", glob);
  if (options.trivial) out.Add("trivial", *options.trivial ? "include" : "exclude");
  if (options.duration_ns) {
    out.Add("duration_ms", (*options.duration_ns + 999'999) / 1'000'000);
  }
  return out.Take();
}

std::vector<std::string> JvmOptions(const ProfilingOptions& options, const std::string& library,
                                    std::string_view spool_pattern) {
  std::vector<std::string> all;
  // Else the second compiler keeps no trace of most of the small methods that it inlines.
  if (options.WantsDebugInfo()) {
    all = {"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"};
  }
  all.push_back("-agentpath:" + library + "=" + AgentOptions(options, spool_pattern));
  return all;
}

std::string AgentStopOptions() { return "command=stop"; }

Result<std::string> FindAgentLibrary(const std::string& program_path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path directory = fs::canonical(program_path, error).parent_path();
  if (error) {
    return Status::Error(
        fmt::format("cannot find my own path: {}: {}", program_path, error.message()));
  }
  for (const char* place : {"../hotspot", "../lib", "../lib/yieldpoint"}) {
    const fs::path library = (directory / place / "libyieldpoint.so").lexically_normal();
    if (!fs::is_regular_file(library, error)) continue;
    // The JVM ends the library's path at the first "=".
    if (library.native().find('=') != std::string::npos) {
      return Status::Error(fmt::format("a JVM cannot load an agent whose path has a \"=\": move {}",
                                       library.native()));
    }
    return library.native();
  }
  return Status::Error(fmt::format(
      "the agent libyieldpoint.so is not beside {}: build it (cmake --build) or install "
      "it in ../lib",
      directory.native()));
}

}  // namespace yp
