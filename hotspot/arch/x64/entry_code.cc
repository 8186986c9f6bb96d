#include "hotspot/arch/x64/entry_code.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "hotspot/arch/x64/call_code.h"

namespace yp::hotspot {
namespace {

constexpr uint8_t kStackBang[] = {0x89, 0x84, 0x24};
constexpr uint8_t kSubRsp[] = {0x48, 0x81, 0xec};
constexpr uint8_t kNop = 0xcc;  // Never reached: int3.

std::array<uint8_t, kPatchBytes> BytesOf(EntryWord word) {
  std::array<uint8_t, kPatchBytes> bytes;
  std::memcpy(bytes.data(), &word, sizeof(word));
  return bytes;
}

// The displacement from behind an instruction to a target; nothing when 32 bits cannot hold it.
std::optional<int32_t> Displacement(uintptr_t behind, uintptr_t target) {
  const auto distance = static_cast<int64_t>(target - behind);
  if (distance < std::numeric_limits<int32_t>::min() ||
      distance > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(distance);
}

// Appends machine code to a buffer of a fixed size, and knows where it stands.
class Assembler {
 public:
  explicit Assembler(uintptr_t address) : address_(address) { bytes_.fill(kNop); }

  void Bytes(std::span<const uint8_t> bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<ptrdiff_t>(size_));
    size_ += bytes.size();
  }
  void Bytes(std::initializer_list<uint8_t> bytes) { Bytes({bytes.begin(), bytes.size()}); }
  void Word32(uint32_t word) { Word(word); }
  void Word64(uint64_t word) { Word(word); }
  // A displacement to a target, the end of its instruction.
  void To(uintptr_t target) {
    const std::optional<int32_t> displacement = Displacement(here() + 4, target);
    is_too_far_ |= !displacement;
    Word32(static_cast<uint32_t>(displacement.value_or(0)));
  }
  uintptr_t here() const { return address_ + size_; }
  bool is_too_far() const { return is_too_far_; }
  const std::array<uint8_t, kTrampolineBytes>& bytes() const { return bytes_; }

 private:
  template <typename T>
  void Word(T word) {
    uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &word, sizeof(word));
    Bytes(bytes);
  }

  const uintptr_t address_;
  std::array<uint8_t, kTrampolineBytes> bytes_;
  size_t size_ = 0;
  bool is_too_far_ = false;
};

}  // namespace

bool IsPatchable(uintptr_t entry, EntryWord word) {
  if (entry % kPatchBytes != 0) return false;
  const std::array<uint8_t, kPatchBytes> bytes = BytesOf(word);
  return std::equal(std::begin(kStackBang), std::end(kStackBang), bytes.begin()) ||
         std::equal(std::begin(kSubRsp), std::end(kSubRsp), bytes.begin());
}

std::optional<EntryWord> WithJump(uintptr_t entry, EntryWord word, uintptr_t target) {
  const std::optional<int32_t> displacement = Displacement(entry + kJumpBytes, target);
  if (!displacement) return std::nullopt;
  std::array<uint8_t, kPatchBytes> bytes = BytesOf(word);
  bytes[0] = kJumpOpcode;
  std::memcpy(&bytes[1], &*displacement, sizeof(*displacement));
  std::memcpy(&word, bytes.data(), sizeof(word));
  return word;
}

EntryWord ReadEntry(uintptr_t entry) {
  return __atomic_load_n(reinterpret_cast<const EntryWord*>(entry), __ATOMIC_RELAXED);
}

bool ExchangeEntry(uintptr_t entry, EntryWord expected, EntryWord desired) {
  return __atomic_compare_exchange_n(reinterpret_cast<EntryWord*>(entry), &expected, desired, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

std::optional<std::array<uint8_t, kTrampolineBytes>> MakeTrampoline(const TrampolineSpec& spec) {
  const std::array<uint8_t, kPatchBytes> entry = BytesOf(spec.entry_word);
  Assembler code(spec.address);
  if (spec.word != 0) {
    code.Bytes({0x50, 0x48, 0xb8});  // push rax; mov rax, imm64
    code.Word64(spec.word);
    code.Bytes({0x48, 0x83, 0x28, 0x01, 0x58});  // sub qword [rax], 1; pop rax
  } else {
    code.Bytes({0x64, 0x48, 0x81, 0x2c, 0x25});  // sub qword fs:[disp32], imm32
    code.Word32(static_cast<uint32_t>(spec.countdown_offset));
    code.Word32(spec.steps);
  }
  code.Bytes({0x0f, 0x8e});  // jle rel32
  code.To(code.here() + 4 + kEntryBytes + kJumpBytes);
  const uintptr_t displaced = code.here();
  code.Bytes({entry.data(), kEntryBytes});
  code.Bytes({kJumpOpcode});
  code.To(spec.entry + kEntryBytes);
  code.Bytes({0x68});  // push imm32
  code.Word32(spec.number);
  code.Bytes({0xe8});  // call rel32
  code.To(spec.slow_path);
  code.Bytes({0x48, 0x8d, 0x64, 0x24, 0x08});  // lea rsp, [rsp + 8]
  code.Bytes({kJumpOpcode});
  code.To(displaced);
  if (code.is_too_far()) return std::nullopt;
  return code.bytes();
}

}  // namespace yp::hotspot
