#ifndef YP_FORMAT_EXPORTERS_EXPORT_STACKS_H_
#define YP_FORMAT_EXPORTERS_EXPORT_STACKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/cct.h"
#include "format/exporters/export_graph.h"

// What the formats of stacks share. A call graph's edges are stacks of two frames; calling contexts
// are whole ones.
namespace yp {

struct ExportedFrame {
  size_t method = 0;  // Index of ExportedStacks::methods.
  int64_t line = 0;   // Of the call to the frame within; of the innermost its method's first line.
};

struct ExportedStack {
  double weight = 0;
  // Of a calling context:
  ContextId context = kRootContext;
  // Of an edge, whose context is the root:
  std::array<ExportedFrame, 2> edge;  // Callee and caller.
  int32_t bci = kNoBci;
  std::string_view inlined;  // As InlinedShare.

  int64_t WholeWeight() const { return WholeNumber(weight); }
};

// Memory grows as contexts are many, not as they are deep: a stack's frames are put together when
// they are asked for.
struct ExportedStacks {
  // The stack's frames, innermost first, in the place of what `frames` has.
  void FramesOf(const ExportedStack& stack, std::vector<ExportedFrame>* frames) const;

  std::vector<ExportedMethod> methods;
  std::vector<ExportedStack> stacks;  // The heaviest first.
  const char* type = "";              // Of the weights: "calls", "samples" or "edges found".
  bool is_estimated = false;
  const char* origin = "";  // How they are known, for people.
  // What consumers show of a frame, for people: its own weight, and that with all below it.
  const char* meaning = "";

  // Of contexts: their tree, and for each the index of its method and the line that calls it.
  const CallingContextTree* tree = nullptr;
  std::vector<ExportedFrame> contexts;
};

// The edges, or with `options.contexts` the calling contexts. The profile must outlive the result.
ExportedStacks SelectStacks(const Profile& profile, const ExportOptions& options);

}  // namespace yp

#endif  // YP_FORMAT_EXPORTERS_EXPORT_STACKS_H_
