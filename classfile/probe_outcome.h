#ifndef YP_CLASSFILE_PROBE_OUTCOME_H_
#define YP_CLASSFILE_PROBE_OUTCOME_H_

#include <cstdint>
#include <string_view>

namespace yp::classfile {

// Whether a method got its probes, or why it stays as it is, byte for byte.
enum class ProbeOutcome : uint8_t {
  kProbed,
  // Abstract or native.
  kNoCode,
  // CheckCode refuses it, or its frames do not fit together; the JVM's verifier would, too.
  kMalformedCode,
  // A call site was asked for where there is no invoke instruction.
  kNoSuchInvoke,
  // It would have more than 65535 bytes (JVMS 4.7.3).
  kCodeTooLarge,
  // It would pass the size above which HotSpot does not compile a method.
  kCompileLimit,
  // max_stack is at its limit of 65535 or close to it.
  kStackTooDeep,
  // max_locals is at its limit of 65535, or close to it, and the probes need locals.
  kTooManyLocals,
  // With its frames those of the class would pass kMaxContextFramesBytes.
  kFramesTooLarge,
  // A jump would need an offset of more than 16 bits.
  kJumpTooFar,
  // The class has no room for another constant.
  kPoolFull,
  // An empty finalize(). HotSpot recognises it (Method::is_empty_method) and registers no object of
  // the class or its subclasses with the finalizer; with a probe in Object.finalize() it would
  // register every object there is.
  kEmptyFinalizer,
};

inline constexpr int kProbeOutcomes = static_cast<int>(ProbeOutcome::kEmptyFinalizer) + 1;
// For reports that count by reason.
std::string_view ToString(ProbeOutcome outcome);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_PROBE_OUTCOME_H_
