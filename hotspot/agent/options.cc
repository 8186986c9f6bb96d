#include "hotspot/agent/options.h"

#include <charconv>
#include <optional>

namespace yp::hotspot {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

Result<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::optional<int> high = i + 2 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
    const std::optional<int> low = i + 2 < text.size() ? HexDigit(text[i + 2]) : std::nullopt;
    if (!high || !low) return Status::Error("'%' without two hexadecimal digits");
    decoded += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return decoded;
}

template <typename Integer>
Status ParseInteger(std::string_view text, Integer low, Integer high, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    return Status::Error("takes a whole number from " + std::to_string(low) + " to " +
                         std::to_string(high) + ", not '" + std::string(text) + "'");
  }
  return Status::Ok();
}

// One of the words, by its position.
template <typename T>
Status ParseWord(std::string_view text, std::initializer_list<std::pair<const char*, T>> words,
                 T& value) {
  std::string allowed;
  for (const auto& [word, meaning] : words) {
    if (text == word) {
      value = meaning;
      return Status::Ok();
    }
    allowed += (allowed.empty() ? "" : " or ") + std::string(word);
  }
  return Status::Error("takes " + allowed + ", not '" + std::string(text) + "'");
}

// What follows "event" or "call_event" in a key says which of its numbers it is.
Status SetEvent(PerfEvent& event, std::string_view part, const std::string& value) {
  if (part.empty()) {
    event.name = value;
    return Status::Ok();
  }
  if (part == "_type") return ParseInteger(value, 0u, ~0u, event.type);
  for (const auto& [name, field] :
       {std::pair("_config", &event.config), std::pair("_config1", &event.config1),
        std::pair("_config2", &event.config2)}) {
    if (part == name) return ParseInteger(value, uint64_t{0}, ~uint64_t{0}, *field);
  }
  if (part == "_period") {
    return ParseInteger(value, uint64_t{1}, uint64_t{1} << 62, event.period);
  }
  return Status::Error("is no option of the agent");
}

Status Set(AgentOptions& options, std::string_view key, const std::string& value) {
  using Skip = CounterBasedSampling::InitialSkip;
  using Strides = CounterBasedSampling::Strides;
  constexpr uint32_t kMaxCalls = 1u << 30;
  if (key == "command") {
    return ParseWord<AgentOptions::Command>(
        value, {{"start", AgentOptions::Command::kStart}, {"stop", AgentOptions::Command::kStop}},
        options.command);
  }
  if (key == "spool") {
    options.spool = value;
    return Status::Ok();
  }
  if (key == "mode") {
    return ParseWord<AgentOptions::Mode>(value,
                                         {{"exact", AgentOptions::Mode::kExact},
                                          {"cbs", AgentOptions::Mode::kCbs},
                                          {"timer", AgentOptions::Mode::kTimer},
                                          {"patching", AgentOptions::Mode::kPatching},
                                          {"edges", AgentOptions::Mode::kEdges}},
                                         options.mode);
  }
  if (key == "policy") {
    return ParseWord<PolicyOptions::Kind>(value,
                                          {{"cbs", PolicyOptions::Kind::kCounterBased},
                                           {"countdown", PolicyOptions::Kind::kCountdown}},
                                          options.policy.kind);
  }
  if (key == "probe") {
    return ParseWord<AgentOptions::Probe>(value,
                                          {{"auto", AgentOptions::Probe::kAuto},
                                           {"patch", AgentOptions::Probe::kPatch},
                                           {"barrier", AgentOptions::Probe::kBarrier},
                                           {"bytecode", AgentOptions::Probe::kBytecode},
                                           {"none", AgentOptions::Probe::kNone}},
                                          options.probe);
  }
  if (key == "force") {
    return ParseWord<bool>(value, {{"true", true}, {"false", false}}, options.force);
  }
  if (key == "budget_ppm") {
    int ppm = 0;
    const Status parsed = ParseInteger(value, 0, 1'000'000, ppm);
    options.budget = ppm * 1e-6;
    return parsed;
  }
  if (key == "open_ns") {
    return ParseInteger<int64_t>(value, 100'000, 3'600'000'000'000, options.open_ns);
  }
  if (key == "open_permille") {
    int permille = 0;
    const Status parsed = ParseInteger(value, 1, 1000, permille);
    options.open_share = permille / 1000.0;
    return parsed;
  }
  if (key == "tick_ns") {
    return ParseInteger<int64_t>(value, 100'000, 3'600'000'000'000, options.tick_ns);
  }
  if (key == "delay") {
    return ParseInteger(value, 0u, CounterBasedSampling::kMaxDelay, options.policy.delay);
  }
  if (key == "stride") return ParseInteger<uint32_t>(value, 1, kMaxCalls, options.policy.stride);
  if (key == "samples") return ParseInteger<uint32_t>(value, 1, kMaxCalls, options.policy.samples);
  if (key == "interval") {
    options.interval_follows_probe = false;
    return ParseInteger<uint32_t>(value, 1, kMaxCalls, options.policy.mean_interval);
  }
  if (key == "skip") {
    return ParseWord<Skip>(value, {{"random", Skip::kRandom}, {"round-robin", Skip::kRoundRobin}},
                           options.policy.initial_skip);
  }
  if (key == "stride_kind") {
    return ParseWord<Strides>(value, {{"random", Strides::kRandomized}, {"fixed", Strides::kFixed}},
                              options.policy.strides);
  }
  if (key == "context") {
    return ParseWord<bool>(value, {{"edge", false}, {"tree", true}}, options.context_tree);
  }
  if (key == "stack_every") return ParseInteger(value, 1u, 1'000'000u, options.stack_every);
  if (key == "correct") {
    const std::optional<BiasCorrection> known = BiasCorrectionFrom(value);
    if (!known) return Status::Error("takes no correction that is called '" + value + "'");
    options.correction = *known;
    return Status::Ok();
  }
  if (key == "jit") return ParseWord<bool>(value, {{"yes", true}, {"no", false}}, options.jit);
  if (key == "infer") {
    return ParseWord<bool>(value, {{"yes", true}, {"no", false}}, options.infer);
  }
  if (key == "seed") return ParseInteger<uint64_t>(value, 0, ~uint64_t{0}, options.seed);
  if (key == "scope") {
    return ParseWord<AgentOptions::Scope>(
        value, {{"app", AgentOptions::Scope::kApplication}, {"all", AgentOptions::Scope::kAll}},
        options.scope);
  }
  if (key == "include") {
    options.include.push_back(value);
    return Status::Ok();
  }
  if (key == "exclude") {
    options.exclude.push_back(value);
    return Status::Ok();
  }
  if (key == "trivial") {
    return ParseWord<bool>(value, {{"include", false}, {"exclude", true}}, options.skip_trivial);
  }
  if (key == "trigger") {
    return ParseWord<AgentOptions::Trigger>(value,
                                            {{"nanosleep", AgentOptions::Trigger::kNanosleep},
                                             {"setitimer", AgentOptions::Trigger::kIntervalTimer}},
                                            options.trigger);
  }
  if (key == "stacks") {
    return ParseWord<AgentOptions::Stacks>(value,
                                           {{"none", AgentOptions::Stacks::kNone},
                                            {"setitimer", AgentOptions::Stacks::kIntervalTimer},
                                            {"hpm", AgentOptions::Stacks::kPerfEvents}},
                                           options.stacks);
  }
  if (key == "stack_interval_ns") {
    return ParseInteger<int64_t>(value, 10'000, 3'600'000'000'000, options.stack_interval_ns);
  }
  if (key.starts_with("event")) return SetEvent(options.event, key.substr(5), value);
  if (key == "call_event_wanted") {
    return ParseWord<bool>(value, {{"true", true}, {"false", false}}, options.call_event_wanted);
  }
  if (key.starts_with("call_event")) return SetEvent(options.call_event, key.substr(10), value);
  if (key == "duration_ms") {
    return ParseInteger<int64_t>(value, 0, int64_t{1} << 40, options.duration_ms);
  }
  return Status::Error("is no option of the agent");
}

}  // namespace

Result<AgentOptions> AgentOptions::Parse(std::string_view text) {
  AgentOptions options;
  bool says_trivial = false;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const std::string key(item.substr(0, equals));
    if (equals == std::string_view::npos) return Status::Error(key + " has no value");
    says_trivial |= key == "trivial";
    Result<std::string> value = PercentDecode(item.substr(equals + 1));
    if (!value) return Status::Error(key + ": " + std::string(value.message()));
    if (const Status set = Set(options, key, *value); !set) {
      return Status::Error(key + " " + std::string(set.message()));
    }
  }
  if (!says_trivial) options.skip_trivial = !CountsCalls(options.mode);
  if (options.mode == Mode::kTimer) options.policy.kind = PolicyOptions::Kind::kTimer;
  if (options.command == Command::kStart) {
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
    if (options.context_tree && !CountsContexts(options) && !SamplesContexts(options)) {
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
    if (options.spool.empty()) return Status::Error("spool is missing: where should the data go?");
    if (!CountsCalls(options.mode)) {
      if (Status valid = Validate(options.policy); !valid) return valid;
    }
  }
  return options;
}

bool CountsCalls(AgentOptions::Mode mode) {
  return mode == AgentOptions::Mode::kExact || mode == AgentOptions::Mode::kEdges;
}

bool CountsContexts(const AgentOptions& options) {
  return options.context_tree && options.mode == AgentOptions::Mode::kExact &&
         options.probe == AgentOptions::Probe::kBytecode;
}

bool SamplesContexts(const AgentOptions& options) {
  const bool samples =
      options.mode == AgentOptions::Mode::kCbs || options.mode == AgentOptions::Mode::kTimer;
  return options.context_tree && samples && options.stacks == AgentOptions::Stacks::kNone;
}

bool HasWindows(const AgentOptions& options) {
  const bool samples =
      options.mode == AgentOptions::Mode::kCbs || options.mode == AgentOptions::Mode::kTimer;
  return samples && options.probe != AgentOptions::Probe::kNone &&
         options.policy.kind != PolicyOptions::Kind::kCountdown;
}

bool Infers(const AgentOptions& options) {
  return options.infer &&
         (options.mode == AgentOptions::Mode::kCbs || options.mode == AgentOptions::Mode::kTimer);
}

const char* ToString(AgentOptions::Mode mode) {
  switch (mode) {
    case AgentOptions::Mode::kExact:
      return "exact";
    case AgentOptions::Mode::kCbs:
      return "cbs";
    case AgentOptions::Mode::kTimer:
      return "timer";
    case AgentOptions::Mode::kPatching:
      return "patching";
    case AgentOptions::Mode::kEdges:
      return "edges";
  }
  return "";
}

const char* ToString(AgentOptions::Scope scope) {
  return scope == AgentOptions::Scope::kAll ? "all" : "app";
}

}  // namespace yp::hotspot
