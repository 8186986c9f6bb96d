#include <algorithm>
#include <string>
#include <vector>

#include "format/exporters/export_stacks.h"
#include "format/exporters/exporters.h"

namespace yp {

Status ExportCollapsed(const Profile& profile, const ExportOptions& options, const ByteSink& sink) {
  ExportOptions merged = options;
  merged.method_level = true;
  const ExportedStacks exported = SelectStacks(profile, merged);
  std::vector<std::string> names;
  for (const ExportedMethod& method : exported.methods) {
    std::string& name = names.emplace_back(OnOneLine(method.name));
    std::replace(name.begin(), name.end(), ';', ',');
  }
  ChunkedText text(sink);
  std::vector<ExportedFrame> frames;
  for (const ExportedStack& stack : exported.stacks) {
    exported.FramesOf(stack, &frames);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      if (frame != frames.rbegin()) text << ";";
      text << names[frame->method];
    }
    text << " " << std::to_string(stack.WholeWeight()) << "\n";
  }
  return text.Finish();
}

}  // namespace yp
