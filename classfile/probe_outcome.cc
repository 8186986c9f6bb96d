#include "classfile/probe_outcome.h"

namespace yp::classfile {

std::string_view ToString(ProbeOutcome outcome) {
  switch (outcome) {
    case ProbeOutcome::kProbed:
      return "probed";
    case ProbeOutcome::kNoCode:
      return "no code";
    case ProbeOutcome::kMalformedCode:
      return "malformed code";
    case ProbeOutcome::kNoSuchInvoke:
      return "no such invoke instruction";
    case ProbeOutcome::kCodeTooLarge:
      return "code too large";
    case ProbeOutcome::kCompileLimit:
      return "above the JVM's compile limit";
    case ProbeOutcome::kStackTooDeep:
      return "stack too deep";
    case ProbeOutcome::kTooManyLocals:
      return "too many locals";
    case ProbeOutcome::kFramesTooLarge:
      return "stack maps too large";
    case ProbeOutcome::kJumpTooFar:
      return "jump too far";
    case ProbeOutcome::kPoolFull:
      return "constant pool full";
    case ProbeOutcome::kEmptyFinalizer:
      return "empty finalizer";
  }
  return "unknown";
}

}  // namespace yp::classfile
