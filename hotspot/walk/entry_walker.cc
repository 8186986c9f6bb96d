#include "hotspot/walk/entry_walker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "classfile/class_file.h"
#include "classfile/modified_utf8.h"
#include "hotspot/vmstructs/load.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

std::string Signature(std::string_view class_name) { return "L" + std::string(class_name) + ";"; }

}  // namespace

Result<std::unique_ptr<EntryWalker>> EntryWalker::Create(const VmStructs& structs,
                                                         const CodeCache& code_cache,
                                                         int jdk_feature_version,
                                                         MethodRegistry& registry) {
  Result<FrameReader> frames = FrameReader::Create(structs, code_cache, jdk_feature_version);
  if (!frames) return frames.status();
  Result<MethodReader> methods = MethodReader::Create(structs, jdk_feature_version);
  if (!methods) return methods.status();
  FieldFinder find(structs);
  const int64_t method = find.NmethodOffset("_method");
  if (Status found = find.status(); !found) return found;
  return std::unique_ptr<EntryWalker>(new EntryWalker(
      code_cache, std::move(frames).value(), std::move(methods).value(), method, registry));
}

void EntryWalker::Begin(const ClassFilter& filter, PackageSet platform_packages) {
  const auto epoch = static_cast<uint32_t>(scopes_.size() + 1);
  scopes_.push_back(
      std::make_unique<const Scope>(Scope{filter, std::move(platform_packages), epoch}));
  scope_.store(scopes_.back().get(), std::memory_order_release);  // Partner: Walk's acquire.
}

std::optional<CodeCache::Frame> EntryWalker::CodeAt(uintptr_t pc) {
  const FrameMemo::Key key = {pc};
  FrameMemo::Value value;
  if (code_.Find(key, value)) {
    CodeCache::Frame same;
    same.blob = reinterpret_cast<const char*>(value[0]);
    same.compile_id = static_cast<int32_t>(value[1]);
    if (code_cache_.StillSame(same)) return same;
  }
  const std::optional<CodeCache::Frame> frame = code_cache_.FrameAt(pc);
  if (!frame || !frame->is_compiled_java || frame->is_deopt_handler) return std::nullopt;
  code_.Put(key, {reinterpret_cast<uint64_t>(frame->blob),
                  static_cast<uint64_t>(static_cast<uint32_t>(frame->compile_id))});
  return frame;
}

EntryWalker::Answer EntryWalker::Walk(const EntryCall& call, uintptr_t stack_end) {
  const Scope& scope = *scope_.load(std::memory_order_acquire);  // Partner: Begin's release.
  const std::optional<CodeCache::Frame> callee = CodeAt(call.callee_pc);
  if (!callee || (call.compile_id != 0 && callee->compile_id != call.compile_id)) {
    return {.reason = Drop::kCalleeUnknown};
  }
  const std::optional<CodeCache::Frame> caller = CodeAt(*call.return_address);
  if (!caller) {
    bool is_memorable = false;
    return WalkNew(call, *callee, stack_end, scope, is_memorable);
  }
  const EdgeMemo::Key key = {*call.return_address, call.callee_pc,
                             (uint64_t{static_cast<uint32_t>(caller->compile_id)} << 32) |
                                 static_cast<uint32_t>(callee->compile_id),
                             scope.epoch};
  EdgeMemo::Value value;
  if (edges_.Find(key, value)) {
    if (value[0] == kNone) return {.outcome = Outcome::kNotObserved};
    return {.outcome = Outcome::kEdge, .edge = EdgeId{static_cast<uint32_t>(value[0])}};
  }
  bool is_memorable = true;
  const Answer answer = WalkNew(call, *callee, stack_end, scope, is_memorable);
  if (is_memorable && answer.outcome != Outcome::kUnresolved) {
    edges_.Put(key, {answer.outcome == Outcome::kEdge ? ToIndex(answer.edge) : kNone});
  }
  return answer;
}

EntryWalker::Answer EntryWalker::WalkNew(const EntryCall& call, const CodeCache::Frame& callee,
                                         uintptr_t stack_end, const Scope& scope,
                                         bool& is_memorable) {
  const void* method = Load<const void*>(callee.blob, nmethod_method_);
  if (method == nullptr) return {.reason = Drop::kCalleeUnknown};
  if (!IsObserved(method, scope)) return {.outcome = Outcome::kNotObserved};
  Edge edge;
  edge.callee = Name(method, Method::kObserved).id;
  edge.caller = kNoMethod;
  FrameReader::Position position{*call.return_address, call.return_address + 1, call.frame_pointer,
                                 stack_end};
  std::array<DebugInfo::Scope, kMaxScopes> scopes;
  for (int i = 0; i < kMaxFrames; ++i) {
    const FrameReader::Frame frame = frames_.Next(position, scopes);
    switch (frame.kind) {
      case FrameReader::Kind::kEnd:
        return {.outcome = Outcome::kEdge, .edge = registry_.InternEdge(edge)};
      case FrameReader::Kind::kNoDebugInfo:
        return {.reason = Drop::kNoDebugInfo};
      case FrameReader::Kind::kUnknown:
        return {.reason = Drop::kCallerUnknown};
      case FrameReader::Kind::kNotJava:
      case FrameReader::Kind::kJava:
        break;
    }
    for (size_t s = 0; s < frame.scope_count; ++s) {
      const Found caller = Name(scopes[s].method, 0);
      if (caller.is_glue) continue;
      edge.caller = caller.id;
      edge.bci = scopes[s].bci < 0 ? kNoBci : scopes[s].bci;
      return {.outcome = Outcome::kEdge, .edge = registry_.InternEdge(edge)};
    }
    is_memorable = false;  // It depends on frames further out.
  }
  return {.reason = Drop::kCallerUnknown};
}

bool EntryWalker::IsObserved(const void* method, const Scope& scope) const {
  const std::string_view name = methods_.ClassName(method);
  bool is_of_jdk = methods_.IsOfBootLoader(method);
  if (!is_of_jdk) {
    const size_t slash = name.rfind('/');
    is_of_jdk = slash != std::string_view::npos &&
                scope.platform_packages.contains(std::string(name.substr(0, slash)));
  }
  return scope.filter.Judge(name, is_of_jdk) == ClassFilter::Verdict::kObserve;
}

EntryWalker::Found EntryWalker::Name(const void* method, uint32_t flags) {
  const std::string signature = Signature(methods_.ClassName(method));
  Found found;
  found.is_glue = IsHiddenGlue(signature);
  if (found.is_glue) return found;
  Method described;
  described.class_name = classfile::ToUtf8(ReportedClassName(signature));
  described.name = classfile::ToUtf8(methods_.Name(method));
  described.descriptor = classfile::ToUtf8(methods_.Descriptor(method));
  found.id = registry_.FindComplete(described.FullName(), flags);
  if (found.id != kNoMethod) return found;
  described.flags = flags;
  const uint32_t access = methods_.AccessFlags(method);
  if ((access & classfile::kAccNative) != 0) described.flags |= Method::kNative;
  if ((access & classfile::kAccStatic) != 0) described.flags |= Method::kStatic;
  described.source_file = classfile::ToUtf8(methods_.SourceFile(method));
  described.lines = methods_.Lines(method);
  std::stable_sort(described.lines.begin(), described.lines.end(),
                   [](const auto& a, const auto& b) { return a.bci < b.bci; });
  found.id = registry_.Intern(described);
  return found;
}

}  // namespace yp::hotspot
