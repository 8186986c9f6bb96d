#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "core/options/config_keys.h"
#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"

// The format is that of "Callgrind Format Specification" in the Valgrind manual, version 1, with
// name compression, "(7) name" at first and "(7)" later, which also keeps a name that begins with a
// parenthesis from being taken for a number.

namespace yp {
namespace {

// Names of one kind, numbered from 1 as they come.
class CompressedNames {
 public:
  // "(3) name" at first, "(3)" later.
  std::string Tell(const std::string& name) {
    const auto [it, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
    return "(" + std::to_string(it->second) + ")" + (is_new ? " " + OnOneLine(name) : "");
  }

 private:
  std::unordered_map<std::string, size_t> numbers_;
};

class CallgrindWriter {
 public:
  void Method(const char* file_key, const char* method_key, const ExportedMethod& method) {
    text_ += file_key + files_.Tell(method.file.empty() ? "???" : method.file) + "\n";
    text_ += method_key + methods_.Tell(method.name) + "\n";
  }
  void Line(const std::string& line) { text_ += line + "\n"; }
  void Cost(int64_t line, int64_t calls) {
    Line(std::to_string(line) + " " + std::to_string(calls));
  }
  std::string Take() { return std::move(text_); }

 private:
  CompressedNames files_;
  CompressedNames methods_;
  std::string text_;
};

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

  CallgrindWriter writer;
  writer.Line("# callgrind format");
  writer.Line("version: 1");
  writer.Line("creator: yieldpoint");
  writer.Line("cmd: " + OnOneLine(ToValidUtf8(profile.ConfigOr(config_key::kCommand, "java"))));
  writer.Line(profile.exact() ? "desc: Calls: every call was counted"
                              : "desc: Calls: estimated from samples");
  writer.Line("positions: line");
  writer.Line("event: Calls : Calls of the method; inclusive, also those that it makes");
  writer.Line("events: Calls");
  writer.Line("summary: " + std::to_string(total));
  for (size_t m = 0; m < graph.methods.size(); ++m) {
    writer.Line("");
    writer.Method("fl=", "fn=", graph.methods[m]);
    if (self[m] > 0) writer.Cost(graph.methods[m].first_line, self[m]);
    for (const ExportedEdge* edge : calls[m]) {
      const ExportedMethod& callee = graph.methods[edge->callee];
      writer.Method("cfi=", "cfn=", callee);
      writer.Line("calls=" + std::to_string(edge->WholeCalls()) + " " +
                  std::to_string(callee.first_line));
      writer.Cost(edge->line, edge->WholeCalls());
    }
  }
  writer.Line("");
  writer.Line("totals: " + std::to_string(total));
  *out = writer.Take();
  return Status::Ok();
}

}  // namespace yp
