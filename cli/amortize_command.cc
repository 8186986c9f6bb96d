#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/ledger_text.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "core/amortize/ledger.h"
#include "core/amortize/what_if.h"
#include "format/compile_log/compile_log.h"
#include "format/jfr/jfr_jit_events.h"
#include "format/profile/executions.h"
#include "format/profile/flight_recording.h"
#include "format/profile/warnings.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

constexpr fmt::string_view kAmortizeFooter = R"(
FILE is a profile of yp run --jit: then each recompilation is judged. gain: what its calls would have
taken in the version before, less what they took, less the compilation, with its 95 % interval;
verdict: paid off or did not where that is above or below 0 as a whole, else undecided. before, after:
time of a call, methods included that either version has inlined. Where a version was hardly seen, it
is taken to be like others of its level in this run, and the interval is as wide as they differ.
"calls x3.0": calls of a version became so much longer in the course of its life, so that they cannot
be compared: undecided. ?: the calls of the new version are not known, and with them neither the time
of a call nor the gain: undecided. Decided ones come first; a table says why the others are not, and
what to record to decide them.

--what-if: CPU time that would have been saved, the compilers' included. Negative: it would have cost
more. Each method by itself, all others as they were; --together: all that match, and that --better
asks for, at once.
{}
The first three are what compiler directives do (Exclude: true, for c1 and c2, c2, or c1). A compiler
that is kept from a method does not inline it either: what of it ran in other methods' code counts,
too, but for what C1 has inlined.

Or FILE is a recording of JDK Flight Recorder, or what a JVM wrote with -XX:+LogCompilation (in
milliseconds only). They tell what each compilation cost; how often and how long its methods ran they
do not tell, without which nothing is judged.

from, to: the versions of the code: interpreter, tier 1 to 3 (C1), C2. compile: CPU time that
compiling it took; where that is not known, as in a recording of JDK Flight Recorder alone or a log,
how long it took. "made not entrant": what the compiler had assumed did not hold, so that the code was
thrown away.

Examples:
  yp run --jit -o app.yp -- java -jar app.jar
  yp amortize app.yp
  yp amortize app.yp --method 'org.example.*' --json
  yp amortize app.yp --what-if
  yp amortize app.yp --what-if --better level-1 --together
  jcmd PID JFR.start filename=app.jfr jdk.Compilation#threshold=0ns
  yp amortize app.jfr
  java -XX:+UnlockDiagnosticVMOptions -XX:+LogCompilation -XX:LogFile=app.log -jar app.jar
  yp amortize app.log --sort time
)";

// What --better takes.
std::vector<Choice<size_t>> StrategyChoices() {
  std::vector<Choice<size_t>> choices;
  for (const Strategy& strategy : Strategies()) choices.push_back({strategy.name, choices.size()});
  return choices;
}

std::string AmortizeFooter() {
  std::string strategies;
  for (const Strategy& strategy : Strategies()) {
    strategies += fmt::format("  {:<9}{}\n", strategy.name, strategy.phrase);
  }
  return fmt::format(kAmortizeFooter, strategies);
}

struct AmortizeOptions {
  std::string path;
  std::string sort = "gain";
  std::string method = "*";
  size_t limit = 0;
  bool what_if = false;
  std::string better;
  bool together = false;
  JsonRows json;
};

enum class By { kGain, kCompile, kTime };

// What was read, and what it does not tell.
struct Source {
  JitLog log;
  int64_t end_ns = 0;
  Executions executions;
  std::vector<std::string> lacks;
};

int64_t LastTime(const JitLog& log) {
  int64_t last = 0;
  for (const auto& compilation : log.compilations) last = std::max(last, compilation.end_ns);
  for (const auto& trap : log.deoptimizations) last = std::max(last, trap.time_ns);
  return last;
}

// Nothing here needs inlinings, of which large logs have millions.
class WithoutInlinings final : public JitEventSink {
 public:
  explicit WithoutInlinings(JitLog& log) : log_(log) {}
  void On(JitCompilation event) override { log_.On(std::move(event)); }
  void On(JitInlining) override {}
  void On(JitDeoptimization event) override { log_.On(std::move(event)); }
  void On(JitCodeEnd event) override { log_.On(std::move(event)); }

 private:
  JitLog& log_;
};

enum class Kind { kFlightRecording, kCompileLog, kThreadLog, kCompressed, kOther };

Kind KindOf(const std::string& path) {
  std::array<char, 32> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<size_t>(file.gcount()));
  const auto* bytes = reinterpret_cast<const uint8_t*>(begin.data());
  if (jfr::LooksLikeRecording({bytes, begin.size()})) return Kind::kFlightRecording;
  if (begin.starts_with("\x1f\x8b")) return Kind::kCompressed;
  if (compile_log::LooksLikeThreadLog(begin)) return Kind::kThreadLog;
  return compile_log::LooksLikeLog(begin) ? Kind::kCompileLog : Kind::kOther;
}

Result<Source> FromProfile(const std::string& path) {
  Result<Profile> profile = LoadProfile(path);
  if (!profile) {
    return Status::Error(std::string(profile.message()) +
                         "; nor is it a recording of JDK Flight Recorder or a log of "
                         "-XX:+LogCompilation: see yp amortize --help");
  }
  if (profile->jit.empty() && profile->jit.lacks.empty()) {
    return Status::Error(path +
                         " does not tell what the compilers did: record it with yp run --jit");
  }
  for (const std::string& warning : Warnings(*profile)) Note("warning: " + path + ": " + warning);
  Source source;
  source.lacks = profile->jit.lacks;
  source.executions = ExecutionsOf(*profile, &source.lacks);
  source.end_ns = profile->duration_ns;
  source.log = std::move(profile->jit.log);
  return source;
}

Result<Source> Read(const std::string& path) {
  const Progress progress("reading " + path);
  Source source;
  WithoutInlinings sink(source.log);
  const Kind kind = KindOf(path);
  switch (kind) {
    case Kind::kFlightRecording: {
      const Result<jfr::JitRecording> recording = jfr::ReadJitEvents(path, sink);
      if (!recording) return recording.status();
      source.lacks = LacksOf(*recording);
      break;
    }
    case Kind::kCompileLog:
    case Kind::kThreadLog: {
      const Result<compile_log::Summary> log = compile_log::ReadWithThreadLogs(path, &sink);
      if (!log) return log.status();
      if (kind == Kind::kThreadLog) {
        source.lacks.emplace_back("what the other compiler threads did: this is the log of one");
      }
      if (!log->tells_compilations) {
        source.lacks.push_back(std::string(kLackOfCompilations) +
                               "the log was written without -XX:+LogCompilation");
      }
      if (const std::string damage = log->DescribeDamage(); !damage.empty()) {
        source.lacks.push_back("what the log lacks: " + damage);
      }
      break;
    }
    case Kind::kCompressed:
      return Status::Error(path + " is compressed: unpack it (gunzip -k " + path +
                           "), and give what comes of it");
    case Kind::kOther:
      return FromProfile(path);
  }
  AddLackOfCpuTime(source.log, &source.lacks);
  source.lacks.emplace_back("calls and execution times, so that nothing is judged");
  source.end_ns = LastTime(source.log);
  return source;
}

double Key(const JitLog& log, const Recompilation& row, By by) {
  switch (by) {
    case By::kGain:
      return row.pay_off ? std::abs(row.pay_off->gain_ns.value) : 0;
    case By::kCompile:
      return row.compile_ns;
    case By::kTime:
      return -static_cast<double>(log.compilations[row.compilation].start_ns);
  }
  return 0;
}

// By gain: those that are decided first, then those of which nothing else is known by what they
// cost.
void Sort(const JitLog& log, By by, std::vector<Recompilation>& rows) {
  std::ranges::stable_sort(rows, std::ranges::greater(), [&](const Recompilation& row) {
    const bool leads = by == By::kGain && row.verdict() != Verdict::kUndecided;
    return std::tuple(leads, Key(log, row, by), row.compile_ns);
  });
}

template <typename T>
void Limit(const AmortizeOptions& options, std::vector<T>* rows) {
  const size_t limit = options.limit != 0        ? options.limit
                       : options.json.IsWanted() ? 0
                                                 : kDefaultRows;
  if (limit != 0 && rows->size() > limit) rows->resize(limit, rows->front());
}

Json CallsOrNull(const std::optional<Uncertain>& calls, double Uncertain::*part) {
  const bool is_known = calls && std::isfinite((*calls).*part);
  return is_known ? Json(JsonNumber(WholeCalls((*calls).*part))) : Json(nullptr);
}

Status PrintAsJson(const JsonRows& options, const JitLog& log,
                   const std::vector<Recompilation>& rows) {
  Json array = Json::Array();
  for (const Recompilation& row : rows) {
    const JitLog::Compilation& compilation = log.compilations[row.compilation];
    const auto gain = [&](double Uncertain::*part) {
      return row.pay_off ? Json(row.pay_off->gain_ns.*part / kNsPerMs) : Json(nullptr);
    };
    const auto per_call = [&](std::optional<Uncertain> PayOff::*time) {
      const bool is_known = row.pay_off && row.pay_off.value().*time;
      return is_known ? Json((row.pay_off.value().*time)->value) : Json(nullptr);
    };
    array.Append({{"method", log[row.method].full_name},
                  {"from", LevelOf(log, row.previous)},
                  {"to", compilation.level},
                  {"compile_ms", row.compile_ns / kNsPerMs},
                  {"before_ns", per_call(&PayOff::before_ns)},
                  {"after_ns", per_call(&PayOff::after_ns)},
                  {"calls_after", CallsOrNull(row.calls_after, &Uncertain::value)},
                  {"calls_after_low", CallsOrNull(row.calls_after, &Uncertain::low)},
                  {"calls_after_high", CallsOrNull(row.calls_after, &Uncertain::high)},
                  {"gain_ms", gain(&Uncertain::value)},
                  {"low_ms", gain(&Uncertain::low)},
                  {"high_ms", gain(&Uncertain::high)},
                  {"verdict", ToString(row.verdict())},
                  {"undecided", row.undecided == Undecided::kNo
                                    ? Json(nullptr)
                                    : Json(std::string(TextOf(row.undecided).key))},
                  {"loader", log[row.method].loader},
                  {"compile_id", compilation.compile_id},
                  {"start_ms", static_cast<double>(compilation.start_ns) / kNsPerMs},
                  {"made_not_entrant", row.was_made_not_entrant}});
  }
  return PrintJsonRows(options, "recompilations", std::move(array));
}

// Fields of what would have been, for one method or many.
Json JsonOf(const WhatIf& what) {
  const auto ms = [](const Uncertain& ns) {
    return Json{
        {"value", ns.value / kNsPerMs}, {"low", ns.low / kNsPerMs}, {"high", ns.high / kNsPerMs}};
  };
  Json json = {{"time_ms", what.time_ns / kNsPerMs}, {"compile_ms", what.compile_ns / kNsPerMs}};
  for (size_t i = 0; i < what.saved.size(); ++i) {
    json[Strategies()[i].Key() + "_ms"] = ms(what.saved[i]);
  }
  return json;
}

Status PrintWhatIfAsJson(const JsonRows& options, const JitLog& log,
                         const std::vector<WhatIfOfMethod>& rows) {
  Json array = Json::Array();
  for (const WhatIfOfMethod& row : rows) {
    Json object = JsonOf(row);
    object["method"] = log[row.method].full_name;
    object["loader"] = log[row.method].loader;
    array.Append(std::move(object));
  }
  return PrintJsonRows(options, "what_if", std::move(array));
}

Status ShowTogether(const AmortizeOptions& options, const Source& source, const Ledger& ledger,
                    const std::vector<WhatIfOfMethod>& rows) {
  std::set<JitMethodId> methods;
  for (const WhatIfOfMethod& row : rows) methods.insert(row.method);
  const WhatIf all =
      WhatIfOfAll(methods, source.log, source.end_ns, source.executions, *ledger.model);
  if (options.json.IsWanted()) {
    Json object = JsonOf(all);
    object["methods"] = methods.size();
    object["c2_busy"] = ledger.c2_busy;
    Json array = Json::Array();
    array.Append(std::move(object));
    return PrintJsonRows(options.json, "what_if", std::move(array));
  }
  return PrintOut(DescribeQueue(ledger) +
                  RenderTogether(all, methods.size(), TerminalWidth(STDOUT_FILENO)));
}

// What would have changed most comes first.
Status ShowWhatIf(const AmortizeOptions& options, const Source& source, const Ledger& ledger) {
  if (!ledger.model) {
    return Status::Error(
        options.path +
        " does not tell how methods were executed, so that nobody knows what would "
        "have been: record with yp run --jit");
  }
  std::optional<size_t> better;
  if (!options.better.empty()) {
    const Result<size_t> chosen = Choose("--better", options.better, StrategyChoices());
    if (!chosen) return chosen.status();
    better = *chosen;
  }
  std::vector<WhatIfOfMethod> rows;
  for (const WhatIfOfMethod& row :
       WhatIfOfEach(source.log, source.end_ns, source.executions, *ledger.model)) {
    const bool is_better = !better || row.saved[*better].low > 0;
    if (is_better && MatchesGlob(options.method, source.log[row.method].full_name)) {
      rows.push_back(row);
    }
  }
  if (options.together) return ShowTogether(options, source, ledger, rows);
  // Never to compile it is for nearly all methods by far the worst.
  const size_t level_1 = StrategyIndex("level-1"), at_once = StrategyIndex("at-once");
  std::ranges::stable_sort(rows, std::ranges::greater(), [=](const WhatIfOfMethod& row) {
    return std::max(std::abs(row.saved[level_1].value), std::abs(row.saved[at_once].value));
  });
  Limit(options, &rows);
  if (options.json.IsWanted()) return PrintWhatIfAsJson(options.json, source.log, rows);
  return PrintOut(DescribeQueue(ledger) +
                  RenderWhatIf(source.log, rows, TerminalWidth(STDOUT_FILENO)));
}

// What the tables say of it themselves.
void TellLacks(const AmortizeOptions& options, const Source& source, const Ledger& ledger) {
  for (const std::string& lack : source.lacks) Note("not known: " + lack);
  std::string queue = options.what_if ? DescribeQueue(ledger) : "";
  if (queue.ends_with('\n')) queue.pop_back();
  if (!queue.empty()) Note(queue);
}

Result<int> Amortize(const AmortizeOptions& options) {
  const Result<By> by =
      Choose<By>("--sort", options.sort,
                 {{"gain", By::kGain}, {"compile", By::kCompile}, {"time", By::kTime}});
  if (!by) return by.status();
  const Result<Source> source = Read(options.path);
  if (!source) return source.status();
  const Ledger ledger = MakeLedger(source->log, source->end_ns, source->executions);
  if (options.json.IsWanted()) TellLacks(options, *source, ledger);
  if (options.what_if) {
    if (Status shown = ShowWhatIf(options, *source, ledger); !shown) return shown;
    return 0;
  }
  std::vector<Recompilation> rows;
  for (const Recompilation& row : ledger.recompilations) {
    if (MatchesGlob(options.method, source->log[row.method].full_name)) rows.push_back(row);
  }
  Sort(source->log, *by, rows);
  Limit(options, &rows);
  if (options.json.IsWanted()) {
    if (Status printed = PrintAsJson(options.json, source->log, rows); !printed) return printed;
    return 0;
  }
  std::string text;
  if (TellsCompilations(source->log, source->lacks)) {
    for (const std::string& line : DescribeLedger(source->log, ledger)) text += line + "\n";
  }
  for (const std::string& lack : source->lacks) text += "not known: " + lack + "\n";
  if (const std::string undecided = DescribeUndecided(ledger); !undecided.empty()) {
    text += "\n" + undecided;
  }
  text += "\n" + RenderRecompilations(source->log, ledger, rows, TerminalWidth(STDOUT_FILENO));
  if (Status printed = PrintOut(text); !printed) return printed;
  return 0;
}

}  // namespace

void AddAmortizeCommand(CommandLine& program, Invocation* invocation) {
  Flags command =
      program.Command("amortize", "Show what each recompilation cost and what it was worth");
  command.Footer(AmortizeFooter());
  const auto options = std::make_shared<AmortizeOptions>();
  command.Option("file", &options->path, "A profile, a recording of JDK Flight Recorder, or a log")
      .Required()
      .Value("FILE");
  AddRowsOption(command, &options->limit);
  command.Option("--method", &options->method, "Only methods whose full name matches")
      .Value("GLOB");
  command.Option("--sort", &options->sort, "Which recompilations come first")
      .Value("gain|compile|time")
      .ShowDefault();
  const Flag what_if =
      command.Switch("--what-if", &options->what_if,
                     "What each method would have saved, had it been compiled in another way");
  command
      .Option("--better", &options->better,
              "With --what-if: only methods for which that would have saved something,\nwith "
              "its whole interval")
      .Value(WordsOf(StrategyChoices()))
      .Needs(what_if);
  command
      .Switch("--together", &options->together,
              "With --what-if: what all these methods would have saved at once")
      .Needs(what_if);
  AddJsonRowsOptions(command, &options->json, "of them");
  command.WhenChosen([=] { invocation->run = [=] { return Amortize(*options); }; });
}

}  // namespace yp
