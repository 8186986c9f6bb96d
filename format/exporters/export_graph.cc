#include "format/exporters/export_graph.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "base/utf8.h"
#include "format/profile/whole_calls.h"

namespace yp {
namespace {

ExportedMethod Describe(const Profile& profile, MethodId id) {
  ExportedMethod exported;
  exported.name = ToValidUtf8(profile.NameOf(id));
  exported.short_name = exported.name;
  exported.readable = exported.name;
  if (id == kNoMethod) return exported;
  const Method& method = profile.methods[id];
  const size_t package_end = method.class_name.rfind('.');
  const size_t simple_begin = package_end == std::string::npos ? 0 : package_end + 1;
  exported.short_name = ToValidUtf8(method.class_name.substr(simple_begin) + "." + method.name);
  exported.readable = ToValidUtf8(method.ReadableName());
  exported.file = ToValidUtf8(method.SourcePath());
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
  return std::llround(std::min(WholeCalls(calls), kLimit));
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

std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace yp
