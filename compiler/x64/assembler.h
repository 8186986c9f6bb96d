#ifndef YP_COMPILER_X64_ASSEMBLER_H_
#define YP_COMPILER_X64_ASSEMBLER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/x64/registers.h"

namespace yp::x64 {

// Of an integer operand.
enum class Width : uint8_t { k8, k16, k32, k64 };
// Of a floating-point operand.
enum class Precision : uint8_t { kSingle, kDouble };

// Numbers as the instructions encode them.
enum class Alu : uint8_t { kAdd = 0, kOr = 1, kAnd = 4, kSub = 5, kXor = 6, kCmp = 7 };
enum class Shift : uint8_t { kLeft = 4, kRightUnsigned = 5, kRight = 7 };
enum class Condition : uint8_t {
  kBelow = 2,
  kAboveOrEqual = 3,
  kEqual = 4,
  kNotEqual = 5,
  kBelowOrEqual = 6,
  kAbove = 7,
  kNegative = 8,
  kNotNegative = 9,
  kUnordered = 10,
  kLess = 12,
  kGreaterOrEqual = 13,
  kLessOrEqual = 14,
  kGreater = 15,
};
// The second byte of the opcode.
enum class Sse : uint8_t { kAdd = 0x58, kMul = 0x59, kSub = 0x5c, kDiv = 0x5e };

// Of vectors of integers of 32 or 64 bits: the second byte of the opcode.
enum class Packed : uint8_t {
  kAddInts = 0xfe,
  kAddLongs = 0xd4,
  kSubInts = 0xfa,
  kSubLongs = 0xfb,
  kAnd = 0xdb,
  kOr = 0xeb,
  kXor = 0xef,
};

// base + index * 2^scale + displacement. rsp is no index.
struct Mem {
  Reg base;
  int32_t displacement = 0;
  std::optional<Reg> index = std::nullopt;
  uint8_t scale = 0;
};

inline Mem At(Reg base, int32_t displacement = 0) { return Mem{base, displacement, {}, 0}; }
inline Mem At(Reg base, Reg index, uint8_t scale, int32_t displacement) {
  return Mem{base, displacement, index, scale};
}

// A place in the code. Made and bound by one assembler.
struct Label {
  uint32_t id = UINT32_MAX;
};

// Writes x86-64 machine code into a buffer of its own.
// - Operands stand in Intel's order: the destination first.
// - A jump to a label that is bound already takes the short form where it reaches; one forward has
//   four bytes of displacement.
// - Nothing is checked but what the types say; a label that is used must be bound before TakeCode.
class Assembler {
 public:
  size_t size() const { return code_.size(); }
  // The code, all jumps resolved. The assembler is empty afterwards.
  std::vector<uint8_t> TakeCode();

  Label NewLabel();
  void Bind(Label label);
  bool IsBound(Label label) const { return labels_[label.id] != kUnbound; }
  // Bytes from the start of the code to a bound label.
  size_t OffsetOf(Label label) const { return labels_[label.id]; }

  void Byte(uint8_t byte) { code_.push_back(byte); }
  void Bytes(std::initializer_list<uint8_t> bytes) { code_.insert(code_.end(), bytes); }
  void Dword(uint32_t value);
  void Qword(uint64_t value);
  // The distance from `base` to `target` in four bytes, for a table of jumps.
  void Distance(Label base, Label target);

  // Fills with no-operations until the code's size is `phase` modulo `alignment`.
  void Align(size_t alignment, size_t phase = 0);
  void Nop(size_t bytes);
  void Int3() { Byte(0xcc); }

  void Mov(Width width, Reg to, Reg from);
  void Load(Width width, Reg to, const Mem& from);  // k32 or k64; k32 clears the upper half
  void LoadZeroExtended(Width width, Reg to, const Mem& from);  // k8 or k16
  void LoadSignExtended(Width width, Reg to, const Mem& from);  // k8 or k16, to 32 bits
  void Store(Width width, const Mem& to, Reg from);
  void StoreImmediate(Width width, const Mem& to, int32_t value);  // k64: sign-extended
  // The shortest form; flags change where value is 0.
  void MovImmediate(Reg to, int64_t value);
  // Always ten bytes, the last eight of which are `value`.
  void MovAbsolute(Reg to, uint64_t value);
  void Lea(Reg to, const Mem& address) { Lea(Width::k64, to, address); }
  void Lea(Width width, Reg to, const Mem& address);  // k32 or k64; k32 clears the upper half
  void LeaLabel(Reg to, Label label);
  void ZeroExtend(Width from, Reg to, Reg source);  // k8 or k16
  void SignExtend(Width from, Reg to, Reg source);  // k8, k16: to 32 bits; k32: to 64
  void Push(Reg reg);
  void Pop(Reg reg);

  void Do(Alu operation, Width width, Reg to, Reg from);  // k32 or k64, as the following
  void Do(Alu operation, Width width, Reg to, int32_t value);
  void Do(Alu operation, Width width, Reg to, const Mem& from);
  void Do(Alu operation, Width width, const Mem& to, int32_t value);  // k8: also
  void Do(Alu operation, Width width, const Mem& to, Reg from);
  void Test(Width width, Reg a, Reg b);
  void Test(Width width, const Mem& a, Reg b);
  void TestImmediate(Width width, const Mem& a, int32_t value);
  void Multiply(Width width, Reg to, Reg from);
  void Multiply(Width width, Reg to, const Mem& from);
  void Multiply(Width width, Reg to, Reg from, int32_t value);
  // rdx:rax = rax * `by`, signed.
  void MultiplyHigh(Width width, Reg by);
  void Negate(Width width, Reg reg);
  // rdx:rax by `divisor`, signed; rax is sign-extended into rdx first.
  void Divide(Width width, Reg divisor);
  void DoShift(Shift shift, Width width, Reg reg);  // by cl
  void DoShift(Shift shift, Width width, Reg reg, uint8_t count);
  void Set(Condition condition, Reg to);  // the lowest byte: rax to rbx, r8 to r15
  void LockedIncrement(const Mem& to);    // of eight bytes
  // k32 or k64: stores `desired` where rax is, and says equal; else loads what is there into rax.
  void LockedCompareExchange(Width width, const Mem& at, Reg desired);
  // Orders all stores before it with all loads behind it.
  void Fence();

  void Jump(Label target);
  void Jump(Condition condition, Label target);
  void Jump(Reg target);
  void Jump(const Mem& target);  // to the address that is there
  void Call(Reg target);
  void Call(Label target);
  // e8 or e9 with a displacement that is filled in later. Gives the offset of the instruction.
  size_t CallLater();
  size_t JumpLater();
  void Return() { Byte(0xc3); }

  void Load(Precision precision, Xmm to, const Mem& from);
  void Store(Precision precision, const Mem& to, Xmm from);
  void Do(Sse operation, Precision precision, Xmm to, Xmm from);
  void Do(Sse operation, Precision precision, Xmm to, const Mem& from);
  void Mov(Xmm to, Xmm from);  // all of it: movaps
  void Load(Precision precision, Xmm to, Label from);
  void Do(Sse operation, Precision precision, Xmm to, Label from);
  void And(Xmm to, Xmm from);                       // all bits
  void Xor(Xmm to, Xmm from);                       // the same
  void Compare(Precision precision, Xmm a, Xmm b);  // ucomiss, ucomisd
  void Compare(Precision precision, Xmm a, const Mem& b);
  void Convert(Width from, Precision to, Xmm into, Reg source);  // k32 or k64
  void Truncate(Precision from, Width to, Reg into, Xmm source);
  void ConvertPrecision(Precision from, Xmm into, Xmm source);  // to the other one
  void SquareRoot(Xmm to, Xmm from);                            // of doubles
  void MovBits(Width width, Xmm to, Reg from);                  // k32 or k64
  void MovBits(Width width, Reg to, Xmm from);                  // the same
  void Clear(Xmm reg) { Xor(reg, reg); }

  // Of all 16 bytes, which need not be aligned.
  void LoadVector(Xmm to, const Mem& from);  // movups
  void StoreVector(const Mem& to, Xmm from);
  // The lowest part in all parts.
  void Broadcast(Precision precision, Xmm reg);
  void Broadcast(Width width, Xmm reg);  // k32 or k64
  void DoVector(Sse operation, Precision precision, Xmm to, Xmm from);
  void DoVector(Packed operation, Xmm to, Xmm from);
  void ShiftVector(Shift shift, Width width, Xmm reg, uint8_t count);  // k32, or k64 but kRight

 private:
  static constexpr size_t kUnbound = SIZE_MAX;
  struct Opcode {
    uint8_t code;
    bool escaped = false;   // 0f before it
    uint8_t prefix = 0;     // 66, f2, f3; none when 0
    bool wide = false;      // REX.W
    bool byte_reg = false;  // its register operands are bytes
  };
  struct Fixup {
    size_t at;  // of four bytes
    uint32_t target;
    size_t from;  // what the displacement is added to
  };
  static Opcode Sized(Width width, uint8_t code, bool escaped = false);
  void Emit(const Opcode& opcode, unsigned reg, Reg rm);
  void Emit(const Opcode& opcode, unsigned reg, const Mem& rm);
  void Emit(const Opcode& opcode, unsigned reg, Label rm);  // by its distance
  void Prefixes(const Opcode& opcode, unsigned reg, unsigned index, unsigned base, bool rm_is_reg);
  void AddFixup(Label target);
  void Put(size_t at, uint32_t value);

  std::vector<uint8_t> code_;
  std::vector<size_t> labels_;
  std::vector<Fixup> fixups_;
};

}  // namespace yp::x64

#endif  // YP_COMPILER_X64_ASSEMBLER_H_
