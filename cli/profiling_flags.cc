#include "cli/profiling_flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <variant>

#include "cli/duration.h"
#include "cli/perf_event_name.h"

namespace yp {
namespace {

using Mode = ProfilingOptions::Mode;
using Probe = ProfilingOptions::Probe;
using Stacks = ProfilingOptions::Stacks;
using OptionKind = RecordingOption::Kind;
using Kind = PolicyOptions::Kind;
using Skip = CounterBasedSampling::InitialSkip;
using Strides = CounterBasedSampling::Strides;

constexpr int64_t kJitTickNs = 1'000'000;
// Which version had how many calls is only known of the time in which they are observed, and that
// is to be all of it.
constexpr double kJitBudgetPercent = 3;

Status CheckGlobs(std::string_view option, const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    if (glob.empty()) return Status::Error(fmt::format("{} needs a glob, not nothing", option));
    if (glob.find('/') != std::string::npos) {
      return Status::Error(
          fmt::format("{} {}: write class names with dots, such as org.example.*", option, glob));
    }
  }
  return Status::Ok();
}

// What a time's field holds; 0: nothing.
int64_t TimeOf(const RecordingOption& option, ProfilingOptions options) {
  const OptionField field = option.field(options);
  const auto* const time = std::get_if<int64_t*>(&field);
  return time != nullptr ? **time : 0;
}

void SetTime(const RecordingOption& option, int64_t ns, ProfilingOptions* options) {
  const OptionField field = option.field(*options);
  if (auto* const* time = std::get_if<int64_t*>(&field)) **time = ns;
  if (auto* const* maybe = std::get_if<std::optional<int64_t>*>(&field)) **maybe = ns;
}

std::string HelpOf(const RecordingOption& option, const ProfilingOptions& defaults) {
  std::string help(option.help);
  if (const size_t place = help.find("{}"); place != std::string::npos) {
    help.replace(place, 2, FormatDuration(TimeOf(option, defaults)));
  }
  return help;
}

// A flag whose value goes into the field itself.
Flag AddValue(Flags flags, const std::string& names, const OptionField& field,
              const std::string& help) {
  return std::visit(
      [&](auto pointer) -> Flag {
        if constexpr (std::is_constructible_v<FlagTarget, decltype(pointer)>) {
          return flags.Option(names, pointer, help);
        } else {
          throw std::logic_error(names + " has a field that no command line fills");
        }
      },
      field);
}

void CheckRange(const RecordingOption& option, const OptionField& field, Flag flag) {
  if (!option.flag_low || option.kind == OptionKind::kTime) return;
  if (!option.flag_high) {
    flag.AboveZero();
  } else if (std::holds_alternative<double*>(field)) {
    flag.Range(*option.flag_low, *option.flag_high);
  } else {
    flag.Range(static_cast<unsigned>(*option.flag_low), static_cast<unsigned>(*option.flag_high));
  }
}

Status UnknownWord(const RecordingOption& option, std::string_view given) {
  std::vector<std::string_view> words;
  for (const OptionWord& word : option.words) {
    if (word.is_taken) words.push_back(word.word);
  }
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return Status::Error(fmt::format("{} {}: unknown; choose {}", option.flag, given, text));
}

}  // namespace

ProfilingFlags::ProfilingFlags(Flags flags, Set set) : flags_(flags), set_(set) {
  if (set == Set::kAos) {
    flags
        .Option("--mode", &texts_["--mode"],
                "edges: which calls compiled code makes at all, each found once, by\n"
                "caller-indexed code targets")
        .Value("edges");
  }
  std::optional<Flags> advanced;
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.flag.empty()) continue;
    std::string& text = texts_[option.flag];
    if (set == Set::kAos && option.flag == "--mode") continue;
    text = option.shown_default;
    if (text.empty() && option.kind == OptionKind::kWord) text = WordOf(option, parsed_);
    const bool is_of_aos = option.is_of_aos || option.is_of_aos_alone;
    if (set == Set::kAos ? !is_of_aos : option.is_of_aos_alone) continue;
    if (set == Set::kSelfcheck && !option.is_common) continue;
    if (set != Set::kStart && option.is_of_start) continue;
    if (option.is_advanced && !advanced) {
      advanced = flags.Group("Sampling", "What most users leave as it is");
    }
    Add(option, set, option.is_advanced ? *advanced : flags);
  }
}

void ProfilingFlags::Add(const RecordingOption& option, Set set, Flags flags) {
  std::string names(option.flag);
  if (set == Set::kAttach && !option.short_flag.empty()) {
    names = std::string(option.short_flag) + "," + names;
  }
  const std::string help = HelpOf(option, parsed_);
  if (option.kind == OptionKind::kSwitch) {
    flags.Switch(names, option.switched(parsed_), help);
    return;
  }
  const bool is_number_or_list = option.kind == OptionKind::kValue && option.field != nullptr;
  const OptionField field = is_number_or_list ? option.field(parsed_) : OptionField();
  Flag flag = is_number_or_list ? AddValue(flags, names, field, help)
                                : flags.Option(names, &texts_.at(option.flag), help);
  flag.Value(ValueNameOf(option));
  if (std::holds_alternative<std::vector<std::string>*>(field)) flag.OneEachTime();
  CheckRange(option, field, flag);
  if (option.shows_default) flag.ShowDefault();
}

// What is for production is nearly free. What counts every call, or finds every edge, must see the
// inlined ones; and windows at ticks are at home in rewritten classes.
Probe ProfilingFlags::UsualProbe(const ProfilingOptions& options) const {
  if (set_ == Set::kAos) return Probe::kBytecode;  // Not used: yieldpoints are.
  if (options.mode == Mode::kPatching) return Probe::kPatch;
  if (options.mode == Mode::kTimer && IsImmediate(options)) return Probe::kNone;
  return options.mode == Mode::kCbs && !AsksForWindows(options) ? Probe::kAuto : Probe::kBytecode;
}

bool ProfilingFlags::AsksForWindows(const ProfilingOptions& options) const {
  if (set_ == Set::kAos) return true;
  if (Given("--policy")) return Text("--policy") == "cbs";
  for (const char* flag : {"--stride", "--samples", "--delay", "--skip", "--stride-kind"}) {
    if (Given(flag)) return true;
  }
  return !IsImmediate(options) && (Given("--tick") || Given("--trigger"));
}

Status ProfilingFlags::ReadWords(ProfilingOptions* options) const {
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.flag.empty() || !Given(option.flag)) continue;
    if (option.when_given != nullptr) option.when_given(*options);
    if (option.kind == OptionKind::kBytes) {
      const Status set = SetFromText(option, Text(option.flag), options);
      if (!set) return Status::Error(fmt::format("{} {}", option.flag, set.message()));
    }
    if (option.kind != OptionKind::kWord) continue;
    if (!SetWord(option, Text(option.flag), options)) {
      return UnknownWord(option, Text(option.flag));
    }
  }
  return Status::Ok();
}

// What follows from several of them together.
Status ProfilingFlags::Decide(ProfilingOptions* options) const {
  const Mode mode = options->mode;
  const bool asks_for_windows = AsksForWindows(*options);
  if (set_ != Set::kAos) {
    options->policy.kind = mode == Mode::kTimer                      ? Kind::kTimer
                           : mode == Mode::kCbs && !asks_for_windows ? Kind::kCountdown
                                                                     : Kind::kCounterBased;
  }
  if (!Given("--probe")) options->probe = UsualProbe(*options);
  if (mode == Mode::kPatching && options->probe != Probe::kPatch) {
    return Status::Error("--mode patching patches entries: it needs --probe patch");
  }
  if (mode == Mode::kEdges && options->probe != Probe::kBytecode) {
    return Status::Error(
        "--mode edges finds inlined calls as well, which only --probe bytecode sees: leave --probe "
        "out");
  }
  if (Status read = ReadStacks(options); !read) return read;
  if (Status read = ReadCallCounter(options); !read) return read;
  if (options->probe == Probe::kNone &&
      (mode != Mode::kTimer || options->stacks == Stacks::kNone)) {
    return Status::Error(
        "--probe none observes no calls: it needs --mode timer --mechanism immediate");
  }
  if (options->policy.initial_skip == Skip::kRoundRobin && !Given("--stride-kind")) {
    options->policy.strides = Strides::kFixed;
  }
  return Status::Ok();
}

// Of trigger and mechanism those pairs that Buytaert et al. (OOPSLA 2007, Figure 1) call viable.
Status ProfilingFlags::ReadStacks(ProfilingOptions* options) const {
  const std::string& trigger = Text("--trigger");
  if (options->jit && Given("--mechanism") && Text("--mechanism") == "polling") {
    return Status::Error("--jit takes stacks by signals: leave --mechanism polling out");
  }
  if (!IsImmediate(*options)) {
    if (trigger == "setitimer") options->trigger = ProfilingOptions::Trigger::kIntervalTimer;
    return trigger != "hpm"
               ? Status::Ok()
               : Status::Error("--trigger hpm sends signals: it needs --mechanism immediate");
  }
  if (set_ == Set::kAos && !options->adaptive) {
    return Status::Error("--mechanism immediate samples methods: it needs --adaptive");
  }
  if (trigger == "nanosleep") {
    return Status::Error(
        "--trigger nanosleep sends no signals: --mechanism immediate needs setitimer or hpm");
  }
  options->stacks = trigger == "setitimer" ? Stacks::kIntervalTimer : Stacks::kHpm;
  if (!Given("--event")) return Status::Ok();
  const std::string& event = Text("--event");
  const Result<PerfEventCode> code = FindPerfEvent(event);
  if (!code) return Status::Error("--event " + std::string(code.status().message()));
  // The time between stacks says how many ns a clock counts.
  if (!code->IsClock()) options->event = ProfilingOptions::Event{event, *code, options->period};
  return Status::Ok();
}

Status ProfilingFlags::ReadCallCounter(ProfilingOptions* options) const {
  const std::string& counter = Text("--call-counter");
  if (!options->HasWindows() || counter == "none") return Status::Ok();
  if (counter == "auto") {
    options->call_counter = FindCallEvent();
    return Status::Ok();
  }
  const Result<PerfEventCode> code = FindPerfEvent(counter);
  if (!code) {
    return Status::Error("--call-counter " + std::string(code.status().message()));
  }
  options->call_counter = NamedPerfEvent{counter, *code};
  options->call_counter_is_wanted = true;
  return Status::Ok();
}

Status ProfilingFlags::CheckEffects(const ProfilingOptions& options) const {
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.works != nullptr && Given(option.flag) && !option.works(options)) {
      return Status::Error(fmt::format("{} works only with {}: leave one of them out", option.flag,
                                       NeedsOf(option)));
    }
  }
  return Validate(options.policy);
}

std::string ProfilingFlags::NeedsOf(const RecordingOption& option) const {
  if (set_ != Set::kAos) return std::string(option.needs);
  std::string needs;
  if (option.is_of_aos_alone) return std::string(option.needs);
  for (const RecordingOption& profiler : RecordingOptionTable()) {
    if (profiler.flag != "--profiler") continue;
    for (const OptionWord& word : profiler.words) {
      ProfilingOptions options = parsed_;
      if (word.meaning == 0 || !SetWord(profiler, word.word, &options)) continue;
      if (!option.works(options)) continue;
      needs += fmt::format("{}{} {}", needs.empty() ? "" : " or ", profiler.flag, word.word);
    }
  }
  return needs;
}

Result<bool> ProfilingFlags::Records() const {
  const bool has_profiler = Text("--profiler") != "none";
  if (Given("--mode")) {
    if (Text("--mode") != "edges") {
      return Status::Error(
          fmt::format("--mode {}: the compiler's only mode is edges; --profiler "
                      "says what else is recorded",
                      Text("--mode")));
    }
    if (has_profiler) return Status::Error("give --mode edges or --profiler, not both");
    return true;
  }
  if (has_profiler) return true;
  for (const RecordingOption& option : RecordingOptionTable()) {
    const bool is_of_aos = option.is_of_aos || (option.is_of_aos_alone && !option.key.empty());
    if (is_of_aos && Given(option.flag)) {
      return Status::Error(
          fmt::format("{} needs {}, which says what is recorded", option.flag,
                      option.is_of_aos_alone ? option.needs : std::string_view("--profiler")));
    }
  }
  return false;
}

Status ProfilingFlags::ReadTimes(ProfilingOptions* options) const {
  for (const RecordingOption& option : RecordingOptionTable()) {
    if (option.kind != OptionKind::kTime || !Given(option.flag)) continue;
    const std::string& text = Text(option.flag);
    const Result<int64_t> time = ParseDurationNs(
        text, option.bare_unit_ns > 0 ? std::optional(option.bare_unit_ns) : std::nullopt);
    if (!time) return Status::Error(fmt::format("{}: {}", option.flag, time.message()));
    const auto ns = static_cast<double>(*time);
    if (option.flag_low && (ns < *option.flag_low || ns > *option.flag_high)) {
      return Status::Error(fmt::format("{} {}: give a time from {} to {}", option.flag, text,
                                       FormatDuration(static_cast<int64_t>(*option.flag_low)),
                                       FormatDuration(static_cast<int64_t>(*option.flag_high))));
    }
    SetTime(option, *time, options);
  }
  return Status::Ok();
}

bool ProfilingFlags::AnyGiven() const {
  return std::ranges::any_of(RecordingOptionTable(), [this](const RecordingOption& option) {
    return !option.flag.empty() && Given(option.flag);
  });
}

Result<ProfilingOptions> ProfilingFlags::Get() const {
  ProfilingOptions options = parsed_;
  if (Status s = ReadWords(&options); !s) return s;
  if (Status s = Decide(&options); !s) return s;
  if (Status s = ReadTimes(&options); !s) return s;
  if (Status s = CheckEffects(options); !s) return s;
  if (Status s = CheckGlobs("--include", options.include); !s) return s;
  if (Status s = CheckGlobs("--exclude", options.exclude); !s) return s;
  if (set_ == Set::kAos) {
    options.scope = ProfilingOptions::Scope::kAll;
    options.trivial = true;
    options.budget_percent = 0;
  }
  if (options.jit) {
    if (!Given("--tick")) options.tick_ns = kJitTickNs;
    if (!Given("--budget")) options.budget_percent = kJitBudgetPercent;
    if (!Given("--scope")) options.scope = ProfilingOptions::Scope::kAll;  // Compiled like others.
  }
  return options;
}

}  // namespace yp
