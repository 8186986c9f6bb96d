#ifndef YP_HOTSPOT_STACKS_CODE_PLACE_H_
#define YP_HOTSPOT_STACKS_CODE_PLACE_H_

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace yp::hotspot {

// What one physical frame stands for: the methods at an address of compiled code, inlined ones
// first, or an interpreted method; without those that Java's own stack traces hide.
struct CodePlace {
  struct Frame {
    MethodId method{};
    int32_t bci = 0;  // kNoBci in a native method.
    bool operator==(const Frame&) const = default;
  };
  std::vector<Frame> frames;
};

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_STACKS_CODE_PLACE_H_
