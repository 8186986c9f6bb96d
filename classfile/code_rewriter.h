#ifndef YP_CLASSFILE_CODE_REWRITER_H_
#define YP_CLASSFILE_CODE_REWRITER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "classfile/bci_map.h"
#include "classfile/check.h"
#include "classfile/class_constants.h"
#include "classfile/class_file.h"
#include "classfile/context_frames.h"
#include "classfile/probe_code.h"
#include "classfile/probe_outcome.h"

namespace yp::classfile {

// HotSpot interprets methods with more bytecodes than this forever (HugeMethodLimit, with
// DontCompileHugeMethods on, its default, JDK 1.3 to 25).
inline constexpr uint32_t kHotSpotHugeMethodLimit = 8000;

// Code to insert.
struct Insertion {
  // At the method's entry, or in front of an instruction of that kind.
  enum class Place : uint8_t { kEntry, kInvoke, kReturn };

  uint32_t bci = 0;
  Place place = Place::kInvoke;
  ProbeCode code;

  bool is_entry() const { return place == Place::kEntry; }
};

// Those at the entry have bci 0 and come first; the others follow in ascending order.
struct Insertions {
  std::vector<Insertion> all;
  // They keep an int in the local max_locals, from the entry on: every frame declares it.
  bool has_context = false;
};

// Writes a method's Code attribute anew with insertions. Scratch memory is kept between methods.
// What each insertion means for the rest of the attribute:
// - Jumps, switch cases, exception ranges, handlers, and stack map frames at an instruction with a
//   call in front move to the call, so that no path avoids it; a range that starts or ends there
//   includes or excludes both.
// - They pass over the entry call: a jump to bytecode 0 is no entry, and an exception from the
//   entry call leaves the method. A frame at 0, for a loop there, moves with the original code. So
//   what the entry call leaves in a local is there for every handler.
// - Lines and local variables that start at 0 still do: the entry call belongs to the first line.
// - Type annotations and Uninitialized types stay with their instruction.
// - An offset in these that starts no instruction moves with the bytes before it. What cannot be
// read
//   is copied, as far as it cannot.
// - Attributes that CodeTableOf does not know are copied. A custom one, StackMap of CLDC, and
//   javac's CharacterRangeTable therefore keep the offsets of the original code.
class CodeRewriter {
 public:
  // `huge_method_limit` 0 is none. `constants` must outlive it.
  CodeRewriter(const ClassFile& file, ClassConstants& constants, uint32_t huge_method_limit)
      : file_(file), constants_(constants), huge_method_limit_(huge_method_limit) {}

  // Appends the attribute to `out` and fills `map`. After any outcome but kProbed both are
  // unspecified past their old contents, and constants may have been added.
  ProbeOutcome Rewrite(const Method& method, const Insertions& insertions,
                       std::vector<uint8_t>& out, BciMap& map);

 private:
  ProbeOutcome Layout(const Code& code, std::span<const Insertion> insertions, BciMap& map);
  void CopyBytecode(const Code& code, std::span<const Insertion> insertions, const BciMap& map,
                    std::vector<uint8_t>& out) const;
  bool RelocateJumps(Bytes code, const BciMap& map, uint8_t* new_code) const;
  ProbeOutcome CopyAttributes(const Method& method, bool has_context, const BciMap& map,
                              std::vector<uint8_t>& out);

  const ClassFile& file_;
  ClassConstants& constants_;
  const uint32_t huge_method_limit_;
  InstructionStarts starts_;
  uint32_t new_size_ = 0;
  size_t frame_bytes_left_ = kMaxContextFramesBytes;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CODE_REWRITER_H_
