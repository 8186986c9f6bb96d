#ifndef YP_COMPILER_BYTECODE_KINDS_H_
#define YP_COMPILER_BYTECODE_KINDS_H_

#include <cstdint>
#include <vector>

namespace yp::compiler {

// What one local or one slot of the expression stack holds. The numbers go to the Java bridge.
enum class Kind : uint8_t {
  kDead = 0,  // nothing that may be read
  kInt = 1,   // boolean, byte, char, short, int
  kLong = 2,
  kFloat = 3,
  kDouble = 4,
  kReference = 5,
  kUpper = 6,   // behind kLong or kDouble: the second of their two slots
  kVector = 7,  // in OPT2's graphs only: 16 bytes of elements
};

constexpr bool IsWide(Kind kind) { return kind == Kind::kLong || kind == Kind::kDouble; }
constexpr bool IsFloatingPoint(Kind kind) { return kind == Kind::kFloat || kind == Kind::kDouble; }
// Whether it is in an SSE register.
constexpr bool IsInXmm(Kind kind) { return IsFloatingPoint(kind) || kind == Kind::kVector; }
constexpr uint32_t SlotsOf(Kind kind) { return IsWide(kind) ? 2 : 1; }

// Of a type's first letter in a descriptor; kDead for V and for what is no type.
constexpr Kind KindOf(char type) {
  switch (type) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
    case 'I':
      return Kind::kInt;
    case 'J':
      return Kind::kLong;
    case 'F':
      return Kind::kFloat;
    case 'D':
      return Kind::kDouble;
    case 'L':
    case '[':
      return Kind::kReference;
    default:
      return Kind::kDead;
  }
}

// The kinds of all locals, of all slots of the stack, and how many monitors are held: what a Java
// frame is between two instructions.
struct Frame {
  std::vector<Kind> locals;
  std::vector<Kind> stack;
  uint32_t locks = 0;

  bool operator==(const Frame&) const = default;
};

// Of the Java frames that lie in one compiled method's physical frame: 0 is the method's own, the
// others are those of inlined calls. SiteWriter numbers them.
using VirtualFrame = uint32_t;

// A frame at a place where HotSpot may look at it or leave compiled code.
struct FrameState {
  Frame frame;
  VirtualFrame virtual_frame = 0;
  uint32_t bci = 0;
  // The interpreter goes on behind the instruction at bci, whose result is not in the frame yet;
  // else it executes it again.
  bool during_call = false;
  // The interpreter throws the exception that is the only value on the stack.
  bool rethrow = false;
};

}  // namespace yp::compiler

#endif  // YP_COMPILER_BYTECODE_KINDS_H_
