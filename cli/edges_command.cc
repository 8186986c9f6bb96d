#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "cli/command.h"
#include "cli/edge_list.h"
#include "cli/notes.h"
#include "cli/output.h"
#include "cli/profile_argument.h"
#include "cli/selection_arguments.h"
#include "cli/table.h"

namespace yp {
namespace {

constexpr const char* kEdgesFooter = R"(
An edge is a caller, the place of the call in it, and a callee. Sampled profiles estimate how often
it was taken, with a 95 % confidence interval; exact profiles have counted. Calls that the JIT has
inlined are inferred, not observed: "inlined" says whether those are all or some of them. "<1" is an
estimate of less than one call. After yp run --mode edges, which counts no calls, there is only which
edges were found. In GLOB, * stands for anything and ? for one character: 'org.example.*', '*.HashMap.get',
'*.get(Ljava/lang/Object;)*'; a class stands for all of its methods.

Examples:
  yp edges app.yp -n 50
  yp edges app.yp --callee 'java.util.HashMap.get'     who calls it, and where
  yp edges app.yp --json | jq '.[] | select(.line == 42)'
)";

struct EdgesOptions {
  std::string path;
  SelectionArguments selected;
  EdgeSelection selection;
  JsonRows json;
};

Result<int> Edges(EdgesOptions options) {
  const Result<Profile> profile = LoadSelected(options.path, options.selected);
  if (!profile) return profile.status();
  if (options.selection.limit == 0 && !options.json.IsWanted())
    options.selection.limit = kDefaultRows;
  const std::vector<const EdgeStats*> edges = ChooseEdges(*profile, options.selection);
  if (edges.empty() && !profile->edges.empty()) {
    Note(fmt::format("none of the {} edges matches --caller {} --callee {}", profile->edges.size(),
                     options.selection.caller, options.selection.callee));
  }
  Status printed = Status::Ok();
  if (options.json.IsWanted()) {
    const double total = profile->total_calls();
    Json array = Json::Array();
    for (const EdgeStats* edge : edges) array.Append(EdgeToJson(*profile, *edge, total));
    printed = PrintJsonRows(options.json, "edges", std::move(array));
  } else {
    printed = PrintOut(RenderEdges(*profile, edges, TerminalWidth(STDOUT_FILENO)));
  }
  if (!printed) return printed;
  return 0;
}

}  // namespace

void AddEdgesCommand(CommandLine& program, Invocation* invocation) {
  Flags command = program.Command("edges", "Show who calls whom, where and how often");
  command.Footer(kEdgesFooter);
  const auto options = std::make_shared<EdgesOptions>();
  AddProfileArgument(command, &options->path);
  AddSelectionArguments(command, &options->selected);
  AddRowsOption(command, &options->selection.limit);
  AddEdgeSelection(command, &options->selection);
  AddJsonRowsOptions(command, &options->json, "edges");
  command.WhenChosen([=] { invocation->run = [=] { return Edges(*options); }; });
}

}  // namespace yp
