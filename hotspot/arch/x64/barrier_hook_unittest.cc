#include "hotspot/arch/x64/barrier_hook.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "hotspot/arch/slow_path.h"
#include "hotspot/arch/x64/barrier_code.h"
#include "hotspot/arch/x64/entry_code.h"
#include "hotspot/arch/x64/hook_entry.h"

// Calls a method as the VM's threads do: r15 is the thread, every other register holds something.
struct YpTestRegisters {
  uint64_t general[14];  // rax rcx rdx rbx rbp rsi rdi r8 to r14
  uint64_t vector[16][2];
  bool operator==(const YpTestRegisters&) const = default;
};
extern "C" void yp_test_call_method(uintptr_t method, const void* thread,
                                    const YpTestRegisters* before, YpTestRegisters* after);
#define YP_TEST_VECTOR(n) "movdqu 112+16*" #n "(%rax), %xmm" #n "\n"
#define YP_TEST_STORE_VECTOR(n) "movdqu %xmm" #n ", 112+16*" #n "(%rax)\n"
#define YP_TEST_FOR_VECTORS(f) \
  f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
asm(R"(
  .pushsection .text
  .global yp_test_call_method
  .type yp_test_call_method, @function
yp_test_call_method:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  push %rcx
  push %rdi
  sub $8, %rsp
  mov %rsi, %r15
  mov %rdx, %rax
)" YP_TEST_FOR_VECTORS(YP_TEST_VECTOR) R"(
  mov 8(%rax), %rcx
  mov 16(%rax), %rdx
  mov 24(%rax), %rbx
  mov 32(%rax), %rbp
  mov 40(%rax), %rsi
  mov 48(%rax), %rdi
  mov 56(%rax), %r8
  mov 64(%rax), %r9
  mov 72(%rax), %r10
  mov 80(%rax), %r11
  mov 88(%rax), %r12
  mov 96(%rax), %r13
  mov 104(%rax), %r14
  mov (%rax), %rax
  call *8(%rsp)
  push %rax
  mov 24(%rsp), %rax
  mov %rcx, 8(%rax)
  mov %rdx, 16(%rax)
  mov %rbx, 24(%rax)
  mov %rbp, 32(%rax)
  mov %rsi, 40(%rax)
  mov %rdi, 48(%rax)
  mov %r8, 56(%rax)
  mov %r9, 64(%rax)
  mov %r10, 72(%rax)
  mov %r11, 80(%rax)
  mov %r12, 88(%rax)
  mov %r13, 96(%rax)
  mov %r14, 104(%rax)
)" YP_TEST_FOR_VECTORS(YP_TEST_STORE_VECTOR) R"(
  pop (%rax)
  add $24, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
  .size yp_test_call_method, . - yp_test_call_method
  .popsection
)");

namespace yp::hotspot {
namespace {

constexpr uint8_t kDisplacement = 0x20;
constexpr size_t kCodeBytes = 4096;
enum class Form { kC1, kC2, k17, kUnknown };

struct FakeThread {
  uint8_t bytes[64] = {};
  void SetWord(uint32_t word) { std::memcpy(&bytes[kDisplacement], &word, sizeof(word)); }
};

// Made-up code around a made-up stub, which really runs.
class FunctionHandler final : public EntryHandler {
 public:
  bool OnEntry(const EntryCall& call) override {
    on_entry(call);
    return true;
  }
  void (*on_entry)(const EntryCall&) = nullptr;
};

class BarrierHookTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    // The same for all tests, as one stub is for all recordings.
    if (code_ == nullptr) {
      code_ = static_cast<uint8_t*>(mmap(nullptr, kCodeBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      ASSERT_NE(code_, MAP_FAILED);
      MakeStub();
    }
    end_ = 256;
    stub_calls_ = 0;
    calls_.clear();
    next_countdown_ = 1;
    EntryCountdown() = 0;
    BarrierHook().samples = 0;
    BarrierHook().undecodable = 0;
    handler_.on_entry = [](const EntryCall& call) {
      calls_.push_back(call);
      returns_.push_back(*call.return_address);
      EntryCountdown() = next_countdown_;
      // What C++ may change.
      asm volatile("pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm7, %%xmm7\n pcmpeqd %%xmm15, %%xmm15\n" ::
                       : "xmm0", "xmm7", "xmm15", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
                         "r10", "r11");
    };
    const auto entry = HookEntryFor(stub());
    ASSERT_TRUE(entry.ok()) << entry.message();
    SetBarrierHook(kDisplacement, entry->original, GetParam(), handler_);
    original_ = ReadEntry(stub());
    const auto hooked = StubWithJump(stub(), original_, entry->hook);
    ASSERT_TRUE(hooked.has_value());
    ASSERT_TRUE(ExchangeEntry(stub(), original_, *hooked));
    hooked_ = *hooked;
    NewGuardGeneration();
  }
  void TearDown() override { EXPECT_TRUE(ExchangeEntry(stub(), hooked_, original_)); }

  static uintptr_t stub() { return reinterpret_cast<uintptr_t>(code_); }
  // Counts its calls, and returns.
  static void MakeStub() {
    const auto counter = reinterpret_cast<uintptr_t>(&stub_calls_);
    std::vector<uint8_t> bytes = {0x68, 0xff, 0xff, 0xff, 0xff,  // push -1
                                  0x55, 0x48, 0x8b, 0xec,        // push rbp; mov rbp, rsp
                                  0x50, 0x48, 0xb8};             // push rax; mov rax, counter
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(counter >> (8 * i)));
    const uint8_t rest[] = {0xf0, 0x48, 0xff, 0x00,               // lock inc qword [rax]
                            0x58, 0xc9,                           // pop rax; leave
                            0x48, 0x8d, 0x64, 0x24, 0x08, 0xc3};  // lea rsp, [rsp+8]; ret
    bytes.insert(bytes.end(), std::begin(rest), std::end(rest));
    std::memcpy(code_, bytes.data(), bytes.size());
  }
  static void Append32(std::vector<uint8_t>& bytes, uint32_t word) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
  }
  struct Method {
    uintptr_t entry, compare, returns_to;
    void SetGuard(uint32_t guard) const {
      __atomic_store_n(reinterpret_cast<uint32_t*>(compare + 4), guard, __ATOMIC_SEQ_CST);
    }
  };
  // A method that does nothing, with a frame of that size.
  Method Make(Form form, uint32_t guard = 1, uint8_t frame = 0x30) {
    end_ = (end_ + 63) & ~size_t{63};
    const uintptr_t at = stub() + end_;
    std::vector<uint8_t> bytes = {0x55, 0x48, 0x83, 0xec, frame, 0x90, 0x90, 0x90};
    bytes.resize(form == Form::kUnknown ? 8 : 5);
    const size_t compare = bytes.size();
    bytes.insert(bytes.end(), {0x41, 0x81, 0x7f, kDisplacement});
    Append32(bytes, guard);
    const auto call = [&] {
      bytes.push_back(0xe8);
      Append32(bytes, static_cast<uint32_t>(stub() - (at + bytes.size() + 4)));
      return at + bytes.size();
    };
    const uint8_t leave[] = {0x48, 0x83, 0xc4, frame, 0x5d, 0xc3};  // add rsp; pop rbp; ret
    uintptr_t returns_to = 0;
    if (form == Form::kC2) {
      bytes.insert(bytes.end(), {0x0f, 0x85, sizeof(leave), 0, 0, 0});
      bytes.insert(bytes.end(), std::begin(leave), std::end(leave));
      returns_to = call();
      bytes.push_back(0xe9);
      Append32(bytes, static_cast<uint32_t>(-static_cast<int>(sizeof(leave)) - 10));
    } else {
      if (form == Form::kC1) bytes.insert(bytes.end(), {0x74, 0x05});
      if (form == Form::k17) bytes.insert(bytes.end(), {0x0f, 0x84, 5, 0, 0, 0});
      if (form == Form::kUnknown) bytes.insert(bytes.end(), {0x74, 0x06, 0x90});
      returns_to = call();
      bytes.insert(bytes.end(), std::begin(leave), std::end(leave));
    }
    std::memcpy(code_ + end_, bytes.data(), bytes.size());
    end_ += bytes.size();
    return {at, at + compare, returns_to};
  }
  // Calls it with registers full of numbers, which it must keep.
  static void Call(const Method& method, const FakeThread& thread) {
    YpTestRegisters before, after{};
    uint64_t number = 0x0123456789abcdef;
    for (uint64_t& value : before.general) value = number *= 0x9e3779b97f4a7c15;
    for (auto& value : before.vector) {
      value[0] = number *= 0x9e3779b97f4a7c15;
      value[1] = number *= 0x9e3779b97f4a7c15;
    }
    yp_test_call_method(method.entry, &thread, &before, &after);
    if (before == after) return;
    for (size_t i = 0; i < 14; ++i) EXPECT_EQ(before.general[i], after.general[i]) << i;
    for (size_t i = 0; i < 16; ++i) EXPECT_EQ(before.vector[i][0], after.vector[i][0]) << i;
    FAIL() << "registers were changed";
  }

  static inline uint8_t* code_ = nullptr;
  static inline FunctionHandler handler_;  // Threads may be in the hook ever after.
  static inline std::atomic<uint64_t> stub_calls_{0};
  static inline std::vector<EntryCall> calls_;
  static inline std::vector<uintptr_t> returns_;
  static inline int64_t next_countdown_ = 1;
  size_t end_ = 0;
  EntryWord original_ = 0, hooked_ = 0;
  FakeThread thread_;
};

INSTANTIATE_TEST_SUITE_P(Collectors, BarrierHookTest, ::testing::Bool(), [](const auto& patches) {
  return patches.param ? "PatchCode" : "LeaveCodeAlone";
});

TEST_P(BarrierHookTest, DisarmedTheStubIsNotCalled) {
  const Method method = Make(Form::kC1);
  thread_.SetWord(1);
  for (int i = 0; i < 10; ++i) Call(method, thread_);
  EXPECT_EQ(stub_calls_, 0u);
  EXPECT_TRUE(calls_.empty());
  EXPECT_EQ(EntryCountdown(), 0);
}

TEST_P(BarrierHookTest, EveryNthArmedCallIsHandledInEveryForm) {
  thread_.SetWord(0x40000001);
  for (const Form form : {Form::kC1, Form::kC2, Form::k17}) {
    const Method method = Make(form);
    EXPECT_EQ(CompareOfReturn(method.returns_to, kDisplacement), method.compare);
    calls_.clear();
    EntryCountdown() = 0;
    next_countdown_ = 10;
    for (int i = 0; i < 101; ++i) Call(method, thread_);
    EXPECT_EQ(calls_.size(), 11u);
    for (const EntryCall& call : calls_) EXPECT_EQ(call.callee_pc, method.returns_to);
  }
  EXPECT_EQ(stub_calls_, 0u);
  EXPECT_EQ(BarrierHook().samples, 33u);
  EXPECT_EQ(BarrierHook().undecodable, 0u);
}

TEST_P(BarrierHookTest, TheHandlerLearnsTheCallersFrame) {
  thread_.SetWord(0x40000001);
  for (const int frame : {0x10, 0x30, 0x70}) {
    calls_.clear();
    returns_.clear();
    EntryCountdown() = 0;
    Call(Make(Form::kC2, 1, static_cast<uint8_t>(frame)), thread_);
    ASSERT_EQ(calls_.size(), 1u);
    const auto caller = reinterpret_cast<uintptr_t>(&yp_test_call_method);
    EXPECT_GT(returns_[0], caller);
    EXPECT_LT(returns_[0], caller + 512);
    uint64_t rbp = 0x0123456789abcdef;  // The fifth of Call's numbers.
    for (int i = 0; i < 5; ++i) rbp *= 0x9e3779b97f4a7c15;
    EXPECT_EQ(calls_[0].frame_pointer, rbp);
  }
}

TEST_P(BarrierHookTest, AReallyArmedMethodIsLeftToTheVm) {
  for (const Form form : {Form::kC1, Form::kC2, Form::k17}) {
    const Method method = Make(form, 2);
    stub_calls_ = 0;
    thread_.SetWord(0x40000001);
    Call(method, thread_);
    EXPECT_EQ(stub_calls_, 1u);
    thread_.SetWord(1);
    Call(method, thread_);
    EXPECT_EQ(stub_calls_, 2u);
    method.SetGuard(1 | kNotEntrantGuard);
    thread_.SetWord(0x40000001);
    Call(method, thread_);
    EXPECT_EQ(stub_calls_, 3u);
    EXPECT_TRUE(calls_.empty());
    // The VM has seen to it.
    method.SetGuard(1);
    Call(method, thread_);
    EXPECT_EQ(stub_calls_, 3u);
    EXPECT_EQ(calls_.size(), 1u);
    calls_.clear();
    EntryCountdown() = 0;
  }
}

TEST_P(BarrierHookTest, GuardsAndMethodsThatComeBackAreCountedAsEver) {
  std::vector<Method> methods;
  for (int i = 0; i < 40; ++i) methods.push_back(Make(i % 2 == 0 ? Form::kC1 : Form::kC2));
  next_countdown_ = 1;
  size_t expected = 0;
  for (uint32_t guard = 1; guard <= 6; ++guard) {
    if (guard % 2 == 0) NewGuardGeneration();
    thread_.SetWord(0x40000000 | (guard & 3));
    for (const Method& method : methods) {
      method.SetGuard(guard & 3);
      Call(method, thread_);
      Call(method, thread_);
      expected += 2;
    }
  }
  EXPECT_EQ(calls_.size(), expected);
  EXPECT_EQ(stub_calls_, 0u);
}

TEST_P(BarrierHookTest, CodeOfAnUnknownFormIsLeftToTheVmAndCountedWhenItsTurnComes) {
  const Method method = Make(Form::kUnknown);
  EXPECT_EQ(CompareOfReturn(method.returns_to, kDisplacement), 0u);
  thread_.SetWord(0x40000001);
  EntryCountdown() = 10;
  for (int i = 0; i < 9; ++i) Call(method, thread_);
  EXPECT_EQ(BarrierHook().undecodable, 0u);
  EXPECT_EQ(stub_calls_, 9u);
  Call(method, thread_);
  EXPECT_EQ(BarrierHook().undecodable, 1u);
  EXPECT_EQ(stub_calls_, 10u);
  EXPECT_TRUE(calls_.empty());
}

TEST_P(BarrierHookTest, AnUnknownPrologueIsCountedAndNotHandled) {
  const Method method = Make(Form::kC1);
  // push rcx in place of push rbp; only its size matters.
  *reinterpret_cast<uint8_t*>(method.entry) = 0x51;
  thread_.SetWord(0x40000001);
  YpTestRegisters before{}, after{};
  yp_test_call_method(method.entry, &thread_, &before, &after);
  EXPECT_EQ(BarrierHook().undecodable, 1u);
  EXPECT_EQ(stub_calls_, 0u);
  EXPECT_TRUE(calls_.empty());
}

TEST_P(BarrierHookTest, ThreadsComeAndGoWhileTheyAreArmedAndDisarmed) {
  const Method methods[] = {Make(Form::kC1), Make(Form::kC2), Make(Form::k17)};
  static std::atomic<uint64_t> handled;
  handled = 0;
  handler_.on_entry = [](const EntryCall&) {
    ++handled;
    EntryCountdown() = 10;
  };
  std::atomic<bool> stop{false};
  static FakeThread words[2];
  std::thread arming([&] {
    while (!stop) {
      NewGuardGeneration();
      for (FakeThread& thread : words) {
        __atomic_store_n(&thread.bytes[kDisplacement + 3], 0x40, __ATOMIC_SEQ_CST);
      }
      std::this_thread::yield();
      for (FakeThread& thread : words) {
        __atomic_store_n(&thread.bytes[kDisplacement + 3], 0, __ATOMIC_SEQ_CST);
      }
    }
  });
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread> threads;
    for (FakeThread& thread : words) {
      __atomic_store_n(&thread.bytes[kDisplacement], 1, __ATOMIC_SEQ_CST);
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) Call(methods[i % 3], thread);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  stop = true;
  arming.join();
  EXPECT_EQ(stub_calls_, 0u);
  EXPECT_GT(handled, 0u);
}

TEST_P(BarrierHookTest, RestoringSucceedsOnlyWhileOurBytesAreThere) {
  ASSERT_TRUE(ExchangeEntry(stub(), hooked_, original_));
  EXPECT_FALSE(ExchangeEntry(stub(), hooked_, original_));
  const Method method = Make(Form::kC1);
  thread_.SetWord(0x40000001);
  Call(method, thread_);  // Still armed: the stub's own way.
  EXPECT_EQ(stub_calls_, 1u);
  EXPECT_TRUE(calls_.empty());
  ASSERT_TRUE(ExchangeEntry(stub(), original_, hooked_));
  // The same memory serves every recording.
  const auto first = HookEntryFor(stub());
  const auto second = HookEntryFor(stub());
  EXPECT_EQ(first->hook, second->hook);
}

}  // namespace
}  // namespace yp::hotspot
