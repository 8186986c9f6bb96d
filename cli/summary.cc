#include "cli/summary.h"

#include <fmt/core.h>

#include <cstdint>

#include "cli/counting_cost.h"
#include "cli/duration.h"
#include "cli/edge_list.h"
#include "cli/ledger_text.h"
#include "cli/names.h"
#include "core/amortize/ledger.h"
#include "core/options/config_keys.h"
#include "core/options/config_number.h"
#include "format/profile/drop_reasons.h"
#include "format/profile/executions.h"
#include "format/profile/flight_recording.h"
#include "format/profile/sampled_in_ticks.h"
#include "format/profile/warnings.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

// "cbs profile of JVM 4711 (JDK 17.0.21), 12.3 s", behind its title where it has one.
std::string Headline(const Profile& profile) {
  const std::string_view title = profile.ConfigOr(config_key::kTitle, "");
  return fmt::format(
      "{}{}{} profile of JVM {} (JDK {}), {}", title, title.empty() ? "" : ": ",
      profile.ConfigOr(config_key::kMode, "a"), profile.ConfigOr(config_key::kJvmPid, "?"),
      profile.ConfigOr(config_key::kJvmVersion, "unknown"), FormatDuration(profile.duration_ns));
}

// Of a countdown a window is no more than the samples of one thread in a tick.
std::string PlacesOfSamples(const Profile& profile) {
  const bool has_windows = !IsCountdown(profile);
  const size_t places = has_windows ? profile.windows.size() : profile.ticks.size();
  if (places == 0) return "";
  return fmt::format(" in {} {}{}", WithSeparators(static_cast<double>(places)),
                     has_windows ? "window" : "tick", places == 1 ? "" : "s");
}

std::string Amount(const Profile& profile) {
  const std::string calls = FormatCalls(profile.total_calls());
  const std::string edges = WithSeparators(static_cast<double>(profile.edges.size())) +
                            (profile.edges.size() == 1 ? " edge" : " edges");
  if (profile.finds_edges()) return fmt::format("{} found; calls were not counted", edges);
  if (profile.exact()) {
    const bool is_of_app = profile.ConfigOr(config_key::kScope, "") == "app";
    return fmt::format(
        "{} calls over {}{}", calls, edges,
        is_of_app ? ", of the program's own methods (--scope all: the JDK's, too)" : "");
  }
  if (profile.edges.empty()) {
    return fmt::format("no sample{}: how many calls there were is not known",
                       PlacesOfSamples(profile));
  }
  const std::string samples = WithSeparators(static_cast<double>(profile.total_samples()));
  if (profile.ConfigOr(config_key::kMode, "") == "timer") {
    return fmt::format("{} samples over {}, one a tick: they do not tell how many calls", samples,
                       edges);
  }
  return fmt::format("{} {} calls over {}, from {} samples{}",
                     profile.is_lower_bound() ? "at least" : "about", calls, edges, samples,
                     PlacesOfSamples(profile));
}

// "8,512 stacks in 1,204 calling contexts, by cpu-clock"; with calls in the place of stacks, these.
// Empty without contexts.
std::string StacksLine(const Profile& profile) {
  if (profile.contexts.total() <= 0) return "";
  const std::string contexts = WithSeparators(static_cast<double>(profile.contexts.size() - 1));
  if (!profile.has_stacks()) {
    return fmt::format("{} {} in {} calling contexts (see: yp tree)\n",
                       FormatCalls(profile.contexts.total()), UnitOfContexts(profile), contexts);
  }
  const std::string_view event = profile.ConfigOr(config_key::kStacksEvent, "setitimer");
  return fmt::format("{} stacks in {} calling contexts, by {} (see: yp tree)\n",
                     WithSeparators(profile.contexts.total()), contexts, event);
}

// What the agent has measured of itself: "0.43 % of 12.3 s CPU time (...)". Empty where it has not.
std::string CostLine(const Profile& profile) {
  const auto program_ns = ConfigNumber<double>(profile.config, config_key::kCostProgramCpuNs);
  if (program_ns <= 0) return "";
  const auto percent = [&](const char* key) {
    return 100 * ConfigNumber<double>(profile.config, key) / program_ns;
  };
  const double calls = percent(config_key::kCostObservedCallsNs);
  const double slow = percent(config_key::kCostSlowPathNs);
  const double ticks = percent(config_key::kCostTriggerCpuNs);
  const double drain = percent(config_key::kCostDrainCpuNs);
  const double stacks = percent(config_key::kCostStacksNs);
  return fmt::format(
      "cost by its own measure: {:.2f} % of {} CPU time (calls counted {:.2f}, samples {:.2f}, "
      "ticks {:.2f}, drain {:.2f}{})\n",
      calls + slow + ticks + drain + stacks, FormatDuration(static_cast<int64_t>(program_ns)),
      calls, slow, ticks, drain, stacks > 0 ? fmt::format(", stacks {:.2f}", stacks) : "");
}

std::string LostLine(const Profile& profile) {
  std::string line;
  for (const Dropped& drop : DropsOf(profile)) {
    if (drop.kind != DropKind::kLost) continue;
    line += fmt::format("{}{} ({})", line.empty() ? "lost: " : ", ",
                        WithSeparators(static_cast<double>(drop.count)), drop.words);
  }
  return line.empty() ? line : line + "\n";
}

constexpr size_t kInvestments = 10, kWarmUpRows = 10;

bool HasJit(const Profile& profile) { return !profile.jit.empty() || !profile.jit.lacks.empty(); }

// What compilers did and what that was worth. Empty without --jit.
std::string JitPart(const Profile& profile, bool with_tables, size_t width) {
  if (!HasJit(profile)) return "";
  const auto [lacks, executions, ledger] = AccountOf(profile);
  std::string text;
  if (TellsCompilations(profile.jit.log, lacks)) {
    for (const std::string& line : DescribeLedger(profile.jit.log, ledger)) {
      text += "yp: " + line + "\n";
    }
  }
  for (const std::string& lack : lacks) text += "yp: warning: not known: " + lack + "\n";
  if (!with_tables) return text;
  for (const std::string& table :
       {RenderBestAndWorst(profile.jit.log, ledger, kInvestments, width), DescribeUndecided(ledger),
        RenderWarmUp(profile.jit, kWarmUpRows, width)}) {
    if (!table.empty()) text += "\n" + table;
  }
  return text + "\n";
}

// Those of the text.
std::vector<std::string> WarningsOf(const Profile& profile) {
  std::vector<std::string> warnings = Warnings(profile);
  if (HasJit(profile)) {
    for (const std::string& lack : AccountOf(profile).lacks) {
      warnings.push_back("not known: " + lack);
    }
  }
  return warnings;
}

}  // namespace

std::string Summarize(const Profile& profile, const std::string& path, size_t top, size_t width) {
  std::string text = fmt::format("yp: {}\n", Headline(profile));
  text += fmt::format("yp: {}\n", Amount(profile));
  if (const std::string stacks = StacksLine(profile); !stacks.empty()) text += "yp: " + stacks;
  if (const std::string rule = CountingRule(profile.config); !rule.empty())
    text += "yp: " + rule + "\n";
  for (const std::string& warning : Warnings(profile)) {
    text += fmt::format("yp: warning: {}\n", warning);
  }
  const std::string cost = CostLine(profile);
  if (!cost.empty()) text += "yp: " + cost;
  if (const std::string result = CountingResult(profile); !result.empty()) {
    text += "yp: " + result + "\n";
  }
  const std::string lost = LostLine(profile);
  if (!lost.empty()) text += "yp: " + lost;
  if (top > 0 && !profile.finds_edges() && !profile.edges.empty()) {
    EdgeSelection selection;
    selection.limit = top;
    text += "\n" + RenderEdges(profile, ChooseEdges(profile, selection), width) + "\n";
  }
  const std::string jit = JitPart(profile, top > 0, width);
  text += jit;
  return text + fmt::format("yp: wrote {0} (see: yp edges {0}, yp top {0}{1})\n", path,
                            jit.empty() ? "" : ", yp amortize " + path);
}

Json SummaryToJson(const Profile& profile, const std::string& path, size_t top) {
  const double total = profile.total_calls();
  Json json{{"profile", path},
            {"mode", profile.ConfigOr(config_key::kMode, "")},
            {"duration_ns", profile.duration_ns},
            {"complete", profile.complete},
            {"damage", profile.damage},
            {"calls", profile.finds_edges() ? Json(nullptr) : Json(JsonNumber(WholeCalls(total)))},
            {"edges", profile.edges.size()},
            {"methods", profile.methods.size()},
            {"threads", profile.threads.size()},
            {"samples", profile.total_samples()},
            {"windows", profile.windows.size()},
            {"stacks", profile.has_stacks() ? JsonNumber(profile.contexts.total()) : Json(0)},
            {"contexts", profile.contexts.size() - 1},
            {"agent_cpu_ns", profile.agent_cpu_ns},
            {"drops", profile.drops},
            {"config", profile.config},
            {"warnings", WarningsOf(profile)}};
  if (const std::optional<CountingCost> cost = CountingCostOf(profile)) {
    json["counting"] = CountingToJson(*cost);
  }
  Json& edges = json["hottest"] = Json::Array();
  if (top > 0 && !profile.finds_edges()) {
    EdgeSelection selection;
    selection.limit = top;
    for (const EdgeStats* edge : ChooseEdges(profile, selection)) {
      edges.Append(EdgeToJson(profile, *edge, total));
    }
  }
  return json;
}

}  // namespace yp
