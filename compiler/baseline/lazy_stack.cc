#include "compiler/baseline/lazy_stack.h"

#include <algorithm>

namespace yp::compiler {

using enum x64::Reg;
using enum x64::Width;
using x64::Mem;
using x64::Precision;
using x64::Reg;
using x64::Xmm;

namespace {

constexpr unsigned kXmms = x64::kFirstXmm, kNoRegister = x64::kRegisters;
constexpr bool IsXmm(unsigned reg) { return reg >= kXmms; }
constexpr Reg General(unsigned reg) { return static_cast<Reg>(reg); }
constexpr Xmm Floating(unsigned reg) { return static_cast<Xmm>(reg - kXmms); }
constexpr bool IsNarrow(Kind kind) { return kind == Kind::kInt || kind == Kind::kFloat; }
constexpr x64::Width WidthOf(Kind kind) { return IsNarrow(kind) ? k32 : k64; }
constexpr Precision PrecisionOf(Kind kind) {
  return kind == Kind::kFloat ? Precision::kSingle : Precision::kDouble;
}
constexpr bool IsInt32(int64_t bits) { return bits == static_cast<int32_t>(bits); }

}  // namespace

void LazyStack::BeginBlock(uint32_t first_slot, const std::vector<Kind>& kinds) {
  first_slot_ = first_slot;
  values_.assign(kinds.size(), {});
  for (size_t i = 0; i < kinds.size(); ++i) values_[i].kind = kinds[i];
  for (Held& mirror : mirrors_) mirror.slot = kNoSlot;
  not_null_.clear();
  pinned_ = 0;
}

void LazyStack::Join() {
  Forget(kAll);
  not_null_.clear();
}

LazyStack::Caller LazyStack::EnterCallee(uint32_t first_slot, size_t arguments) {
  for (size_t i = 0; i < arguments; ++i) {
    const Value& value = Top(i);
    if (value.place == Place::kRegister && mirrors_[value.reg].slot == kNoSlot) {
      mirrors_[value.reg] = {value.reg, SlotAt(i), value.kind};
    }
    if (IsNotNull(i)) not_null_.push_back(SlotAt(i));
  }
  Caller caller{std::move(values_), first_slot_, receiver_};
  values_.clear();
  first_slot_ = first_slot;
  receiver_ = kNoSlot;
  return caller;
}

void LazyStack::LeaveCallee(Caller caller) {
  values_ = std::move(caller.values);
  first_slot_ = caller.first_slot;
  receiver_ = caller.receiver;
  // The callee's slots are the caller's stack again.
  for (Held& mirror : mirrors_) {
    if (mirror.slot != kNoSlot && mirror.slot >= first_slot_) mirror.slot = kNoSlot;
  }
  std::erase_if(not_null_, [&](uint32_t slot) { return slot >= first_slot_; });
  for (Value& value : values_) {
    if (value.place == Place::kRegister) value.place = Place::kSlot;
  }
  Unpin();
}

void LazyStack::Mirror(Reg reg, uint32_t slot, Kind kind) {
  const unsigned number = Index(reg);
  if (std::find(kPool.begin(), kPool.end(), number) == kPool.end()) return;
  if (kind == Kind::kInt) a_.Mov(k32, reg, reg);
  mirrors_[number] = {number, slot, kind};
}

void LazyStack::PushValue(const Value& value) {
  values_.push_back(value);
  if (!IsWide(value.kind)) return;
  values_.emplace_back();
  values_.back().kind = Kind::kUpper;
}

void LazyStack::PushRegister(Kind kind, unsigned reg) {
  PushValue({.kind = kind, .place = Place::kRegister, .is_stored = false, .reg = reg});
}

void LazyStack::PushConstant(Kind kind, int64_t bits) {
  PushValue({.kind = kind, .place = Place::kConstant, .is_stored = false, .bits = bits});
}

void LazyStack::PushLocal(Kind kind, uint32_t slot) {
  PushValue({.kind = kind, .place = Place::kLocal, .is_stored = false, .local = slot});
}

// What moves to another slot must be found without its own.
void LazyStack::Shuffle(const StackShuffle& shuffle) {
  if (shuffle.popped != 0) return Pop(shuffle.popped);
  const size_t moved = shuffle.swaps ? 2 : shuffle.copied + shuffle.skipped;
  for (size_t i = 0; i < moved; ++i) {
    Value& value = ValueAt(i);
    if (value.kind == Kind::kUpper) continue;
    if (value.place == Place::kSlot) InRegister(value, SlotAt(i));
    if (value.place == Place::kRegister) pinned_ |= 1u << value.reg;
  }
  const auto top = [&](size_t slots) { return values_.end() - static_cast<ptrdiff_t>(slots); };
  if (shuffle.swaps) {
    std::swap(ValueAt(0), ValueAt(1));
  } else {
    const std::vector<Value> copied(top(shuffle.copied), values_.end());
    values_.insert(top(moved), copied.begin(), copied.end());
  }
  for (auto value = top(moved + shuffle.copied); value != values_.end(); ++value) {
    value->is_stored = value->kind == Kind::kUpper;
  }
}

void LazyStack::StoreLocal(uint32_t slot) {
  const size_t slots = Top(0).kind == Kind::kUpper ? 2 : 1;
  Value value = Top(slots - 1);
  const bool not_null = IsNotNull(slots - 1);
  const uint32_t from = SlotAt(slots - 1);
  Pop(slots);
  const bool is_itself = value.place == Place::kLocal && value.local == slot;
  if (is_itself) return;
  unsigned reg = kNoRegister;
  if (value.place != Place::kConstant) reg = InRegister(value, from);
  KeepCopiesOf(slot);
  DropMirror(slot);
  Store(value, slot);
  if (reg != kNoRegister && mirrors_[reg].slot == kNoSlot) mirrors_[reg] = {reg, slot, value.kind};
  std::erase(not_null_, slot);
  if (not_null) not_null_.push_back(slot);
}

void LazyStack::IncrementLocal(uint32_t slot, int32_t amount) {
  KeepCopiesOf(slot);
  const unsigned reg = MirrorOf(slot);
  if (reg == kNoRegister) return a_.Do(x64::Alu::kAdd, k32, Slot(slot), amount);
  unsigned to = reg;
  if ((Used() & 1u << reg) != 0) {
    pinned_ |= 1u << reg;
    to = AllocateFrom(kPool);
    a_.Lea(k32, General(to), x64::At(General(reg), amount));
    mirrors_[reg].slot = kNoSlot;
    mirrors_[to] = {to, slot, Kind::kInt};
  } else {
    a_.Do(x64::Alu::kAdd, k32, General(reg), amount);
  }
  a_.Store(k32, Slot(slot), General(to));
}

// The local is about to change.
void LazyStack::KeepCopiesOf(uint32_t local) {
  for (size_t i = 0; i < values_.size(); ++i) {
    Value& value = values_[i];
    if (value.place != Place::kLocal || value.local != local) continue;
    value.is_not_null |= KnowsNotNull(local);
    if (value.is_stored) {
      value.place = Place::kSlot;
      continue;
    }
    value.reg = InRegister(value, first_slot_ + static_cast<uint32_t>(i));
    value.place = Place::kRegister;
  }
}

LazyStack::Operand LazyStack::At(size_t i) {
  Value& value = ValueAt(i);
  switch (value.place) {
    case Place::kConstant:
      if (value.kind == Kind::kInt || IsInt32(value.bits)) {
        return static_cast<int32_t>(value.bits);
      }
      break;
    case Place::kLocal:
      if (MirrorOf(value.local) == kNoRegister) return Slot(value.local);
      break;
    case Place::kSlot:
      return Slot(SlotAt(i));
    case Place::kRegister:
      break;
  }
  return Use(i);
}

LazyStack::XmmOperand LazyStack::XmmAt(size_t i) {
  Value& value = ValueAt(i);
  if (value.place == Place::kSlot) return Slot(SlotAt(i));
  if (value.place == Place::kLocal && MirrorOf(value.local) == kNoRegister) {
    return Slot(value.local);
  }
  return UseXmm(i);
}

unsigned LazyStack::Owned(size_t i) {
  const Value value = Top(i);
  if (value.place == Place::kRegister && mirrors_[value.reg].slot == kNoSlot) {
    const auto owners = std::count_if(values_.begin(), values_.end(), [&](const Value& other) {
      return other.place == Place::kRegister && other.reg == value.reg;
    });
    if (owners == 1 && (pinned_ & 1u << value.reg) == 0) {
      pinned_ |= 1u << value.reg;
      return value.reg;
    }
  }
  if (value.place == Place::kRegister) pinned_ |= 1u << value.reg;
  const unsigned reg = AllocateFor(value.kind);
  Move(value, SlotAt(i), reg);
  return reg;
}

// A value that is on the stack.
unsigned LazyStack::InRegister(Value& value) {
  return InRegister(value, first_slot_ + static_cast<uint32_t>(&value - values_.data()));
}

unsigned LazyStack::InRegister(Value& value, uint32_t slot) {
  unsigned reg = kNoRegister;
  if (value.place == Place::kRegister) reg = value.reg;
  if (value.place == Place::kLocal) reg = MirrorOf(value.local);
  if (reg == kNoRegister) {
    reg = AllocateFor(value.kind);
    Move(value, slot, reg);
    if (value.place == Place::kLocal) mirrors_[reg] = {reg, value.local, value.kind};
    if (value.place == Place::kSlot) {
      value.place = Place::kRegister;
      value.reg = reg;
    }
  }
  pinned_ |= 1u << reg;
  return reg;
}

RegisterSet LazyStack::Used() const {
  RegisterSet used = 0;
  for (const Value& value : values_) {
    if (value.place == Place::kRegister) used |= 1u << value.reg;
  }
  return used;
}

// First those that hold nothing, then those whose value is elsewhere as well.
template <size_t kSize>
unsigned LazyStack::AllocateFrom(const std::array<uint8_t, kSize>& pool) {
  const RegisterSet used = Used() | pinned_;
  unsigned found = kNoRegister;
  for (const unsigned reg : pool) {
    if ((used & 1u << reg) == 0 && mirrors_[reg].slot == kNoSlot) {
      found = reg;
      break;
    }
  }
  for (const RegisterSet taken : {used, pinned_}) {
    for (size_t i = 0; i < kSize && found == kNoRegister; ++i) {
      const unsigned reg = pool[(next_victim_ + i) % kSize];
      if ((taken & 1u << reg) == 0) found = reg;
    }
    if (found != kNoRegister) break;
  }
  if ((used & 1u << found) != 0 || mirrors_[found].slot != kNoSlot) {
    ++next_victim_;
    Forget(1u << found);
  }
  pinned_ |= 1u << found;
  return found;
}

unsigned LazyStack::AllocateFor(Kind kind) {
  return IsFloatingPoint(kind) ? AllocateFrom(kXmmPool) : AllocateFrom(kPool);
}

unsigned LazyStack::MirrorOf(uint32_t slot) const {
  for (unsigned reg = 0; reg < mirrors_.size(); ++reg) {
    if (mirrors_[reg].slot == slot) return reg;
  }
  return kNoRegister;
}

void LazyStack::DropMirror(uint32_t slot) {
  for (Held& mirror : mirrors_) {
    if (mirror.slot == slot) mirror.slot = kNoSlot;
  }
}

bool LazyStack::KnowsNotNull(uint32_t local) const {
  return local == receiver_ ||
         std::find(not_null_.begin(), not_null_.end(), local) != not_null_.end();
}

bool LazyStack::IsNotNull(size_t i) const {
  const Value& value = Top(i);
  return value.is_not_null || (value.place == Place::kLocal && KnowsNotNull(value.local));
}

void LazyStack::SetNotNull(size_t i) {
  Value& value = ValueAt(i);
  value.is_not_null = true;
  if (value.place == Place::kLocal) not_null_.push_back(value.local);
  if (value.place != Place::kRegister) return;
  for (Value& other : values_) {
    if (other.place == Place::kRegister && other.reg == value.reg) other.is_not_null = true;
  }
  if (mirrors_[value.reg].slot != kNoSlot) not_null_.push_back(mirrors_[value.reg].slot);
}

void LazyStack::Flush(size_t but_topmost) {
  for (size_t i = 0; i + but_topmost < values_.size(); ++i) {
    if (values_[i].is_stored) continue;
    Store(values_[i], first_slot_ + static_cast<uint32_t>(i));
    values_[i].is_stored = true;
  }
}

void LazyStack::Forget(RegisterSet registers) {
  for (size_t i = 0; i < values_.size(); ++i) {
    Value& value = values_[i];
    if (value.place != Place::kRegister || (registers & 1u << value.reg) == 0) continue;
    if (!value.is_stored) Store(value, first_slot_ + static_cast<uint32_t>(i));
    value.is_stored = true;
    value.place = Place::kSlot;
  }
  for (unsigned reg = 0; reg < mirrors_.size(); ++reg) {
    if ((registers & 1u << reg) != 0) mirrors_[reg].slot = kNoSlot;
  }
}

void LazyStack::ForgetReferences() {
  RegisterSet references = 0;
  for (const Held& held : HeldRegisters()) {
    if (held.kind == Kind::kReference) references |= 1u << held.reg;
  }
  Forget(references);
}

void LazyStack::Reserve(RegisterSet registers) {
  Forget(registers);
  pinned_ |= registers;
}

std::vector<LazyStack::Pending> LazyStack::PendingValues() const {
  std::vector<Pending> pending;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].is_stored) continue;
    pending.push_back({first_slot_ + static_cast<uint32_t>(i), values_[i]});
    pending.back().value.is_not_null = false;  // So that an instruction's exits are the same.
  }
  return pending;
}

std::vector<LazyStack::Held> LazyStack::HeldRegisters() const {
  std::vector<Held> held;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].place != Place::kRegister) continue;
    held.push_back({values_[i].reg, first_slot_ + static_cast<uint32_t>(i), values_[i].kind});
  }
  for (const Held& mirror : mirrors_) {
    if (mirror.slot != kNoSlot) held.push_back(mirror);
  }
  return held;
}

void LazyStack::Write(const std::vector<Pending>& pending) {
  for (const Pending& p : pending) {
    if (p.value.place == Place::kLocal) {  // The registers' mirrors may be others by now.
      a_.Load(k64, r11, Slot(p.value.local));
      a_.Store(k64, Slot(p.slot), r11);
    } else {
      Store(p.value, p.slot);
    }
  }
}

void LazyStack::Reload(const std::vector<Held>& held) {
  for (const Held& h : held) LoadSlot(h.reg, h.slot, h.kind);
}

// A cycle goes by rax.
void LazyStack::Pass(const std::vector<std::pair<unsigned, size_t>>& arguments) {
  struct Transfer {
    unsigned to, from;
    Kind kind;
  };
  std::vector<Transfer> moves;
  std::vector<std::pair<unsigned, size_t>> loads;
  for (const auto& [to, i] : arguments) {
    const Value& value = Top(i);
    unsigned from = kNoRegister;
    if (value.place == Place::kRegister) from = value.reg;
    if (value.place == Place::kLocal) from = MirrorOf(value.local);
    if (from == kNoRegister) {
      loads.emplace_back(to, i);
    } else if (from != to) {
      moves.push_back({to, from, value.kind});
    }
  }
  while (!moves.empty()) {
    const auto next = std::find_if(moves.begin(), moves.end(), [&](const Transfer& move) {
      return std::none_of(moves.begin(), moves.end(),
                          [&](const Transfer& other) { return other.from == move.to; });
    });
    if (next != moves.end()) {
      MoveRegister(next->to, next->from, next->kind);
      moves.erase(next);
      continue;
    }
    const unsigned from = moves.front().from;
    a_.Mov(k64, rax, General(from));
    for (Transfer& move : moves) {
      if (move.from == from) move.from = Index(rax);
    }
  }
  for (const auto& [to, i] : loads) {
    const Value& value = Top(i);
    if (value.place == Place::kLocal) {
      LoadSlot(to, value.local, value.kind);
    } else {
      Move(value, SlotAt(i), to);
    }
  }
}

void LazyStack::Move(const Value& value, uint32_t slot, unsigned to) {
  unsigned mirror = kNoRegister;
  switch (value.place) {
    case Place::kSlot:
      return LoadSlot(to, slot, value.kind);
    case Place::kConstant:
      return LoadBits(to, value.bits, value.kind);
    case Place::kRegister:
      return MoveRegister(to, value.reg, value.kind);
    case Place::kLocal:
      mirror = MirrorOf(value.local);
      if (mirror != kNoRegister) return MoveRegister(to, mirror, value.kind);
      return LoadSlot(to, value.local, value.kind);
  }
}

void LazyStack::Store(const Value& value, uint32_t to) {
  unsigned mirror = kNoRegister;
  switch (value.place) {
    case Place::kSlot:
      return;
    case Place::kConstant:
      if (IsNarrow(value.kind) || IsInt32(value.bits)) {
        return a_.StoreImmediate(WidthOf(value.kind), Slot(to), static_cast<int32_t>(value.bits));
      }
      a_.MovImmediate(r11, value.bits);
      return a_.Store(k64, Slot(to), r11);
    case Place::kRegister:
      return StoreRegister(to, value.reg, value.kind);
    case Place::kLocal:
      mirror = MirrorOf(value.local);
      if (mirror != kNoRegister) return StoreRegister(to, mirror, value.kind);
      a_.Load(WidthOf(value.kind), r11, Slot(value.local));
      return a_.Store(WidthOf(value.kind), Slot(to), r11);
  }
}

void LazyStack::LoadSlot(unsigned to, uint32_t slot, Kind kind) {
  if (IsXmm(to)) return a_.Load(PrecisionOf(kind), Floating(to), Slot(slot));
  a_.Load(WidthOf(kind), General(to), Slot(slot));
}

void LazyStack::MoveRegister(unsigned to, unsigned from, Kind kind) {
  if (to == from) return;
  if (IsXmm(to)) return a_.Mov(Floating(to), Floating(from));
  a_.Mov(WidthOf(kind), General(to), General(from));
}

void LazyStack::StoreRegister(uint32_t slot, unsigned from, Kind kind) {
  if (IsXmm(from)) return a_.Store(PrecisionOf(kind), Slot(slot), Floating(from));
  a_.Store(WidthOf(kind), Slot(slot), General(from));
}

void LazyStack::LoadBits(unsigned to, int64_t bits, Kind kind) {
  if (IsNarrow(kind)) bits = static_cast<uint32_t>(bits);
  if (!IsXmm(to)) return a_.MovImmediate(General(to), bits);
  if (bits == 0) return a_.Clear(Floating(to));
  a_.MovImmediate(r11, bits);
  a_.MovBits(WidthOf(kind), Floating(to), r11);
}

}  // namespace yp::compiler
