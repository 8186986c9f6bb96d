#ifndef YP_CLASSFILE_CONTEXT_FRAMES_H_
#define YP_CLASSFILE_CONTEXT_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classfile/bci_map.h"
#include "classfile/class_constants.h"
#include "classfile/class_file.h"
#include "classfile/probe_outcome.h"

namespace yp::classfile {

// What the tables of a class may take together. Padding up to the new local makes frames long: with
// tens of thousands of locals, a thousand times as long as they were. No compiler makes such
// methods.
inline constexpr size_t kMaxContextFramesBytes = 16 << 20;

// Appends the StackMapTable `info` of a method, moved as by `map`, with one more local: an int in
// the slot max_locals, which the method has from its entry code on. Slots between are Top.
// - The method has passed CheckCode. Frames that do not follow from each other (JVMS 4.7.4) or have
//   more locals than the method make it malformed.
// - A frame takes the shortest form: same or same_locals_1_stack_item where the locals are those of
//   the frame before, append for the first where that fits, else full.
// - It has `max_bytes` at most.
// - Full frames name the classes of the arguments, for which `constants` may need new ones.
ProbeOutcome AppendContextFrames(const ClassFile& file, const Method& method, Bytes info,
                                 const BciMap& map, size_t max_bytes, ClassConstants& constants,
                                 std::vector<uint8_t>& out);

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_CONTEXT_FRAMES_H_
