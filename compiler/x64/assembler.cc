#include "compiler/x64/assembler.h"

namespace yp::x64 {
namespace {

constexpr unsigned Number(Reg reg) { return static_cast<unsigned>(reg); }
constexpr unsigned Number(Xmm reg) { return static_cast<unsigned>(reg); }
constexpr bool IsByte(int64_t value) { return value >= -128 && value <= 127; }
constexpr uint8_t ModRm(unsigned mod, unsigned reg, unsigned rm) {
  return static_cast<uint8_t>(mod << 6 | (reg & 7) << 3 | (rm & 7));
}
constexpr uint8_t kSinglePrefix = 0xf3;
constexpr uint8_t kDoublePrefix = 0xf2;
constexpr uint8_t kPackedPrefix = 0x66;
constexpr uint8_t PrefixOf(Precision precision) {
  return precision == Precision::kSingle ? kSinglePrefix : kDoublePrefix;
}

}  // namespace

Label Assembler::NewLabel() {
  labels_.push_back(kUnbound);
  return Label{static_cast<uint32_t>(labels_.size() - 1)};
}

void Assembler::Bind(Label label) { labels_[label.id] = code_.size(); }

std::vector<uint8_t> Assembler::TakeCode() {
  for (const Fixup& fixup : fixups_) {
    Put(fixup.at, static_cast<uint32_t>(labels_[fixup.target] - fixup.from));
  }
  fixups_.clear();
  labels_.clear();
  return std::exchange(code_, {});
}

void Assembler::Put(size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) code_[at + i] = static_cast<uint8_t>(value >> 8 * i);
}

void Assembler::Dword(uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) Byte(static_cast<uint8_t>(value >> 8 * i));
}

void Assembler::Qword(uint64_t value) {
  Dword(static_cast<uint32_t>(value));
  Dword(static_cast<uint32_t>(value >> 32));
}

void Assembler::Distance(Label base, Label target) {
  fixups_.push_back({code_.size(), target.id, OffsetOf(base)});
  Dword(0);
}

void Assembler::AddFixup(Label target) {
  fixups_.push_back({code_.size(), target.id, code_.size() + 4});
  Dword(0);
}

void Assembler::Align(size_t alignment, size_t phase) {
  Nop((alignment + phase - code_.size() % alignment) % alignment);
}

// Intel's recommended forms, as HotSpot's decoders know them too.
void Assembler::Nop(size_t bytes) {
  for (; bytes >= 8; bytes -= 8) Bytes({0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0});
  switch (bytes) {
    case 7:
      return Bytes({0x0f, 0x1f, 0x80, 0, 0, 0, 0});
    case 6:
      return Bytes({0x66, 0x0f, 0x1f, 0x44, 0, 0});
    case 5:
      return Bytes({0x0f, 0x1f, 0x44, 0, 0});
    case 4:
      return Bytes({0x0f, 0x1f, 0x40, 0});
    case 3:
      return Bytes({0x0f, 0x1f, 0});
    case 2:
      return Bytes({0x66, 0x90});
    case 1:
      return Bytes({0x90});
    default:
      return;
  }
}

Assembler::Opcode Assembler::Sized(Width width, uint8_t code, bool escaped) {
  Opcode opcode{code, escaped};
  if (width == Width::k16) opcode.prefix = 0x66;
  opcode.wide = width == Width::k64;
  opcode.byte_reg = width == Width::k8;
  return opcode;
}

void Assembler::Prefixes(const Opcode& opcode, unsigned reg, unsigned index, unsigned base,
                         bool rm_is_reg) {
  if (opcode.prefix != 0) Byte(opcode.prefix);
  const unsigned rex = unsigned{opcode.wide} << 3 | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
  // Without REX, 4 to 7 as bytes are ah, ch, dh, bh.
  const bool is_low = opcode.byte_reg && (reg >= 4 || (rm_is_reg && base >= 4));
  if (rex != 0 || is_low) Byte(static_cast<uint8_t>(0x40 | rex));
  if (opcode.escaped) Byte(0x0f);
  Byte(opcode.code);
}

void Assembler::Emit(const Opcode& opcode, unsigned reg, Reg rm) {
  Prefixes(opcode, reg, 0, Number(rm), true);
  Byte(ModRm(3, reg, Number(rm)));
}

void Assembler::Emit(const Opcode& opcode, unsigned reg, const Mem& rm) {
  const unsigned base = Number(rm.base);
  const unsigned index = rm.index ? Number(*rm.index) : 0;
  Prefixes(opcode, reg, index, base, false);
  // rbp and r13 as a base need a displacement, rsp and r12 a SIB byte.
  const unsigned mod =
      rm.displacement == 0 && (base & 7) != 5 ? 0 : (IsByte(rm.displacement) ? 1 : 2);
  if (rm.index || (base & 7) == 4) {
    Byte(ModRm(mod, reg, 4));
    Byte(ModRm(rm.scale, rm.index ? index : 4, base));
  } else {
    Byte(ModRm(mod, reg, base));
  }
  if (mod == 1) Byte(static_cast<uint8_t>(rm.displacement));
  if (mod == 2) Dword(static_cast<uint32_t>(rm.displacement));
}

void Assembler::Mov(Width width, Reg to, Reg from) { Emit(Sized(width, 0x8b), Number(to), from); }

void Assembler::Load(Width width, Reg to, const Mem& from) {
  Emit(Sized(width, 0x8b), Number(to), from);
}

void Assembler::LoadZeroExtended(Width width, Reg to, const Mem& from) {
  Emit(Opcode{static_cast<uint8_t>(width == Width::k8 ? 0xb6 : 0xb7), true}, Number(to), from);
}

void Assembler::LoadSignExtended(Width width, Reg to, const Mem& from) {
  Emit(Opcode{static_cast<uint8_t>(width == Width::k8 ? 0xbe : 0xbf), true}, Number(to), from);
}

void Assembler::Store(Width width, const Mem& to, Reg from) {
  Emit(Sized(width, width == Width::k8 ? 0x88 : 0x89), Number(from), to);
}

void Assembler::StoreImmediate(Width width, const Mem& to, int32_t value) {
  Emit(Sized(width, width == Width::k8 ? 0xc6 : 0xc7), 0, to);
  if (width == Width::k8) {
    Byte(static_cast<uint8_t>(value));
  } else if (width == Width::k16) {
    Bytes({static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)});
  } else {
    Dword(static_cast<uint32_t>(value));
  }
}

void Assembler::MovImmediate(Reg to, int64_t value) {
  if (value == 0) {
    Do(Alu::kXor, Width::k32, to, to);
  } else if (value > 0 && value <= UINT32_MAX) {
    if (Number(to) >= 8) Byte(0x41);
    Byte(static_cast<uint8_t>(0xb8 | (Number(to) & 7)));
    Dword(static_cast<uint32_t>(value));
  } else if (value >= INT32_MIN && value <= INT32_MAX) {
    Emit(Sized(Width::k64, 0xc7), 0, to);
    Dword(static_cast<uint32_t>(value));
  } else {
    MovAbsolute(to, static_cast<uint64_t>(value));
  }
}

void Assembler::MovAbsolute(Reg to, uint64_t value) {
  Bytes({static_cast<uint8_t>(0x48 | Number(to) >> 3),
         static_cast<uint8_t>(0xb8 | (Number(to) & 7))});
  Qword(value);
}

void Assembler::Lea(Width width, Reg to, const Mem& address) {
  Emit(Sized(width, 0x8d), Number(to), address);
}

void Assembler::Emit(const Opcode& opcode, unsigned reg, Label rm) {
  Prefixes(opcode, reg, 0, 0, false);
  Byte(ModRm(0, reg, 5));
  AddFixup(rm);
}

void Assembler::LeaLabel(Reg to, Label label) { Emit(Sized(Width::k64, 0x8d), Number(to), label); }

void Assembler::ZeroExtend(Width from, Reg to, Reg source) {
  Opcode opcode{static_cast<uint8_t>(from == Width::k8 ? 0xb6 : 0xb7), true};
  opcode.byte_reg = from == Width::k8;
  Emit(opcode, Number(to), source);
}

void Assembler::SignExtend(Width from, Reg to, Reg source) {
  if (from == Width::k32) return Emit(Sized(Width::k64, 0x63), Number(to), source);
  Opcode opcode{static_cast<uint8_t>(from == Width::k8 ? 0xbe : 0xbf), true};
  opcode.byte_reg = from == Width::k8;
  Emit(opcode, Number(to), source);
}

void Assembler::Push(Reg reg) {
  if (Number(reg) >= 8) Byte(0x41);
  Byte(static_cast<uint8_t>(0x50 | (Number(reg) & 7)));
}

void Assembler::Pop(Reg reg) {
  if (Number(reg) >= 8) Byte(0x41);
  Byte(static_cast<uint8_t>(0x58 | (Number(reg) & 7)));
}

void Assembler::Do(Alu operation, Width width, Reg to, Reg from) {
  Emit(Sized(width, static_cast<uint8_t>(static_cast<unsigned>(operation) << 3 | 3)), Number(to),
       from);
}

void Assembler::Do(Alu operation, Width width, Reg to, int32_t value) {
  Emit(Sized(width, IsByte(value) ? 0x83 : 0x81), static_cast<unsigned>(operation), to);
  if (IsByte(value)) {
    Byte(static_cast<uint8_t>(value));
  } else {
    Dword(static_cast<uint32_t>(value));
  }
}

void Assembler::Do(Alu operation, Width width, Reg to, const Mem& from) {
  Emit(Sized(width, static_cast<uint8_t>(static_cast<unsigned>(operation) << 3 | 3)), Number(to),
       from);
}

void Assembler::Do(Alu operation, Width width, const Mem& to, int32_t value) {
  const auto number = static_cast<unsigned>(operation);
  if (width == Width::k8) {
    Emit(Opcode{0x80}, number, to);
    Byte(static_cast<uint8_t>(value));
    return;
  }
  Emit(Sized(width, IsByte(value) ? 0x83 : 0x81), number, to);
  if (IsByte(value)) {
    Byte(static_cast<uint8_t>(value));
  } else {
    Dword(static_cast<uint32_t>(value));
  }
}

void Assembler::Do(Alu operation, Width width, const Mem& to, Reg from) {
  Emit(Sized(width, static_cast<uint8_t>(static_cast<unsigned>(operation) << 3 | 1)), Number(from),
       to);
}

void Assembler::Test(Width width, Reg a, Reg b) { Emit(Sized(width, 0x85), Number(b), a); }

void Assembler::Test(Width width, const Mem& a, Reg b) { Emit(Sized(width, 0x85), Number(b), a); }

void Assembler::TestImmediate(Width width, const Mem& a, int32_t value) {
  Emit(Sized(width, width == Width::k8 ? 0xf6 : 0xf7), 0, a);
  if (width == Width::k8) {
    Byte(static_cast<uint8_t>(value));
  } else {
    Dword(static_cast<uint32_t>(value));
  }
}

void Assembler::Multiply(Width width, Reg to, Reg from) {
  Emit(Sized(width, 0xaf, true), Number(to), from);
}

void Assembler::Multiply(Width width, Reg to, const Mem& from) {
  Emit(Sized(width, 0xaf, true), Number(to), from);
}

void Assembler::Multiply(Width width, Reg to, Reg from, int32_t value) {
  Emit(Sized(width, IsByte(value) ? 0x6b : 0x69), Number(to), from);
  if (IsByte(value)) {
    Byte(static_cast<uint8_t>(value));
  } else {
    Dword(static_cast<uint32_t>(value));
  }
}

void Assembler::Negate(Width width, Reg reg) { Emit(Sized(width, 0xf7), 3, reg); }

void Assembler::MultiplyHigh(Width width, Reg by) { Emit(Sized(width, 0xf7), 5, by); }

void Assembler::Divide(Width width, Reg divisor) {
  if (width == Width::k64) Byte(0x48);
  Byte(0x99);
  Emit(Sized(width, 0xf7), 7, divisor);
}

void Assembler::DoShift(Shift shift, Width width, Reg reg) {
  Emit(Sized(width, 0xd3), static_cast<unsigned>(shift), reg);
}

void Assembler::DoShift(Shift shift, Width width, Reg reg, uint8_t count) {
  Emit(Sized(width, 0xc1), static_cast<unsigned>(shift), reg);
  Byte(count);
}

void Assembler::Set(Condition condition, Reg to) {
  Opcode opcode{static_cast<uint8_t>(0x90 | static_cast<unsigned>(condition)), true};
  opcode.byte_reg = true;
  Emit(opcode, 0, to);
}

void Assembler::LockedIncrement(const Mem& to) {
  Byte(0xf0);
  Do(Alu::kAdd, Width::k64, to, 1);
}

void Assembler::LockedCompareExchange(Width width, const Mem& at, Reg desired) {
  Byte(0xf0);
  Emit(Sized(width, 0xb1, true), Number(desired), at);
}

void Assembler::Fence() {
  Byte(0xf0);
  Do(Alu::kAdd, Width::k32, At(Reg::rsp), 0);
}

void Assembler::Jump(Label target) {
  if (IsBound(target)) {
    const auto distance =
        static_cast<int64_t>(OffsetOf(target)) - static_cast<int64_t>(code_.size()) - 2;
    if (IsByte(distance)) return Bytes({0xeb, static_cast<uint8_t>(distance)});
  }
  Byte(0xe9);
  AddFixup(target);
}

void Assembler::Jump(Condition condition, Label target) {
  const auto number = static_cast<unsigned>(condition);
  if (IsBound(target)) {
    const auto distance =
        static_cast<int64_t>(OffsetOf(target)) - static_cast<int64_t>(code_.size()) - 2;
    if (IsByte(distance)) {
      return Bytes({static_cast<uint8_t>(0x70 | number), static_cast<uint8_t>(distance)});
    }
  }
  Bytes({0x0f, static_cast<uint8_t>(0x80 | number)});
  AddFixup(target);
}

void Assembler::Jump(Reg target) { Emit(Opcode{0xff}, 4, target); }

void Assembler::Jump(const Mem& target) { Emit(Opcode{0xff}, 4, target); }

void Assembler::Call(Reg target) { Emit(Opcode{0xff}, 2, target); }

void Assembler::Call(Label target) {
  Byte(0xe8);
  AddFixup(target);
}

size_t Assembler::CallLater() {
  const size_t at = code_.size();
  Bytes({0xe8, 0, 0, 0, 0});
  return at;
}

size_t Assembler::JumpLater() {
  const size_t at = code_.size();
  Bytes({0xe9, 0, 0, 0, 0});
  return at;
}

void Assembler::Load(Precision precision, Xmm to, const Mem& from) {
  Emit(Opcode{0x10, true, PrefixOf(precision)}, Number(to), from);
}

void Assembler::Store(Precision precision, const Mem& to, Xmm from) {
  Emit(Opcode{0x11, true, PrefixOf(precision)}, Number(from), to);
}

void Assembler::Do(Sse operation, Precision precision, Xmm to, Xmm from) {
  Emit(Opcode{static_cast<uint8_t>(operation), true, PrefixOf(precision)}, Number(to),
       static_cast<Reg>(from));
}

void Assembler::Compare(Precision precision, Xmm a, Xmm b) {
  const uint8_t prefix = precision == Precision::kSingle ? 0 : 0x66;
  Emit(Opcode{0x2e, true, prefix}, Number(a), static_cast<Reg>(b));
}

void Assembler::Convert(Width from, Precision to, Xmm into, Reg source) {
  Emit(Opcode{0x2a, true, PrefixOf(to), from == Width::k64}, Number(into), source);
}

void Assembler::Truncate(Precision from, Width to, Reg into, Xmm source) {
  Emit(Opcode{0x2c, true, PrefixOf(from), to == Width::k64}, Number(into),
       static_cast<Reg>(source));
}

void Assembler::ConvertPrecision(Precision from, Xmm into, Xmm source) {
  Emit(Opcode{0x5a, true, PrefixOf(from)}, Number(into), static_cast<Reg>(source));
}

void Assembler::Do(Sse operation, Precision precision, Xmm to, const Mem& from) {
  Emit(Opcode{static_cast<uint8_t>(operation), true, PrefixOf(precision)}, Number(to), from);
}

void Assembler::Do(Sse operation, Precision precision, Xmm to, Label from) {
  Emit(Opcode{static_cast<uint8_t>(operation), true, PrefixOf(precision)}, Number(to), from);
}

void Assembler::Mov(Xmm to, Xmm from) {
  Emit(Opcode{0x28, true}, Number(to), static_cast<Reg>(from));
}

void Assembler::Load(Precision precision, Xmm to, Label from) {
  Emit(Opcode{0x10, true, PrefixOf(precision)}, Number(to), from);
}

void Assembler::And(Xmm to, Xmm from) {
  Emit(Opcode{0x54, true}, Number(to), static_cast<Reg>(from));
}

void Assembler::Xor(Xmm to, Xmm from) {
  Emit(Opcode{0x57, true}, Number(to), static_cast<Reg>(from));
}

void Assembler::Compare(Precision precision, Xmm a, const Mem& b) {
  const uint8_t prefix = precision == Precision::kSingle ? 0 : 0x66;
  Emit(Opcode{0x2e, true, prefix}, Number(a), b);
}

void Assembler::SquareRoot(Xmm to, Xmm from) {
  Emit(Opcode{0x51, true, PrefixOf(Precision::kDouble)}, Number(to), static_cast<Reg>(from));
}

void Assembler::MovBits(Width width, Xmm to, Reg from) {
  Emit(Opcode{0x6e, true, 0x66, width == Width::k64}, Number(to), from);
}

void Assembler::MovBits(Width width, Reg to, Xmm from) {
  Emit(Opcode{0x7e, true, 0x66, width == Width::k64}, Number(from), to);
}

void Assembler::LoadVector(Xmm to, const Mem& from) { Emit(Opcode{0x10, true}, Number(to), from); }

void Assembler::StoreVector(const Mem& to, Xmm from) { Emit(Opcode{0x11, true}, Number(from), to); }

void Assembler::Broadcast(Precision precision, Xmm reg) {
  if (precision == Precision::kDouble) {  // unpcklpd
    return Emit(Opcode{0x14, true, kPackedPrefix}, Number(reg), static_cast<Reg>(reg));
  }
  Emit(Opcode{0xc6, true}, Number(reg), static_cast<Reg>(reg));  // shufps
  Byte(0);
}

void Assembler::Broadcast(Width width, Xmm reg) {
  if (width == Width::k64) {  // punpcklqdq
    return Emit(Opcode{0x6c, true, kPackedPrefix}, Number(reg), static_cast<Reg>(reg));
  }
  Emit(Opcode{0x70, true, kPackedPrefix}, Number(reg), static_cast<Reg>(reg));  // pshufd
  Byte(0);
}

void Assembler::DoVector(Sse operation, Precision precision, Xmm to, Xmm from) {
  const uint8_t prefix = precision == Precision::kSingle ? 0 : kPackedPrefix;
  Emit(Opcode{static_cast<uint8_t>(operation), true, prefix}, Number(to), static_cast<Reg>(from));
}

void Assembler::DoVector(Packed operation, Xmm to, Xmm from) {
  Emit(Opcode{static_cast<uint8_t>(operation), true, kPackedPrefix}, Number(to),
       static_cast<Reg>(from));
}

void Assembler::ShiftVector(Shift shift, Width width, Xmm reg, uint8_t count) {
  const unsigned operation = shift == Shift::kLeft ? 6 : shift == Shift::kRight ? 4 : 2;
  const auto code = static_cast<uint8_t>(width == Width::k64 ? 0x73 : 0x72);
  Emit(Opcode{code, true, kPackedPrefix}, operation, static_cast<Reg>(reg));
  Byte(count);
}

}  // namespace yp::x64
