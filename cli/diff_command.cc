#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/edge_list.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "core/graph/diff.h"
#include "format/profile/comparable.h"

namespace yp {
namespace {

constexpr const char* kFooter = R"(
What of all calls an edge has, before and after, for edges where the difference cannot be put down
to chance. Of the edges listed, the part given by --fdr is wrong on average (false discovery rate;
Benjamini and Hochberg). The interval is that of the change, in percent points, at the 95 % level.
Between two exact profiles every difference counts as one, between two of mode edges only an edge
that one of them has not.

A call site is the place of the call in the bytecode: where the caller itself was changed, its
sites move, and --methods compares without them.

Examples:
  yp diff before.yp after.yp
  yp diff before.yp after.yp --callee 'org.example.Cache.*'
  yp diff before.yp after.yp --methods --fdr 1 --json
)";

struct Options {
  std::string before;
  std::string after;
  double fdr_percent = 5;
  size_t limit = 0;
  EdgeSelection selection;
  bool methods = false;
  bool all = false;
  bool json = false;
};

struct Changes {
  MethodTable methods;
  bool has_chance = false;  // Else each edge's calls are known, or that it was called.
  double overlap = 0;
  size_t tested = 0;
  size_t significant = 0;
  std::vector<EdgeChange> chosen;
};

Changes Compute(const Options& options, const Profile& before, const Profile& after) {
  Changes result;
  const ProfileDiff diff = DiffOf(before, after, !options.methods, result.methods);
  for (const std::string& note : diff.notes) Note(note);
  result.has_chance = diff.has_chance;
  result.overlap = diff.overlap;
  result.tested = diff.changes.size();
  const double rate = options.fdr_percent / 100;
  result.significant = CountSignificant(diff.changes, rate);
  for (const EdgeChange& change : diff.changes) {
    if ((options.all || change.q_value <= rate) &&
        MatchesSelection(result.methods, change.edge, options.selection)) {
      result.chosen.push_back(change);
    }
  }
  return result;
}

std::string Percent(double share) {
  return share > 0 && share < 5e-6 ? "<0.001 %" : fmt::format("{:.3f} %", 100 * share);
}

std::string Points(double change) { return fmt::format("{:+.3f}", 100 * change); }

std::string Factor(const EdgeChange& change) {
  if (change.before <= 0) return "new";
  if (change.after <= 0) return "gone";
  return fmt::format("x {:.3g}", change.after / change.before);
}

std::string Interval(const EdgeChange& change) {
  return change.low == change.high ? "exact" : Points(change.low) + " .. " + Points(change.high);
}

Status Print(const Options& options, const Changes& changes) {
  using Column = Table::Column;
  Table table({"change", "95 % interval", "before", "after", "", "caller", "at", "callee"},
              {Column::kRight, Column::kRight, Column::kRight, Column::kRight, Column::kRight,
               Column::kFitted, Column::kFitted, Column::kFitted});
  const size_t limit = options.limit != 0 ? options.limit : kDefaultRows;
  const size_t rows = std::min(limit, changes.chosen.size());
  for (size_t i = 0; i < rows; ++i) {
    const EdgeChange& change = changes.chosen[i];
    table.AddRow({{Points(change.Change())},
                  {Interval(change)},
                  {Percent(change.before)},
                  {Percent(change.after)},
                  {Factor(change)},
                  NameForms(changes.methods, change.edge.caller),
                  {options.methods ? "-" : CallSite(changes.methods, change.edge)},
                  NameForms(changes.methods, change.edge.callee)});
  }
  Say(fmt::format("overlap {:.2f} %; of {} edges {} differ{}", changes.overlap,
                  WithSeparators(static_cast<double>(changes.tested)),
                  WithSeparators(static_cast<double>(changes.significant)),
                  changes.has_chance
                      ? fmt::format(" by more than chance (of these {:.3g} % wrongly, on average)",
                                    options.fdr_percent)
                      : ""));
  if (changes.chosen.empty()) return Status::Ok();
  const Status printed = PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
  if (rows < changes.chosen.size()) {
    Say(fmt::format("{} more: -n {}", changes.chosen.size() - rows, changes.chosen.size()));
  }
  return printed;
}

Status PrintAsJson(const Options& options, const Changes& changes) {
  Json array = Json::array();
  for (const EdgeChange& change : changes.chosen) {
    if (options.limit != 0 && array.size() >= options.limit) break;
    array.push_back({{"caller", NameOf(changes.methods, change.edge.caller)},
                     {"bci", change.edge.bci},
                     {"line", LineOf(changes.methods, change.edge)},
                     {"callee", NameOf(changes.methods, change.edge.callee)},
                     {"before", change.before},
                     {"after", change.after},
                     {"change", change.Change()},
                     {"low", change.low},
                     {"high", change.high},
                     {"p_value", change.p_value},
                     {"q_value", change.q_value}});
  }
  return PrintJson({{"overlap", changes.overlap},
                    {"false_discovery_rate", options.fdr_percent / 100},
                    {"tested", changes.tested},
                    {"significant", changes.significant},
                    {"changes", array}});
}

Result<int> DiffProfiles(const Options& options) {
  const Result<Profile> before = LoadProfileArgument(options.before);
  if (!before) return before.status();
  const Result<Profile> after = LoadProfileArgument(options.after);
  if (!after) return after.status();
  const Changes changes = Compute(options, *before, *after);
  const Status printed = options.json ? PrintAsJson(options, changes) : Print(options, changes);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddDiffCommand(CLI::App& app, Invocation* invocation) {
  CLI::App* const command =
      app.add_subcommand("diff", "Show what differs between two profiles by more than chance");
  command->footer(kFooter);
  const auto options = std::make_shared<Options>();
  command->add_option("before", options->before, "A profile")->type_name("BEFORE")->required();
  command->add_option("after", options->after, "Another")->type_name("AFTER")->required();
  command
      ->add_option("--fdr", options->fdr_percent,
                   "How many percent of the changes shown may be due to chance")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  AddRowsOption(command, &options->limit);
  AddEdgeSelection(command, &options->selection);
  command->add_flag("--methods", options->methods, "Do not tell call sites apart");
  command->add_flag("--all", options->all, "Also differences that may be chance");
  command->add_flag("--json", options->json, "A JSON object; all changes unless -n is given");
  command->callback([=] { invocation->run = [=] { return DiffProfiles(*options); }; });
}

}  // namespace yp
