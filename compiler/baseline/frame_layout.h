#ifndef YP_COMPILER_BASELINE_FRAME_LAYOUT_H_
#define YP_COMPILER_BASELINE_FRAME_LAYOUT_H_

#include <cstdint>

#include "compiler/install/site_writer.h"

namespace yp::compiler {

// BASE's frame, from rsp up: outgoing arguments, the VM's rescue slot, two scratch slots, locals,
// expression stack, monitors (object and BasicLock each), perhaps eight bytes of padding, rbp, the
// return address. A long or double stands in the lower of its two slots.
class FrameLayout {
 public:
  FrameLayout() = default;
  FrameLayout(uint32_t outgoing_bytes, uint32_t locals, uint32_t stack, uint32_t locks) {
    const auto slots = [](uint32_t count) { return static_cast<int32_t>(8 * count); };
    rescue_ = static_cast<int32_t>(outgoing_bytes);
    locals_ = rescue_ + slots(1 + kScratchSlots);
    stack_ = locals_ + slots(locals);
    locks_ = stack_ + slots(stack);
    bytes_ = (locks_ + slots(2 * locks) + 15) & ~15;
  }

  int32_t Scratch(uint32_t i) const { return rescue_ + 8 + static_cast<int32_t>(8 * i); }
  int32_t Local(uint32_t i) const { return locals_ + static_cast<int32_t>(8 * i); }
  int32_t Stack(uint32_t i) const { return stack_ + static_cast<int32_t>(8 * i); }
  int32_t LockObject(uint32_t i) const { return locks_ + static_cast<int32_t>(16 * i); }
  int32_t Lock(uint32_t i) const { return LockObject(i) + 8; }
  // What the prologue takes from rsp, behind pushing rbp.
  int32_t bytes() const { return bytes_; }
  int32_t ReturnAddress() const { return bytes_ + 8; }
  int32_t IncomingArguments() const { return bytes_ + 16; }
  FramePlan Plan() const { return {bytes_ + 16, rescue_, locals_, stack_, locks_}; }

 private:
  static constexpr uint32_t kScratchSlots = 2;
  int32_t rescue_ = 0;
  int32_t locals_ = 0;
  int32_t stack_ = 0;
  int32_t locks_ = 0;
  int32_t bytes_ = 0;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BASELINE_FRAME_LAYOUT_H_
