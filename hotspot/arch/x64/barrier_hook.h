#ifndef YP_HOTSPOT_ARCH_X64_BARRIER_HOOK_H_
#define YP_HOTSPOT_ARCH_X64_BARRIER_HOOK_H_

#include <atomic>
#include <cstdint>

#include "hotspot/arch/slow_path.h"

namespace yp::hotspot {

// What the entry barrier's stub jumps to, in machine code.
//
// A compiled method calls the stub when the guard in its code differs from the word of its thread:
// because the VM wants the method seen to (it is *really armed*), or because the word's top byte is
// ours. Guards have a zero top byte, so the two are told apart by the word without it.
//
//  - Really armed, or called by code in no known form: the stub goes on as if there were no hook.
//    The latter is counted, for calls whose turn it is to be sampled.
//  - Otherwise the call is counted down in the thread's EntryCountdown. Above zero the hook returns
//    as the stub does when there is nothing to do; else it calls HandleEntry first.
//  - Keeps every register but the flags, as the stub does.
//
// Collectors that patch code (ZGC, Shenandoah) do so before they set the method's guard to the
// thread's word. A thread that found the two different and then, reading the guard as data, equal,
// may still hold instructions of before; so it must serialise before it runs them. It does that
// once for each (return address, guard) in a table of its own, by an iretq to itself. A guard
// comes again after some collections; each lets all threads' words end up without our byte, and
// whoever puts it there again forgets all tables first, by a new generation.
struct BarrierHookConfig {
  uint64_t compare_opcode = 0;                     // CompareOpcode(displacement)
  int64_t displacement = 0;                        // Of the word in the thread.
  int64_t countdown_offset = 0, table_offset = 0;  // Of thread-local words, from fs.
  uintptr_t original = 0;     // The stub's way without a hook: its first instruction, and on.
  uint64_t patches_code = 1;  // Whether the collector does.
  std::atomic<uint64_t> generation{1};
  std::atomic<uint64_t> samples{0};      // Calls that reached HandleEntry.
  std::atomic<uint64_t> undecodable{0};  // Calls that could not, for the form of their code.
  std::atomic<EntryHandler*> handler{nullptr};
};

// Before anything leads to the hook. Threads may be in it ever after, so that what was set once is
// set to the same again, if at all.
void SetBarrierHook(uint8_t displacement, uintptr_t original, bool patches_code,
                    EntryHandler& handler);
BarrierHookConfig& BarrierHook();
// The machine code's address.
uintptr_t BarrierHookCode();
// Before threads' words get our byte that have not had it.
void NewGuardGeneration();

}  // namespace yp::hotspot

#endif  // YP_HOTSPOT_ARCH_X64_BARRIER_HOOK_H_
