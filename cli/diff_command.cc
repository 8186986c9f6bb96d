#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/edge_list.h"
#include "cli/factor.h"
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

constexpr const char* kDiffFooter = R"(
Lists the call edges whose number of calls differs between two programs, or two versions of one, by
more than chance. Of twenty comparisons of recordings of one and the same program, one lists
anything on average (--error; Holm). With --fdr more is listed, of which that part is wrong on
average (Benjamini and Hochberg). --all lists every difference.

What the JIT inlines is inferred, and differs from run to run: with one recording of each program,
only large changes of such edges can be told from chance. Several recordings of each say how much
chance there is, and find smaller changes:
  yp diff before1.yp before2.yp before3.yp -- after1.yp after2.yp after3.yp

Compared are shares of all calls; with --per METHOD the calls per call of that method ("calls per
request"), with --per second those in a second. Between exact profiles every difference counts, and
the calls themselves are compared; between profiles of --mode edges only an edge that one lacks.

A call site is the place of the call in the bytecode: where the caller itself was changed, its
sites move, and --methods compares without them.

Examples:
  yp diff before.yp after.yp
  yp diff before.yp after.yp --callee 'org.example.Cache.*'
  yp diff before.yp after.yp --per 'org.example.Server.handle' --json
)";

struct DiffOptions {
  std::vector<std::string> before;
  std::vector<std::string> after;
  std::string per = "share";
  double error_percent = 5;
  std::optional<double> fdr_percent;
  size_t limit = 0;
  EdgeSelection selection;
  bool methods = false;
  bool all = false;
  bool json = false;
};

struct Changes {
  MethodTable methods;
  ProfileDiff diff;
  size_t significant = 0;
  std::vector<EdgeChange> chosen;
};

// --per, of which share is the default: with exact profiles it means the calls themselves unless
// it is asked for.
ProfileDiffOptions DiffOptionsOf(const DiffOptions& options, bool per_is_given) {
  ProfileDiffOptions result;
  result.rows = options.methods ? DiffRows::kMethodPairs : DiffRows::kCallSites;
  if (!per_is_given) return result;
  if (options.per == "share") {
    result.per = DiffBasis::Kind::kShare;
  } else if (options.per == "second") {
    result.per = DiffBasis::Kind::kSecond;
  } else {
    result.per = DiffBasis::Kind::kMethod;
    EdgeSelection selection;
    selection.callee = options.per;
    result.is_basis = [selection](const MethodTable& methods, MethodId id) {
      return MatchesSelection(methods, {kNoMethod, kNoBci, id}, selection);
    };
  }
  return result;
}

bool IsSignificant(const DiffOptions& options, const EdgeChange& change) {
  return options.fdr_percent ? change.q_value <= *options.fdr_percent / 100
                             : change.adjusted_p <= options.error_percent / 100;
}

Changes Compute(const DiffOptions& options, bool per_is_given,
                const std::vector<const Profile*>& before,
                const std::vector<const Profile*>& after) {
  Changes result;
  result.diff = DiffOf(before, after, DiffOptionsOf(options, per_is_given), result.methods);
  for (const EdgeChange& change : result.diff.changes) {
    const bool is_significant = IsSignificant(options, change);
    result.significant += is_significant ? 1 : 0;
    if ((options.all || is_significant) &&
        MatchesSelection(result.methods, change.edge, options.selection)) {
      result.chosen.push_back(change);
    }
  }
  return result;
}

// A number that was compared, in its own unit.
std::string Value(DiffBasis::Kind kind, double value) {
  if (kind != DiffBasis::Kind::kShare) return ShortNumber(value);
  return value > 0 && value < 5e-6 ? "<0.001 %" : fmt::format("{:.3f} %", 100 * value);
}

std::string Difference(DiffBasis::Kind kind, double change) {
  if (kind == DiffBasis::Kind::kShare) return fmt::format("{:+.3f}", 100 * change);
  return (change > 0 ? "+" : change < 0 ? "-" : "") + ShortNumber(std::abs(change));
}

std::string Interval(DiffBasis::Kind kind, const EdgeChange& change) {
  if (std::isnan(change.low)) return "unknown";
  if (change.low == change.high) return "exact";
  return Difference(kind, change.low) + " .. " + Difference(kind, change.high);
}

// "shares of all calls", as the sentence above the table has it.
std::string Compared(const DiffOptions& options, DiffBasis::Kind kind) {
  switch (kind) {
    case DiffBasis::Kind::kShare:
      return "shares of all calls";
    case DiffBasis::Kind::kMethod:
      return "calls per call of " + options.per;
    case DiffBasis::Kind::kSecond:
      return "calls per second";
    case DiffBasis::Kind::kCalls:
      break;
  }
  return "numbers of calls";
}

std::string Summary(const DiffOptions& options, const Changes& changes) {
  const ProfileDiff& diff = changes.diff;
  std::string chance;
  if (diff.has_chance && options.fdr_percent) {
    chance = fmt::format(" by more than chance (of these {:.3g} % wrongly, on average)",
                         *options.fdr_percent);
  } else if (diff.has_chance) {
    chance = fmt::format(
        " by more than chance (of comparisons of one program with itself, {:.3g} % list any)",
        options.error_percent);
  }
  return fmt::format("overlap {:.2f} %; {}: of {} edges {} differ{}", diff.overlap,
                     Compared(options, diff.basis.kind),
                     WithSeparators(static_cast<double>(diff.changes.size())),
                     WithSeparators(static_cast<double>(changes.significant)), chance);
}

Status Print(const DiffOptions& options, const Changes& changes) {
  using Column = Table::Column;
  const DiffBasis::Kind kind = changes.diff.basis.kind;
  const bool has_calls = !changes.diff.finds_edges;
  const bool has_values = has_calls && kind != DiffBasis::Kind::kCalls;
  std::vector<std::string> titles = {"change"};
  if (has_values) titles.insert(titles.end(), {"95 % interval", "before", "after"});
  titles.emplace_back("");
  if (has_calls) titles.insert(titles.end(), {"calls before", "calls after"});
  std::vector<Column> columns(titles.size(), Column::kRight);
  titles.insert(titles.end(), {"caller", "at", "callee"});
  columns.insert(columns.end(), {Column::kName, Column::kPlace, Column::kName});
  CallSites sites(changes.methods);
  for (const EdgeChange& change : changes.diff.changes) sites.Add(change.edge);
  Table table(titles, columns);
  const size_t limit = options.limit != 0 ? options.limit : kDefaultRows;
  const size_t rows = std::min(limit, changes.chosen.size());
  for (size_t i = 0; i < rows; ++i) {
    const EdgeChange& change = changes.chosen[i];
    std::vector<Table::Cell> cells = {{Difference(kind, change.Change())}};
    if (has_values) {
      cells.push_back({Interval(kind, change)});
      cells.push_back({Value(kind, change.before)});
      cells.push_back({Value(kind, change.after)});
    }
    cells.push_back({FactorOf(change.before, change.after)});
    if (has_calls) {
      cells.push_back({WithSeparators(change.calls_before)});
      cells.push_back({WithSeparators(change.calls_after)});
    }
    cells.push_back(NameForms(changes.methods, change.edge.caller));
    cells.push_back(options.methods ? Table::Cell{"-"} : sites.Forms(change.edge));
    cells.push_back(NameForms(changes.methods, change.edge.callee));
    table.AddRow(std::move(cells));
  }
  Say(Summary(options, changes));
  if (changes.chosen.empty()) return Status::Ok();
  const Status printed = PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
  if (rows < changes.chosen.size()) {
    Say(fmt::format("{} more: -n {}", changes.chosen.size() - rows, changes.chosen.size()));
  }
  return printed;
}

Status PrintAsJson(const DiffOptions& options, const Changes& changes) {
  const ProfileDiff& diff = changes.diff;
  Json array = Json::Array();
  for (const EdgeChange& change : changes.chosen) {
    if (options.limit != 0 && array.size() >= options.limit) break;
    array.Append({{"caller", NameOf(changes.methods, change.edge.caller)},
                  {"bci", change.edge.bci},
                  {"line", LineOf(changes.methods, change.edge)},
                  {"callee", NameOf(changes.methods, change.edge.callee)},
                  {"before", change.before},
                  {"after", change.after},
                  {"change", change.Change()},
                  {"low", change.low},
                  {"high", change.high},
                  {"p_value", change.p_value},
                  {"q_value", change.q_value},
                  {"adjusted_p", change.adjusted_p},
                  {"tested", change.is_tested},
                  {"calls_before", JsonNumber(change.calls_before)},
                  {"calls_after", JsonNumber(change.calls_after)}});
  }
  const double rate = options.fdr_percent.value_or(options.error_percent) / 100;
  return PrintJson({{"overlap", diff.overlap},
                    {"false_discovery_rate", rate},
                    {"error_rate", options.fdr_percent ? Json() : Json(rate)},
                    {"per", diff.basis.kind == DiffBasis::Kind::kCalls ? "calls" : options.per},
                    {"unknown", !diff.unknown.empty()},
                    {"tested", diff.changes.size()},
                    {"significant", changes.significant},
                    {"changes", array}});
}

Result<std::vector<Profile>> LoadAll(const std::vector<std::string>& paths) {
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    Result<Profile> profile = LoadProfileArgument(path);
    if (!profile) return profile.status();
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

std::vector<const Profile*> PointersTo(const std::vector<Profile>& profiles) {
  std::vector<const Profile*> pointers;
  for (const Profile& profile : profiles) pointers.push_back(&profile);
  return pointers;
}

// Two profiles; or those before, "--", and those after.
Status TakeSides(const std::vector<std::string>& profiles, const std::vector<std::string>& behind,
                 DiffOptions* options) {
  for (const std::string& path : behind) {
    if (path.starts_with("-")) {
      return Status::Error(
          fmt::format("{} stands behind --: options go before the profiles", path));
    }
  }
  if (!behind.empty()) {
    options->before = profiles;
    options->after = behind;
    return Status::Ok();
  }
  if (profiles.size() != 2) {
    return Status::Error(fmt::format(
        "diff needs two profiles, or several before and after with -- between them, not {}: yp "
        "diff A1 A2 -- B1 B2",
        profiles.size()));
  }
  options->before = {profiles[0]};
  options->after = {profiles[1]};
  return Status::Ok();
}

Result<int> DiffProfiles(const DiffOptions& options, bool per_is_given) {
  const Result<std::vector<Profile>> before = LoadAll(options.before);
  if (!before) return before.status();
  const Result<std::vector<Profile>> after = LoadAll(options.after);
  if (!after) return after.status();
  const Changes changes = Compute(options, per_is_given, PointersTo(*before), PointersTo(*after));
  for (const std::string& note : changes.diff.notes) Note(note);
  if (!changes.diff.unknown.empty()) Note("warning: " + changes.diff.unknown);
  if (!changes.diff.advice.empty()) Note(changes.diff.advice);
  const Status printed = options.json ? PrintAsJson(options, changes) : Print(options, changes);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddDiffCommand(CommandLine& program, Invocation* invocation) {
  Flags command =
      program.Command("diff", "Show what differs between two programs by more than chance");
  command.Footer(kDiffFooter);
  const auto options = std::make_shared<DiffOptions>();
  const auto profiles = std::make_shared<std::vector<std::string>>();
  command
      .Option("profiles", profiles.get(),
              "BEFORE and AFTER; or several recordings before, --, and several after")
      .Value("P")
      .Required();
  const Flag per =
      command
          .Option("--per", &options->per,
                  "What calls are divided by: share (of all calls), second, or a method, by "
                  "its name or a glob")
          .Value("share|second|METHOD")
          .ShowDefault();
  const Flag error =
      command
          .Option("--error", &options->error_percent,
                  "In how many percent of comparisons of a program with itself anything may "
                  "be listed")
          .Value("PERCENT")
          .Range(0.0, 100.0)
          .ShowDefault();
  command
      .Option("--fdr", &options->fdr_percent,
              "In its place: how many percent of the changes shown may be due to chance")
      .Value("PERCENT")
      .Range(0.0, 100.0)
      .Excludes(error);
  AddRowsOption(command, &options->limit);
  AddEdgeSelection(command, &options->selection);
  command.Switch("--methods", &options->methods, "Do not tell call sites apart");
  command.Switch("--all", &options->all, "Also differences that may be chance");
  command.Switch("--json", &options->json, "A JSON object; all changes unless -n is given");
  command.WhenChosen([=] {
    invocation->run = [=]() -> Result<int> {
      if (Status s = TakeSides(*profiles, invocation->user_command, options.get()); !s) return s;
      return DiffProfiles(*options, per.Given());
    };
  });
}

}  // namespace yp
