#include "format/exporters/export_graph.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace yp {
namespace {

// The well-formed UTF-8 sequence at the beginning of the text, in bytes; 0 for none.
size_t WellFormedSequence(std::string_view text) {
  const auto byte = [&text](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto in = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  const auto continued = [&](size_t i) { return in(byte(i), 0x80, 0xbf); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (in(first, 0xc2, 0xdf)) return continued(1) ? 2 : 0;
  if (in(first, 0xe0, 0xef)) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;  // Surrogates are not characters.
    return in(byte(1), low, high) && continued(2) ? 3 : 0;
  }
  if (in(first, 0xf0, 0xf4)) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return in(byte(1), low, high) && continued(2) && continued(3) ? 4 : 0;
  }
  return 0;
}

ExportedMethod Describe(const Profile& profile, MethodId id) {
  ExportedMethod exported;
  exported.name = ToValidUtf8(profile.NameOf(id));
  exported.short_name = exported.name;
  if (id == kNoMethod) return exported;
  const Method& method = profile.methods[id];
  const size_t package_end = method.class_name.rfind('.');
  const size_t simple_begin = package_end == std::string::npos ? 0 : package_end + 1;
  exported.short_name = ToValidUtf8(method.class_name.substr(simple_begin) + "." + method.name);
  if (!method.source_file.empty()) {
    std::string directory = method.class_name.substr(0, simple_begin);
    std::replace(directory.begin(), directory.end(), '.', '/');
    exported.file = ToValidUtf8(directory + method.source_file);
  }
  for (const Method::Line& line : method.lines) {
    if (exported.first_line == 0 || line.line < exported.first_line)
      exported.first_line = line.line;
  }
  return exported;
}

std::vector<EdgeStats> MergeCallSites(const std::vector<EdgeStats>& edges) {
  std::vector<EdgeStats> merged;
  std::unordered_map<Edge, size_t, EdgeHash> index;
  for (const EdgeStats& stats : edges) {
    const Edge edge{stats.edge.caller, kNoBci, stats.edge.callee};
    const auto [it, is_new] = index.try_emplace(edge, merged.size());
    if (is_new) merged.push_back({.edge = edge});
    EdgeStats& sum = merged[it->second];
    sum.calls += stats.calls;
    sum.low += stats.low;
    sum.high += stats.high;
    // The standard deviations add up at most.
    sum.variance = std::pow(std::sqrt(sum.variance) + std::sqrt(stats.variance), 2);
    sum.uncorrected += stats.uncorrected;
    sum.samples += stats.samples;
    sum.flags |= stats.flags;
  }
  return merged;
}

}  // namespace

int64_t WholeNumber(double calls) {
  constexpr double kLimit = 0x1p52;
  return std::llround(std::min(calls, kLimit));
}

size_t ExportedMethods::IndexOf(MethodId id) {
  const auto [it, is_new] = index_.try_emplace(id, methods_.size());
  if (is_new) methods_.push_back(Describe(profile_, id));
  return it->second;
}

ExportedGraph SelectEdges(const Profile& profile, const ExportOptions& options) {
  std::vector<EdgeStats> selected =
      options.method_level ? MergeCallSites(profile.edges) : profile.edges;
  const auto order = [&profile](const EdgeStats& a, const EdgeStats& b) {
    if (a.calls != b.calls) return a.calls > b.calls;
    return std::tuple(profile.NameOf(a.edge.caller), a.edge.bci, profile.NameOf(a.edge.callee)) <
           std::tuple(profile.NameOf(b.edge.caller), b.edge.bci, profile.NameOf(b.edge.callee));
  };
  std::sort(selected.begin(), selected.end(), order);
  if (options.max_edges > 0 && selected.size() > options.max_edges) {
    selected.resize(options.max_edges);
  }
  ExportedGraph graph;
  ExportedMethods methods(profile);
  for (const EdgeStats& stats : selected) {
    ExportedEdge edge;
    edge.caller = methods.IndexOf(stats.edge.caller);
    edge.callee = methods.IndexOf(stats.edge.callee);
    edge.bci = stats.edge.bci;
    edge.line = profile.LineOf(stats.edge);
    edge.stats = stats;
    graph.edges.push_back(edge);
  }
  graph.methods = methods.Take();
  return graph;
}

std::string ToValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t size = WellFormedSequence(text);
    valid += size > 0 ? text.substr(0, size) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(std::max<size_t>(1, size));
  }
  return valid;
}

std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace yp
