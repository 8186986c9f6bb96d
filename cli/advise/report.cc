#include "cli/advise/report.h"

#include <fmt/core.h>

#include <cmath>

#include "cli/duration.h"
#include "cli/names.h"
#include "cli/table.h"

namespace yp {
namespace {

using State = CandidateAdvice::State;

std::string_view NameOfState(State state) {
  switch (state) {
    case State::kNotTried:
      return "not tried";
    case State::kFailed:
      return "failed";
    case State::kDropped:
      return "dropped";
    case State::kMeasured:
      return "measured";
  }
  return "";
}

const CandidateAdvice& Recommended(const Advice& advice) {
  return advice.candidates[*advice.recommended];
}

std::string FileOf(const ArchiveKind& archive, const AdviceContext& context) {
  return context.kept_file.empty() ? std::string(archive.file_name) : context.kept_file;
}

// The command as a shell runs it with those options.
std::string WithOptions(const std::vector<std::string>& options, const AdviceContext& context) {
  std::vector<std::string> words = context.command;
  if (context.is_launcher) {
    words.insert(words.begin() + 1, options.begin(), options.end());
    return ShellWords(words);
  }
  std::string joined = context.tool_options;
  for (const std::string& option : options) joined += (joined.empty() ? "" : " ") + option;
  return fmt::format("JAVA_TOOL_OPTIONS={} {}", ShellWords({joined}), ShellWords(words));
}

double Percent(double ratio) { return 100 * (1 - ratio); }

std::string_view Noun(Metric metric) {
  switch (metric) {
    case Metric::kWall:
      return "wall time";
    case Metric::kCpu:
      return "CPU time";
    case Metric::kMemory:
      return "peak memory";
  }
  return "";
}

bool IsKnown(const RatioInterval& ratio) { return ratio.rounds > 0; }

std::string Point(const RatioInterval& ratio) {
  return IsKnown(ratio) ? fmt::format("{:.2f}", ratio.value) : "";
}

Json RatioToJson(const RatioInterval& ratio) {
  if (!IsKnown(ratio)) return nullptr;
  return {{"value", ratio.value}, {"low", ratio.low}, {"high", ratio.high}};
}

std::string CostOf(const RunCost& cost, Metric metric) {
  if (metric == Metric::kMemory) return FormatBytes(static_cast<uint64_t>(cost.peak_bytes));
  return FormatDuration(metric == Metric::kWall ? cost.wall_ns : cost.cpu_ns);
}

std::string RenderTable(const Advice& advice, Metric metric, size_t width) {
  using Column = Table::Column;
  Table table({"candidate", std::string(Noun(metric)), "ratio", "interval", "wall", "CPU", "memory",
               "runs", ""},
              {Column::kLeft, Column::kRight, Column::kRight, Column::kRight, Column::kRight,
               Column::kRight, Column::kRight, Column::kRight, Column::kLeft});
  table.AddRow({{"defaults"},
                {CostOf(advice.defaults, metric)},
                {""},
                {""},
                {""},
                {""},
                {""},
                {advice.rounds > 0 ? std::to_string(2 * advice.rounds) : "1"},
                {""}});
  if (advice.rounds > 0) {
    table.AddRow({{"A/A control"},
                  {""},
                  {Point(advice.control)},
                  {fmt::format("{:.2f}-{:.2f}", advice.control.low, advice.control.high)},
                  {""},
                  {""},
                  {""},
                  {""},
                  {"the defaults against themselves"}});
  }
  for (const CandidateAdvice& own : advice.candidates) {
    const RatioInterval& ratio = own.Ratio(metric);
    table.AddRow({{own.candidate.name},
                  {own.runs > 0 ? CostOf(own.median, metric) : ""},
                  {Point(ratio)},
                  {IsKnown(ratio) ? fmt::format("{:.2f}-{:.2f}", ratio.low, ratio.high) : ""},
                  {Point(own.wall)},
                  {Point(own.cpu)},
                  {Point(own.memory)},
                  {own.runs > 0 ? std::to_string(own.runs) : ""},
                  {own.reason.empty() ? own.candidate.summary : own.reason}});
  }
  return table.Render(width);
}

}  // namespace

std::string_view NameOf(Metric metric) {
  return metric == Metric::kWall ? "wall" : metric == Metric::kCpu ? "cpu" : "memory";
}

std::vector<std::string> RecommendedFlags(const Advice& advice, const AdviceContext& context) {
  if (!advice.recommended) return {};
  const Candidate& candidate = Recommended(advice).candidate;
  return RunOptions(candidate,
                    candidate.archive == nullptr ? "" : FileOf(*candidate.archive, context));
}

std::vector<std::string> CommandsToRun(const Advice& advice, const AdviceContext& context) {
  if (!advice.recommended) return {};
  std::vector<std::string> commands;
  const ArchiveKind* const archive = Recommended(advice).candidate.archive;
  if (archive != nullptr && context.kept_file.empty()) {
    commands.push_back(WithOptions(TrainingOptions(*archive, archive->file_name), context));
  }
  commands.push_back(WithOptions(RecommendedFlags(advice, context), context));
  return commands;
}

std::string AdviceText(const Advice& advice, const AdviceContext& context, size_t width) {
  std::string text = RenderTable(advice, context.metric, width) + "\n";
  if (!advice.recommended) {
    return text + fmt::format("Keep the defaults: {} ({}; {} rounds).\n",
                              advice.rounds > 0 ? "no candidate is certainly better"
                                                : "nothing could be measured",
                              advice.ended, advice.rounds);
  }
  const CandidateAdvice& best = Recommended(advice);
  const RatioInterval& ratio = best.Ratio(context.metric);
  const Candidate& candidate = best.candidate;
  const std::string summary =
      candidate.name == candidate.summary ? "" : fmt::format(" ({})", candidate.summary);
  text += fmt::format(
      "Recommended: {}{}. It saves {:.0f} % of the {}; the interval is {:.0f} to {:.0f} %.\n\n"
      "Options:\n  {}\n",
      candidate.name, summary, Percent(ratio.value), Noun(context.metric), Percent(ratio.high),
      Percent(ratio.low), ShellWords(RecommendedFlags(advice, context)));
  const ArchiveKind* const archive = candidate.archive;
  if (archive != nullptr) {
    text += context.kept_file.empty()
                ? fmt::format(
                      "\nThe first command makes the {}; make it again when the program, "
                      "its class path or the JDK changes:\n",
                      archive->name)
                : fmt::format("\nThe {} is {}; it holds for this program, class path and JDK:\n",
                              archive->name, context.kept_file);
  } else {
    text += "\nCommand:\n";
  }
  for (const std::string& command : CommandsToRun(advice, context)) {
    text += fmt::format("  {}\n", command);
  }
  return text +
         "\nThis holds for runs as long as these. Where runs become longer or the program "
         "changes, ask again.\n";
}

Json AdviceJson(const Advice& advice, const AdviceContext& context) {
  RatioInterval gain{1, 1, 1, 0};
  if (advice.recommended) gain = Recommended(advice).Ratio(context.metric);
  Json flags = Json::Array(), commands = Json::Array(), files = Json::Array();
  for (const std::string& flag : RecommendedFlags(advice, context)) flags.Append(flag);
  for (const std::string& command : CommandsToRun(advice, context)) commands.Append(command);
  if (!context.kept_file.empty()) files.Append(context.kept_file);
  Json candidates = Json::Array();
  for (const CandidateAdvice& own : advice.candidates) {
    Json options = Json::Array();
    for (const std::string& option : own.options) options.Append(option);
    const auto known = [&own](double value) { return own.runs > 0 ? Json(value) : Json(nullptr); };
    candidates.Append({{"name", own.candidate.name},
                       {"summary", own.candidate.summary},
                       {"flags", options},
                       {"state", NameOfState(own.state)},
                       {"reason", own.reason},
                       {"runs", own.runs},
                       {"rounds", own.wall.rounds},
                       {"wall_s", known(static_cast<double>(own.median.wall_ns) / 1e9)},
                       {"cpu_s", known(static_cast<double>(own.median.cpu_ns) / 1e9)},
                       {"peak_bytes", known(static_cast<double>(own.median.peak_bytes))},
                       {"wall_ratio", RatioToJson(own.wall)},
                       {"cpu_ratio", RatioToJson(own.cpu)},
                       {"memory_ratio", RatioToJson(own.memory)}});
  }
  return {{"recommendation",
           advice.recommended ? Json(Recommended(advice).candidate.name) : Json("defaults")},
          {"flags", flags},
          {"gain", Percent(gain.value)},
          {"low", Percent(gain.high)},
          {"high", Percent(gain.low)},
          {"metric", NameOf(context.metric)},
          {"commands", commands},
          {"files", files},
          {"rounds", advice.rounds},
          {"ended", advice.ended},
          {"compared", advice.output_compared ? "output and exit code" : "exit code"},
          {"control", RatioToJson(advice.control)},
          {"defaults",
           {{"wall_s", static_cast<double>(advice.defaults.wall_ns) / 1e9},
            {"cpu_s", static_cast<double>(advice.defaults.cpu_ns) / 1e9},
            {"peak_bytes", static_cast<double>(advice.defaults.peak_bytes)}}},
          {"candidates", candidates}};
}

std::vector<std::string> SideEffects(const Advice& advice, Metric metric) {
  std::vector<std::string> effects;
  if (!advice.recommended) return effects;
  const CandidateAdvice& best = Recommended(advice);
  for (const Metric other : {Metric::kWall, Metric::kCpu, Metric::kMemory}) {
    if (other == metric || best.Ratio(other).low <= 1.01) continue;
    effects.push_back(fmt::format("warning: {} takes {:.2f} times the {}", best.candidate.name,
                                  best.Ratio(other).value, Noun(other)));
  }
  return effects;
}

}  // namespace yp
