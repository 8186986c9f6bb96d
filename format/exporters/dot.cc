#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"

namespace yp {
namespace {

constexpr double kMaxPenWidth = 8;
constexpr double kMinPenWidth = 0.5;

// Graphviz (2.43) refuses a file with a string of 16 kB. A number may follow.
constexpr size_t kMaxStringBytes = 12'000;

// A DOT string: quotes and backslashes are the only characters to escape, and in labels a backslash
// begins an escape of its own. What is too long is cut.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : OnOneLine(text)) {
    const bool starts_character = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (quoted.size() >= kMaxStringBytes && starts_character) return quoted + "…\"";
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string PenWidth(double weight, double largest) {
  const double share = largest > 0 ? weight / largest : 0;
  std::array<char, 16> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(),
                    std::max(kMinPenWidth, kMaxPenWidth * share), std::chars_format::fixed, 2);
  return std::string(text.data(), end.ptr);
}

}  // namespace

Status ExportDot(const Profile& profile, const ExportOptions& options, std::string* out) {
  const ExportedGraph graph = SelectEdges(profile, options);
  const bool has_calls = !profile.finds_edges();
  std::vector<double> calls(graph.methods.size());
  double most_called_edge = 0;
  for (const ExportedEdge& edge : graph.edges) {
    calls[edge.callee] += edge.stats.calls;
    most_called_edge = std::max(most_called_edge, edge.stats.calls);
  }
  const double most_called = calls.empty() ? 0 : *std::max_element(calls.begin(), calls.end());
  std::string text = "digraph calls {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  text += "  edge [fontname=\"sans-serif\"];\n";
  if (!has_calls) text += "  label=\"edges found; calls were not counted\";\n";
  for (size_t m = 0; m < graph.methods.size(); ++m) {
    const std::string count = std::to_string(WholeNumber(calls[m]));
    std::string label = Quote(graph.methods[m].short_name);
    if (has_calls) label.insert(label.size() - 1, "\\n" + count);
    text += "  n" + std::to_string(m) + " [label=" + label;
    text += ", tooltip=" + Quote(graph.methods[m].name);
    text += ", penwidth=" + (has_calls ? PenWidth(calls[m], most_called) : "1") + "];\n";
  }
  for (const ExportedEdge& edge : graph.edges) {
    text += "  n" + std::to_string(edge.caller) + " -> n" + std::to_string(edge.callee);
    std::string label = has_calls ? std::to_string(edge.WholeCalls()) : "";
    if (edge.line > 0) label += (label.empty() ? "line " : " @ line ") + std::to_string(edge.line);
    text += " [label=\"" + label +
            "\", penwidth=" + (has_calls ? PenWidth(edge.stats.calls, most_called_edge) : "1");
    if (InlinedShare(edge.stats) == "yes") text += ", style=dashed";
    text += "];\n";
  }
  *out = text + "}\n";
  return Status::Ok();
}

}  // namespace yp
