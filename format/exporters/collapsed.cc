#include <algorithm>
#include <string>

#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"

namespace yp {

Status ExportCollapsed(const Profile& profile, const ExportOptions& options, std::string* out) {
  const ExportedGraph graph =
      SelectEdges(profile, {.max_edges = options.max_edges, .method_level = true});
  const auto frame = [&graph](size_t method) {
    std::string name = OnOneLine(graph.methods[method].name);
    std::replace(name.begin(), name.end(), ';', ',');
    return name;
  };
  std::string text;
  for (const ExportedEdge& edge : graph.edges) {
    text += frame(edge.caller) + ";" + frame(edge.callee) + " " +
            std::to_string(edge.WholeCalls()) + "\n";
  }
  *out = std::move(text);
  return Status::Ok();
}

}  // namespace yp
