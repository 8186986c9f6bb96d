#include "hotspot/arch/x64/barrier_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

#include "hotspot/arch/x64/call_code.h"
#include "hotspot/arch/x64/entry_code.h"

namespace yp::hotspot {
namespace {

constexpr size_t kSearchedBytes = 64;
constexpr size_t kStubAlignment = 32;
constexpr uint8_t kShortJe[] = {0x74, 5};  // je +5
constexpr uint8_t kLongJe[] = {0x0f, 0x84, 5, 0, 0, 0};
constexpr uint8_t kLongJne[] = {0x0f, 0x85};  // jne rel32
constexpr size_t kLongJneBytes = 6;

bool BeginsWith(std::span<const uint8_t> code, std::span<const uint8_t> bytes) {
  return code.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), code.begin());
}

uint32_t Word32(std::span<const uint8_t> code) {
  uint32_t word;
  std::memcpy(&word, code.data(), sizeof(word));
  return word;
}

// Where the call or jump at `at` leads, from the code's start; nothing when there is none.
std::optional<int64_t> TargetOf(std::span<const uint8_t> code, size_t at, uint8_t opcode) {
  if (code.size() < kJumpBytes || at > code.size() - kJumpBytes || code[at] != opcode) {
    return std::nullopt;
  }
  return static_cast<int64_t>(at + kJumpBytes) + static_cast<int32_t>(Word32(code.subspan(at + 1)));
}

// What the barrier behind a compare calls, from the code's start.
std::optional<int64_t> BarrierTarget(std::span<const uint8_t> code, size_t behind_compare) {
  const auto rest = code.subspan(behind_compare);
  for (const std::span<const uint8_t> je :
       {std::span<const uint8_t>(kShortJe), std::span<const uint8_t>(kLongJe)}) {
    if (BeginsWith(rest, je)) return TargetOf(code, behind_compare + je.size(), kCallOpcode);
  }
  if (!BeginsWith(rest, kLongJne) || rest.size() < kLongJneBytes) return std::nullopt;
  const size_t back = behind_compare + kLongJneBytes;
  const int64_t out_of_line =
      static_cast<int64_t>(back) + static_cast<int32_t>(Word32(rest.subspan(sizeof(kLongJne))));
  if (out_of_line < 0 || out_of_line > static_cast<int64_t>(code.size())) return std::nullopt;
  const auto at = static_cast<size_t>(out_of_line);
  if (TargetOf(code, at + kJumpBytes, kJumpOpcode) != static_cast<int64_t>(back))
    return std::nullopt;
  return TargetOf(code, at, kCallOpcode);
}

// Reads code backwards from its end.
class Backwards {
 public:
  explicit Backwards(std::span<const uint8_t> code) : code_(code) {}

  // Steps over an instruction that is these bytes.
  bool Skip(std::initializer_list<uint8_t> bytes) { return Match(bytes, 0).has_value(); }
  // Steps over what aligns the compare: one of the nops of one to eight bytes that HotSpot uses.
  bool SkipNop() {
    return Skip({0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}) || Skip({0x0f, 0x1f, 0x80, 0, 0, 0, 0}) ||
           Skip({0x66, 0x0f, 0x1f, 0x44, 0, 0}) || Skip({0x0f, 0x1f, 0x44, 0, 0}) ||
           Skip({0x0f, 0x1f, 0x40, 0}) || Skip({0x0f, 0x1f, 0}) || Skip({0x66, 0x66, 0x66, 0x90}) ||
           Skip({0x66, 0x66, 0x90}) || Skip({0x66, 0x90}) || Skip({0x90});
  }
  // Steps over one that is these bytes and an operand of one or four more, below 2^31.
  std::optional<size_t> Operand8(std::initializer_list<uint8_t> bytes) { return Match(bytes, 1); }
  std::optional<size_t> Operand32(std::initializer_list<uint8_t> bytes) { return Match(bytes, 4); }

 private:
  std::optional<size_t> Match(std::initializer_list<uint8_t> bytes, size_t operand_bytes) {
    const size_t length = bytes.size() + operand_bytes;
    if (code_.size() < length) return std::nullopt;
    const auto instruction = code_.last(length);
    if (!std::equal(bytes.begin(), bytes.end(), instruction.begin())) return std::nullopt;
    const auto operand = instruction.last(operand_bytes);
    size_t value = 0;
    std::memcpy(&value, operand.data(), operand.size());
    if (!operand.empty() && operand.back() >= 0x80) return std::nullopt;
    code_ = code_.first(code_.size() - length);
    return value;
  }

  std::span<const uint8_t> code_;
};

std::optional<size_t> SubRsp(Backwards& code) {
  if (const auto bytes = code.Operand8({0x48, 0x83, 0xec})) return bytes;
  return code.Operand32({0x48, 0x81, 0xec});
}

}  // namespace

std::optional<EntryBarrier> FindEntryBarrier(uintptr_t address, std::span<const uint8_t> code) {
  for (size_t at = 0; at < kSearchedBytes && at + kCompareBytes <= code.size(); ++at) {
    const auto compare = code.subspan(at, kCompareBytes);
    const uint8_t displacement = compare[3];
    if (displacement >= 0x80 || Word32(compare) != CompareOpcode(displacement)) continue;
    const std::optional<int64_t> target = BarrierTarget(code, at + kCompareBytes);
    if (!target) continue;
    EntryBarrier barrier;
    barrier.compare = at;
    barrier.displacement = displacement;
    barrier.guard = Word32(compare.subspan(4));
    barrier.stub = address + static_cast<uintptr_t>(*target);
    return barrier;
  }
  return std::nullopt;
}

uintptr_t CompareOfReturn(uintptr_t return_pc, uint8_t displacement) {
  const auto read32 = [](uintptr_t at) {
    uint32_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof(word));
    return word;
  };
  const auto is = [&](uintptr_t at, std::span<const uint8_t> bytes) {
    return std::memcmp(reinterpret_cast<const void*>(at), bytes.data(), bytes.size()) == 0;
  };
  const uint32_t opcode = CompareOpcode(displacement);
  const uintptr_t call = return_pc - kJumpBytes;
  uintptr_t compare = call - sizeof(kShortJe) - kCompareBytes;
  if (is(call - sizeof(kShortJe), kShortJe) && read32(compare) == opcode) return compare;
  if (*reinterpret_cast<const uint8_t*>(return_pc) == kJumpOpcode) {
    const uintptr_t back =
        return_pc + kJumpBytes +
        static_cast<uintptr_t>(static_cast<int64_t>(static_cast<int32_t>(read32(return_pc + 1))));
    compare = back - kLongJneBytes - kCompareBytes;
    if (is(back - kLongJneBytes, kLongJne) && read32(compare) == opcode) return compare;
  }
  compare = call - sizeof(kLongJe) - kCompareBytes;
  if (is(call - sizeof(kLongJe), kLongJe) && read32(compare) == opcode) return compare;
  return 0;
}

std::optional<size_t> FrameBytes(std::span<const uint8_t> prologue) {
  Backwards code(prologue);
  code.SkipNop();
  if (const auto size = SubRsp(code)) {
    code.Skip({0x48, 0x8b, 0xec});                // mov rbp, rsp: with -XX:+PreserveFramePointer
    if (!code.Skip({0x55})) return std::nullopt;  // push rbp
    return *size + sizeof(uintptr_t);
  }
  // Small frames of C2 with no stack bang: one sub, then rbp is stored below the return address.
  if (code.Operand8({0x48, 0x83, 0xc5}) || code.Operand32({0x48, 0x81, 0xc5})) {  // add rbp, n
    if (!code.Skip({0x48, 0x8b, 0xec})) return std::nullopt;
  }
  std::optional<size_t> slot = code.Operand8({0x48, 0x89, 0x6c, 0x24});  // mov [rsp+slot], rbp
  if (!slot) slot = code.Operand32({0x48, 0x89, 0xac, 0x24});
  if (!slot) return std::nullopt;
  const auto size = SubRsp(code);
  if (!size || *size != *slot + sizeof(uintptr_t)) return std::nullopt;
  return size;
}

Status CheckStub(uintptr_t address, std::span<const uint8_t> code) {
  constexpr uint8_t kPush[kStubHeadBytes] = {0x68, 0xff, 0xff, 0xff, 0xff};
  if (address == 0 || address % kStubAlignment != 0) {
    return Status::Error("the JVM's entry barrier stub does not lie as expected");
  }
  if (code.size() < sizeof(uint64_t) || !BeginsWith(code, kPush)) {
    return Status::Error("the JVM's entry barrier stub does not begin as expected");
  }
  return Status::Ok();
}

std::optional<uint64_t> StubWithJump(uintptr_t stub, uint64_t word, uintptr_t target) {
  return WithJump(stub, word, target);
}

}  // namespace yp::hotspot
