#ifndef YP_COMPILER_RUNTIME_FRAME_LAYOUT_H_
#define YP_COMPILER_RUNTIME_FRAME_LAYOUT_H_

#include <cstdint>

#include "compiler/install/site_writer.h"

namespace yp::compiler {

// A compiled method's frame, from rsp up: outgoing arguments, the VM's rescue slot, two scratch
// slots, values, monitors (object and BasicLock each), perhaps eight bytes of padding, rbp, the
// return address. In BASE's code the values are the locals and the expression stack, in a slot
// each; those of an inlined callee begin where its caller's stack has the arguments. A long or
// double stands in the lower of its two slots. In OPT2's code they are what has no register.
class FrameLayout {
 public:
  FrameLayout() = default;
  FrameLayout(uint32_t outgoing_bytes, uint32_t values, uint32_t locks) {
    const auto slots = [](uint32_t count) { return static_cast<int32_t>(8 * count); };
    rescue_ = static_cast<int32_t>(outgoing_bytes);
    values_ = rescue_ + slots(1 + kScratchSlots);
    locks_ = values_ + slots(values);
    bytes_ = (locks_ + slots(2 * locks) + 15) & ~15;
  }

  int32_t Scratch(uint32_t i) const { return rescue_ + 8 + static_cast<int32_t>(8 * i); }
  int32_t Value(uint32_t i) const { return values_ + static_cast<int32_t>(8 * i); }
  int32_t LockObject(uint32_t i) const { return locks_ + static_cast<int32_t>(16 * i); }
  int32_t Lock(uint32_t i) const { return LockObject(i) + 8; }
  // What the prologue takes from rsp, behind pushing rbp.
  int32_t bytes() const { return bytes_; }
  int32_t ReturnAddress() const { return bytes_ + 8; }
  int32_t IncomingArguments() const { return bytes_ + 16; }
  FramePlan Plan() const { return {bytes_ + 16, rescue_}; }

 private:
  static constexpr uint32_t kScratchSlots = 2;
  int32_t rescue_ = 0;
  int32_t values_ = 0;
  int32_t locks_ = 0;
  int32_t bytes_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_FRAME_LAYOUT_H_
