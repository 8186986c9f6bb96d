#include "hotspot/walk/code_labeller.h"

// What of the labeller no handler calls: see tools/check_handlers.py.
namespace yp::hotspot {

Result<CodeLabeller> CodeLabeller::Create(const VmStructs& structs, const CodeCache& code_cache,
                                          int jdk_feature_version) {
  Result<FrameReader> frames = FrameReader::Create(structs, code_cache, jdk_feature_version);
  if (!frames) return frames.status();
  CodeLabeller labeller(code_cache, std::move(frames).value());
  FieldFinder find(structs);
  labeller.anchor_ = find.Offset("JavaThread", "_anchor");
  labeller.stack_base_ = find.Offset("JavaThread", "_stack_base");
  labeller.last_sp_ = find.Offset("JavaFrameAnchor", "_last_Java_sp");
  labeller.last_pc_ = find.Offset("JavaFrameAnchor", "_last_Java_pc");
  labeller.last_fp_ = find.Offset("JavaFrameAnchor", "_last_Java_fp");
  if (Status found = find.status(); !found) return found;
  return labeller;
}

}  // namespace yp::hotspot
