#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "core/amortize/ledger.h"
#include "format/compile_log/compile_log.h"
#include "format/jfr/jfr_jit_events.h"

namespace yp {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr const char* kFooter = R"(
FILE is a recording of JDK Flight Recorder, or what a JVM wrote with -XX:+LogCompilation (in
milliseconds only). They tell what each compilation cost; how often and how long its methods ran they
do not tell, without which nothing is judged.

from, to: the versions of the code, by HotSpot's level: 0 interpreted, 1 to 3 the first compiler's,
4 the second's. compile: how long it was compiled. "given up": what the compiler had assumed did not
hold, so that the code was thrown away.

Examples:
  jcmd PID JFR.start filename=app.jfr jdk.Compilation#threshold=0ns
  yp amortize app.jfr
  java -XX:+UnlockDiagnosticVMOptions -XX:+LogCompilation -XX:LogFile=app.log -jar app.jar
  yp amortize app.log --sort time
  yp amortize app.jfr --method 'org.example.*' --json
)";

struct Options {
  std::string path;
  std::string sort = "gain";
  std::string method = "*";
  size_t limit = 0;
  bool json = false;
};

enum class By { kGain, kCompile, kTime };

// What was read, and what it does not tell.
struct Source {
  JitLog log;
  int64_t end_ns = 0;
  std::vector<std::string> lacks;
};

std::vector<std::string> LacksOf(const jfr::JitRecording& recording) {
  std::vector<std::string> lacks;
  const jfr::EventKeeping& compilations = recording.compilations;
  if (compilations.events == 0 && compilations.is_enabled == false) {
    lacks.emplace_back("compilations: jdk.Compilation was off while it was recorded");
  } else if (compilations.threshold_ns.value_or(0) > 0) {
    lacks.push_back(
        fmt::format("compilations shorter than {:g} ms: record with jdk.Compilation#threshold=0ns",
                    static_cast<double>(*compilations.threshold_ns) / kNsPerMs));
  }
  if (recording.deoptimizations.is_enabled != true && recording.deoptimizations.events == 0) {
    lacks.emplace_back("code that was given up: record with jdk.Deoptimization#enabled=true");
  }
  if (recording.lost_bytes > 0) {
    lacks.push_back(FormatBytes(recording.lost_bytes) + " of events that the JVM lost");
  }
  if (recording.events_without_method > 0) {
    lacks.push_back(
        fmt::format("{} events whose method is not named", recording.events_without_method));
  }
  if (recording.file.cut_off) {
    lacks.push_back(
        fmt::format("what came behind byte {}: the file was cut off, or the JVM is "
                    "still recording",
                    recording.file.cut_off_at));
  }
  return lacks;
}

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

enum class Kind { kFlightRecording, kCompileLog, kOther };

Kind KindOf(const std::string& path) {
  std::array<char, 16> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<size_t>(file.gcount()));
  const auto* bytes = reinterpret_cast<const uint8_t*>(begin.data());
  if (jfr::LooksLikeRecording({bytes, begin.size()})) return Kind::kFlightRecording;
  const bool is_log = begin.starts_with("<?xml ") || begin.starts_with("<hotspot_log ");
  return is_log ? Kind::kCompileLog : Kind::kOther;
}

Result<Source> Read(const std::string& path) {
  const Progress progress("reading " + path);
  Source source;
  WithoutInlinings sink(source.log);
  switch (KindOf(path)) {
    case Kind::kFlightRecording: {
      const Result<jfr::JitRecording> recording = jfr::ReadJitEvents(path, sink);
      if (!recording) return recording.status();
      source.lacks = LacksOf(*recording);
      break;
    }
    case Kind::kCompileLog: {
      const Result<compile_log::Summary> log = compile_log::ReadFiles({path}, &sink);
      if (!log) return log.status();
      if (const std::string damage = log->DescribeDamage(); !damage.empty()) {
        source.lacks.push_back("what the log lacks: " + damage);
      }
      break;
    }
    case Kind::kOther:
      return Status::Error(path +
                           " is no recording of JDK Flight Recorder and no log of "
                           "-XX:+LogCompilation, or cannot be read; see yp amortize --help");
  }
  source.lacks.emplace_back("calls and execution times, so that nothing is judged");
  source.end_ns = LastTime(source.log);
  return source;
}

int32_t LevelOf(const JitLog& log, std::optional<size_t> compilation) {
  return compilation ? log.compilations[*compilation].level : 0;
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

// Those of which nothing else is known by what they cost.
void Sort(const JitLog& log, By by, std::vector<Recompilation>& rows) {
  std::ranges::stable_sort(rows, std::ranges::greater(), [&](const Recompilation& row) {
    return std::pair(Key(log, row, by), row.compile_ns);
  });
}

Json OrNull(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Status PrintAsJson(const JitLog& log, const std::vector<Recompilation>& rows) {
  Json array = Json::array();
  for (const Recompilation& row : rows) {
    const JitLog::Compilation& compilation = log.compilations[row.compilation];
    const auto of_pay_off = [&](auto value) {
      return OrNull(row.pay_off ? std::optional<double>(value(*row.pay_off)) : std::nullopt);
    };
    const auto gain = [&](double Uncertain::*part) {
      return of_pay_off([part](const PayOff& p) { return p.gain_ns.*part / kNsPerMs; });
    };
    array.push_back({{"method", log[row.method].full_name},
                     {"from", LevelOf(log, row.previous)},
                     {"to", compilation.level},
                     {"compile_ms", row.compile_ns / kNsPerMs},
                     {"before_ns", of_pay_off([](const PayOff& p) { return p.before_ns.value; })},
                     {"after_ns", of_pay_off([](const PayOff& p) { return p.after_ns.value; })},
                     {"calls_after", nullptr},
                     {"gain_ms", gain(&Uncertain::value)},
                     {"low_ms", gain(&Uncertain::low)},
                     {"high_ms", gain(&Uncertain::high)},
                     {"verdict", ToString(row.verdict())},
                     {"loader", log[row.method].loader},
                     {"compile_id", compilation.compile_id},
                     {"start_ms", static_cast<double>(compilation.start_ns) / kNsPerMs},
                     {"given_up", row.was_given_up}});
  }
  return PrintJson(array);
}

// A table of methods by their full names, for names in short.
MethodId Intern(const std::string& full_name, MethodTable& methods) {
  const size_t descriptor = std::min(full_name.find('('), full_name.size());
  const size_t dot = full_name.rfind('.', descriptor);
  Method method;
  if (dot != std::string::npos) method.class_name = full_name.substr(0, dot);
  const size_t name = dot == std::string::npos ? 0 : dot + 1;
  method.name = full_name.substr(name, descriptor - name);
  method.descriptor = full_name.substr(descriptor);
  return methods.Intern(method);
}

Status PrintTable(const JitLog& log, const std::vector<Recompilation>& rows) {
  using Column = Table::Column;
  Table table({"from", "to", "compile", "at", "", "method"},
              {Column::kRight, Column::kRight, Column::kRight, Column::kRight, Column::kLeft,
               Column::kFitted});
  MethodTable methods;
  for (const Recompilation& row : rows) {
    const JitLog::Compilation& compilation = log.compilations[row.compilation];
    table.AddRow({{std::to_string(LevelOf(log, row.previous))},
                  {std::to_string(compilation.level)},
                  {fmt::format("{:.2f} ms", row.compile_ns / kNsPerMs)},
                  {fmt::format("{:.2f} s", static_cast<double>(compilation.start_ns) / 1e9)},
                  {row.was_given_up ? "given up" : ""},
                  NameForms(methods, Intern(log[row.method].full_name, methods))});
  }
  return PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
}

std::string Summarize(const Source& source, const Ledger& ledger) {
  std::string text = fmt::format(
      "{} compilations took {:.1f} ms: {:.1f} ms of code for loops, {:.1f} ms that failed, {:.1f} "
      "ms of code that was given up later\n",
      WithSeparators(static_cast<double>(source.log.compilations.size())),
      ledger.compile_ns / kNsPerMs, ledger.loops_ns / kNsPerMs, ledger.failed_ns / kNsPerMs,
      ledger.given_up_ns / kNsPerMs);
  for (const std::string& lack : source.lacks) text += "not known: " + lack + "\n";
  return text + "\n";
}

Result<int> Amortize(const Options& options) {
  const Result<By> by =
      Choose<By>("--sort", options.sort,
                 {{"gain", By::kGain}, {"compile", By::kCompile}, {"time", By::kTime}});
  if (!by) return by.status();
  const Result<Source> source = Read(options.path);
  if (!source) return source.status();
  const Ledger ledger = MakeLedger(source->log, source->end_ns, {});
  std::vector<Recompilation> rows;
  for (const Recompilation& row : ledger.recompilations) {
    if (MatchesGlob(options.method, source->log[row.method].full_name)) rows.push_back(row);
  }
  Sort(source->log, *by, rows);
  const size_t limit = options.limit != 0 ? options.limit : options.json ? 0 : kDefaultRows;
  if (limit != 0 && rows.size() > limit) rows.resize(limit);
  if (options.json) {
    if (Status printed = PrintAsJson(source->log, rows); !printed) return printed;
    return 0;
  }
  if (Status printed = PrintOut(Summarize(*source, ledger)); !printed) return printed;
  if (Status printed = PrintTable(source->log, rows); !printed) return printed;
  return 0;
}

}  // namespace

void AddAmortizeCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command =
      app.add_subcommand("amortize", "Show what each recompilation cost and what it was worth");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  command->add_option("file", options->path, "A recording of JDK Flight Recorder, or a log")
      ->required()
      ->type_name("FILE");
  AddRowsOption(command, &options->limit);
  command->add_option("--method", options->method, "Only methods whose full name matches")
      ->type_name("GLOB");
  command->add_option("--sort", options->sort, "Which recompilations come first")
      ->type_name("gain|compile|time")
      ->capture_default_str();
  command->add_flag("--json", options->json, "A JSON array; all of them unless -n is given");
  command->callback([=] { invocation->run = [=] { return Amortize(*options); }; });
}

}  // namespace yp
