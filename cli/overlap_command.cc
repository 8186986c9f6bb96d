#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/correction.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "core/graph/accuracy.h"
#include "core/graph/cct.h"
#include "core/graph/overlap.h"
#include "core/graph/transform.h"
#include "format/profile/comparable.h"
#include "format/profile/estimate.h"

namespace yp {
namespace {

constexpr const char* kOverlapFooter = R"(
The overlap is the sum over the common edges of the smaller of the two shares of all calls: 100 %
for equal graphs, 0 % for graphs without a common edge. With an exact profile as A, it is the
accuracy of B. Presence is the part of A's most called edges that B has at all. Of a sampled B it is
also told for how many of A's edges with 0.01 % of the calls or more the 95 % interval in B holds
their share.

With --contexts the same is said of calling contexts (yp tree): a chain of calls, call sites told
apart, for an edge. Hot contexts have 10 % or 1 % of the samples of
A's heaviest (Zhuang et al., PLDI 2006); told is how many of them B has at all.

Where one of the profiles has the edges alone (yp run --mode edges), only these are compared.

Where only one of the profiles has calls of trivial methods (see: yp run --trivial), the comparison
leaves them out.

Examples:
  yp overlap exact.yp sampled.yp
  yp overlap --methods exact.yp sampled.yp     without telling call sites apart
  yp overlap --correct none exact.yp sampled.yp   what does correcting its windows' bias bring?
)";

constexpr std::array<double, 3> kTopPercents{1, 10, 100};

struct OverlapOptions {
  std::string a;
  std::string b;
  bool methods = false;
  std::string correct;  // Empty: as they are.
  bool contexts = false;
  bool json = false;
};

constexpr double kMinSharePercent = 0.01;
// Of the heaviest context's weight: what makes a context hot.
constexpr std::array<double, 2> kHotPercents{10, 1};

// What is compared: calls of the same methods, by call site or not.
DynamicCallGraph CallsOf(const OverlapOptions& options, const ComparablePair& pair,
                         const Profile& profile) {
  const DynamicCallGraph graph = pair.Of(profile, profile.Graph());
  return options.methods ? CollapseCallSites(graph) : graph;
}

// Nothing where B's calls have no intervals, or not all: they are those of its calls by call site.
std::optional<Coverage> CoverageOf(const OverlapOptions& options, const ComparablePair& pair,
                                   const Profile& b, UnifiedGraphs* graphs) {
  const bool has_intervals = b.total_samples() > 0 && std::ranges::all_of(b.edges, HasInterval);
  if (!has_intervals || options.methods) return std::nullopt;
  const Estimate estimate = pair.EstimateOf(b, graphs->methods);
  const Coverage coverage = IntervalCoverage(graphs->a, estimate, kMinSharePercent / 100);
  return coverage.edges > 0 ? std::optional(coverage) : std::nullopt;
}

// What the profiles know of calls: mode edges counts none.
struct Counted {
  bool a = true;
  bool b = true;
};

Status PrintComparison(const Comparison& comparison, const Counted& counted,
                       const UnifiedGraphs& graphs, const std::optional<Coverage>& coverage) {
  std::string text =
      counted.a && counted.b ? fmt::format("overlap           {:.2f} %\n", comparison.overlap) : "";
  text += fmt::format("common edges      {}\nonly in A         {}\nonly in B         {}\n",
                      comparison.common_edges, comparison.only_a, comparison.only_b);
  for (const double percent : kTopPercents) {
    if (!counted.a) break;  // No edge is the most called one.
    const Presence presence = TopPresence(graphs.a, graphs.b, percent);
    text += fmt::format("{:<18}{:.1f} % of {} edges, {:.1f} % of their calls\n",
                        fmt::format("in A's top {:.0f} %", percent), presence.unweighted,
                        presence.edges, presence.weighted);
  }
  if (coverage) {
    text += fmt::format("in B's intervals  {:.1f} % of {} edges with {} % or more of A's calls\n",
                        coverage->held, coverage->edges, kMinSharePercent);
  }
  return PrintOut(text);
}

Status PrintComparisonAsJson(const Comparison& comparison, const Counted& counted,
                             const UnifiedGraphs& graphs, const std::optional<Coverage>& coverage) {
  Json presence_of_top = Json::Array();
  for (const double percent : kTopPercents) {
    if (!counted.a) break;
    const Presence presence = TopPresence(graphs.a, graphs.b, percent);
    presence_of_top.Append({{"top_percent", percent},
                            {"edges", presence.edges},
                            {"presence", presence.unweighted},
                            {"weighted_presence", presence.weighted}});
  }
  Json json = {{"overlap", counted.a && counted.b ? Json(comparison.overlap) : Json(nullptr)},
               {"common_edges", comparison.common_edges},
               {"only_a", comparison.only_a},
               {"only_b", comparison.only_b},
               {"common_presence", comparison.CommonPresence()},
               {"top_presence", presence_of_top}};
  if (coverage) {
    json["intervals"] = {{"min_share_percent", kMinSharePercent},
                         {"edges", coverage->edges},
                         {"held", coverage->held},
                         {"missing", coverage->missing},
                         {"too_small", coverage->too_small},
                         {"too_large", coverage->too_large}};
  }
  return PrintJson(json);
}

Status PrintContextComparison(const OverlapOptions& options, const CallingContextTree& a,
                              const CallingContextTree& b) {
  const ContextComparison comparison = Compare(a, b);
  std::string text = fmt::format(
      "overlap           {:.2f} %\ncommon contexts   {}\nonly in A         {}\nonly in B         "
      "{}\n",
      comparison.overlap, comparison.common, comparison.only_a, comparison.only_b);
  Json coverage = Json::Array();
  for (const double percent : kHotPercents) {
    const HotContexts hot = HotContextCoverage(a, b, percent / 100);
    text += fmt::format("{:<18}{:.1f} % of {} contexts\n", fmt::format("hot ({:.0f} %)", percent),
                        hot.found, hot.in_reference);
    coverage.Append({{"of_heaviest_percent", percent},
                     {"contexts", hot.in_reference},
                     {"coverage", hot.found}});
  }
  if (!options.json) return PrintOut(text);
  return PrintJson({{"overlap", comparison.overlap},
                    {"common_contexts", comparison.common},
                    {"only_a", comparison.only_a},
                    {"only_b", comparison.only_b},
                    {"hot_coverage", coverage}});
}

Result<int> OverlapOfContexts(const OverlapOptions& options, const Profile& a, const Profile& b) {
  for (const auto& [path, profile] : {std::pair(&options.a, &a), std::pair(&options.b, &b)}) {
    if (profile->contexts.total() > 0) continue;
    return Status::Error(fmt::format("{} has no calling contexts: {}", *path, kContextsAdvice));
  }
  using Weights = Profile::ContextWeights;
  const bool differ = a.context_weights() != b.context_weights();
  if (differ && (a.context_weights() == Weights::kTime || b.context_weights() == Weights::kTime)) {
    Note("the one's contexts weigh calls, the other's samples of time");
  }
  MethodTable methods;
  const auto tree_of = [&](const Profile& profile) {
    if (!differ) return Rebase(profile.contexts, profile.methods, methods);
    const auto is_observed = [&](MethodId id) {
      return (profile.methods[id].flags & Method::kObserved) != 0;
    };
    return Rebase(Project(profile.contexts, is_observed), profile.methods, methods);
  };
  const CallingContextTree of_a = tree_of(a);
  const CallingContextTree of_b = tree_of(b);
  if (Status printed = PrintContextComparison(options, of_a, of_b); !printed) return printed;
  return 0;
}

Result<int> OverlapOf(const OverlapOptions& options) {
  std::optional<BiasCorrection> correction;
  if (!options.correct.empty()) {
    const Result<BiasCorrection> chosen = ChooseCorrection("--correct", options.correct);
    if (!chosen) return chosen.status();
    correction = *chosen;
  }
  const Result<Profile> a = LoadProfileArgument(options.a);
  if (!a) return a.status();
  Result<Profile> b = LoadProfileArgument(options.b);
  if (!b) return b.status();
  if (correction) {
    if (const Status done = Recorrect(*correction, &*b); !done) {
      return Status::Error(fmt::format("{}: {}", options.b, done.message()));
    }
  }
  if (options.contexts) return OverlapOfContexts(options, *a, *b);
  const ComparablePair pair(*a, *b);
  for (const std::string& note : pair.notes()) Note(note);
  UnifiedGraphs graphs =
      Unify(CallsOf(options, pair, *a), a->methods, CallsOf(options, pair, *b), b->methods);
  const Comparison comparison = Compare(graphs.a, graphs.b);
  const std::optional<Coverage> coverage = CoverageOf(options, pair, *b, &graphs);
  const Counted counted{!a->finds_edges(), !b->finds_edges()};
  const Status printed = options.json ? PrintComparisonAsJson(comparison, counted, graphs, coverage)
                                      : PrintComparison(comparison, counted, graphs, coverage);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddOverlapCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("overlap", "Compare two profiles");
  command.Footer(kOverlapFooter);
  const auto options = std::make_shared<OverlapOptions>();
  command.Option("a", &options->a, "The reference, such as an exact profile").Value("A").Required();
  command.Option("b", &options->b, "The profile to judge").Value("B").Required();
  const Flag methods =
      command.Switch("--methods", &options->methods, "Do not tell call sites apart");
  const Flag correct =
      command
          .Option("--correct", &options->correct, "Weight B's windows anew (see: yp run --correct)")
          .Value(kCorrectionTypeName);
  command.Switch("--contexts", &options->contexts, "Compare calling contexts")
      .Excludes(methods)
      .Excludes(correct);
  command.Switch("--json", &options->json, "A JSON object");
  command.WhenChosen([=] { invocation->run = [=] { return OverlapOf(*options); }; });
}

}  // namespace yp
