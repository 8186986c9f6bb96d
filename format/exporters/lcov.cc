#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/options/config_keys.h"
#include "format/exporters/export_graph.h"
#include "format/exporters/exporters.h"

namespace yp {
namespace {

// What is known of one source file.
struct File {
  // By first line and name: calls.
  std::map<std::pair<int, std::string>, int64_t> functions;
  std::map<int, int64_t> lines;
};

void Append(const std::string& path, const File& file, std::string* out) {
  *out += "TN:\nSF:" + path + "\n";
  size_t called = 0;
  for (const auto& [function, calls] : file.functions) {
    *out += "FN:" + std::to_string(function.first) + "," + function.second + "\n";
  }
  for (const auto& [function, calls] : file.functions) {
    *out += "FNDA:" + std::to_string(calls) + "," + function.second + "\n";
    if (calls > 0) ++called;
  }
  *out += "FNF:" + std::to_string(file.functions.size()) + "\nFNH:" + std::to_string(called) + "\n";
  size_t hit = 0;
  for (const auto& [line, calls] : file.lines) {
    *out += "DA:" + std::to_string(line) + "," + std::to_string(calls) + "\n";
    if (calls > 0) ++hit;
  }
  *out += "LF:" + std::to_string(file.lines.size()) + "\nLH:" + std::to_string(hit) +
          "\nend_of_record\n";
}

}  // namespace

Status ExportLcov(const Profile& profile, const ExportOptions&, std::string* out) {
  if (profile.ConfigOr(config_key::kProbeMethodsListed, "") != "all") {
    return Status::Error(
        "the profile does not say which methods were never called: record it with yp run --mode "
        "edges, or exact");
  }
  std::map<MethodId, double> calls;
  for (const EdgeStats& edge : profile.edges) calls[edge.edge.callee] += edge.calls;
  std::map<std::string, File> files;
  for (size_t i = 0; i < profile.methods.size(); ++i) {
    const MethodId id{static_cast<uint32_t>(i)};
    const Method& method = profile.methods[id];
    const std::string path = OnOneLine(method.SourcePath());
    if (!profile.IsObserved(id) || path.empty() || method.lines.empty()) continue;
    const int line = std::ranges::min_element(method.lines, {}, &Method::Line::line)->line;
    const auto found = calls.find(id);
    const int64_t called = found == calls.end() ? 0 : WholeNumber(found->second);
    File& file = files[path];
    // The commas of parameters would end the name.
    std::string name = OnOneLine(method.ReadableName());
    std::ranges::replace(name, ',', ';');
    file.functions[{line, std::move(name)}] += called;
    file.lines[line] += called;
  }
  // The line of a call was executed at least as often as the call was made.
  for (const EdgeStats& edge : profile.edges) {
    if (!profile.IsObserved(edge.edge.caller)) continue;
    const auto file = files.find(OnOneLine(profile.methods[edge.edge.caller].SourcePath()));
    const int line = profile.LineOf(edge.edge);
    if (file == files.end() || line == 0) continue;
    int64_t& hits = file->second.lines[line];
    hits = std::max(hits, WholeNumber(edge.calls));
  }
  for (const auto& [path, file] : files) Append(path, file, out);
  return Status::Ok();
}

}  // namespace yp
