#ifndef YP_COMPILER_INSTALL_PLACED_STATE_H_
#define YP_COMPILER_INSTALL_PLACED_STATE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/bytecode/kinds.h"
#include "compiler/bytecode/linkage.h"

namespace yp::compiler {

// A value of a Java frame that may be anywhere. The numbers of `Place` go to the Java bridge.
struct PlacedValue {
  enum class Place : uint8_t {
    kNowhere = 0,   // Nothing that will be read, or the upper half of a long or double.
    kSlot = 1,      // `number`: bytes from rsp, up
    kRegister = 2,  // `number` of x64::Reg
    kXmm = 3,       // the same of x64::Xmm
    kConstant = 4,  // `bits`; of a reference: null
    kObject = 5,    // `number`: ConstantId
  };
  Kind kind = Kind::kDead;
  Place place = Place::kNowhere;
  int32_t number = 0;
  int64_t bits = 0;

  bool operator==(const PlacedValue&) const = default;
};

// One Java frame of a place in optimized code. The members are those of FrameState.
struct PlacedFrame {
  std::optional<MethodNumber> method;  // None: the one that is compiled.
  uint32_t bci = 0;
  bool during_call = false;
  bool rethrow = false;
  std::vector<PlacedValue> locals;
  std::vector<PlacedValue> stack;
  std::vector<int32_t>
      locks;  // Where each one's object is, its BasicLock behind it: bytes from rsp.

  bool operator==(const PlacedFrame&) const = default;
};

// All Java frames of a place, the outermost first, and where references are: those of the frames,
// and those that the code goes on with.
struct PlacedState {
  std::vector<PlacedFrame> frames;
  std::vector<PlacedValue> references;  // In slots and registers.

  bool operator==(const PlacedState&) const = default;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_INSTALL_PLACED_STATE_H_
