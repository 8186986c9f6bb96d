#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/advise/candidates.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/ledger_text.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/table.h"
#include "core/adaptive/inlining_plan.h"
#include "core/amortize/ledger.h"
#include "core/graph/code_level.h"
#include "format/profile/executions.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

constexpr const char* kPlanFooter = R"(
What to change, in three tables, for a profile of yp run --jit:

1. Calls that are made often and that C2 did not inline, with C2's reason and what to do about it in
   the program's code. "refused 3 of 4": in three of the four compilations that came upon the call.
   The number of calls has those in it that were inlined there, or by C1. bytes: of the callee's
   bytecode; ">=" where only its lines and calls tell.
2. Call sites with more targets than C2 inlines: it inlines two, or one with 90 % of the calls.
3. Methods that were compiled again, and for which that did not pay off: the gain, with its whole
   interval, is below 0 (yp amortize has all of them).

Below stand options that make C2 inline the calls of the first table that are worth it by their number
and size: the limit grows with the number of calls, from 35 bytes of bytecode to 325 for calls that are
1 % of all; of several targets only one with more than 40 % of the calls is taken (Arnold and Grove,
CGO 2005). Whether they help is not known before you have tried: yp advise does.

Examples:
  yp run --jit -o app.yp -- java -jar app.jar
  yp plan app.yp
  yp plan app.yp --min-share 0.01 --json
)";

constexpr size_t kMostOptions = 10;

struct PlanOptions {
  std::string path;
  size_t limit = 0;
  double min_share_percent = 0.05;
  bool json = false;
};

struct Plan {
  std::vector<MissedInlining> missed;
  std::vector<SpreadSite> spread;
  std::vector<Recompilation> vain;
  bool knows_decisions = false;  // Of C2; else `missed` says nothing.
  std::set<MethodId> known_sizes;
  std::vector<std::string> try_options;

  bool IsSizeKnown(const MissedInlining& row) const {
    return known_sizes.contains(row.edge.callee);
  }
};

// C2's decisions, with the profile's methods. Those of methods that it does not have are left out.
std::vector<CompilerDecision> DecisionsOfC2(const Profile& profile) {
  const JitLog& log = profile.jit.log;
  std::set<std::pair<int64_t, bool>> of_c2;
  for (const JitLog::Compilation& compilation : log.compilations) {
    if (compilation.level == code_level::kOptimized)
      of_c2.emplace(compilation.compile_id, compilation.is_osr);
  }
  std::vector<MethodId> methods;
  for (const JitMethod& method : log.methods()) {
    methods.push_back(profile.methods.Find(method.full_name));
  }
  std::vector<CompilerDecision> decisions;
  for (const JitLog::Inlining& inlining : log.inlinings) {
    const Edge edge{methods[ToIndex(inlining.caller)], inlining.bci,
                    methods[ToIndex(inlining.callee)]};
    if (edge.caller == kNoMethod || edge.callee == kNoMethod) continue;
    if (!of_c2.contains({inlining.compile_id, inlining.is_osr})) continue;
    decisions.push_back({edge, inlining.succeeded, inlining.reason});
  }
  return decisions;
}

// Of the methods' bytecode. Where nothing tells the size, it is at least what the lines and the
// calls of the method need.
struct Sizes {
  SizesInBytes bytes;
  std::set<MethodId> known;
};

Sizes SizesIn(const Profile& profile) {
  Sizes sizes;
  const auto at_least = [&sizes](MethodId method, int32_t bytes) {
    int32_t& known = sizes.bytes[method];
    known = std::max(known, bytes);
  };
  constexpr int32_t kCallBytes = 3;  // The shortest.
  for (const EdgeStats& edge : profile.edges) {
    if (edge.edge.caller == kNoMethod || edge.edge.bci == kNoBci) continue;
    at_least(edge.edge.caller, edge.edge.bci + kCallBytes);
  }
  for (size_t i = 0; i < profile.methods.size(); ++i) {
    const MethodId method{static_cast<uint32_t>(i)};
    const std::vector<Method::Line>& lines = profile.methods[method].lines;
    if (!lines.empty()) at_least(method, lines.back().bci + 1);
  }
  const JitLog& log = profile.jit.log;
  for (const JitLog::Compilation& compilation : log.compilations) {
    const MethodId method = profile.methods.Find(log[compilation.method].full_name);
    if (method != kNoMethod && compilation.bytecode_bytes) {
      sizes.bytes[method] = *compilation.bytecode_bytes;
      sizes.known.insert(method);
    }
  }
  return sizes;
}

std::vector<std::string> OptionsToTry(const Profile& profile,
                                      const std::vector<MissedInlining>& missed) {
  std::vector<std::string> methods;
  for (const MissedInlining& row : missed) {
    if (!row.oracle.is_inlined || !AdviceFor(row.reason)->can_be_forced) continue;
    const Method& callee = profile.methods[row.edge.callee];
    const std::string method = callee.class_name + "::" + callee.name;
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
    if (methods.size() >= kMostOptions) break;
  }
  std::vector<std::string> options;
  if (!methods.empty()) options.emplace_back("-XX:CompileCommand=quiet");
  for (const std::string& method : methods) {
    options.push_back("-XX:CompileCommand=inline," + method);
  }
  return options;
}

Plan MakePlan(const Profile& profile, const Ledger& ledger, double least_weight) {
  Plan plan;
  const DynamicCallGraph calls = profile.Graph();
  const std::vector<CompilerDecision> decisions = DecisionsOfC2(profile);
  plan.knows_decisions = !decisions.empty();
  Sizes sizes = SizesIn(profile);
  plan.missed = MissedInlinings(calls, decisions, sizes.bytes, {}, least_weight);
  plan.known_sizes = std::move(sizes.known);
  plan.spread = SpreadSites(calls, least_weight);
  for (const Recompilation& row : ledger.recompilations) {
    if (row.verdict() == Verdict::kDidNot) plan.vain.push_back(row);
  }
  std::ranges::stable_sort(plan.vain, {},
                           [](const Recompilation& row) { return row.pay_off->gain_ns.value; });
  plan.try_options = OptionsToTry(profile, plan.missed);
  return plan;
}

template <typename T>
size_t Shown(const std::vector<T>& rows, const PlanOptions& options) {
  return std::min(rows.size(), options.limit != 0 ? options.limit : kDefaultRows);
}

std::string Title(std::string_view words, size_t shown, size_t all) {
  return shown == all ? fmt::format("{}\n", words)
                      : fmt::format("{}: {} of {} (-n)\n", words, shown, all);
}

std::string RenderMissed(const Profile& profile, const CallSites& sites, const Plan& plan,
                         const PlanOptions& options) {
  if (!plan.knows_decisions) {
    return "What C2 inlined is not known: the recording has no decision of it.\n";
  }
  if (plan.missed.empty()) return "C2 inlined every call that is made often.\n";
  using Column = Table::Column;
  const double total = profile.total_calls();
  Table table({"calls", "share", "refused", "bytes", "caller", "at", "callee", "C2's reason"},
              {Column::kRight, Column::kRight, Column::kRight, Column::kRight, Column::kName,
               Column::kPlace, Column::kName, Column::kLeft});
  std::set<std::string_view> reasons;
  const size_t shown = Shown(plan.missed, options);
  for (const MissedInlining& row : std::span(plan.missed).first(shown)) {
    reasons.insert(row.reason);
    table.AddRow(
        {{FormatCalls(row.calls)},
         {FormatShare(row.calls, total)},
         {fmt::format("{} of {}", row.refused, row.decided)},
         {row.bytes ? (plan.IsSizeKnown(row) ? "" : ">= ") + WithSeparators(*row.bytes) : "?"},
         NameForms(profile.methods, row.edge.caller),
         sites.Forms(row.edge),
         NameForms(profile.methods, row.edge.callee),
         {std::string(row.reason)}});
  }
  std::string text = Title("Calls that C2 did not inline", shown, plan.missed.size()) +
                     table.Render(TerminalWidth(STDOUT_FILENO));
  for (const std::string_view reason : reasons) {
    text += fmt::format("  {}: {}.\n", reason, AdviceFor(reason)->advice);
  }
  return text;
}

std::string Targets(const Profile& profile, const SpreadSite& site) {
  constexpr size_t kNamed = 3;
  std::string text;
  for (const auto& [method, calls] :
       std::span(site.targets).first(std::min(kNamed, site.targets.size()))) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", NameForms(profile.methods, method).back(),
                        FormatShare(calls, site.calls));
  }
  if (site.targets.size() > kNamed) {
    text += fmt::format(", {} more", site.targets.size() - kNamed);
  }
  return text;
}

std::string RenderSpread(const Profile& profile, const CallSites& sites, const Plan& plan,
                         const PlanOptions& options) {
  if (plan.spread.empty()) return "No call site has more targets than C2 inlines.\n";
  using Column = Table::Column;
  Table table({"calls", "share", "caller", "at", "targets"},
              {Column::kRight, Column::kRight, Column::kName, Column::kPlace, Column::kLeft});
  const size_t shown = Shown(plan.spread, options);
  for (const SpreadSite& site : std::span(plan.spread).first(shown)) {
    table.AddRow({{FormatCalls(site.calls)},
                  {FormatShare(site.calls, profile.total_calls())},
                  NameForms(profile.methods, site.caller),
                  sites.Forms({site.caller, site.bci, site.targets.front().first}),
                  {Targets(profile, site)}});
  }
  return Title("Call sites with more targets than C2 inlines", shown, plan.spread.size()) +
         table.Render(TerminalWidth(STDOUT_FILENO)) +
         "  Where one target has more than 40 % of the calls, a test for its class before the call "
         "lets C2 inline it.\n";
}

std::string RenderVain(const Profile& profile, const Ledger& ledger, const Plan& plan,
                       const PlanOptions& options) {
  if (plan.vain.empty()) return "No recompilation is known not to have paid off.\n";
  const size_t shown = Shown(plan.vain, options);
  return Title("Recompilations that did not pay off", shown, plan.vain.size()) +
         RenderRecompilations(profile.jit.log, ledger, std::span(plan.vain).first(shown),
                              TerminalWidth(STDOUT_FILENO));
}

Json JsonOfSite(const Profile& profile, const Edge& edge) {
  return {
      {"caller", profile.NameOf(edge.caller)}, {"bci", edge.bci}, {"line", profile.LineOf(edge)}};
}

Json JsonOf(const Profile& profile, const Plan& plan, const MissedInlining& row) {
  Json object = JsonOfSite(profile, row.edge);
  object["callee"] = profile.NameOf(row.edge.callee);
  object["calls"] = JsonNumber(WholeCalls(row.calls));
  object["share"] = row.calls / profile.total_calls();
  const Json bytes = row.bytes ? Json(*row.bytes) : Json(nullptr);
  object["bytes"] = plan.IsSizeKnown(row) ? bytes : Json(nullptr);
  object["bytes_at_least"] = bytes;
  object["refused"] = row.refused;
  object["compilations"] = row.decided;
  object["reason"] = row.reason;
  object["advice"] = AdviceFor(row.reason)->advice;
  object["oracle_inlines"] = row.oracle.is_inlined;
  object["oracle_reason"] = ToString(row.oracle.reason);
  return object;
}

Json JsonOf(const Profile& profile, const SpreadSite& site) {
  Json object = JsonOfSite(profile, {site.caller, site.bci, site.targets.front().first});
  object["calls"] = JsonNumber(WholeCalls(site.calls));
  object["share"] = site.calls / profile.total_calls();
  Json targets = Json::Array();
  for (const auto& [method, calls] : site.targets) {
    targets.Append({{"callee", profile.NameOf(method)}, {"part", calls / site.calls}});
  }
  object["targets"] = std::move(targets);
  return object;
}

Json JsonOf(const JitLog& log, const Recompilation& row) {
  const Uncertain& gain = row.pay_off->gain_ns;
  return {{"method", log[row.method].full_name},
          {"from", LevelOf(log, row.previous)},
          {"to", log.compilations[row.compilation].level},
          {"compile_ms", row.compile_ns / kNsPerMs},
          {"gain_ms", gain.value / kNsPerMs},
          {"low_ms", gain.low / kNsPerMs},
          {"high_ms", gain.high / kNsPerMs}};
}

// One for each row; of(row) makes it.
template <typename T, typename Of>
Json JsonArray(const std::vector<T>& rows, size_t limit, Of of) {
  Json array = Json::Array();
  for (const T& row : rows) {
    if (limit != 0 && array.size() == limit) break;
    array.Append(of(row));
  }
  return array;
}

Result<int> ShowPlan(const PlanOptions& options) {
  Result<Profile> profile = LoadProfileArgument(options.path);
  if (!profile) return profile.status();
  if (profile->jit.empty() && profile->jit.lacks.empty()) {
    return Status::Error(options.path +
                         " does not tell what the compilers did: record it with yp run --jit");
  }
  if (profile->finds_edges() || profile->has_stack_ends() || profile->total_calls() <= 0) {
    return Status::Error(options.path +
                         " has no numbers of calls: record it with yp run --jit, in mode cbs");
  }
  std::vector<std::string> lacks = profile->jit.lacks;
  const Executions executions = ExecutionsOf(*profile, &lacks);
  for (const std::string& lack : lacks) Note("not known: " + lack);
  const Ledger ledger = MakeLedger(profile->jit.log, profile->duration_ns, executions);
  const Plan plan = MakePlan(*profile, ledger, options.min_share_percent / 100);
  if (options.json) {
    const auto missed = [&](const MissedInlining& row) { return JsonOf(*profile, plan, row); };
    const auto spread = [&](const SpreadSite& site) { return JsonOf(*profile, site); };
    const auto vain = [&](const Recompilation& row) { return JsonOf(profile->jit.log, row); };
    if (Status s = PrintJson(
            {{"missed",
              plan.knows_decisions ? JsonArray(plan.missed, options.limit, missed) : Json(nullptr)},
             {"spread", JsonArray(plan.spread, options.limit, spread)},
             {"vain", JsonArray(plan.vain, options.limit, vain)},
             {"try", plan.try_options}});
        !s) {
      return s;
    }
    return 0;
  }
  const CallSites sites = CallSitesOf(*profile);
  std::string text = RenderMissed(*profile, sites, plan, options) + "\n" +
                     RenderSpread(*profile, sites, plan, options) + "\n" +
                     RenderVain(*profile, ledger, plan, options);
  if (!plan.try_options.empty()) {
    std::string tried;
    for (const std::string& option : plan.try_options) tried += (tried.empty() ? "" : " ") + option;
    text += "\nTo try, with proof:\n  yp advise --try " + ShellWords({tried}) + " -- COMMAND\n";
  }
  if (Status s = PrintOut(text); !s) return s;
  return 0;
}

}  // namespace

void AddPlanCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("plan", "Show what keeps the JIT from inlining hot calls");
  command.Footer(kPlanFooter);
  const auto options = std::make_shared<PlanOptions>();
  AddProfileArgument(command, &options->path);
  AddRowsOption(command, &options->limit);
  command
      .Option("--min-share", &options->min_share_percent,
              "Only calls that are as much of all, in %")
      .Value("PERCENT")
      .Range(0.0, 100.0)
      .ShowDefault();
  command.Switch("--json", &options->json, "A JSON object");
  command.WhenChosen([=] { invocation->run = [=] { return ShowPlan(*options); }; });
}

}  // namespace yp
