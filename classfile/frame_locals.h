#ifndef YP_CLASSFILE_FRAME_LOCALS_H_
#define YP_CLASSFILE_FRAME_LOCALS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_tables.h"

namespace yp::classfile {

struct FrameLocal {
  VerificationType type;
  // Of an Object without a constant: the class of an argument, as ClassConstants takes it.
  std::string_view class_name{};
};

// Whether they are the same type to a verifier.
bool IsSameType(const ConstantPool& pool, const FrameLocal& a, const FrameLocal& b);

// The locals of a frame. A long or double is one entry and takes two slots.
class FrameLocals {
 public:
  // Those at a method's entry (JVMS 4.10.1.6). False when the descriptor is malformed, or has more
  // arguments than a method may have.
  bool SetToArguments(const ClassFile& file, const Method& method);

  void Push(const FrameLocal& local);
  // False when there is none.
  bool Pop();
  void Clear();

  const std::vector<FrameLocal>& entries() const { return entries_; }
  std::vector<FrameLocal>& entries() { return entries_; }
  uint32_t slots() const { return slots_; }
  // The number of entries up to the last that is not Top.
  size_t size_without_tops() const;

 private:
  bool PushArguments(std::string_view descriptor);

  std::vector<FrameLocal> entries_;
  uint32_t slots_ = 0;
};

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_FRAME_LOCALS_H_
