#ifndef YP_HOTSPOT_STACKS_STACK_BUFFER_H_
#define YP_HOTSPOT_STACKS_STACK_BUFFER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/ids.h"
#include "hotspot/stacks/code_place.h"
#include "recorder/signal_buffer.h"

namespace yp::hotspot {

// One frame as AsyncGetCallTrace writes it (HotSpot's forte.cpp), or a physical one that our own
// walk has read. AsyncGetCallTrace leaves the code as it was.
struct RawFrame {
  static constexpr int32_t kIsPlace = std::numeric_limits<int32_t>::min();

  static RawFrame At(const CodePlace& place) {
    return {kIsPlace, 0, const_cast<CodePlace*>(&place)};
  }
  bool is_place() const { return bci == kIsPlace; }
  const CodePlace& place() const { return *static_cast<const CodePlace*>(method); }

  int32_t bci = 0;         // Negative in a native method; kIsPlace.
  uint32_t code = 0;       // CodeLabel::Packed.
  void* method = nullptr;  // A jmethodID, null where the VM has none; with kIsPlace, a CodePlace.
  bool operator==(const RawFrame&) const = default;
};

// A stack as it was taken.
struct RawStack {
  static constexpr size_t kMaxFrames = 1024;

  int64_t time_ns = 0;
  int32_t thread = 0;       // The kernel's id.
  int32_t frame_count = 0;  // Innermost first.
  uint32_t recording = 0;   // Whose it is: see StackSampler.
  EdgeId call = kNoEdge;    // That the innermost frame is making, to a callee without a frame yet.
  std::array<RawFrame, kMaxFrames> frames;
};

// Stacks on their way from signal handlers to the drain: a page or two of memory for each place
// that was ever used.
inline constexpr size_t kStackPlaces = 2048;
class StackBuffer final : public SignalBuffer<RawStack, kStackPlaces> {
 public:
  using Stack = RawStack;
  static constexpr size_t kMaxFrames = RawStack::kMaxFrames;
  static constexpr size_t kPlaces = kStackPlaces;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_STACK_BUFFER_H_
