// Arbitrary bytes through everything that the agent does with a class file. What the rewriter makes
// of a class must parse, must pass the checks where the class did, and must map back.

#include <cstdint>
#include <cstdlib>

#include "classfile/check.h"
#include "classfile/class_file.h"
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

void Rewrite(const ClassFile& file, bool sites) {
  const bool was_ok = CheckClass(file).ok();
  Rewriter rewriter(file, {{"yp/Check", "check", "site", {}, "receive"}});
  for (uint32_t m = 0; m < file.methods().size(); ++m) {
    rewriter.AddEntryCall(m, m % 2 == 0 ? 5 : 50'000);
    InvokeCursor cursor(file, file.methods()[m]);
    for (Invoke invoke; sites && cursor.Next(invoke);) {
      const auto id = static_cast<int32_t>(invoke.bci) * 40;
      if (!rewriter.AddReceiverCall(m, invoke.bci, invoke.descriptor, id)) {
        rewriter.AddSiteCall(m, invoke.bci, id);
      }
    }
  }
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
    Require(StartsWithEntryCall(method.code->bytecode).has_value());
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
    Rewrite(*file, false);
    Rewrite(*file, true);
  }
  return 0;
}
