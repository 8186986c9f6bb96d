// Arbitrary bytes through everything that the agent does with a class file. What the rewriter makes
// of a class must parse, must pass the checks where the class did, and must map back.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "classfile/check.h"
#include "classfile/class_file.h"
#include "classfile/code_tables.h"
#include "classfile/entry_call.h"
#include "classfile/invokes.h"
#include "classfile/modified_utf8.h"
#include "classfile/rename.h"
#include "classfile/rewriter.h"
#include "classfile/trivial.h"

namespace {

using namespace yp::classfile;  // NOLINT(google-build-using-namespace)

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void Look(const ClassFile& file) {
  ToUtf8(file.internal_name());
  for (const Method& method : file.methods()) {
    IsTrivial(file, method);
    file.LineNumbers(method);
    if (method.code) {
      StartsWithEntryCall(method.code->bytecode);
    }
  }
  if (const yp::Result<std::vector<uint8_t>> renamed =
          RenameUtf8(file, file.internal_name(), "a/much/longer/name/than/before")) {
    Require(ClassFile::Parse(*renamed).ok());
  }
}

enum class Probes { kEntries, kEntriesAndSites, kContexts };

void AddProbes(const ClassFile& file, uint32_t m, Probes probes, Rewriter& rewriter) {
  const int32_t method_id = m % 2 == 0 ? 5 : 50'000;
  if (probes != Probes::kContexts) rewriter.AddEntryCall(m, method_id);
  std::vector<ContextSite> sites;
  InvokeCursor cursor(file, file.methods()[m]);
  for (Invoke invoke; probes != Probes::kEntries && cursor.Next(invoke);) {
    const auto id = static_cast<int32_t>(invoke.bci) * 40;
    sites.push_back({invoke.bci, id});
    if (probes == Probes::kEntriesAndSites &&
        !rewriter.AddReceiverCall(m, invoke.bci, invoke.descriptor, id)) {
      rewriter.AddSiteCall(m, invoke.bci, id);
    }
  }
  if (probes == Probes::kContexts) rewriter.AddContextCalls(m, method_id, sites);
}

// That every frame has an int in the last local.
class ContextFrameChecker final : public StackMapVisitor {
 public:
  explicit ContextFrameChecker(uint16_t local) : local_(local) {}

  bool Frame(uint8_t type, uint32_t) override {
    // A chop frame would take that local away, one that appends only adds it at the first.
    Require(type < 248 || type == 251 || type == 255 || is_first_);
    is_first_ = false;
    counts_ = 0;
    return true;
  }
  void Count(uint16_t count) override {
    left_ = counts_++ == 0 ? count : 0u;
    slots_ = 0;
  }
  bool Type(VerificationType type) override {
    if (left_ == 0) return true;
    const bool two = type.tag == VerificationType::kLong || type.tag == VerificationType::kDouble;
    slots_ += two ? 2 : 1;
    Require(--left_ != 0 || (slots_ == local_ + 1u && type.tag == VerificationType::kInteger));
    return true;
  }

 private:
  const uint32_t local_;
  bool is_first_ = true;
  int counts_ = 0;  // Of the frame. Without any, its types are not looked at.
  uint32_t left_ = 0;
  uint32_t slots_ = 0;
};

void RequireContextFrames(const ClassFile& file, const Method& method) {
  AttributeCursor cursor(file.pool(), method.code->attributes);
  for (Attribute attribute; cursor.Next(attribute);) {
    if (CodeTableOf(attribute.name) != CodeTable::kStackMap) continue;
    ContextFrameChecker checker(static_cast<uint16_t>(method.code->max_locals - 1));
    Require(VisitStackMap(attribute.info, checker));
  }
}

void Rewrite(const ClassFile& file, Probes probes) {
  const bool was_ok = CheckClass(file).ok();
  Rewriter rewriter(
      file, {{"yp/Check", "check", "site", {}, "receive", "enter", "siteContext", "leave"}});
  for (uint32_t m = 0; m < file.methods().size(); ++m) AddProbes(file, m, probes, rewriter);
  const RewriteResult result = rewriter.Finish();
  const yp::Result<ClassFile> after = ClassFile::Parse(result.bytes);
  Require(after.ok());
  Require(!was_ok || CheckClass(*after).ok());
  Require(result.probed != 0 || result.bytes.size() == file.bytes().size());
  InstructionStarts starts;
  for (const MethodOutcome& outcome : result.methods) {
    if (outcome.outcome != ProbeOutcome::kProbed) {
      continue;
    }
    const Method& method = after->methods()[outcome.method];
    Require(CheckCode(*after, method, starts).ok());
    if (probes == Probes::kContexts) {
      // Older classes may keep stack maps that the JVM does not use.
      if (file.major_version() >= kNoOtherVerifierVersion) RequireContextFrames(*after, method);
    } else {
      Require(StartsWithEntryCall(method.code->bytecode).has_value());
    }
    const size_t size = file.methods()[outcome.method].code->bytecode.size();
    for (uint32_t bci = 0; bci < size; ++bci) {
      if (starts.Contains(outcome.map.Moved(bci))) {
        Require(outcome.map.OriginalBci(static_cast<int32_t>(outcome.map.Moved(bci))) ==
                static_cast<int32_t>(bci));
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const yp::Result<ClassFile> file = ClassFile::Parse({data, size});
  if (file.ok()) {
    Look(*file);
    for (const Probes probes : {Probes::kEntries, Probes::kEntriesAndSites, Probes::kContexts}) {
      Rewrite(*file, probes);
    }
  }
  return 0;
}
