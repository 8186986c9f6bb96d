#include <cstdint>
#include <string>
#include <vector>

#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"

// The format is that of "Callgrind Format Specification" in the Valgrind manual, version 1, with
// name compression, "(7) name" at first and "(7)" later, which also keeps a name that begins with a
// parenthesis from being taken for a number.

namespace yp {
namespace {

std::string PositionName(const char* key, size_t number, const std::string& name,
                         std::vector<bool>* told) {
  std::string line = std::string(key) + "=(" + std::to_string(number + 1) + ")";
  if (!(*told)[number]) line += " " + OnOneLine(name);
  (*told)[number] = true;
  return line + "\n";
}

}  // namespace

Status ExportCallgrind(const Profile& profile, const ExportOptions& options, std::string* out) {
  const ExportedGraph graph = SelectEdges(profile, options);
  std::vector<int64_t> self(graph.methods.size());
  std::vector<std::vector<const ExportedEdge*>> calls(graph.methods.size());
  int64_t total = 0;
  for (const ExportedEdge& edge : graph.edges) {
    self[edge.callee] += edge.WholeCalls();
    total += edge.WholeCalls();
    calls[edge.caller].push_back(&edge);
  }

  std::string text = "# callgrind format\nversion: 1\ncreator: yieldpoint\ncmd: ";
  text += OnOneLine(ToValidUtf8(profile.ConfigOr("command", "java")));
  text += profile.exact() ? "\ndesc: Calls: every call was counted\n"
                          : "\ndesc: Calls: estimated from samples\n";
  text += "positions: line\nevent: Calls : Calls of methods\nevents: Calls\nsummary: ";
  text += std::to_string(total) + "\n";

  // A file is told by its methods, so it has the number of the method that names it first.
  std::vector<bool> told_file(graph.methods.size());
  std::vector<bool> told_method(graph.methods.size());
  const auto file_of = [&graph](size_t method) {
    const std::string& file = graph.methods[method].file;
    return file.empty() ? std::string("???") : file;
  };
  for (size_t m = 0; m < graph.methods.size(); ++m) {
    const ExportedMethod& method = graph.methods[m];
    text += "\n" + PositionName("fl", m, file_of(m), &told_file);
    text += PositionName("fn", m, method.name, &told_method);
    if (self[m] > 0) {
      text += std::to_string(method.first_line) + " " + std::to_string(self[m]) + "\n";
    }
    for (const ExportedEdge* edge : calls[m]) {
      const std::string count = std::to_string(edge->WholeCalls());
      text += PositionName("cfi", edge->callee, file_of(edge->callee), &told_file);
      text += PositionName("cfn", edge->callee, graph.methods[edge->callee].name, &told_method);
      text += "calls=" + count + " " + std::to_string(graph.methods[edge->callee].first_line);
      text += "\n" + std::to_string(edge->line) + " " + count + "\n";
    }
  }
  text += "\ntotals: " + std::to_string(total) + "\n";
  *out = std::move(text);
  return Status::Ok();
}

}  // namespace yp
