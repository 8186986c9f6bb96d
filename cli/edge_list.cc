#include "cli/edge_list.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/names.h"
#include "cli/table.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

bool Matches(const MethodTable& methods, MethodId id, const std::string& glob) {
  if (glob == "*") return true;
  if (id == kNoMethod) return MatchesGlob(glob, NameOf(methods, id));
  return MatchesGlob(glob, methods[id]) || MatchesGlob(glob, methods[id].class_name);
}

std::string Interval(const EdgeStats& edge) {
  if ((edge.flags & kEdgeExact) != 0) return "exact";
  if (!HasInterval(edge)) return "too few ticks";
  return WithSeparators(WholeLow(edge.low)) + " - " + WithSeparators(WholeHigh(edge.high));
}

}  // namespace

bool MatchesSelection(const MethodTable& methods, const Edge& edge,
                      const EdgeSelection& selection) {
  return Matches(methods, edge.caller, selection.caller) &&
         Matches(methods, edge.callee, selection.callee);
}

void AddEdgeSelection(Flags command, EdgeSelection* selection) {
  command.Option("--caller", &selection->caller, "Only edges from methods that match")
      .Value("GLOB");
  command.Option("--callee", &selection->callee, "Only edges to methods that match").Value("GLOB");
}

std::vector<const EdgeStats*> ChooseEdges(const Profile& profile, const EdgeSelection& selection) {
  std::vector<const EdgeStats*> edges;
  for (const EdgeStats& edge : profile.edges) {
    if (MatchesSelection(profile.methods, edge.edge, selection)) edges.push_back(&edge);
  }
  std::sort(edges.begin(), edges.end(), [](const EdgeStats* a, const EdgeStats* b) {
    return a->calls != b->calls ? a->calls > b->calls : a->edge < b->edge;
  });
  if (selection.limit != 0 && edges.size() > selection.limit) edges.resize(selection.limit);
  return edges;
}

std::string RenderEdges(const Profile& profile, const std::vector<const EdgeStats*>& edges,
                        size_t width) {
  using Column = Table::Column;
  const double total = profile.total_calls();
  const bool has_calls = !profile.finds_edges();
  const bool has_interval = has_calls && !profile.exact();
  const bool has_inlined = std::ranges::any_of(
      edges, [](const EdgeStats* edge) { return (edge->flags & kEdgeInferred) != 0; });
  std::vector<std::string> titles;
  if (has_calls) titles.push_back(profile.has_stack_ends() ? "samples" : "calls");
  if (has_interval) titles.push_back("95 % interval");
  if (has_calls) titles.push_back("share");
  std::vector<Column> columns(titles.size(), Column::kRight);
  if (has_inlined) {
    titles.push_back("inlined");
    columns.push_back(Column::kLeft);
  }
  titles.insert(titles.end(), {"caller", "at", "callee"});
  columns.insert(columns.end(), {Column::kName, Column::kPlace, Column::kName});
  const CallSites sites = CallSitesOf(profile);
  Table table(titles, columns);
  for (const EdgeStats* edge : edges) {
    std::vector<Table::Cell> cells;
    if (has_calls) cells.push_back({FormatCalls(edge->calls)});
    if (has_interval) cells.push_back({Interval(*edge)});
    if (has_calls) cells.push_back({FormatShare(edge->calls, total)});
    if (has_inlined) cells.push_back({std::string(InlinedShare(*edge))});
    cells.push_back(NameForms(profile.methods, edge->edge.caller));
    cells.push_back(sites.Forms(edge->edge));
    cells.push_back(NameForms(profile.methods, edge->edge.callee));
    table.AddRow(std::move(cells));
  }
  return table.Render(width);
}

}  // namespace yp
