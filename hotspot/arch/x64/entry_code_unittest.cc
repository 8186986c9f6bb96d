#include "hotspot/arch/x64/entry_code.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "hotspot/arch/slow_path.h"
#include "hotspot/arch/x64/patch_hook.h"
#include "hotspot/arch/x64/trampoline_memory.h"

namespace yp::hotspot {
namespace {

constexpr uint8_t kBang[] = {0x89, 0x84, 0x24, 0x00, 0xf0, 0xff, 0xff};  // mov [rsp-4096], eax
constexpr uint8_t kSub[] = {0x48, 0x81, 0xec, 0x08, 0x00, 0x00, 0x00};   // sub rsp, 8
constexpr uint8_t kAdd[] = {0x48, 0x83, 0xc4, 0x08};                     // add rsp, 8

EntryWord WordOf(const std::vector<uint8_t>& bytes) {
  EntryWord word = 0;
  std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof(word)));
  return word;
}

TEST(EntryCodeTest, OnlyTheTwoKnownInstructionsAtAlignedEntriesArePatchable) {
  const EntryWord bang = WordOf({0x89, 0x84, 0x24, 1, 2, 3, 4, 0x55});
  const EntryWord sub = WordOf({0x48, 0x81, 0xec, 1, 2, 3, 4, 0x48});
  for (uintptr_t entry = 4096; entry < 4104; ++entry) {
    EXPECT_EQ(IsPatchable(entry, bang), entry % 8 == 0);
    EXPECT_EQ(IsPatchable(entry, sub), entry % 8 == 0);
  }
  for (const std::vector<uint8_t>& other : std::vector<std::vector<uint8_t>>{
           {0xe9, 0x00, 0x00, 0x00, 0x00, 1, 2, 3},        // HotSpot's own jump.
           {0xeb, 0xfe, 0x24, 1, 2, 3, 4, 5},              // Its spin while it writes that.
           {0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 1, 2},     // sub rsp, imm8
           {0x89, 0x84, 0x25, 1, 2, 3, 4, 5},              // mov [rbp+...]
           {0x49, 0xba, 1, 2, 3, 4, 5, 6},                 // movabs: a class to be initialised.
           {0x55, 0x48, 0x8b, 0xec, 0x48, 0x81, 0xec, 1},  // push rbp
           {0x90, 0x89, 0x84, 0x24, 1, 2, 3, 4},
           {0, 0, 0, 0, 0, 0, 0, 0}}) {
    EXPECT_FALSE(IsPatchable(4096, WordOf(other)));
  }
}

TEST(EntryCodeTest, AJumpLeavesTheLastThreeBytesAndReachesTwoGigabytes) {
  const EntryWord word = WordOf({0x89, 0x84, 0x24, 1, 2, 3, 4, 0x55});
  constexpr uintptr_t kEntry = uintptr_t{1} << 40;
  EXPECT_EQ(WithJump(kEntry, word, kEntry + 0x12345),
            WordOf({0xe9, 0x40, 0x23, 0x01, 0x00, 3, 4, 0x55}));
  EXPECT_EQ(WithJump(kEntry, word, kEntry - 11),
            WordOf({0xe9, 0xf0, 0xff, 0xff, 0xff, 3, 4, 0x55}));
  EXPECT_TRUE(WithJump(kEntry, word, kEntry + 5 + 0x7fffffff).has_value());
  EXPECT_FALSE(WithJump(kEntry, word, kEntry + 5 + 0x80000000u).has_value());
  EXPECT_TRUE(WithJump(kEntry, word, kEntry + 5 - 0x80000000u).has_value());
  EXPECT_FALSE(WithJump(kEntry, word, kEntry + 4 - 0x80000000u).has_value());
}

// A method as a compiler would make it, in memory of its own, and its trampoline. It takes six
// numbers and two floating-point ones and returns a mixture of all.
class FunctionHook final : public PatchHook {
 public:
  void OnSlowPath(uint32_t number, const uintptr_t* return_address, uintptr_t) override {
    on_slow_path(number, return_address);
  }
  void (*on_slow_path)(uint32_t number, const uintptr_t* return_address) = nullptr;
};

class PatchedMethodTest : public ::testing::Test {
 protected:
  using Function = double (*)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double, double);
  static constexpr size_t kCodeBytes = 4096;

  void SetUp() override {
    code_ = static_cast<uint8_t*>(mmap(nullptr, kCodeBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(code_, MAP_FAILED);
    const auto low = reinterpret_cast<uintptr_t>(code_);
    Result<std::unique_ptr<TrampolineMemory>> memory =
        TrampolineMemory::Create(low, low + kCodeBytes, 1000, PatchHookCode());
    ASSERT_TRUE(memory.ok()) << memory.message();
    memory_ = std::move(memory).value();
    samples_.clear();
    hook_.on_slow_path = [](uint32_t number, const uintptr_t* return_address) {
      samples_.emplace_back(number, *return_address);
      EntryCountdown() = next_countdown_;
    };
    SetPatchHook(&hook_);
    EntryCountdown() = 0;
  }
  void TearDown() override {
    SetPatchHook(nullptr);
    munmap(code_, kCodeBytes);
  }

  // The method, its first instruction being the stack bang or not.
  uintptr_t MakeMethod(bool bang) {
    std::vector<uint8_t> bytes(bang ? std::vector<uint8_t>(std::begin(kBang), std::end(kBang))
                                    : std::vector<uint8_t>(std::begin(kSub), std::end(kSub)));
    if (bang) bytes.insert(bytes.end(), {0x48, 0x83, 0xec, 0x08});  // sub rsp, 8
    const uint8_t body[] = {
        0x48, 0x8d, 0x04, 0x77,        // lea rax, [rdi + 2*rsi]
        0x48, 0x8d, 0x04, 0x90,        // lea rax, [rax + 4*rdx]
        0x48, 0x8d, 0x04, 0xc8,        // lea rax, [rax + 8*rcx]
        0x4a, 0x8d, 0x04, 0x40,        // lea rax, [rax + 2*r8]
        0x4a, 0x8d, 0x04, 0x88,        // lea rax, [rax + 4*r9]
        0xf2, 0x48, 0x0f, 0x2a, 0xd0,  // cvtsi2sd xmm2, rax
        0xf2, 0x0f, 0x59, 0xc1,        // mulsd xmm0, xmm1
        0xf2, 0x0f, 0x58, 0xc2,        // addsd xmm0, xmm2
    };
    bytes.insert(bytes.end(), std::begin(body), std::end(body));
    bytes.insert(bytes.end(), std::begin(kAdd), std::end(kAdd));
    bytes.push_back(0xc3);  // ret
    uint8_t* at = code_ + 64 * methods_++;
    std::memcpy(at, bytes.data(), bytes.size());
    return reinterpret_cast<uintptr_t>(at);
  }
  static double Call(uintptr_t method) {
    return reinterpret_cast<Function>(method)(1, 10, 100, 1000, 10000, 100000, 1.5, 3.0);
  }
  static constexpr double kResult = 1 + 20 + 400 + 8000 + 20000 + 400000 + 4.5;

  // Makes the trampoline of that number; the word that leads to it.
  EntryWord PatchFor(uintptr_t method, uint32_t number, uint32_t steps = 1,
                     int64_t* counted = nullptr) {
    const EntryWord word = ReadEntry(method);
    EXPECT_TRUE(IsPatchable(method, word));
    TrampolineSpec spec;
    spec.address = memory_->AddressOf(number);
    spec.entry = method;
    spec.entry_word = word;
    spec.countdown_offset = EntryCountdownOffset();
    spec.steps = steps;
    spec.word = reinterpret_cast<uintptr_t>(counted);
    spec.number = number;
    spec.slow_path = memory_->slow_path();
    const auto code = MakeTrampoline(spec);
    EXPECT_TRUE(code.has_value());
    memory_->Write(number, *code);
    return *WithJump(method, word, spec.address);
  }

  static inline FunctionHook hook_;
  static inline std::vector<std::pair<uint32_t, uintptr_t>> samples_;
  static inline int64_t next_countdown_ = 1;
  uint8_t* code_ = nullptr;
  size_t methods_ = 0;
  std::unique_ptr<TrampolineMemory> memory_;
};

TEST_F(PatchedMethodTest, ReturnsWhatItDidAndEveryNthCallTakesTheSlowPath) {
  for (const bool bang : {true, false}) {
    const uintptr_t method = MakeMethod(bang);
    ASSERT_EQ(Call(method), kResult);
    const EntryWord original = ReadEntry(method);
    const EntryWord patched = PatchFor(method, bang ? 7 : 999);
    ASSERT_TRUE(ExchangeEntry(method, original, patched));
    samples_.clear();
    EntryCountdown() = 0;
    next_countdown_ = 10;
    for (int i = 0; i < 101; ++i) ASSERT_EQ(Call(method), kResult) << i;
    ASSERT_EQ(samples_.size(), 11u);
    for (const auto& [number, return_address] : samples_) EXPECT_EQ(number, bang ? 7u : 999u);
    ASSERT_TRUE(ExchangeEntry(method, patched, original));
    EXPECT_EQ(Call(method), kResult);
    EXPECT_EQ(samples_.size(), 11u);
  }
}

TEST_F(PatchedMethodTest, ACallCountsDownItsSteps) {
  const uintptr_t method = MakeMethod(true);
  ASSERT_TRUE(ExchangeEntry(method, ReadEntry(method), PatchFor(method, 5, 300)));
  EntryCountdown() = 1000;
  next_countdown_ = 900;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(Call(method), kResult);
  EXPECT_EQ(EntryCountdown(), 100);
  EXPECT_TRUE(samples_.empty());
  // The fourth is below zero; then each third.
  for (int i = 0; i < 7; ++i) ASSERT_EQ(Call(method), kResult);
  EXPECT_EQ(samples_.size(), 3u);
}

TEST_F(PatchedMethodTest, AWordOfItsOwnIsCountedDownInPlaceOfTheThreads) {
  for (const bool bang : {true, false}) {
    const uintptr_t method = MakeMethod(bang);
    int64_t word = 3;
    ASSERT_TRUE(ExchangeEntry(method, ReadEntry(method), PatchFor(method, 8, 300, &word)));
    EntryCountdown() = 1000;
    samples_.clear();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(Call(method), kResult);
    EXPECT_EQ(word, 1);
    EXPECT_TRUE(samples_.empty());
    EXPECT_EQ(EntryCountdown(), 1000);
    // At zero and below each call takes the slow path.
    for (int i = 0; i < 2; ++i) ASSERT_EQ(Call(method), kResult);
    EXPECT_EQ(word, -1);
    ASSERT_EQ(samples_.size(), 2u);
    EXPECT_EQ(samples_[0].first, 8u);
    const auto here = reinterpret_cast<uintptr_t>(&Call);
    const uintptr_t caller = samples_[0].second;
    EXPECT_LT(std::max(caller, here) - std::min(caller, here), 1u << 20);
  }
}

TEST_F(PatchedMethodTest, TheSlowPathKnowsTheCaller) {
  const uintptr_t method = MakeMethod(true);
  ASSERT_TRUE(ExchangeEntry(method, ReadEntry(method), PatchFor(method, 1)));
  next_countdown_ = 1;
  Call(method);
  Call(method);
  ASSERT_EQ(samples_.size(), 2u);
  // Within this test's own code.
  const auto here = reinterpret_cast<uintptr_t>(&Call);
  for (const auto& [number, return_address] : samples_) {
    EXPECT_LT(std::max(return_address, here) - std::min(return_address, here), 1u << 20);
  }
}

TEST_F(PatchedMethodTest, WhatAnotherHasWrittenIsNotUndone) {
  const uintptr_t method = MakeMethod(true);
  const EntryWord original = ReadEntry(method);
  const EntryWord patched = PatchFor(method, 1);
  ASSERT_TRUE(ExchangeEntry(method, original, patched));
  const EntryWord vms_own = WordOf({0xe9, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_TRUE(ExchangeEntry(method, patched, vms_own));
  EXPECT_FALSE(ExchangeEntry(method, patched, original));
  EXPECT_EQ(ReadEntry(method), vms_own);
}

TEST_F(PatchedMethodTest, ThreadsRunThroughItWhileItIsPatchedAndRestored) {
  const uintptr_t method = MakeMethod(true);
  const EntryWord original = ReadEntry(method);
  const EntryWord patched = PatchFor(method, 3);
  static std::atomic<int64_t> slow{0};
  slow = 0;
  hook_.on_slow_path = [](uint32_t, const uintptr_t*) {
    slow.fetch_add(1, std::memory_order_relaxed);
    EntryCountdown() = 100;
  };
  std::atomic<bool> stop{false};
  std::atomic<int64_t> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        if (Call(method) != kResult) wrong.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(ExchangeEntry(method, original, patched));
    ASSERT_TRUE(ExchangeEntry(method, patched, original));
  }
  ASSERT_TRUE(ExchangeEntry(method, original, patched));
  const int64_t before = slow.load();
  while (slow.load() < before + 100) std::this_thread::yield();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(TrampolineMemoryTest, LiesNearTheCodeCacheAndIsNeverWritableWhereItRuns) {
  void* reserved = mmap(nullptr, size_t{240} << 20, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  const auto low = reinterpret_cast<uintptr_t>(reserved);
  const uintptr_t high = low + (size_t{240} << 20);
  const auto memory = TrampolineMemory::Create(low, high, 1 << 16, 1);
  ASSERT_TRUE(memory.ok()) << memory.message();
  const uintptr_t first = (*memory)->AddressOf(0);
  const uintptr_t last = (*memory)->AddressOf((1 << 16) - 1);
  EXPECT_LT(std::max(high, last) - std::min(low, first), uintptr_t{1} << 31);
  EXPECT_TRUE((*memory)->Contains(first));
  EXPECT_TRUE((*memory)->Contains(last + kTrampolineBytes - 1));
  EXPECT_FALSE((*memory)->Contains(last + 2 * 4096));
  EXPECT_FALSE((*memory)->Contains(first - 1));
  FILE* maps = fopen("/proc/self/maps", "r");
  ASSERT_NE(maps, nullptr);
  char line[512];
  int views = 0;
  while (fgets(line, sizeof(line), maps) != nullptr) {
    if (std::strstr(line, "yieldpoint-trampolines") == nullptr) continue;
    ++views;
    EXPECT_FALSE(std::strchr(line, 'w') != nullptr && std::strstr(line, "wx") != nullptr) << line;
  }
  fclose(maps);
  EXPECT_EQ(views, 2);
  munmap(reserved, size_t{240} << 20);
}

TEST(TrampolineMemoryTest, ACodeCacheBeyondTheReachOfAJumpIsRefused) {
  EXPECT_FALSE(
      TrampolineMemory::Create(uintptr_t{1} << 40, (uintptr_t{1} << 40) + 0x7fffffff, 1000, 1)
          .ok());
}

}  // namespace
}  // namespace yp::hotspot
