#include "hotspot/probes/bytecode/instrumenter.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "classfile/invokes.h"
#include "classfile/modified_utf8.h"
#include "classfile/rewriter.h"
#include "classfile/trivial.h"
#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/threads/shared_memory.h"
#include "hotspot/walk/jvmti_methods.h"

namespace yp::hotspot {
namespace {

constexpr std::string_view kReflection = "jdk/internal/reflect/ReflectionFactory";

std::string ClassSignature(std::string_view internal_name) {
  return "L" + classfile::ToUtf8(internal_name) + ";";
}

Method Describe(const classfile::ClassFile& file, const classfile::Method& method, bool trivial) {
  Method described;
  described.class_name = ReportedClassName(ClassSignature(file.internal_name()));
  described.name = classfile::ToUtf8(method.name);
  described.descriptor = classfile::ToUtf8(method.descriptor);
  described.source_file = classfile::ToUtf8(file.source_file());
  if ((method.access_flags & classfile::kAccNative) != 0) described.flags |= Method::kNative;
  if ((method.access_flags & classfile::kAccAbstract) != 0) described.flags |= Method::kAbstract;
  if ((method.access_flags & classfile::kAccStatic) != 0) described.flags |= Method::kStatic;
  if (trivial) described.flags |= Method::kTrivial;
  for (const classfile::LineNumber& line : file.LineNumbers(method)) {
    described.lines.push_back({line.bci, line.line});
  }
  return described;
}

classfile::RewriteOptions OptionsFor(const char* entry_method, const char* site_method = "site") {
  classfile::RewriteOptions options;
  options.owner = {ProbeClass::kInternalName,
                   entry_method,
                   site_method,
                   "reflect",
                   "receive",
                   "enterContext",
                   "siteContext",
                   "leaveContext"};
  return options;
}

std::string SelectorOf(std::string_view name, std::string_view descriptor) {
  return std::string(name) + std::string(descriptor);
}

CallReference ReferenceOf(const classfile::ClassFile& file, const classfile::Invoke& invoke) {
  // super.m(): the search begins in the superclass, whatever ancestor it names (JVMS 6.5,
  // invokespecial).
  const bool is_super = invoke.opcode == classfile::op::kInvokespecial && invoke.name != "<init>" &&
                        !invoke.is_interface && invoke.owner != file.internal_name();
  return {invoke.IsVirtual() ? CallReference::Kind::kVirtual : CallReference::Kind::kBound,
          std::string(is_super ? file.super_name() : invoke.owner),
          SelectorOf(invoke.name, invoke.descriptor)};
}

// Without the probed methods' ids.
ClassShape ShapeOf(const classfile::ClassFile& file) {
  ClassShape shape;
  shape.name = file.internal_name();
  shape.super = file.super_name();
  for (const std::string_view interface : file.interfaces())
    shape.interfaces.emplace_back(interface);
  for (const classfile::Method& method : file.methods()) {
    shape.methods.push_back(
        {SelectorOf(method.name, method.descriptor), method.access_flags, kNoMethod});
  }
  return shape;
}

// Exact mode needs every method, be it interpreted for ever: one that announces nothing, and takes
// no announcement, makes calls around it look like what they are not.
classfile::RewriteOptions ExactOptionsFor(const char* entry_method,
                                          const char* site_method = "site") {
  classfile::RewriteOptions options = OptionsFor(entry_method, site_method);
  options.huge_method_limit = 0;
  return options;
}

}  // namespace

bool Instrumenter::Ignores(std::string_view internal_name, bool of_jdk) const {
  // Mode edges: what generates code that reflection calls with, and that code.
  const bool reflects =
      probing_ == Probing::kEdges && (internal_name == kReflection || IsGlue(internal_name));
  if (reflects) return false;
  switch (filter_.Classify(internal_name, of_jdk)) {
    case ClassFilter::Verdict::kObserve:
      return false;
    case ClassFilter::Verdict::kPassOver:
      return probing_ == Probing::kSampling || probing_ == Probing::kContexts;
    case ClassFilter::Verdict::kPlatform:
      return !WantsReceiverCallsIn(internal_name);
    case ClassFilter::Verdict::kNever:
      return true;
  }
  return true;
}

bool Instrumenter::WantsReceiverCallsIn(std::string_view internal_name) const {
  return probing_ == Probing::kEdges &&
         edges_.discovery->WantsReceiverCallsIn(ReportedClassName(ClassSignature(internal_name)));
}

std::optional<std::vector<uint8_t>> Instrumenter::Rewrite(std::span<const uint8_t> bytes,
                                                          bool of_jdk, bool links) {
  const Result<classfile::ClassFile> file = classfile::ClassFile::Parse(bytes);
  if (!file) {
    drops_.Add(Drop::kClassUnreadable);
    return std::nullopt;
  }
  const ClassFilter::Verdict verdict = filter_.Classify(file->internal_name(), of_jdk);
  const bool exact = probing_ == Probing::kExact || probing_ == Probing::kContexts;
  if (verdict == ClassFilter::Verdict::kObserve && !links) LeaveClass(*file);
  if (probing_ == Probing::kEdges) {
    if (file->internal_name() == kReflection) return RewriteReflection(*file);
    const bool is_platform =
        verdict == ClassFilter::Verdict::kPlatform && !IsGlue(file->internal_name());
    if (is_platform) return RewriteForReceivers(*file);
    // Without probes of its own it is as code that is none of the program's.
    return RewriteForEdges(*file, links ? verdict : ClassFilter::Verdict::kPlatform,
                           links && WantsReceiverCallsIn(file->internal_name()));
  }
  if (!links) return std::nullopt;
  if (probing_ == Probing::kExact && verdict == ClassFilter::Verdict::kPassOver) {
    return RewriteToPassOver(*file);
  }
  if (verdict != ClassFilter::Verdict::kObserve) return std::nullopt;

  classfile::Rewriter rewriter(*file, exact ? ExactOptionsFor("enter") : OptionsFor("check"));
  std::vector<std::pair<uint32_t, Method>> requested;
  for (uint32_t i = 0; i < file->methods().size(); ++i) {
    const classfile::Method& method = file->methods()[i];
    if (!method.code) continue;
    const bool trivial = classfile::IsTrivial(*file, method);
    if (trivial && skip_trivial_) continue;
    methods_.fetch_add(1, std::memory_order_relaxed);
    Method described = Describe(*file, method, trivial);
    const MethodId id = registry_.Intern(described);
    requested.emplace_back(i, std::move(described));
    if (exact) {
      AddExactCalls(*file, i, id, rewriter);
    } else {
      rewriter.AddEntryCall(i, static_cast<int32_t>(ToIndex(id)));
    }
  }
  if (requested.empty()) return std::nullopt;

  classfile::RewriteResult result = rewriter.Finish();
  size_t next = 0;
  for (classfile::MethodOutcome& outcome : result.methods) {
    while (requested[next].first != outcome.method) ++next;
    Method& described = requested[next].second;
    if (outcome.outcome != classfile::ProbeOutcome::kProbed) {
      LeaveMethod(outcome.outcome);
      continue;
    }
    described.flags |= Method::kObserved;
    const MethodId id = registry_.Intern(described);
    AddVersion(*file, id, outcome);
    // What is never called is told, too.
    if (exact) registry_.MarkUsed(id);
  }
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

void Instrumenter::AddExactCalls(const classfile::ClassFile& file, uint32_t method, MethodId id,
                                 classfile::Rewriter& rewriter) {
  const auto callee = static_cast<int32_t>(ToIndex(id));
  const bool by_context = probing_ == Probing::kContexts;
  if (!by_context) rewriter.AddEntryCall(method, callee);
  std::vector<classfile::ContextSite> sites;
  classfile::InvokeCursor cursor(file, file.methods()[method]);
  for (classfile::Invoke invoke; cursor.Next(invoke);) {
    const bool is_virtual = invoke.IsVirtual() || invoke.opcode == classfile::op::kInvokedynamic;
    const int32_t limit = by_context ? std::numeric_limits<int32_t>::max() : kMaxSites;
    const int32_t site = registry_.AddSite(id, static_cast<int32_t>(invoke.bci), is_virtual, limit);
    if (by_context) {
      sites.push_back({invoke.bci, site});
    } else {
      // Without a number of its own a call still has to take back the one before it.
      rewriter.AddSiteCall(method, invoke.bci, site);
    }
  }
  if (by_context) rewriter.AddContextCalls(method, callee, sites);
}

std::optional<std::vector<uint8_t>> Instrumenter::RewriteToPassOver(
    const classfile::ClassFile& file) {
  classfile::Rewriter rewriter(file, ExactOptionsFor("site"));
  for (uint32_t i = 0; i < file.methods().size(); ++i) {
    if (file.methods()[i].code) rewriter.AddEntryCall(i, 0);
  }
  // Not counted, but they call methods that are.
  return FinishCallers(file, rewriter);
}

std::optional<std::vector<uint8_t>> Instrumenter::FinishCallers(const classfile::ClassFile& file,
                                                                classfile::Rewriter& rewriter) {
  classfile::RewriteResult result = rewriter.Finish();
  for (classfile::MethodOutcome& outcome : result.methods) {
    if (outcome.outcome != classfile::ProbeOutcome::kProbed) continue;
    const classfile::Method& method = file.methods()[outcome.method];
    AddVersion(file, registry_.Intern(Describe(file, method, false)), outcome);
  }
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

// Both methods, whose first argument is what they make an accessor of, are there from JDK 11 to 25.
std::optional<std::vector<uint8_t>> Instrumenter::RewriteReflection(
    const classfile::ClassFile& file) {
  classfile::Rewriter rewriter(file, ExactOptionsFor("discover", "announce"));
  for (uint32_t i = 0; i < file.methods().size(); ++i) {
    const classfile::Method& method = file.methods()[i];
    const bool makes_accessor = (method.name == "newMethodAccessor" &&
                                 method.descriptor.starts_with("(Ljava/lang/reflect/Method;")) ||
                                (method.name == "newConstructorAccessor" &&
                                 method.descriptor.starts_with("(Ljava/lang/reflect/Constructor;"));
    const bool is_static = (method.access_flags & classfile::kAccStatic) != 0;
    if (makes_accessor && method.code && !is_static) rewriter.AddArgumentCall(i);
  }
  classfile::RewriteResult result = rewriter.Finish();
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

bool Instrumenter::MayReachClosed(std::string_view owner) const {
  if (owner.empty() || owner.front() == '[') return false;
  if (filter_.Classify(owner, true) == ClassFilter::Verdict::kNever) return false;
  return !IsInPackages(owner, edges_.jdk_packages);
}

void Instrumenter::AddReferences(const classfile::ClassFile& file, const classfile::Method& method,
                                 std::vector<CallReference>& references) const {
  classfile::InvokeCursor cursor(file, method);
  for (classfile::Invoke invoke; cursor.Next(invoke);) {
    if (MayReachClosed(invoke.owner)) references.push_back(ReferenceOf(file, invoke));
  }
}

// JVMS 4.4.8.
void Instrumenter::AddHandles(const classfile::ClassFile& file,
                              std::vector<CallReference>& references) const {
  constexpr uint8_t kRefInvokeVirtual = 5, kRefInvokeInterface = 9;
  const classfile::ConstantPool& pool = file.pool();
  for (uint16_t i = 1; i < pool.count(); ++i) {
    if (!pool.Is(i, classfile::ConstantTag::kMethodHandle)) continue;
    const uint8_t* content = &file.bytes()[pool.ContentOffset(i)];
    const uint8_t kind = content[0];
    const auto member = pool.Member(classfile::LoadU2(content + 1));
    if (kind < kRefInvokeVirtual || !member || !MayReachClosed(member->owner)) continue;
    const bool is_virtual = kind == kRefInvokeVirtual || kind == kRefInvokeInterface;
    references.push_back({is_virtual ? CallReference::Kind::kVirtual : CallReference::Kind::kBound,
                          std::string(member->owner),
                          SelectorOf(member->name, member->descriptor)});
  }
}

std::optional<std::vector<uint8_t>> Instrumenter::RewriteForEdges(const classfile::ClassFile& file,
                                                                  ClassFilter::Verdict verdict,
                                                                  bool wants_receiver_calls) {
  const bool is_observed = verdict == ClassFilter::Verdict::kObserve;
  const bool has_probes =
      is_observed || (verdict == ClassFilter::Verdict::kPassOver && !IsGlue(file.internal_name()));
  ClassShape shape = ShapeOf(file);
  shape.calls_are_seen = has_probes;
  std::vector<EdgeDiscovery::SiteShape> sites;
  std::vector<CallReference> open;
  AddHandles(file, open);

  // Receiver calls are not worth a method that is not compiled for them.
  classfile::Rewriter rewriter(file, wants_receiver_calls
                                         ? OptionsFor("discover", "announce")
                                         : ExactOptionsFor("discover", "announce"));
  struct Requested {
    Method described;
    MethodId id = kNoMethod;
  };
  std::map<uint32_t, Requested> requested;
  for (uint32_t i = 0; i < file.methods().size(); ++i) {
    const classfile::Method& method = file.methods()[i];
    if (!method.code) continue;
    Requested request{Describe(file, method, classfile::IsTrivial(file, method))};
    if (has_probes) request.id = registry_.Intern(request.described);
    const bool has_number = ToIndex(request.id) < DiscoveryTables::kMaxMethods;
    bool has_request = is_observed && has_number;
    classfile::InvokeCursor cursor(file, method);
    for (classfile::Invoke invoke; cursor.Next(invoke);) {
      if (!MayReachClosed(invoke.owner)) {
        has_request |=
            has_probes && wants_receiver_calls && AddReceiverCall(rewriter, i, request.id, invoke);
        continue;
      }
      CallReference reference = ReferenceOf(file, invoke);
      const int32_t site =
          has_probes ? registry_.AddSite(request.id, static_cast<int32_t>(invoke.bci),
                                         reference.kind == CallReference::Kind::kVirtual, kMaxSites)
                     : 0;
      if (site == 0) {
        open.push_back(std::move(reference));
        continue;
      }
      const bool has_receiver_call =
          wants_receiver_calls && AddReceiverCall(rewriter, i, request.id, invoke);
      if (!has_receiver_call) rewriter.AddSiteCall(i, invoke.bci, site);
      has_request = true;
      sites.push_back({site, std::move(reference)});
    }
    if (!has_request) continue;
    // A walk knows rewritten code by its entry call; number 0 has nothing to discover.
    const bool discovers = is_observed && has_number;
    rewriter.AddEntryCall(i, discovers ? static_cast<int32_t>(ToIndex(request.id)) : 0);
    requested.emplace(i, std::move(request));
  }

  classfile::RewriteResult result = rewriter.Finish();
  // Without them a method may have its probes that has not now.
  if (wants_receiver_calls && result.probed < result.methods.size()) {
    return RewriteForEdges(file, verdict, false);
  }
  for (classfile::MethodOutcome& outcome : result.methods) {
    Requested& request = requested.at(outcome.method);
    if (is_observed) methods_.fetch_add(1, std::memory_order_relaxed);
    if (outcome.outcome != classfile::ProbeOutcome::kProbed) {
      LeaveMethod(outcome.outcome);
      AddReferences(file, file.methods()[outcome.method], open);
      continue;
    }
    if (is_observed) {
      request.described.flags |= Method::kObserved;
      shape.methods[outcome.method].id = request.id;
    }
    const MethodId id = registry_.Intern(request.described);
    AddVersion(file, id, outcome);
    if (is_observed) registry_.MarkUsed(id);  // As in exact mode.
  }
  edges_.discovery->Define(shape, sites, open);
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

std::optional<std::vector<uint8_t>> Instrumenter::RewriteForReceivers(
    const classfile::ClassFile& file) {
  if (!WantsReceiverCallsIn(file.internal_name())) return std::nullopt;
  classfile::Rewriter rewriter(file, OptionsFor("discover", "announce"));
  for (uint32_t i = 0; i < file.methods().size(); ++i) {
    const classfile::Method& method = file.methods()[i];
    if (!method.code) continue;
    const MethodId id = registry_.Intern(Describe(file, method, false));
    bool has_request = false;
    classfile::InvokeCursor cursor(file, method);
    for (classfile::Invoke invoke; cursor.Next(invoke);) {
      has_request |= AddReceiverCall(rewriter, i, id, invoke);
    }
    // A walk knows rewritten code by its entry call; number 0 has nothing to discover.
    if (has_request) rewriter.AddEntryCall(i, 0);
  }
  return FinishCallers(file, rewriter);
}

bool Instrumenter::AddReceiverCall(classfile::Rewriter& rewriter, uint32_t method, MethodId id,
                                   const classfile::Invoke& invoke) {
  const auto bci = static_cast<int32_t>(invoke.bci);
  const int32_t known = registry_.FindSite(id, bci);
  if (!invoke.IsVirtual() || !edges_.discovery->WantsReceiverCall(id, bci, known)) return false;
  const int32_t site = registry_.AddSite(id, bci, true, kMaxSites);
  if (site == 0 || !rewriter.AddReceiverCall(method, invoke.bci, invoke.descriptor, site)) {
    return false;
  }
  edges_.discovery->DefineReceiverSite(site,
                                       {CallReference::Kind::kVirtual, std::string(invoke.owner),
                                        SelectorOf(invoke.name, invoke.descriptor)});
  return true;
}

void Instrumenter::LeaveMethod(classfile::ProbeOutcome reason) {
  drops_.AddMethod(reason);
  methods_left_.fetch_add(1, std::memory_order_relaxed);
}

void Instrumenter::LeaveClass(const classfile::ClassFile& file) {
  drops_.Add(Drop::kClassCannotLink);
  const auto methods = std::count_if(file.methods().begin(), file.methods().end(),
                                     [](const auto& method) { return method.code.has_value(); });
  methods_.fetch_add(methods, std::memory_order_relaxed);
  methods_left_.fetch_add(methods, std::memory_order_relaxed);
}

void Instrumenter::AddVersion(const classfile::ClassFile& file, MethodId id,
                              classfile::MethodOutcome& outcome) {
  const auto original_size = file.methods()[outcome.method].code->bytecode.size();
  const uint32_t size = outcome.map.Target(static_cast<uint32_t>(original_size));
  registry_.AddVersion(id, size, std::move(outcome.map));
}

}  // namespace yp::hotspot
