#ifndef YP_FORMAT_EXPORTERS_EXPORT_GRAPH_H_
#define YP_FORMAT_EXPORTERS_EXPORT_GRAPH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/exporters/exporters.h"
#include "format/profile/profile.h"

// What all exporters share: which edges, in which order, under which names.
namespace yp {

// A number of calls (format/profile/whole_calls.h), or of samples, for formats of whole numbers: at
// most 2^52, so that sums of many do not overflow a consumer.
int64_t WholeNumber(double calls);

// A method as exporters name it.
struct ExportedMethod {
  std::string name;        // Full name or kRootName.
  std::string readable;    // Method::ReadableName or kRootName.
  std::string short_name;  // Class without its package, and method: "ArrayList.add".
  // "java/util/ArrayList.java": where source trees have it. Empty when the class file does not say.
  std::string file;
  int64_t first_line = 0;  // 0 when it is not known.
};

struct ExportedEdge {
  size_t caller = 0;  // Indices of ExportedGraph::methods.
  size_t callee = 0;
  int32_t bci = kNoBci;
  int64_t line = 0;
  EdgeStats stats;

  int64_t WholeCalls() const { return WholeNumber(stats.calls); }
};

struct ExportedGraph {
  std::vector<ExportedMethod> methods;  // Those of the edges only, in order of appearance.
  std::vector<ExportedEdge> edges;      // The most called first, then by names and bci.
};

// The methods that an export names, numbered in order of appearance.
class ExportedMethods {
 public:
  explicit ExportedMethods(const Profile& profile) : profile_(profile) {}

  size_t IndexOf(MethodId id);
  const std::vector<ExportedMethod>& all() const { return methods_; }
  std::vector<ExportedMethod> Take() { return std::move(methods_); }

 private:
  const Profile& profile_;
  std::vector<ExportedMethod> methods_;
  std::unordered_map<MethodId, size_t> index_;
};

ExportedGraph SelectEdges(const Profile& profile, const ExportOptions& options);

// The text with control characters, line ends among them, replaced by spaces.
std::string OnOneLine(std::string text);

}  // namespace yp

#endif  // YP_FORMAT_EXPORTERS_EXPORT_GRAPH_H_
