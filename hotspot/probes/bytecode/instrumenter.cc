#include "hotspot/probes/bytecode/instrumenter.h"

#include <string>
#include <utility>

#include "classfile/invokes.h"
#include "classfile/modified_utf8.h"
#include "classfile/rewriter.h"
#include "classfile/trivial.h"
#include "hotspot/probes/bytecode/probe_class.h"
#include "hotspot/threads/shared_memory.h"

namespace yp::hotspot {
namespace {

constexpr uint8_t kInvokeVirtual = 182;
constexpr uint8_t kInvokeInterface = 185;
constexpr uint8_t kInvokeDynamic = 186;

Method Describe(const classfile::ClassFile& file, const classfile::Method& method, bool trivial) {
  Method described;
  described.class_name = classfile::ToUtf8(file.DottedName());
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

classfile::RewriteOptions OptionsFor(const char* entry_method) {
  classfile::RewriteOptions options;
  options.owner = {ProbeClass::kInternalName, entry_method, "site"};
  return options;
}

// Exact mode needs every method, be it interpreted for ever: one that announces nothing, and takes
// no announcement, makes calls around it look like what they are not.
classfile::RewriteOptions ExactOptionsFor(const char* entry_method) {
  classfile::RewriteOptions options = OptionsFor(entry_method);
  options.huge_method_limit = 0;
  return options;
}

}  // namespace

bool Instrumenter::Ignores(std::string_view internal_name, bool of_jdk) const {
  switch (filter_.Judge(internal_name, of_jdk)) {
    case ClassFilter::Verdict::kObserve:
      return false;
    case ClassFilter::Verdict::kPassOver:
      return !exact_;
    case ClassFilter::Verdict::kPlatform:
    case ClassFilter::Verdict::kNever:
      return true;
  }
  return true;
}

std::optional<std::vector<uint8_t>> Instrumenter::Rewrite(std::span<const uint8_t> bytes,
                                                          bool of_jdk) {
  const Result<classfile::ClassFile> file = classfile::ClassFile::Parse(bytes);
  if (!file) {
    drops_.Add(Drop::kClassUnreadable);
    return std::nullopt;
  }
  const ClassFilter::Verdict verdict = filter_.Judge(file->internal_name(), of_jdk);
  if (exact_ && verdict == ClassFilter::Verdict::kPassOver) return RewriteToPassOver(*file);
  if (verdict != ClassFilter::Verdict::kObserve) return std::nullopt;

  classfile::Rewriter rewriter(*file, exact_ ? ExactOptionsFor("enter") : OptionsFor("check"));
  std::vector<std::pair<uint32_t, Method>> requested;
  for (uint32_t i = 0; i < file->methods().size(); ++i) {
    const classfile::Method& method = file->methods()[i];
    if (!method.code) continue;
    const bool trivial = classfile::IsTrivial(*file, method);
    if (trivial && skip_trivial_) continue;
    Method described = Describe(*file, method, trivial);
    const MethodId id = registry_.Intern(described);
    rewriter.AddEntryCall(i, static_cast<int32_t>(ToIndex(id)));
    requested.emplace_back(i, std::move(described));
    if (!exact_) continue;
    classfile::InvokeCursor cursor(*file, method);
    for (classfile::Invoke invoke; cursor.Next(invoke);) {
      const bool is_virtual = invoke.opcode == kInvokeVirtual ||
                              invoke.opcode == kInvokeInterface || invoke.opcode == kInvokeDynamic;
      const int32_t site =
          registry_.AddSite(id, static_cast<int32_t>(invoke.bci), is_virtual, kMaxSites);
      // Without a number of its own a call still has to take back the one before it.
      rewriter.AddSiteCall(i, invoke.bci, site);
    }
  }
  if (requested.empty()) return std::nullopt;

  classfile::RewriteResult result = rewriter.Finish();
  size_t next = 0;
  for (classfile::MethodOutcome& outcome : result.methods) {
    while (requested[next].first != outcome.method) ++next;
    Method& described = requested[next].second;
    if (outcome.outcome != classfile::ProbeOutcome::kProbed) {
      drops_.AddMethod(outcome.outcome);
      continue;
    }
    described.flags |= Method::kObserved;
    AddVersion(*file, registry_.Intern(described), outcome);
  }
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

std::optional<std::vector<uint8_t>> Instrumenter::RewriteToPassOver(
    const classfile::ClassFile& file) {
  classfile::Rewriter rewriter(file, ExactOptionsFor("site"));
  for (uint32_t i = 0; i < file.methods().size(); ++i) {
    if (file.methods()[i].code) rewriter.AddEntryCall(i, 0);
  }
  classfile::RewriteResult result = rewriter.Finish();
  // Not counted, but they call methods that are.
  for (classfile::MethodOutcome& outcome : result.methods) {
    if (outcome.outcome != classfile::ProbeOutcome::kProbed) continue;
    const classfile::Method& method = file.methods()[outcome.method];
    AddVersion(file, registry_.Intern(Describe(file, method, false)), outcome);
  }
  if (result.probed == 0) return std::nullopt;
  return std::move(result.bytes);
}

void Instrumenter::AddVersion(const classfile::ClassFile& file, MethodId id,
                              classfile::MethodOutcome& outcome) {
  const auto original_size = file.methods()[outcome.method].code->bytecode.size();
  const uint32_t size = outcome.map.Target(static_cast<uint32_t>(original_size));
  registry_.AddVersion(id, size, std::move(outcome.map));
}

}  // namespace yp::hotspot
