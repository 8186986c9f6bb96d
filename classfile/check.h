#ifndef YP_CLASSFILE_CHECK_H_
#define YP_CLASSFILE_CHECK_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "classfile/class_file.h"

namespace yp::classfile {

// The bcis of a method at which an instruction starts.
class InstructionStarts {
 public:
  void Reset(size_t code_size) { words_.assign(code_size / 64 + 1, 0); }
  void Add(uint32_t bci) { words_[bci / 64] |= uint64_t{1} << (bci % 64); }
  // Any number may be asked for.
  bool Contains(int64_t bci) const {
    return bci >= 0 && static_cast<uint64_t>(bci) / 64 < words_.size() &&
           (words_[static_cast<uint64_t>(bci) / 64] >> (static_cast<uint64_t>(bci) % 64) & 1) != 0;
  }

 private:
  std::vector<uint64_t> words_;
};

// From this version on a class whose stack maps are wrong is refused; older ones are verified
// without them then (FailOverToOldVerifier), or always.
inline constexpr uint16_t kNoOtherVerifierVersion = 51;

// Structural checks of a method's code. After success
// - every instruction decodes, and its constant is of a kind that the instruction takes;
// - every jump leads to an instruction of the method;
// - every offset in the exception table is that of an instruction, or for a range's end, the end of
//   the code;
// - so are those of the stack maps, whose frames are in ascending order, in classes that the JVM
//   refuses else (from kNoOtherVerifierVersion on).
// Lines, local variables and type annotations are not looked at: the JVM takes offsets in them that
// start no instruction, and annotations that nobody can read.
// No types are checked: that is the JVM's verifier's work. Takes time linear in the method's size
// and fills `starts`, which callers reuse from method to method. The method must have code. The
// error names class, method and bci.
Status CheckCode(const ClassFile& file, const Method& method, InstructionStarts& starts);

// Whether CheckCode would find nothing wrong with that StackMapTable of a method whose instructions
// start there, also in an older class.
bool IsSoundStackMap(const Method& method, Bytes info, const InstructionStarts& starts);

// CheckCode for every method, and that every Utf8 constant is modified UTF-8 (JVMS 4.4.7).
Status CheckClass(const ClassFile& file);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CHECK_H_
