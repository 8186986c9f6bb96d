#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/names.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/selection_arguments.h"
#include "cli/table.h"
#include "core/graph/calls_by_method.h"
#include "core/graph/cct.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

constexpr const char* kTopFooter = R"(
calls: how often the method was called. callers, callees: how many different methods call it, and
how many it calls. After yp run --mode edges, which finds edges and counts no calls, edges in and
edges out take the place of calls: at how many call sites the method is called, and how many it has
that call. self, total: in what part of the stacks (yp run --mechanism immediate) the method
was the one that ran, and in what part it was anywhere; times are the program's CPU time: for each
sample its period, less what taking it costs.

Examples:
  yp top app.yp -n 50
  yp top app.yp --by self
  yp top app.yp --from 10s --to 12.5s --thread 'http-*'
  yp top app.yp --json | jq '.[0].method'
)";

struct TopOptions {
  std::string path;
  SelectionArguments selected;
  std::string by = "calls";
  size_t limit = 0;
  JsonRows json;
};

enum class By { kCalls, kEdges, kSelf, kTotal };

// A method's calls, and its samples in stacks.
struct Row {
  MethodCalls calls;
  double self = 0;
  double total = 0;

  double Key(By by) const {
    if (by == By::kEdges) return static_cast<double>(calls.edges_in);
    return by == By::kCalls ? calls.calls_in : by == By::kSelf ? self : total;
  }
};

std::vector<Row> RowsOf(const Profile& profile, By by) {
  std::map<MethodId, Row> by_method;
  for (const MethodCalls& calls : CallsByMethod(profile.Graph())) {
    by_method[calls.method].calls = calls;
  }
  const auto stacks =
      profile.has_stacks() ? MethodWeights(profile.contexts) : std::vector<MethodWeight>{};
  for (const MethodWeight& weight : stacks) {
    Row& row = by_method[weight.method];
    row.calls.method = weight.method;
    row.self = weight.self;
    row.total = weight.total;
  }
  std::vector<Row> rows;
  for (const auto& [method, row] : by_method) rows.push_back(row);
  std::ranges::stable_sort(rows, std::ranges::greater(), [by](const Row& r) { return r.Key(by); });
  return rows;
}

Status PrintMethodsAsJson(const JsonRows& options, const Profile& profile,
                          const std::vector<Row>& rows) {
  const auto calls = [&](double number) {
    return profile.finds_edges() ? Json(nullptr) : Json(JsonNumber(WholeCalls(number)));
  };
  Json array = Json::Array();
  for (const Row& row : rows) {
    array.Append({{"method", profile.NameOf(row.calls.method)},
                  {"calls", calls(row.calls.calls_in)},
                  {"callers", row.calls.callers},
                  {"callees", row.calls.callees},
                  {"calls_out", calls(row.calls.calls_out)},
                  {"edges_in", row.calls.edges_in},
                  {"edges_out", row.calls.edges_out}});
    if (profile.has_stacks()) {
      array.Last()["self_samples"] = JsonNumber(row.self);
      array.Last()["total_samples"] = JsonNumber(row.total);
    }
  }
  return PrintJsonRows(options, "methods", std::move(array));
}

Status PrintMethods(const Profile& profile, const std::vector<Row>& rows) {
  using Column = Table::Column;
  const double calls = profile.total_calls();
  const double samples = profile.contexts.total();
  std::vector<std::string> titles;
  const double sample_ns = profile.has_stacks() ? StackSampleNs(profile) : 0;
  if (profile.has_stacks()) titles = {"self", "total"};
  if (sample_ns > 0) titles.insert(titles.end(), {"self time", "total time"});
  const bool has_calls = !profile.finds_edges();
  titles.emplace_back(!has_calls ? "edges in" : profile.has_stack_ends() ? "samples" : "calls");
  titles.emplace_back(has_calls ? "share" : "edges out");
  for (const char* title : {"callers", "callees", "method"}) titles.emplace_back(title);
  std::vector<Column> columns(titles.size(), Column::kRight);
  columns.back() = Column::kName;
  Table table(titles, columns);
  for (const Row& row : rows) {
    std::vector<Table::Cell> cells;
    if (profile.has_stacks()) {
      cells.push_back({FormatShare(row.self, samples)});
      cells.push_back({FormatShare(row.total, samples)});
      if (sample_ns > 0) {
        cells.push_back({FormatMilliseconds(row.self * sample_ns)});
        cells.push_back({FormatMilliseconds(row.total * sample_ns)});
      }
    }
    if (has_calls) {
      cells.push_back({FormatCalls(row.calls.calls_in)});
      cells.push_back({FormatShare(row.calls.calls_in, calls)});
    } else {
      cells.push_back({std::to_string(row.calls.edges_in)});
      cells.push_back({std::to_string(row.calls.edges_out)});
    }
    cells.push_back({std::to_string(row.calls.callers)});
    cells.push_back({std::to_string(row.calls.callees)});
    cells.push_back(NameForms(profile.methods, row.calls.method));
    table.AddRow(std::move(cells));
  }
  return PrintOut(table.Render(TerminalWidth(STDOUT_FILENO)));
}

Result<int> TopBy(const TopOptions& options, const Profile& profile, By by) {
  std::vector<Row> rows = RowsOf(profile, by);
  const bool is_json = options.json.IsWanted();
  const size_t limit = options.limit != 0 ? options.limit : is_json ? 0 : kDefaultRows;
  if (limit != 0 && rows.size() > limit) rows.resize(limit);
  const Status printed =
      is_json ? PrintMethodsAsJson(options.json, profile, rows) : PrintMethods(profile, rows);
  if (!printed) return printed;
  return 0;
}

Result<int> Top(const TopOptions& options) {
  const Result<By> by = Choose<By>(
      "--by", options.by, {{"calls", By::kCalls}, {"self", By::kSelf}, {"total", By::kTotal}});
  if (!by) return by.status();
  const Result<Profile> profile = LoadSelected(options.path, options.selected);
  if (!profile) return profile.status();
  if (*by == By::kCalls && profile->finds_edges()) {
    return TopBy(options, *profile, By::kEdges);
  }
  if (*by != By::kCalls && !profile->has_stacks()) {
    return Status::Error(
        fmt::format("--by {}: {} has no stacks: record it with --mechanism "
                    "immediate",
                    options.by, options.path));
  }
  return TopBy(options, *profile, *by);
}

}  // namespace

void AddTopCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("top", "Show the methods with the most calls");
  command.Footer(kTopFooter);
  const auto options = std::make_shared<TopOptions>();
  AddProfileArgument(command, &options->path);
  AddSelectionArguments(command, &options->selected);
  AddRowsOption(command, &options->limit);
  command.Option("--by", &options->by, "Which methods come first")
      .Value("calls|self|total")
      .ShowDefault();
  AddJsonRowsOptions(command, &options->json, "methods");
  command.WhenChosen([=] { invocation->run = [=] { return Top(*options); }; });
}

}  // namespace yp
