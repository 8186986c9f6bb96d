#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

using Files = std::map<std::string, File>;

void Append(const std::string& test, const std::string& path, const File& file, std::string* out) {
  *out += "TN:" + test + "\nSF:" + path + "\n";
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

// What LCOV takes as a test's name: letters, digits and "_".
std::string TestName(const std::string& name) {
  std::string text = name;
  const auto is_taken = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  std::ranges::replace_if(
      text, [&](char c) { return !is_taken(c); }, '_');
  return text;
}

// An edge, as its index, and how often it was taken.
using Taken = std::pair<size_t, double>;

void AddMethod(const Method& method, double calls, Files* files) {
  const std::string path = OnOneLine(method.SourcePath());
  if (path.empty() || method.lines.empty()) return;
  const int line = method.FirstLine();
  File& file = (*files)[path];
  // The commas of parameters would end the name.
  std::string name = OnOneLine(method.ReadableName());
  std::ranges::replace(name, ',', ';');
  file.functions[{line, std::move(name)}] += WholeNumber(calls);
  file.lines[line] += WholeNumber(calls);
}

// With `all_methods`, those that were not called are told as well.
Files FilesOf(const Profile& profile, const std::vector<Taken>& edges, bool all_methods) {
  std::map<MethodId, double> calls;
  if (all_methods) {
    for (size_t i = 0; i < profile.methods.size(); ++i) calls[MethodId{static_cast<uint32_t>(i)}];
  }
  for (const auto& [edge, times] : edges) calls[profile.edges[edge].edge.callee] += times;
  Files files;
  for (const auto& [method, called] : calls) {
    if (profile.IsObserved(method)) AddMethod(profile.methods[method], called, &files);
  }
  // The line of a call was executed at least as often as the call was made.
  for (const auto& [edge, times] : edges) {
    const Edge& call = profile.edges[edge].edge;
    if (!profile.IsObserved(call.caller)) continue;
    const std::string path = OnOneLine(profile.methods[call.caller].SourcePath());
    const int line = profile.LineOf(call);
    if (path.empty() || line == 0) continue;
    int64_t& hits = files[path].lines[line];
    hits = std::max(hits, WholeNumber(times));
  }
  return files;
}

// Lines of nothing but calls that were never executed have no hits.
void AddUnexecuted(const Profile& profile, Files* files) {
  for (const UnexecutedCall& call : profile.unexecuted_calls) {
    const std::string path = OnOneLine(profile.methods[call.caller].SourcePath());
    const int line = profile.LineOf({call.caller, call.bci, kNoMethod});
    if (!path.empty() && line != 0) (*files)[path].lines.try_emplace(line, 0);
  }
}

}  // namespace

Status ExportLcov(const Profile& profile, const ExportOptions&, std::string* out) {
  if (profile.ConfigOr(config_key::kProbeMethodsListed, "") != "all") {
    return Status::Error(
        "the profile does not say which methods were never called: record it with yp run --mode "
        "edges, or exact");
  }
  std::vector<bool> is_of_test(profile.edges.size());
  for (const TestRun& test : profile.tests) {
    for (const TestRun::Reached& reached : test.reached) is_of_test[ToIndex(reached.edge)] = true;
  }
  std::vector<Taken> edges;
  for (size_t i = 0; i < profile.edges.size(); ++i) {
    edges.emplace_back(i, is_of_test[i] ? 0 : profile.edges[i].calls);
  }
  Files files = FilesOf(profile, edges, true);
  AddUnexecuted(profile, &files);
  for (const auto& [path, file] : files) Append("", path, file, out);
  for (const TestRun& test : profile.tests) {
    edges.clear();
    for (const TestRun::Reached& reached : test.reached) {
      edges.emplace_back(ToIndex(reached.edge), profile.edges[ToIndex(reached.edge)].calls);
    }
    const std::string name = TestName(test.name);
    for (const auto& [path, file] : FilesOf(profile, edges, false)) Append(name, path, file, out);
  }
  return Status::Ok();
}

}  // namespace yp
