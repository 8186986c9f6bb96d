#ifndef YP_COMPILER_RUNTIME_YIELDPOINTS_H_
#define YP_COMPILER_RUNTIME_YIELDPOINTS_H_

#include <atomic>
#include <cstdint>
#include <cstring>

namespace yp::compiler {

// What a thread's word says of the yieldpoints that it comes by: the three states of Arnold and
// Grove, CGO 2005, section 5.1. A yieldpoint compares the stack pointer, which is above 0 and below
// 2^63, with the word, which processors do together with the jump: prologues and epilogues are
// taken where it is below the word without signs, backward jumps where it is with signs.
enum class YieldpointState : int64_t {
  kCalls = -1,  // Those in prologues and epilogues are taken.
  kNone = 0,
  kAll = INT64_MAX,  // Those at backward jumps as well.
};

// What the thread's other word leads to while yieldpoints may be taken. In the state kCalls a
// prologue counts calls_left down, and calls YieldpointTargets::call when that is zero or less; in
// the state kAll it calls it without counting.
struct YieldpointRecord {
  std::atomic<int64_t> calls_left{0};
  void* owner = nullptr;  // Of the recording's: a SampledThread.
};

// Where yieldpoints that are taken lead: functions with C's calling convention, on the thread. No
// value is in a register then, and no reference is held elsewhere than in the frame; the VM neither
// stops the thread nor walks its stack. So they must not wait for anyone who waits for the VM.
struct YieldpointTargets {
  // At a prologue: void (YieldpointRecord*, uint32_t callee, const uint8_t* return_address).
  uint64_t call = 0;
  // At an epilogue or a backward jump, in the state kAll: void (YieldpointRecord*).
  uint64_t tick = 0;
};

// Behind each call of a Java method, and the no-operation of eight bytes with which HotSpot may
// mark it as well, code with yieldpoints has one of its own: nop dword [rax + 8 * rax + number].
// Its first four bytes, as a number, are those of no other no-operation that HotSpot's code has.
inline constexpr uint32_t kCallMarker = 0xc0841f0f;
inline constexpr uint32_t kHotspotMarker = 0x00841f0f;

// The number of the call that returns there; 0 when code without yieldpoints called. A return
// address in code that is executed: 16 bytes from there on can be read.
inline uint32_t CallMarkedAt(const uint8_t* return_address) {
  uint32_t words[4];
  std::memcpy(words, return_address, sizeof words);
  if (words[0] == kCallMarker) return words[1];
  return words[0] == kHotspotMarker && words[2] == kCallMarker ? words[3] : 0;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_RUNTIME_YIELDPOINTS_H_
