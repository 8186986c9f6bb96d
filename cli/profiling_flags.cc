#include "cli/profiling_flags.h"

#include <fmt/core.h>

#include "cli/choice.h"
#include "cli/correction.h"
#include "cli/duration.h"

namespace yp {
namespace {

using Mode = ProfilingOptions::Mode;
using Probe = ProfilingOptions::Probe;
using Scope = ProfilingOptions::Scope;
using Stacks = ProfilingOptions::Stacks;
using Kind = PolicyOptions::Kind;
using Skip = CounterBasedSampling::InitialSkip;
using Strides = CounterBasedSampling::Strides;

constexpr int64_t kJitTickNs = 1'000'000;
// Which version had how many calls is only known of the time in which they are observed, and that
// is to be all of it.
constexpr double kJitBudgetPercent = 3;
constexpr int64_t kMinTickNs = 100'000;
constexpr int64_t kMaxTickNs = 10'000'000'000;

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

}  // namespace

ProfilingFlags::ProfilingFlags(Flags app, Set set) : app_(app) {
  if (set != Set::kSelfcheck) {
    app.Option(
           "--mode", &mode_,
           "exact: count every call. Each takes some ns more, so that a program of many "
           "short\ncalls runs several times as long; the summary says how much that was.\ncbs: "
           "sample calls, cheap enough for production.\n"
           "timer: one call per tick, the classic baseline.\npatching: the first --samples calls "
           "of each "
           "optimised method, by --probe patch.\nedges: which calls are made at all, each found "
           "once")
        .Value("exact|cbs|timer|patching|edges")
        .ShowDefault();
    app.Option(set == Set::kAttach ? "-d,--duration" : "--duration", &duration_,
               "Record for this long only, such as 30s;\nthen the program goes on without")
        .Value("TIME");
  }
  app.Option("--scope", &scope_, "app: the program's own classes. all: the JDK's too")
      .Value("app|all")
      .ShowDefault();
  app.Option("--include", &parsed_.include,
             "Only classes that match, such as 'org.example.*'; may be repeated")
      .Value("GLOB")
      .OneEachTime();
  app.Option("--exclude", &parsed_.exclude, "Not classes that match; may be repeated")
      .Value("GLOB")
      .OneEachTime();
  app.Option("--trivial", &trivial_, "Whether methods like getters are observed as well")
      .Value("include|exclude");

  if (set != Set::kSelfcheck) {
    app.Switch(
        "--jit", &parsed_.jit,
        "Also what the JIT compilers do, and which of their code is executed,\nby stacks "
        "every --tick [1 ms]: see yp amortize. --scope [all], --budget\n[3]. Takes about half "
        "a second of CPU time when it begins");
  }
  Flags group = app.Group("Sampling", "What most users leave as it is");
  group
      .Option("--tick", &tick_,
              fmt::format("Time between windows, or stacks, such as 4ms or 500us [{}]",
                          FormatDuration(parsed_.tick_ns)))
      .Value("TIME");
  group.Option("--stride", &parsed_.policy.stride, "Calls from one sample to the next")
      .Value("CALLS")
      .ShowDefault();
  group.Option("--samples", &parsed_.policy.samples, "Samples per tick and thread")
      .Value("N")
      .ShowDefault();
  group
      .Option("--delay", &parsed_.policy.delay,
              "Calls that pass between a tick and its window, at most; 0 as in the papers")
      .Value("CALLS")
      .ShowDefault();
  group
      .Option("--stride-kind", &stride_kind_,
              "Strides that vary about their mean, or are all equal")
      .Value("random|fixed")
      .ShowDefault();
  group
      .Option("--skip", &skip_,
              "Where a window's first sample falls; round-robin means fixed strides")
      .Value("random|round-robin")
      .ShowDefault();
  group
      .Option("--policy", &policy_,
              "countdown: a random call out of --interval, in ticks as often as --budget "
              "allows\n(0: always). cbs: windows at ticks (Arnold and Grove, CGO 2005) "
              "[countdown, unless an\noption of windows is given]")
      .Value("cbs|countdown");
  group
      .Option("--interval", &parsed_.policy.mean_interval,
              "Calls per sample on average, with --policy countdown [1009 at compiled entries, "
              "251 in\nrewritten classes]")
      .Value("CALLS");
  group
      .Option("--correct", &correct_,
              "How samples are weighted that come in windows at equal times (Lee, TACO 2015).\n"
              "density: by the calls that the thread makes meanwhile.\n"
              "density+latency: less, too, when the window began late after its tick.\n"
              "shrunk: by density, as far as that is no noise; the rest alike")
      .Value(kCorrectionTypeName)
      .ShowDefault();
  group
      .Option(
          "--call-counter", &call_counter_,
          "What counts a thread's calls between windows, for --correct.\nauto: the processor, "
          "where "
          "it does and this machine lets it; else the windows.\nnone: the windows. Or the name of "
          "a hardware event")
      .Value("auto|none|EVENT")
      .ShowDefault();
  group
      .Option(
          "--context", &context_,
          "edge: who calls whom.\ntree: and in which calling context: whole stacks of the calls\n"
          "that are sampled, or with --mode exact of all")
      .Value("edge|tree")
      .ShowDefault();
  group
      .Option("--stack-every", &stack_every_,
              "With --context tree: of the sampled calls, one in N brings its stack (1)")
      .Range(1u, 1'000'000u)
      .Value("N");
  group.Option("--seed", &seed_, "Makes the sampler's random choices repeatable").Value("N");
  group
      .Option("--probe", &probe_,
              "How calls become observable.\nbytecode: all calls, in rewritten classes.\n"
              "patch, barrier: at the entries of compiled methods, almost for free;\n"
              "calls that the JIT has inlined are inferred.\nauto: the first of patch, barrier "
              "and bytecode that this JVM allows.\nnone: no calls, with --mode timer "
              "--mechanism immediate.\nWith other modes than cbs, or options of "
              "windows, the default is what they need")
      .Value("auto|patch|barrier|bytecode|none")
      .ShowDefault();
  group
      .Option("--budget", &parsed_.budget_percent,
              "What observing calls may cost, in percent of the program's CPU time, at\ncompiled "
              "entries and with --policy countdown; 0: no limit")
      .Value("PERCENT")
      .Range(0.0, 100.0)
      .ShowDefault();
  group.Switch("--force", &parsed_.force,
               "Probes on compiled entries also with a JDK that they were never tried with");
  group
      .Option("--trigger", &trigger_,
              "What makes the ticks, or sends the signals.\nnanosleep: a thread that sleeps "
              "(polling).\nsetitimer: the process's CPU timer.\nhpm: the "
              "hardware's or the kernel's counters of each thread (immediate)")
      .Value("auto|nanosleep|setitimer|hpm")
      .ShowDefault();
  group
      .Option("--event", &event_,
              "What --trigger hpm counts: cycles, instructions, branch-misses, "
              "cache-misses\nor another of the machine's [cpu-clock: ns of CPU time]")
      .Value("NAME");
  group.Option("--period", &period_, "Events from one stack to the next, with --event")
      .Value("N")
      .AboveZero()
      .ShowDefault();
  group
      .Option("--mechanism", &mechanism_,
              "Who takes the sample.\npolling: the thread's next call.\nimmediate: a signal, "
              "wherever it finds the thread; it takes\nthe whole stack, and the profile says "
              "where time is spent as well")
      .Value("polling|immediate")
      .ShowDefault();
}

bool ProfilingFlags::Given(std::string_view flag) const { return app_.Given(flag); }

// What is for production is nearly free. What counts every call, or finds every edge, must see the
// inlined ones; and windows at ticks are at home in rewritten classes.
Probe ProfilingFlags::UsualProbe(Mode mode) const {
  if (mode == Mode::kPatching) return Probe::kPatch;
  const bool is_immediate = mechanism_ == "immediate" || parsed_.jit;
  if (mode == Mode::kTimer && is_immediate) return Probe::kNone;
  return mode == Mode::kCbs && !AsksForWindows() ? Probe::kAuto : Probe::kBytecode;
}

bool ProfilingFlags::AsksForWindows() const {
  if (Given("--policy")) return policy_ == "cbs";
  for (const char* flag : {"--stride", "--samples", "--delay", "--skip", "--stride-kind"}) {
    if (Given(flag)) return true;
  }
  const bool is_immediate = mechanism_ == "immediate" || parsed_.jit;
  return !is_immediate && (Given("--tick") || Given("--trigger"));
}

Status ProfilingFlags::ReadChoices(ProfilingOptions* options) const {
  const Result<Mode> mode = Choose<Mode>("--mode", mode_,
                                         {{"exact", Mode::kExact},
                                          {"cbs", Mode::kCbs},
                                          {"timer", Mode::kTimer},
                                          {"patching", Mode::kPatching},
                                          {"edges", Mode::kEdges}});
  if (!mode) return mode.status();
  options->mode = *mode;
  const Result<Kind> kind = Choose<Kind>(
      "--policy", policy_, {{"cbs", Kind::kCounterBased}, {"countdown", Kind::kCountdown}});
  if (!kind) return kind.status();
  options->policy.kind = *mode == Mode::kTimer                      ? Kind::kTimer
                         : *mode == Mode::kCbs && !AsksForWindows() ? Kind::kCountdown
                                                                    : Kind::kCounterBased;
  const Result<Skip> skip = Choose<Skip>(
      "--skip", skip_, {{"random", Skip::kRandom}, {"round-robin", Skip::kRoundRobin}});
  if (!skip) return skip.status();
  options->policy.initial_skip = *skip;
  const Result<Strides> strides =
      Choose<Strides>("--stride-kind", stride_kind_,
                      {{"random", Strides::kRandomized}, {"fixed", Strides::kFixed}});
  if (!strides) return strides.status();
  const Result<Probe> probe = Choose<Probe>("--probe", probe_,
                                            {{"auto", Probe::kAuto},
                                             {"patch", Probe::kPatch},
                                             {"barrier", Probe::kBarrier},
                                             {"bytecode", Probe::kBytecode},
                                             {"none", Probe::kNone}});
  if (!probe) return probe.status();
  options->probe = Given("--probe") ? *probe : UsualProbe(*mode);
  if (*mode == Mode::kPatching && options->probe != Probe::kPatch) {
    return Status::Error("--mode patching patches entries: it needs --probe patch");
  }
  if (*mode == Mode::kEdges && options->probe != Probe::kBytecode) {
    return Status::Error(
        "--mode edges finds inlined calls as well, which only --probe bytecode sees: leave --probe "
        "out");
  }
  if (Status read = ReadStacks(options); !read) return read;
  if (Status read = ReadCallCounter(options); !read) return read;
  if (options->probe == Probe::kNone &&
      (*mode != Mode::kTimer || options->stacks == Stacks::kNone)) {
    return Status::Error(
        "--probe none observes no calls: it needs --mode timer --mechanism immediate");
  }
  const bool follows_skip = *skip == Skip::kRoundRobin && !Given("--stride-kind");
  options->policy.strides = follows_skip ? Strides::kFixed : *strides;
  const Result<bool> context_tree =
      Choose<bool>("--context", context_, {{"edge", false}, {"tree", true}});
  if (!context_tree) return context_tree.status();
  options->context_tree = *context_tree;
  const Result<BiasCorrection> correction = ChooseCorrection("--correct", correct_);
  if (!correction) return correction.status();
  options->correction = *correction;
  const Result<Scope> scope =
      Choose<Scope>("--scope", scope_, {{"app", Scope::kApplication}, {"all", Scope::kAll}});
  if (!scope) return scope.status();
  options->scope = *scope;
  if (Given("--trivial")) {
    const Result<bool> trivial =
        Choose<bool>("--trivial", trivial_, {{"include", true}, {"exclude", false}});
    if (!trivial) return trivial.status();
    options->trivial = *trivial;
  }
  return Status::Ok();
}

// Of trigger and mechanism those pairs that Buytaert et al. (OOPSLA 2007, Figure 1) call viable.
Status ProfilingFlags::ReadStacks(ProfilingOptions* options) const {
  const Result<bool> is_immediate =
      Choose<bool>("--mechanism", mechanism_, {{"polling", false}, {"immediate", true}});
  if (!is_immediate) return is_immediate.status();
  if (options->jit && !*is_immediate && Given("--mechanism")) {
    return Status::Error("--jit takes stacks by signals: leave --mechanism polling out");
  }
  if (!*is_immediate && !options->jit) {
    const Result<bool> by_timer =
        Choose<bool>("--trigger", trigger_,
                     {{"auto", false}, {"nanosleep", false}, {"setitimer", true}, {"hpm", false}});
    if (!by_timer) return by_timer.status();
    options->ticks_by_timer = *by_timer;
    return trigger_ != "hpm"
               ? Status::Ok()
               : Status::Error("--trigger hpm sends signals: it needs --mechanism immediate");
  }
  const Result<Stacks> trigger = Choose<Stacks>("--trigger", trigger_,
                                                {{"auto", Stacks::kHpm},
                                                 {"nanosleep", Stacks::kNone},
                                                 {"setitimer", Stacks::kIntervalTimer},
                                                 {"hpm", Stacks::kHpm}});
  if (!trigger) return trigger.status();
  if (*trigger == Stacks::kNone) {
    return Status::Error(
        "--trigger nanosleep sends no signals: --mechanism immediate needs setitimer or hpm");
  }
  options->stacks = *trigger;
  if (!Given("--event")) return Status::Ok();
  const Result<PerfEventCode> code = FindPerfEvent(event_);
  if (!code) return Status::Error("--event " + std::string(code.status().message()));
  // The time between stacks says how many ns a clock counts.
  if (!code->IsClock()) options->event = ProfilingOptions::Event{event_, *code, period_};
  return Status::Ok();
}

Status ProfilingFlags::ReadCallCounter(ProfilingOptions* options) const {
  if (!options->HasWindows() || call_counter_ == "none") return Status::Ok();
  if (call_counter_ == "auto") {
    options->call_counter = FindCallEvent();
    return Status::Ok();
  }
  const Result<PerfEventCode> code = FindPerfEvent(call_counter_);
  if (!code) {
    return Status::Error("--call-counter " + std::string(code.status().message()));
  }
  options->call_counter = NamedPerfEvent{call_counter_, *code};
  options->call_counter_is_wanted = true;
  return Status::Ok();
}

Status ProfilingFlags::CheckPolicyFlags(const ProfilingOptions& options) const {
  struct Rule {
    std::vector<const char*> flags;
    bool takes_effect;
    const char* needs;
  };
  const bool cbs_mode = options.mode == Mode::kCbs;
  const bool windows = cbs_mode && options.policy.kind == Kind::kCounterBased;
  const bool countdown = cbs_mode && options.policy.kind == Kind::kCountdown;
  for (const Rule& rule :
       {Rule{{"--policy"}, cbs_mode, "--mode cbs"},
        Rule{{"--stride", "--delay", "--skip", "--stride-kind"},
             windows,
             "--mode cbs with --policy cbs"},
        Rule{{"--samples"},
             windows || options.mode == Mode::kPatching,
             "--mode cbs with --policy cbs, or --mode patching"},
        Rule{{"--interval"}, countdown, "--mode cbs with --policy countdown"},
        Rule{{"--tick", "--trigger"},
             options.HasTicks() || options.stacks != Stacks::kNone,
             "ticks at fixed times: windows, and no --budget above 0 at compiled entries; or "
             "--mechanism immediate"},
        Rule{{"--context"},
             (options.mode == Mode::kExact && options.probe == Probe::kBytecode) ||
                 ((cbs_mode || options.mode == Mode::kTimer) && options.stacks == Stacks::kNone),
             "--mode exact, or --mode cbs or timer by polling: stacks that signals take are whole "
             "anyway"},
        Rule{{"--jit"},
             countdown && options.MayBeAtEntries(),
             "--mode cbs at compiled entries, as without --mode, --probe and options of windows"},
        Rule{{"--stack-every"},
             options.context_tree && options.mode != Mode::kExact,
             "--context tree of sampled calls"},
        Rule{{"--correct", "--call-counter"},
             options.HasWindows(),
             "windows: --mode timer by polling, or --mode cbs with --policy cbs"},
        Rule{{"--event"}, options.stacks == Stacks::kHpm, "--mechanism immediate --trigger hpm"},
        Rule{{"--period"}, options.event.has_value(), "--event of something else than a clock"},
        Rule{{"--budget"},
             options.IsPaced(),
             "--mode cbs with --policy countdown, or --probe patch, barrier or auto"},
        Rule{{"--force"}, options.MayBeAtEntries(), "--probe patch, barrier or auto"},
        Rule{{"--seed"},
             options.mode != Mode::kExact && options.mode != Mode::kEdges,
             "a mode that samples"}}) {
    for (const char* flag : rule.flags) {
      if (Given(flag) && !rule.takes_effect) {
        return Status::Error(
            fmt::format("{} works only with {}: leave one of them out", flag, rule.needs));
      }
    }
  }
  return Validate(options.policy);
}

Result<ProfilingOptions> ProfilingFlags::Get() const {
  ProfilingOptions options = parsed_;
  if (Status s = ReadChoices(&options); !s) return s;
  if (Status s = CheckPolicyFlags(options); !s) return s;
  if (Status s = CheckGlobs("--include", options.include); !s) return s;
  if (Status s = CheckGlobs("--exclude", options.exclude); !s) return s;
  if (options.jit) {
    options.tick_ns = kJitTickNs;
    if (!Given("--budget")) options.budget_percent = kJitBudgetPercent;
    if (!Given("--scope")) options.scope = Scope::kAll;  // It is compiled like any other code.
  }
  options.interval_is_given = Given("--interval");
  if (Given("--seed")) options.seed = seed_;
  if (Given("--stack-every")) options.stack_every = stack_every_;
  if (Given("--tick")) {
    const Result<int64_t> tick = ParseDurationNs(tick_);
    if (!tick) return Status::Error(fmt::format("--tick: {}", tick.message()));
    if (*tick < kMinTickNs || *tick > kMaxTickNs) {
      return Status::Error(fmt::format("--tick {}: give a time from {} to {}", tick_,
                                       FormatDuration(kMinTickNs), FormatDuration(kMaxTickNs)));
    }
    options.tick_ns = *tick;
  }
  if (Given("--duration")) {
    const Result<int64_t> duration = ParseDurationNs(duration_, 1'000'000'000);
    if (!duration) return Status::Error(fmt::format("--duration: {}", duration.message()));
    options.duration_ns = *duration;
  }
  return options;
}

}  // namespace yp
