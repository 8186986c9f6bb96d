#include "hotspot/arch/x64/barrier_hook.h"

#include <array>
#include <cstddef>
#include <new>
#include <optional>

#include "hotspot/arch/slow_path.h"
#include "hotspot/arch/x64/barrier_code.h"
#include "hotspot/arch/x64/save_registers.h"

namespace {

// Enough for the methods that a thread of a large program runs in a second: a miss costs 90 ns.
// With 512, javac spent 37 ns on each observed call.
constexpr size_t kTableKeys = 4096;

// Direct-mapped; a key is a guard and the lower half of a return address.
struct GuardTable {
  uint64_t generation = 0;  // That the keys are of.
  std::array<uint64_t, kTableKeys> keys;
};

// Of no generation, and never looked into: sends the hook to yp_barrier_renew_table.
GuardTable no_table;

struct ThreadTable {
  GuardTable* table = &no_table;
  bool has_ended = false;

  // Java code may run in the thread even later, without a table of its own.
  ~ThreadTable() {
    GuardTable* old = table;
    table = &no_table;
    has_ended = true;
    if (old != &no_table) delete old;
  }
};

thread_local ThreadTable thread_table __attribute__((tls_model("initial-exec")));

int64_t OffsetFromThreadPointer(const void* address) {
  asm("" : "+r"(address));  // As in EntryCountdownOffset.
  return static_cast<const char*>(address) - static_cast<char*>(__builtin_thread_pointer());
}

}  // namespace

extern "C" {
__attribute__((visibility("hidden"),
               used)) constinit yp::hotspot::BarrierHookConfig yp_barrier_hook_config;

// False when there is no memory.
__attribute__((visibility("hidden"), used)) bool yp_barrier_renew_table() {
  ThreadTable& mine = thread_table;
  if (mine.has_ended) return false;
  if (mine.table == &no_table) {
    auto* table = new (std::nothrow) GuardTable;
    if (table == nullptr) return false;
    mine.table = table;
  }
  // Read first: keys that come later may only be thought older than they are.
  mine.table->generation = yp_barrier_hook_config.generation.load(std::memory_order_relaxed);
  mine.table->keys.fill(0);
  return true;
}

// `slot` holds the return address into the method, whose frame is above.
__attribute__((visibility("hidden"), used)) void yp_barrier_sample(const uintptr_t* slot) {
  using namespace yp::hotspot;
  BarrierHookConfig& config = yp_barrier_hook_config;
  const uintptr_t compare = CompareOfReturn(*slot, static_cast<uint8_t>(config.displacement));
  std::optional<size_t> frame;
  if (compare != 0) {
    const auto* end = reinterpret_cast<const uint8_t*>(compare);
    frame = FrameBytes({end - kPrologueBytes, end});
  }
  if (!frame) {
    config.undecodable.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  config.samples.fetch_add(1, std::memory_order_relaxed);
  EntryCall call;
  call.callee_pc = *slot;
  call.return_address =
      reinterpret_cast<const uintptr_t*>(reinterpret_cast<uintptr_t>(slot + 1) + *frame);
  call.frame_pointer = call.return_address[-1];
  // Partner: SetBarrierHook's release.
  HandleEntry(*config.handler.load(std::memory_order_acquire), call);
}

void yp_barrier_hook();
}

// The configuration's fields are at fixed distances.
static_assert(offsetof(yp::hotspot::BarrierHookConfig, compare_opcode) == 0);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, displacement) == 8);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, countdown_offset) == 16);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, table_offset) == 24);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, original) == 32);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, patches_code) == 40);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, generation) == 48);
static_assert(offsetof(yp::hotspot::BarrierHookConfig, undecodable) == 64);
static_assert(offsetof(GuardTable, keys) == 8 && kTableKeys == 1 << (32 - 20));
static_assert(yp::hotspot::kSavedRegistersBytes == 328);

// On entry: r15 is the thread, [rsp] the return address R into the method.
asm(R"(
  .pushsection .text
  .local yp_barrier_hook
  .type yp_barrier_hook, @function
  .p2align 6
yp_barrier_hook:
  push %rax
  push %rcx
  push %rdx
  mov 24(%rsp), %rcx
# rax: the compare's eight bytes. First the form of C1 and native methods on 25.
  mov -15(%rcx), %rax
  cmp yp_barrier_hook_config(%rip), %eax
  jne 2f
  cmpw $0x0574, -7(%rcx)
  jne 2f
1:
  shr $32, %rax
  mov 8+yp_barrier_hook_config(%rip), %rdx
  mov (%r15,%rdx), %edx
  and $0xffffff, %edx
  cmp %edx, %eax
  jne 7f
  cmpb $0, 40+yp_barrier_hook_config(%rip)
  je 6f
# rax: the key; rcx: its place; rdx: the table.
  shl $32, %rax
  mov %ecx, %edx
  or %rdx, %rax
  imul $0x9e3779b1, %ecx, %ecx
  shr $20, %ecx
  mov 24+yp_barrier_hook_config(%rip), %rdx
  mov %fs:(%rdx), %rdx
  lea 8(%rdx,%rcx,8), %rcx
  mov (%rdx), %rdx
  cmp 48+yp_barrier_hook_config(%rip), %rdx
  jne 8f
  cmp %rax, (%rcx)
  jne 5f
6:
  mov 16+yp_barrier_hook_config(%rip), %rcx
  decq %fs:(%rcx)
  jle 9f
  pop %rdx
  pop %rcx
  pop %rax
  ret

# The form of C2 on 25: a jump back from out of line.
2:
  cmpb $0xe9, (%rcx)
  jne 3f
  movslq 1(%rcx), %rdx
  mov -9(%rcx,%rdx), %rax
  cmp yp_barrier_hook_config(%rip), %eax
  jne 3f
  cmpw $0x850f, -1(%rcx,%rdx)
  je 1b
# The form of 17.
3:
  mov -19(%rcx), %rax
  cmp yp_barrier_hook_config(%rip), %eax
  jne 4f
  cmpl $0x0005840f, -11(%rcx)
  je 1b

# No known form.
4:
  mov 16+yp_barrier_hook_config(%rip), %rcx
  decq %fs:(%rcx)
  jg 7f
  lock incq 64+yp_barrier_hook_config(%rip)
7:
  pop %rdx
  pop %rcx
  pop %rax
  jmp *32+yp_barrier_hook_config(%rip)

# Not in the table: serialise.
5:
  mov %rax, (%rcx)
  mov %rsp, %rax
  mov %ss, %ecx
  push %rcx
  push %rax
  pushfq
  mov %cs, %ecx
  push %rcx
  lea 6b(%rip), %rcx
  push %rcx
  iretq

# The table is of an older generation, or there is none.
8:
  pop %rdx
  pop %rcx
  pop %rax
)" YP_SAVE_REGISTERS R"(
  call yp_barrier_renew_table
  test %al, %al
  jz 10f
)" YP_RESTORE_REGISTERS R"(
  jmp yp_barrier_hook
10:
)" YP_RESTORE_REGISTERS R"(
  jmp *32+yp_barrier_hook_config(%rip)

# A sample.
9:
  pop %rdx
  pop %rcx
  pop %rax
)" YP_SAVE_REGISTERS R"(
  lea 328(%rsp), %rdi
  call yp_barrier_sample
)" YP_RESTORE_REGISTERS R"(
  ret
  .size yp_barrier_hook, . - yp_barrier_hook
  .popsection
)");

namespace yp::hotspot {

void SetBarrierHook(uint8_t displacement, uintptr_t original, bool patches_code,
                    EntryHandler& handler) {
  BarrierHookConfig& config = yp_barrier_hook_config;
  config.compare_opcode = CompareOpcode(displacement);
  config.displacement = displacement;
  config.countdown_offset = EntryCountdownOffset();
  config.table_offset = OffsetFromThreadPointer(&thread_table.table);
  config.original = original;
  config.patches_code = patches_code ? 1 : 0;
  config.handler.store(&handler,
                       std::memory_order_release);  // Partner: yp_barrier_sample's acquire.
}

BarrierHookConfig& BarrierHook() { return yp_barrier_hook_config; }

uintptr_t BarrierHookCode() { return reinterpret_cast<uintptr_t>(&yp_barrier_hook); }

void NewGuardGeneration() {
  // Before the bytes that let threads into the hook, as x86-64 stores are seen in their order.
  yp_barrier_hook_config.generation.fetch_add(1, std::memory_order_seq_cst);
}

}  // namespace yp::hotspot
