#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "core/graph/accuracy.h"
#include "core/graph/overlap.h"
#include "core/graph/transform.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
The overlap is the sum over the common edges of the smaller of the two shares of all calls: 100 %
for equal graphs, 0 % for graphs without a common edge. With an exact profile as A, it is the
accuracy of B. Presence is the part of A's most called edges that B has at all.

Where only one of the profiles has calls of trivial methods (see: yp run --trivial), the comparison
leaves them out.

Examples:
  yp overlap exact.yp sampled.yp
  yp overlap --methods exact.yp sampled.yp     without telling call sites apart
)";

constexpr std::array<double, 3> kTopPercents{1, 10, 100};

struct Options {
  std::string a;
  std::string b;
  bool methods = false;
  bool uncorrected = false;
  bool json = false;
};

bool HasTrivial(const Profile& profile) {
  return profile.ConfigOr("trivial", "include") == "include";
}

void WarnOfDifferentFilters(const Profile& a, const Profile& b) {
  for (const std::string& key : DifferentFilters(a, b)) {
    if (key == "trivial") continue;  // Compared without.
    Say(fmt::format(
        "warning: the profiles differ in \"{}\" ({} and {}): the overlap compares that, "
        "too",
        key, a.ConfigOr(key, "not set"), b.ConfigOr(key, "not set")));
  }
}

Status PrintComparison(const Comparison& comparison, const UnifiedGraphs& graphs) {
  std::string text = fmt::format(
      "overlap           {:.2f} %\ncommon edges      {}\nonly in A         {}\nonly in B         "
      "{}\n",
      comparison.overlap, comparison.common_edges, comparison.only_a, comparison.only_b);
  for (const double percent : kTopPercents) {
    const Presence presence = TopPresence(graphs.a, graphs.b, percent);
    text += fmt::format("{:<18}{:.1f} % of {} edges, {:.1f} % of their calls\n",
                        fmt::format("in A's top {:.0f} %", percent), presence.unweighted,
                        presence.edges, presence.weighted);
  }
  return PrintOut(text);
}

Status PrintComparisonAsJson(const Comparison& comparison, const UnifiedGraphs& graphs) {
  Json presence_of_top = Json::array();
  for (const double percent : kTopPercents) {
    const Presence presence = TopPresence(graphs.a, graphs.b, percent);
    presence_of_top.push_back({{"top_percent", percent},
                               {"edges", presence.edges},
                               {"presence", presence.unweighted},
                               {"weighted_presence", presence.weighted}});
  }
  return PrintJson({{"overlap", comparison.overlap},
                    {"common_edges", comparison.common_edges},
                    {"only_a", comparison.only_a},
                    {"only_b", comparison.only_b},
                    {"common_presence", comparison.CommonPresence()},
                    {"top_presence", presence_of_top}});
}

Result<int> OverlapOf(const Options& options) {
  const Result<Profile> a = LoadProfileArgument(options.a);
  if (!a) return a.status();
  const Result<Profile> b = LoadProfileArgument(options.b);
  if (!b) return b.status();
  WarnOfDifferentFilters(*a, *b);
  // Only what both could observe is compared. A trivial method calls nothing.
  const bool without_trivial = HasTrivial(*a) != HasTrivial(*b);
  if (without_trivial) {
    Say("calls of trivial methods, which only one of the profiles has, are left out");
  }
  const auto graph_of = [&](const Profile& profile) {
    DynamicCallGraph graph = options.uncorrected ? profile.UncorrectedGraph() : profile.Graph();
    if (without_trivial) graph = WithoutTrivialCallees(graph, profile.methods);
    return options.methods ? CollapseCallSites(graph) : graph;
  };
  const UnifiedGraphs graphs = Unify(graph_of(*a), a->methods, graph_of(*b), b->methods);
  const Comparison comparison = Compare(graphs.a, graphs.b);
  const Status printed = options.json ? PrintComparisonAsJson(comparison, graphs)
                                      : PrintComparison(comparison, graphs);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddOverlapCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command = app.add_subcommand("overlap", "Compare two profiles");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  command->add_option("a", options->a, "The reference, such as an exact profile")
      ->type_name("A")
      ->required();
  command->add_option("b", options->b, "The profile to judge")->type_name("B")->required();
  command->add_flag("--methods", options->methods, "Do not tell call sites apart");
  command->add_flag("--uncorrected", options->uncorrected,
                    "Compare calls without the correction for call density");
  command->add_flag("--json", options->json, "A JSON object");
  command->callback([=] { invocation->run = [=] { return OverlapOf(*options); }; });
}

}  // namespace yp
