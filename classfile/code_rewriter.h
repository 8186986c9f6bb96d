#ifndef YP_CLASSFILE_CODE_REWRITER_H_
#define YP_CLASSFILE_CODE_REWRITER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/bci_map.h"
#include "classfile/check.h"
#include "classfile/class_file.h"
#include "classfile/entry_call.h"

namespace yp::classfile {

// Whether a method got its probes, or why it stays as it is, byte for byte.
enum class ProbeOutcome : uint8_t {
  kProbed,
  // Abstract or native.
  kNoCode,
  // CheckCode refuses it; the JVM's verifier would, too.
  kMalformedCode,
  // A call site was asked for where there is no invoke instruction.
  kNoSuchInvoke,
  // It would have more than 65535 bytes (JVMS 4.7.3).
  kCodeTooLarge,
  // It would pass the size above which HotSpot does not compile a method.
  kCompileLimit,
  // max_stack is at its limit of 65535 or close to it.
  kStackTooDeep,
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

// HotSpot interprets methods with more bytecodes than this forever (HugeMethodLimit, with
// DontCompileHugeMethods on, its default, JDK 1.3 to 25).
inline constexpr uint32_t kHotSpotHugeMethodLimit = 8000;

// Code to insert. Entry calls have bci 0 and come first; site calls follow in ascending order.
struct Insertion {
  uint32_t bci = 0;
  bool is_entry = false;
  ProbeCode code;
};

// Writes a method's Code attribute anew with insertions. Scratch memory is kept between methods.
// What each insertion means for the rest of the attribute:
// - Jumps, switch cases, exception ranges, handlers, and stack map frames at an instruction with a
//   site call move to the call, so that no path avoids it; a range that starts or ends there
//   includes or excludes both.
// - They pass over the entry call: a jump to bytecode 0 is no entry, and an exception from the
//   entry call leaves the method. A frame at 0, for a loop there, moves with the original code.
// - Lines and local variables that start at 0 still do: the entry call belongs to the first line.
// - Type annotations and Uninitialized types stay with their instruction.
// - Attributes that CodeTableOf does not know are copied. A custom one, StackMap of CLDC, and
//   javac's CharacterRangeTable therefore keep the offsets of the original code.
class CodeRewriter {
 public:
  // `huge_method_limit` 0 is none.
  CodeRewriter(const ClassFile& file, uint32_t huge_method_limit)
      : file_(file), huge_method_limit_(huge_method_limit) {}

  // Appends the attribute to `out` and fills `map`. After any outcome but kProbed both are
  // unspecified past their old contents.
  ProbeOutcome Rewrite(const Method& method, std::span<const Insertion> insertions,
                       std::vector<uint8_t>& out, BciMap& map);

 private:
  ProbeOutcome Layout(const Code& code, std::span<const Insertion> insertions, BciMap& map);
  void CopyBytecode(const Code& code, std::span<const Insertion> insertions, const BciMap& map,
                    std::vector<uint8_t>& out) const;
  bool RelocateJumps(Bytes code, const BciMap& map, uint8_t* new_code) const;
  void CopyAttributes(const Code& code, const BciMap& map, std::vector<uint8_t>& out) const;

  const ClassFile& file_;
  const uint32_t huge_method_limit_;
  InstructionStarts starts_;
  uint32_t new_size_ = 0;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CODE_REWRITER_H_
