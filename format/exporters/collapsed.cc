#include <algorithm>
#include <string>
#include <vector>

#include "format/exporters/export_stacks.h"
#include "format/exporters/exporters.h"

namespace yp {

Status ExportCollapsed(const Profile& profile, const ExportOptions& options, std::string* out) {
  ExportOptions merged = options;
  merged.method_level = true;
  const ExportedStacks exported = SelectStacks(profile, merged);
  std::vector<std::string> names;
  for (const ExportedMethod& method : exported.methods) {
    std::string& name = names.emplace_back(OnOneLine(method.name));
    std::replace(name.begin(), name.end(), ';', ',');
  }
  std::string text;
  for (const ExportedStack& stack : exported.stacks) {
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
      if (frame != stack.frames.rbegin()) text += ';';
      text += names[frame->method];
    }
    text += " " + std::to_string(stack.WholeWeight()) + "\n";
  }
  *out = std::move(text);
  return Status::Ok();
}

}  // namespace yp
