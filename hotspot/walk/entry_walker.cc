#include "hotspot/walk/entry_walker.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "classfile/class_file.h"
#include "classfile/instructions.h"
#include "classfile/modified_utf8.h"
#include "core/graph/code_level.h"
#include "hotspot/vmstructs/invoke_sites.h"
#include "hotspot/vmstructs/load.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

std::string Signature(std::string_view class_name) { return "L" + std::string(class_name) + ";"; }

// Those of Method that a class file's access flags tell.
uint32_t FlagsOf(uint32_t access) {
  return ((access & classfile::kAccNative) != 0 ? uint32_t{Method::kNative} : 0) |
         ((access & classfile::kAccStatic) != 0 ? uint32_t{Method::kStatic} : 0);
}

// By names as the class file has them.
Method Described(std::string_view class_name, std::string_view name, std::string_view descriptor) {
  Method method;
  method.class_name = classfile::ToUtf8(ReportedClassName(Signature(class_name)));
  method.name = classfile::ToUtf8(name);
  method.descriptor = classfile::ToUtf8(descriptor);
  return method;
}

// Counts itself as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) : count_(count) {
    count_.fetch_add(1, std::memory_order_seq_cst);
  }
  // Partner: the load in Begin.
  ~Counted() { count_.fetch_sub(1, std::memory_order_release); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int>& count_;
};

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

void EntryWalker::Begin(const ClassFilter& filter, PackageSet platform_packages, Wanted wanted) {
  // In one order with Walk's: it counts itself before it looks for a scope. What is under way has
  // been counted, and what comes finds none.
  scope_.store(nullptr, std::memory_order_seq_cst);
  const bool is_in_use = walks_.load(std::memory_order_seq_cst) != 0;
  registry_.compilations().Forget(is_in_use);
  if (stacks_ != nullptr) stacks_->Forget(is_in_use);
  if (wanted.stacks && stacks_ == nullptr) {
    stacks_ = std::make_unique<StackWalker>(code_cache_, frames_, methods_);
  }
  if (!is_in_use) scopes_.clear();
  scopes_.push_back(
      std::make_unique<const Scope>(Scope{filter, std::move(platform_packages), ++epoch_, wanted}));
  scope_.store(scopes_.back().get(), std::memory_order_seq_cst);
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

EntryWalker::Answer EntryWalker::Walk(const EntryCall& call, uintptr_t stack_end,
                                      SampleCost* cost) {
  const Counted under_way(walks_);
  const Scope* scope = scope_.load(std::memory_order_seq_cst);
  if (scope == nullptr) return {.reason = Drop::kCalleeUnknown};
  return WalkIn(*scope, call, stack_end, cost);
}

void EntryWalker::Describe(const EntryCall& call) {
  const Counted under_way(walks_);
  const Scope* scope = scope_.load(std::memory_order_seq_cst);
  if (scope == nullptr) return;
  const std::optional<CodeCache::Frame> callee = CodeAt(call.callee_pc);
  if (callee && callee->compile_id == call.compile_id) CompilationOf(*callee, *scope);
}

StackWalker::Answer EntryWalker::WalkStack(const EntryCall& call, uintptr_t stack_end,
                                           std::span<RawFrame> stack) {
  const Counted under_way(walks_);
  const Scope* scope = scope_.load(std::memory_order_seq_cst);
  if (scope == nullptr || !scope->wanted.stacks) return {.reason = Drop::kCallerUnknown};
  const FrameReader::Position position{*call.return_address, call.return_address + 1,
                                       call.frame_pointer, stack_end};
  const auto identify = [&](const void* method) { return Identify(method, *scope).id; };
  return stacks_->Walk(position, scope->epoch, identify, stack);
}

EntryWalker::Answer EntryWalker::WalkIn(const Scope& scope, const EntryCall& call,
                                        uintptr_t stack_end, SampleCost* cost) {
  const std::optional<CodeCache::Frame> callee = CodeAt(call.callee_pc);
  if (!callee || (call.compile_id != 0 && callee->compile_id != call.compile_id)) {
    return {.reason = Drop::kCalleeUnknown};
  }
  const std::optional<CodeCache::Frame> caller = CodeAt(*call.return_address);
  if (!caller) {
    if (cost != nullptr) cost->BecomesLong();
    bool is_memorable = false;
    return WalkNew(call, *callee, stack_end, scope, is_memorable);
  }
  const EdgeMemo::Key key = {*call.return_address, call.callee_pc,
                             (uint64_t{static_cast<uint32_t>(caller->compile_id)} << 32) |
                                 static_cast<uint32_t>(callee->compile_id),
                             (uint64_t{call.steps} << 32) | scope.epoch};
  EdgeMemo::Value value;
  if (edges_.Find(key, value)) {
    if (value[0] == kNone) return {.outcome = Outcome::kNotObserved};
    return {.outcome = Outcome::kEdge,
            .edge = EdgeId{static_cast<uint32_t>(value[0])},
            .call = CompiledCallId{static_cast<uint32_t>(value[0] >> 32)}};
  }
  if (cost != nullptr) cost->BecomesLong();
  bool is_memorable = true;
  const Answer answer = WalkNew(call, *callee, stack_end, scope, is_memorable);
  if (is_memorable && answer.outcome != Outcome::kUnresolved) {
    const uint64_t found = (uint64_t{ToIndex(answer.call)} << 32) | ToIndex(answer.edge);
    edges_.Put(key, {answer.outcome == Outcome::kEdge ? found : kNone});
  }
  return answer;
}

EntryWalker::Answer EntryWalker::WalkNew(const EntryCall& call, const CodeCache::Frame& callee,
                                         uintptr_t stack_end, const Scope& scope,
                                         bool& is_memorable) {
  const void* method = Load<const void*>(callee.blob, nmethod_method_);
  if (method == nullptr) return {.reason = Drop::kCalleeUnknown};
  const Compilations::Known* callee_code = CompilationOf(callee, scope);
  const bool is_wanted = callee_code != nullptr && callee_code->tree.inlines_observed();
  const Identity called = Identify(method, scope);
  if (!called.is_observed && !is_wanted) return {.outcome = Outcome::kNotObserved};
  Edge edge;
  edge.callee = callee_code != nullptr ? callee_code->tree.nodes()[0].method : called.id;
  if (edge.callee == kNoMethod) return {.outcome = Outcome::kNotObserved};
  edge.caller = kNoMethod;
  spool::CompiledCall compiled_call;
  if (callee_code != nullptr) compiled_call.callee = callee_code->told.id;
  const auto answer = [&] {
    Answer found{.outcome = Outcome::kEdge, .edge = registry_.InternEdge(edge, call.steps)};
    compiled_call.edge = found.edge;
    if (scope.wanted.inlined_calls) found.call = registry_.compilations().InternCall(compiled_call);
    return found;
  };
  FrameReader::Position position{*call.return_address, call.return_address + 1, call.frame_pointer,
                                 stack_end};
  std::array<DebugInfo::Scope, kMaxScopes> scopes;
  for (int i = 0; i < kMaxFrames; ++i) {
    const FrameReader::Frame frame = frames_.Next(position, scopes);
    switch (frame.kind) {
      case FrameReader::Kind::kEnd:
        return answer();
      case FrameReader::Kind::kNoDebugInfo:
        return {.reason = Drop::kNoDebugInfo};
      case FrameReader::Kind::kUnknown:
        return {.reason = Drop::kCallerUnknown};
      case FrameReader::Kind::kNotJava:
      case FrameReader::Kind::kJava:
        break;
    }
    for (size_t s = 0; s < frame.scope_count; ++s) {
      const Identity caller = Identify(scopes[s].method, scope);
      if (caller.is_glue()) continue;
      edge.caller = caller.id;
      edge.bci = scopes[s].bci < 0 ? kNoBci : scopes[s].bci;
      const Compilations::Known* code =
          frame.is_compiled ? CompilationOf(frame.code, scope) : nullptr;
      if (code != nullptr) {
        compiled_call.caller = code->told.id;
        compiled_call.caller_node =
            code->tree.PlaceOf(std::span(scopes).first(frame.scope_count)).node;
      }
      compiled_call.is_caller_profiled = frame.is_profiled;
      return answer();
    }
    is_memorable = false;  // It depends on frames further out.
  }
  return {.reason = Drop::kCallerUnknown};
}

const Compilations::Known* EntryWalker::CompilationOf(const CodeCache::Frame& code,
                                                      const Scope& scope) {
  if (!scope.wanted.inlined_calls) return nullptr;
  const CompilationMemo::Key remembered = {
      reinterpret_cast<uint64_t>(code.blob),
      (uint64_t{static_cast<uint32_t>(code.compile_id)} << 32) | scope.epoch};
  CompilationMemo::Value value;
  if (compilations_.Find(remembered, value)) {
    return reinterpret_cast<const Compilations::Known*>(value[0]);
  }
  const Compilations::Key key{code.blob, code.compile_id, scope.epoch};
  const Compilations::Known* known = registry_.compilations().Find(key);
  if (known == nullptr) known = NewCompilation(key, code, scope);
  if (known != nullptr) compilations_.Put(remembered, {reinterpret_cast<uint64_t>(known)});
  return known;
}

const Compilations::Known* EntryWalker::NewCompilation(const Compilations::Key& key,
                                                       const CodeCache::Frame& code,
                                                       const Scope& scope) {
  const std::optional<CodeCache::Compilation> described = code_cache_.CompilationOf(code);
  if (!described) return nullptr;
  DebugInfo::InlineTree raw = TreeOf(*described, scope);
  if (raw.nodes.empty()) return nullptr;
  std::vector<DebugInfo::Position> calls;
  for (const DebugInfo::Position& position : raw.calls) {
    if (MayCall({raw.nodes[position.node].method, position.bci})) calls.push_back(position);
  }
  Compilations::Known known;
  known.tree = NamedTree(std::move(raw), [&](const void* method) {
    const Identity identity = Identify(method, scope);
    if (!identity.is_glue()) registry_.MarkUsed(identity.id);
    return NamedTree::Name{identity.id, identity.is_observed, methods_.ConstMethod(method)};
  });
  known.told.level = described->level;
  known.told.is_osr = described->is_osr;
  known.told.compile_id = described->compile_id;
  known.told.nodes = known.tree.nodes();
  for (const DebugInfo::Position& call : calls) {
    known.told.call_sites.push_back(known.tree.PlaceOf(call));
  }
  // Glue's are where the glue is called.
  std::vector<spool::Compilation::CallSite>& sites = known.told.call_sites;
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  return registry_.compilations().Add(key, std::move(known));
}

// Glue is what it inlines.
DebugInfo::InlineTree EntryWalker::TreeOf(const CodeCache::Compilation& described,
                                          const Scope& scope) {
  if (described.level == code_level::kProfiled) {
    const void* method = described.method;
    if (method != nullptr && !Identify(method, scope).is_glue()) return {{{0, kNoBci, method}}, {}};
  }
  return frames_.debug_info().TreeOf(
      described.nmethod, [this](uintptr_t target) { return code_cache_.IsUncommonTrap(target); });
}

bool EntryWalker::MayCall(const DebugInfo::Scope& position) const {
  const std::span<const uint8_t> code = methods_.Bytecode(position.method);
  if (position.bci < 0 || static_cast<size_t>(position.bci) >= code.size()) return false;
  const uint8_t opcode = JavaOpcode(code[static_cast<size_t>(position.bci)]);
  return opcode >= classfile::op::kInvokevirtual && opcode <= classfile::op::kInvokedynamic;
}

// It gets its lines when a compilation is met that consists of it.
MethodId EntryWalker::Observed(const ClassReader::MethodNames& names) {
  const Scope* scope = scope_.load(std::memory_order_acquire);  // Partner: Begin's release.
  if (scope == nullptr || !IsObserved(names.class_name, names.is_of_boot_loader, *scope)) {
    return kNoMethod;
  }
  Method method = Described(names.class_name, names.name, names.descriptor);
  method.flags = FlagsOf(names.access_flags) | Method::kObserved;
  const MethodId id = registry_.Intern(method);
  registry_.MarkUsed(id);
  return id;
}

bool EntryWalker::ObservesClass(const std::string& class_name, bool is_of_boot_loader) const {
  const Scope* scope = scope_.load(std::memory_order_acquire);  // Partner: Begin's release.
  return scope != nullptr && IsObserved(class_name, is_of_boot_loader, *scope);
}

MethodId EntryWalker::Named(const ClassReader::MethodNames& names,
                            const std::function<ClassReader::Source()>& source) {
  if (IsHiddenGlue(Signature(names.class_name))) return kNoMethod;
  Method method = Described(names.class_name, names.name, names.descriptor);
  method.flags = FlagsOf(names.access_flags);
  if (ObservesClass(names.class_name, names.is_of_boot_loader)) method.flags |= Method::kObserved;
  MethodId id = registry_.FindComplete(method.FullName(), method.flags & Method::kObserved);
  if (id == kNoMethod) {
    ClassReader::Source found = source();
    method.source_file = classfile::ToUtf8(found.file);
    method.lines = std::move(found.lines);
    id = registry_.Intern(method);
  }
  registry_.MarkUsed(id);
  return id;
}

EntryWalker::Identity EntryWalker::Identify(const void* method, const Scope& scope) {
  constexpr uint64_t kObservedBit = uint64_t{1} << 32;
  const std::string_view class_name = methods_.ClassName(method);
  const bool is_of_boot_loader = methods_.IsOfBootLoader(method);
  const std::hash<std::string_view> hash;
  const IdentityMemo::Key key = {hash(class_name), hash(methods_.Name(method)),
                                 hash(methods_.Descriptor(method)),
                                 (uint64_t{scope.epoch} << 1) | (is_of_boot_loader ? 1 : 0)};
  IdentityMemo::Value value;
  if (identities_.Find(key, value)) {
    return {MethodId{static_cast<uint32_t>(value[0])}, (value[0] & kObservedBit) != 0};
  }
  Identity identity;
  if (!IsHiddenGlue(Signature(class_name))) {
    identity.is_observed = IsObserved(class_name, is_of_boot_loader, scope);
    identity.id = Name(method, identity.is_observed ? uint32_t{Method::kObserved} : 0);
  }
  identities_.Put(key, {ToIndex(identity.id) | (identity.is_observed ? kObservedBit : 0)});
  return identity;
}

bool EntryWalker::IsObserved(std::string_view class_name, bool is_of_boot_loader,
                             const Scope& scope) const {
  const bool is_of_jdk = is_of_boot_loader || IsInPackages(class_name, scope.platform_packages);
  return scope.filter.Classify(class_name, is_of_jdk) == ClassFilter::Verdict::kObserve;
}

// Not of glue. The method may have a name already, without the flags or its lines.
MethodId EntryWalker::Name(const void* method, uint32_t flags) {
  Method described =
      Described(methods_.ClassName(method), methods_.Name(method), methods_.Descriptor(method));
  const MethodId known = registry_.FindComplete(described.FullName(), flags);
  if (known != kNoMethod) return known;
  described.flags = flags | FlagsOf(methods_.AccessFlags(method));
  described.source_file = classfile::ToUtf8(methods_.SourceFile(method));
  described.lines = methods_.Lines(method);
  std::stable_sort(described.lines.begin(), described.lines.end(),
                   [](const auto& a, const auto& b) { return a.bci < b.bci; });
  return registry_.Intern(described);
}

}  // namespace yp::hotspot
