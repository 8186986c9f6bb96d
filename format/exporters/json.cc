#include <string>

#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"
#include "format/json/json.h"
#include "format/profile/whole_calls.h"

namespace yp {

Status ExportJson(const Profile& profile, const ExportOptions& options, std::string* out) {
  const ExportedGraph graph = SelectEdges(profile, options);
  std::string text = "[";
  for (const ExportedEdge& edge : graph.edges) {
    const auto calls = [&](double number) {
      return profile.finds_edges() ? Json() : JsonNumber(number);
    };
    Json object;
    object["caller"] = graph.methods[edge.caller].name;
    object["bci"] = edge.bci;
    object["line"] = edge.line;
    object["callee"] = graph.methods[edge.callee].name;
    object["calls"] = calls(WholeCalls(edge.stats.calls));
    object["low"] = calls(WholeLow(edge.stats.low));
    object["high"] = HasInterval(edge.stats) ? calls(WholeHigh(edge.stats.high)) : Json();
    object["flags"] = FlagNamesOf(edge.stats);
    object["samples"] = edge.stats.samples;
    object["uncorrected"] = calls(WholeCalls(edge.stats.uncorrected));
    // One edge a line, so that line tools can read it, too.
    text += (text.size() == 1 ? "\n" : ",\n") + object.Dump();
  }
  *out = text + "\n]\n";
  return Status::Ok();
}

}  // namespace yp
