#ifndef YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_FOR_TEST_H_
#define YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_FOR_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/time_test_util.h"
#include "hotspot/arch/slow_path.h"
#include "hotspot/probes/patch/patch_probe.h"
#include "hotspot/vmstructs/code_heap_for_test.h"

// What the tests of the probe have in common.
namespace yp::hotspot::patch_probe_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using Jdk = FakeCodeCache::Jdk;

class FakeClock final : public Clock {
 public:
  int64_t NowNs() override { return now_ns; }
  int64_t ThreadCpuNs() override { return cpu_ns += walk_ns; }
  int64_t ProcessCpuNs() override { return cpu_ns; }
  std::atomic<int64_t> now_ns = 1;
  int64_t cpu_ns = 0;
  int64_t walk_ns = 1000;  // What each walk takes.
};

// Calls that came to the handler, and where they return to.
struct Sample : EntryCall {
  uintptr_t return_pc;
};
inline std::vector<Sample> samples;
inline std::atomic<int64_t> slow_paths{0};
inline std::set<int32_t> unwanted;  // By compile id.
inline std::vector<int32_t> described;
inline bool keep_samples = true;  // Of one thread.
inline int64_t next_countdown = 1;

inline class Handler final : public EntryHandler {
 public:
  bool OnEntry(const EntryCall& call) override {
    if (keep_samples) samples.push_back({call, *call.return_address});
    slow_paths.fetch_add(1, std::memory_order_relaxed);
    EntryCountdown().store(next_countdown, std::memory_order_relaxed);
    return !unwanted.contains(call.compile_id);
  }
  void OnCountedEntry(const EntryCall& call) override { described.push_back(call.compile_id); }
} handler;

// Methods as compilers make them, in a code cache in memory where they run. Each takes a number and
// returns it and its own compile id added up.
class PatchProbeTest : public ::testing::TestWithParam<Jdk> {
 protected:
  enum class Begin { kBang, kSub, kUnknown };

  PatchProbeTest() {
    code_cache_.emplace(*vm_->Create());
    probe_ = NewProbe(vm_->feature_version());
    samples.clear();
    unwanted.clear();
    described.clear();
    keep_samples = true;
    next_countdown = 1;
  }
  ~PatchProbeTest() override { EntryCountdown().store(0); }

  std::unique_ptr<PatchProbe> NewProbe(int jdk) {
    return std::make_unique<PatchProbe>(*code_cache_, jdk, clock_, handler, [this](int64_t calls) {
      calls_left_set_ = calls;
      EntryCountdown().store(calls);
      const std::lock_guard lock(threads_mutex_);
      for (std::atomic<int64_t>* countdown : threads_) countdown->store(calls);
    });
  }

  // The blob of a new compilation, at that segment if one is given.
  uintptr_t Compile(int32_t id, Begin begin = Begin::kBang, std::optional<size_t> segment = {}) {
    const size_t at = segment ? *segment : std::exchange(next_segment_, next_segment_ + kSegments);
    const uintptr_t blob = vm_->Add(0, at, kSegments, "nmethod", id, 4);
    std::vector<uint8_t> code;
    if (begin == Begin::kBang) code = {0x89, 0x84, 0x24, 0x00, 0xf0, 0xff, 0xff};
    if (begin == Begin::kUnknown) code = {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00};  // nop
    const auto append = [&](std::initializer_list<uint8_t> bytes) {
      code.insert(code.end(), bytes);
    };
    append({0x48, 0x81, 0xec, 0x08, 0x00, 0x00, 0x00});  // sub rsp, 8
    append({0x48, 0x8d, 0x87});                          // lea rax, [rdi + id]
    for (int shift = 0; shift < 32; shift += 8) code.push_back(static_cast<uint8_t>(id >> shift));
    append({0x48, 0x83, 0xc4, 0x08, 0xc3});  // add rsp, 8; ret
    std::memcpy(reinterpret_cast<void*>(EntryOf(blob)), code.data(), code.size());
    return blob;
  }
  static uintptr_t EntryOf(uintptr_t blob) {
    return blob + FakeCodeCache::kCodeOffset + FakeCodeCache::kVerifiedEntry;
  }
  static int64_t Call(uintptr_t blob, int64_t number = 1'000'000) {
    return reinterpret_cast<int64_t (*)(int64_t)>(EntryOf(blob))(number);
  }
  static bool IsPatched(uintptr_t blob) {
    return *reinterpret_cast<const uint8_t*>(EntryOf(blob)) == 0xe9;
  }
  std::vector<uint8_t> Memory() const {
    const auto* low = reinterpret_cast<const uint8_t*>(vm_->low());
    return {low, low + (vm_->high() - vm_->low())};
  }
  std::string Maps(const char* access) const {
    char line[100];
    std::snprintf(line, sizeof(line), "%lx-%lx %sp 00000000 00:00 0\n", vm_->low(), vm_->high(),
                  access);
    return line;
  }
  void Install(PatchProbe& probe) {
    const Status status = probe.Install(nullptr);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  // Behind the time until which no walk is made.
  void PassTime() { clock_.now_ns += 3000 * kMs; }

  static constexpr size_t kSegments = 4;
  const std::unique_ptr<FakeCodeCache> vm_ = std::make_unique<FakeCodeCache>(GetParam());
  size_t next_segment_ = 0;
  std::optional<CodeCache> code_cache_;
  FakeClock clock_;
  int64_t calls_left_set_ = -1;
  std::mutex threads_mutex_;
  std::vector<std::atomic<int64_t>*> threads_;
  std::unique_ptr<PatchProbe> probe_;
};

}  // namespace yp::hotspot::patch_probe_test

#endif  // YP_HOTSPOT_PROBES_PATCH_PATCH_PROBE_FOR_TEST_H_
