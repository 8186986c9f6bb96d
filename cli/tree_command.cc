#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/progress.h"
#include "cli/selection_arguments.h"
#include "cli/table.h"
#include "core/graph/cct.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

constexpr const char* kTreeFooter = R"(
The calling contexts that signals found the program's threads in (yp run --mechanism immediate):
who called whom down to where time was spent, inlined methods included. total: a context and all
below it; self: the context alone. Times are the program's CPU time: for each sample its period, less
what taking it costs.

With yp run --context tree there are calls in place of time. calls: how often each context was
called, as estimated ("<1": less than once), or with --mode exact as counted. calls below: those that
were made in it, down to the last. share: of all calls, both together.

Examples:
  yp tree app.yp
  yp tree app.yp --min 0.1 -n 200
  yp tree app.yp --thread main --to 5s
  yp tree app.yp --json --min 0 > contexts.json
)";

constexpr size_t kDefaultContexts = 40;

struct TreeOptions {
  std::string path;
  SelectionArguments selected;
  double min_percent = 1;
  size_t limit = 0;
  bool json = false;
};

// The tree as it is shown: children by weight, those below the limit left out.
class ShownTree {
 public:
  ShownTree(const Profile& profile, double min_percent)
      : profile_(profile),
        sample_ns_(StackSampleNs(profile)),
        inclusive_(InclusiveWeights(profile.contexts)),
        children_(profile.contexts.size()) {
    const double least = profile.contexts.total() * min_percent / 100;
    for (size_t i = 1; i < profile.contexts.size(); ++i) {
      if (inclusive_[i] <= 0 || inclusive_[i] < least) continue;
      children_[ToIndex(profile.contexts.nodes()[i].parent)].push_back(i);
    }
    for (std::vector<size_t>& children : children_) {
      std::ranges::stable_sort(children, std::ranges::greater(),
                               [this](size_t i) { return inclusive_[i]; });
    }
  }

  Status Print(size_t limit) const {
    using Column = Table::Column;
    const bool is_time = IsTime();
    const bool has_ns = sample_ns_ > 0;
    std::vector<std::string> titles{"share", "calls", "calls below", "method"};
    if (is_time) {
      titles = {"total", "self", has_ns ? "total time" : "total samples",
                has_ns ? "self time" : "self samples", "method"};
    }
    std::vector<Column> columns(titles.size(), Column::kRight);
    columns.back() = Column::kName;
    Table table(titles, columns);
    const size_t rows = AddRows(is_time, limit, &table);
    if (Status printed = PrintOut(table.Render(TerminalWidth(STDOUT_FILENO))); !printed) {
      return printed;
    }
    if (rows == limit) Say(fmt::format("the first {} contexts; more: -n {}", rows, 10 * rows));
    return Status::Ok();
  }

  Json ToJson(size_t i) const {
    const CallingContextTree::Node& node = profile_.contexts.nodes()[i];
    Json children = Json::Array();
    for (const size_t child : children_[i]) children.Append(ToJson(child));
    const CallingContextTree::Node& parent = profile_.contexts[node.parent];
    Json json{{"method", profile_.NameOf(node.method)},
              {"bci", node.bci},
              {"line", LineOf(profile_.methods, {parent.method, node.bci, node.method})},
              {"self", JsonNumber(WholeCalls(node.weight))},
              {"total", JsonNumber(WholeCalls(inclusive_[i]))}};
    if (IsTime()) {
      json["samples"] = JsonNumber(node.weight);
      json["samples_below"] = JsonNumber(Below(i));
    } else {
      json["calls"] = JsonNumber(WholeCalls(node.weight));
      json["calls_below"] = JsonNumber(WholeCalls(Below(i)));
    }
    if (i == 0) json["unit"] = UnitOfContexts(profile_);
    json["children"] = std::move(children);
    return json;
  }

 private:
  bool IsTime() const { return profile_.context_weights() == Profile::ContextWeights::kTime; }
  std::string Time(double samples) const {
    return sample_ns_ > 0 ? FormatMilliseconds(samples * sample_ns_) : WithSeparators(samples);
  }
  double Below(size_t i) const {
    return std::max(0.0, inclusive_[i] - profile_.contexts.nodes()[i].weight);
  }

  // Depth first, without recursion over contexts that may be a thousand deep.
  size_t AddRows(bool is_time, size_t limit, Table* table) const {
    struct Entry {
      size_t node, depth;
    };
    std::vector<Entry> stack;
    const auto push_children = [&](size_t node, size_t depth) {
      for (auto child = children_[node].rbegin(); child != children_[node].rend(); ++child) {
        stack.push_back({*child, depth});
      }
    };
    push_children(0, 0);
    size_t rows = 0;
    const double all = profile_.contexts.total();
    while (!stack.empty() && rows < limit) {
      const Entry entry = stack.back();
      stack.pop_back();
      const CallingContextTree::Node& node = profile_.contexts.nodes()[entry.node];
      Table::Cell names = NameForms(profile_.methods, node.method);
      for (std::string& name : names) name.insert(0, std::string(2 * entry.depth, ' '));
      std::vector<Table::Cell> cells = {{FormatShare(inclusive_[entry.node], all)}};
      if (is_time) {
        cells.push_back({FormatShare(node.weight, all)});
        cells.push_back({Time(inclusive_[entry.node])});
        cells.push_back({Time(node.weight)});
      } else {
        cells.push_back({FormatCalls(node.weight)});
        cells.push_back({FormatCalls(Below(entry.node))});
      }
      cells.push_back(std::move(names));
      table->AddRow(std::move(cells));
      ++rows;
      push_children(entry.node, entry.depth + 1);
    }
    return rows;
  }

  const Profile& profile_;
  const double sample_ns_;
  const std::vector<double> inclusive_;
  std::vector<std::vector<size_t>> children_;
};

Result<int> Tree(const TreeOptions& options) {
  const Result<Profile> profile = LoadSelected(options.path, options.selected);
  if (!profile) return profile.status();
  if (profile->contexts.total() <= 0) {
    return Status::Error(
        fmt::format("{} has no calling contexts: {}", options.path, kContextsAdvice));
  }
  const ShownTree tree(*profile, options.min_percent);
  const Status printed = options.json
                             ? PrintJson(tree.ToJson(0))
                             : tree.Print(options.limit != 0 ? options.limit : kDefaultContexts);
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddTreeCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command(
      "tree", "Show the calling contexts: where time was spent, or calls were made");
  command.Footer(kTreeFooter);
  const auto options = std::make_shared<TreeOptions>();
  AddProfileArgument(command, &options->path);
  command.Option("--min", &options->min_percent, "Only contexts with that much of the total")
      .Value("PERCENT")
      .Range(0.0, 100.0)
      .ShowDefault();
  AddRowsOption(command, &options->limit, kDefaultContexts);
  AddSelectionArguments(command, &options->selected);
  command.Switch("--json", &options->json, "A JSON object with its children in it");
  command.WhenChosen([=] { invocation->run = [=] { return Tree(*options); }; });
}

}  // namespace yp
